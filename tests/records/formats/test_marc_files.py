"""Every record of the real MARC and EndNote files is read or told of; counts were made without these readers."""

import os
from pathlib import Path

import pytest

from bibfold.records.formats import Origin, reader
from bibfold.records.formats.marcxml import read as read_marcxml
from bibfold.records.formats.marcxml import write as write_marcxml
from bibfold.records.model import DeadLetter, Record

DATA = Path(os.environ.get("BIBFOLD_DATA", Path(__file__).parents[4] / "shared" / "data")) / "formats"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files: {DATA} is absent (set BIBFOLD_DATA)")

FILES = [
    # file, format, record terminators or <record> tags in it, titled records, records with a year
    ("marc21/bad-hathi.mrc", "marc21", 5, 5, 5),
    ("marc21/charset-trap.mrc", "marc21", 52, 52, 51),
    ("marc21/hebrew.mrc", "marc21", 20, 20, 20),
    ("marc21/jazz-1000.mrc", "marc21", 1000, 1000, 919),
    ("marc21/nepali.mrc", "marc21", 96, 96, 96),
    ("marc21/pride-and-prejudice-editions.mrc", "marc21", 383, 383, 374),
    ("marc21/uva-2000.mrc", "marc21", 2000, 2000, 1994),
    ("marc21/weird-ids.mrc", "marc21", 9, 9, 9),
    ("marcxml/alma.xml", "marcxml", 1, 1, 1),
    ("marcxml/alternate-script.xml", "marcxml", 1, 1, 1),
    ("marcxml/broken-1.xml", "marcxml", 1, 1, 1),
    ("marcxml/broken-2.xml", "marcxml", 1, 1, 1),
    ("marcxml/cern-demo.xml", "marcxml", 142, 116, 102),
    ("endnote-xml/tafenoquine.xml", "endnote", 179, 179, 179),
]


def results(path: str, format: str) -> list[Record | DeadLetter]:
    with (DATA / path).open("rb") as stream:
        return list(reader(format)(stream, Origin(path, "shelf")))


def counted(path: str) -> int:
    data = (DATA / path).read_bytes()
    return data.count(b"\x1d") if path.endswith(".mrc") else data.count(b"<record>")


@pytest.mark.parametrize(("path", "format", "count", "titled", "dated"), FILES)
def test_every_record_is_read(path: str, format: str, count: int, titled: int, dated: int) -> None:
    records = [found for found in results(path, format) if isinstance(found, Record)]
    assert counted(path) == count
    assert len(records) == count
    assert sum(bool(record.title) for record in records) == titled
    assert sum(record.year is not None for record in records) == dated
    assert not any("\ufffd" in record.title for record in records)


@pytest.mark.parametrize("path", [path for path, format, *_ in FILES if format.startswith("marc")])
def test_what_is_written_reads_back_the_same(path: str, tmp_path: Path) -> None:
    format = "marc21" if path.endswith(".mrc") else "marcxml"
    records = [found for found in results(path, format) if isinstance(found, Record)][:300]
    with (tmp_path / "out.xml").open("wb") as out:
        write_marcxml(records, out)
    with (tmp_path / "out.xml").open("rb") as stream:
        assert list(read_marcxml(stream, Origin("out.xml", "elsewhere"))) == records


def test_text_that_was_decoded_wrongly_many_times_is_put_right() -> None:
    (record,) = results("marcxml/broken-1.xml", "marcxml")
    assert isinstance(record, Record)
    assert (record.title, record.authors) == ("Metsätalous kaavoitusalueilla", ("Tenhola, Tommi", "Kiviniemi, Matti"))


def test_a_record_of_a_megabyte_is_read() -> None:
    record = results("marc21/bad-hathi.mrc", "marc21")[3]
    assert isinstance(record, Record)
    assert (record.title, record.year) == ("United States congressional serial set", 1817)
    assert len(record.extra["marc"]) == 12_655


def test_utf8_that_the_leader_calls_marc8_is_read() -> None:
    record = results("marc21/charset-trap.mrc", "marc21")[0]
    assert isinstance(record, Record)
    assert (record.title, record.subtitle) == ("Люди с чистой совестью", "Воспоминания")
    assert record.authors == ("Вершигора, Петр Петрович", "Пчелко, И.И.")


def test_hebrew_in_marc8_is_read() -> None:
    record = results("marc21/hebrew.mrc", "marc21")[0]
    assert isinstance(record, Record)
    assert any("לתורה" in title for title in record.extra["alternative_titles"])
