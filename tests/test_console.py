"""What commands print goes one way, which makes it safe to look at."""

import io
import re
import sys
from pathlib import Path

import pytest

import bibfold
from bibfold.console import echo, echo_json
from bibfold.errors import InputError
from bibfold.shell import Stopped, stopped_by_signals

ROOT = Path(bibfold.__file__).parent.parent


class Full(io.StringIO):
    """A stream that takes nothing."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_lines_and_json_are_safe_to_look_at(capsys: pytest.CaptureFixture[str]) -> None:
    echo("a\x1b[1m", "b\nc", "")
    echo_json({"a": "\x9b"})
    assert capsys.readouterr().out == 'a\\x1b[1m\nb\\nc\n\n{"a":"\\u009b"}\n'


def test_a_full_output_is_an_error_and_a_full_error_stream_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(sys, "stderr", Full())
    echo("a", err=True)
    with pytest.raises(InputError, match="standard output cannot be written: No space left on device"):
        echo("a")


@pytest.mark.parametrize("package", ["bibfold", "indexer", "lookup", "ingest", "evaluation"])
def test_no_module_prints_in_another_way(package: str) -> None:
    """A prompt, which is no whole line and holds no data, may be printed by click."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / package).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"click\.s?echo\((?!.*nl=False)|sys\.std(out|err)\.write\(", line)
    ]
    allowed = {"bibfold/console.py", "bibfold/shell.py"}
    assert [line for line in found if line.partition(":")[0] not in allowed] == []


def test_a_signal_is_heeded_only_while_a_command_runs() -> None:
    import signal

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Stopped) as stopped, stopped_by_signals():
        signal.raise_signal(signal.SIGTERM)
    assert stopped.value.status == 143
    assert signal.getsignal(signal.SIGTERM) == before
