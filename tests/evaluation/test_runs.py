"""Run files: written, read again, and refused where they are something else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.runs import EvaluationRun, file_data, read_run, run_file, settings_data, this_version

Write = Callable[..., str]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    run = EvaluationRun("replay", this_version(), {"same": 0.5}, {}, {"f1": 1.0}, [("a", "b")], [("a", "c")])
    path = tmp_path / "run.json"
    path.write_bytes(run_file(run))
    assert read_run(path) == run


def test_what_is_no_run_file_is_told(write: Write, tmp_path: Path) -> None:
    for content in (b"", b"nonsense", b'{"kind": 1}'):
        with pytest.raises(InputError, match=r"is no run file: .*; write one with `bibfold evaluate replay"):
            read_run(Path(write("run.json", content)))
    with pytest.raises(InputError, match="absent: cannot be read: No such file"):
        read_run(tmp_path / "absent")


def test_settings_are_those_that_rule_the_run() -> None:
    settings = settings_data([{"profile": "mendeley", "same": 0.4}], ("profile",), seed=7)
    assert (settings["same"], settings["unsure"], settings["engine"], settings["seed"]) == (0.4, 0.4, "memory", 7)
    assert settings_data([], ("profile", "bridge"))["bridge"] == "merge"


def test_a_file_is_told_by_its_content(write: Write) -> None:
    data = file_data(write("a.csv", b"a,b\n"), 3)
    assert (len(data["fingerprint"]), data["count"]) == (16, 3)
