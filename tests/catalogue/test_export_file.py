"""Exports into a file: whole or not at all, and nothing for a format that cannot be written."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bibfold.catalogue.export_file import export
from bibfold.errors import InputError, SettingsError
from bibfold.records.formats.files import read_file
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from ingest.run import fold_stream

Make = Callable[..., Record]


@pytest.fixture
def filled(workspace: Workspace, make: Make) -> Workspace:
    """A catalogue of two works."""
    fold_stream(workspace, [make("1"), make("2"), make("3", 1)])
    return workspace


@pytest.mark.parametrize("form", ["jsonl", "ris", "bibtex", "csv", "marcxml"])
def test_every_format_that_can_be_written(filled: Workspace, tmp_path: Path, make: Make, form: str) -> None:
    out = tmp_path / "out"
    export(filled.catalogue, form, out)
    titles = [item.title for item in read_file(str(out), format=form) if isinstance(item, Record)]
    assert titles == [make("1").title, make("3", 1).title]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".bibfold.json", "out"]


def test_without_a_file_it_goes_to_standard_output(
    filled: Workspace, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    export(filled.catalogue, "jsonl", None)
    assert capfdbinary.readouterr().out.count(b"\n") == 2


def test_a_format_that_cannot_be_written_leaves_the_file_as_it_was(filled: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("before")
    with pytest.raises(SettingsError, match="can be read but not written"):
        export(filled.catalogue, "nbib", out)
    assert out.read_text() == "before"


def test_a_place_that_cannot_be_written_is_named(filled: Workspace, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file/out cannot be written: .*; name another place"):
        export(filled.catalogue, "jsonl", tmp_path / "file" / "out")
