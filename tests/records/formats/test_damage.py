"""No bytes, however damaged, make a reader fail: they become records that can be written, or dead letters."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.errors import InputError
from bibfold.records.formats import Origin, reader
from bibfold.records.model import RAW_LIMIT, DeadLetter, Record
from bibfold.records.native import decode, encode

DATA = Path(__file__).parents[2] / "data" / "formats"
SAMPLES = {
    "ris": "articles.ris",
    "bibtex": "articles.bib",
    "csv": "scopus.csv",
    "nbib": "pubmed.nbib",
    "crossref": "crossref-page.json",
    "jsonl": "records.jsonl",
    "csl-json": "csl.json",
    "wos": "savedrecs.txt",
    "pubmed-xml": "pubmed-articles.xml",
    "enw": "citations.enw",
    "openalex": "openalex-page.json",
    "mods": "mods-collection.xml",
    "datacite": "datacite-page.json",
    "ovid": "ovid.txt",
    "sru": "sru-answer.xml",
    "unixref": "unixref.xml",
}
PIECES = [*(bytes([byte]) for byte in b'{}[]()"\\,;:@=#-\n\r\t \x00\x81\xe9\xc3'), b"\nER  - \n", b"TY  - ", b"\\ud800"]

edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(PIECES) | st.binary(max_size=3)),
    min_size=1,
    max_size=6,
)


def read(name: str, data: bytes) -> list[Record | DeadLetter]:
    """What a reader makes of the data; the header of a table may be past recognition."""
    try:
        return list(reader(name)(io.BytesIO(data), Origin("file", "shelf")))
    except InputError:
        if name != "csv":
            raise
        return []


@pytest.mark.parametrize("name", SAMPLES)
@given(edits=edits)
@settings(max_examples=40, deadline=None)
def test_damaged_files(name: str, edits: list[tuple[float, int, bytes]]) -> None:
    data = (DATA / SAMPLES[name]).read_bytes()
    for where, removed, added in edits:
        place = int(where * len(data))
        data = data[:place] + added + data[place + removed :]
    for item in read(name, data):
        if isinstance(item, Record):
            assert decode(encode(item)) == item
        else:
            assert isinstance(item, DeadLetter)
            assert item.reason
            assert "bibfold fails" not in item.reason
            assert len(item.raw) <= RAW_LIMIT
            item.raw.encode()


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.binary(max_size=200))
@settings(max_examples=25, deadline=None)
def test_noise(name: str, data: bytes) -> None:
    assert all(isinstance(item, Record | DeadLetter) for item in read(name, data))
