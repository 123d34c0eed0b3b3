"""Exports: every record once, and each format that is written can be read again."""

import io
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bibfold.catalogue.exports import canonical_lines, canonical_records, memberships
from bibfold.records.formats import FORMATS, writer
from bibfold.records.formats.files import read_file
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from ingest.run import fold_stream

Make = Callable[..., Record]

WRITABLE = [name for name, form in FORMATS.items() if form.writer]


@pytest.fixture
def folded(workspace: Workspace, make: Make) -> Workspace:
    full = {"publication": "Nature", "volume": "7", "pages": "1-9", "identifiers": {"doi": ("10.1000/7",)}}
    fold_stream(workspace, [make("1", **full), make("2", extra={"shelf": "Q 7"}), make("3:4", 1, source="y")])
    return workspace


def test_memberships_split_a_name_where_its_source_ends(folded: Workspace) -> None:
    with folded.catalogue.reading() as read:
        assert list(memberships(read)) == [("c1", "x", "1"), ("c1", "x", "2"), ("c2", "y", "3:4")]


def test_a_line_of_json_for_each_cluster(folded: Workspace) -> None:
    with folded.catalogue.reading() as read:
        first, second = (msgspec.json.decode(line) for line in canonical_lines(read))
    assert (first["cluster"], first["records"], first["shelf"]) == ("c1", ["x:1", "x:2"], "Q 7")
    assert first["provenance"]["shelf"] == "x:2"
    assert (second["cluster"], second["records"], second["source"]) == ("c2", ["y:3:4"], "y")


@pytest.mark.parametrize("form", WRITABLE)
def test_what_is_written_can_be_read_again(folded: Workspace, tmp_path: Path, form: str) -> None:
    with folded.catalogue.reading() as read:
        expected = list(canonical_records(read))
        out = io.BytesIO()
        writer(form)(iter(expected), out)
    path = tmp_path / f"export{FORMATS[form].endings[0]}"
    path.write_bytes(out.getvalue())
    assert list(read_file(str(path))) == expected
    assert [(one.source, one.id) for one in expected] == [("bibfold", "c1"), ("bibfold", "c2")]
