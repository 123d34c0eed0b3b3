"""MARC 21 files, whole and damaged."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.formats import LARGEST, Origin
from bibfold.records.formats.marc21 import read
from bibfold.records.model import RAW_LIMIT, DeadLetter, Deletion, Item, Record

FILES = Path(__file__).parents[2] / "data" / "formats"
ORIGIN = Origin("file.mrc", "shelf")


def marc(*fields: tuple[str, str], leader: str = "nam a") -> bytes:
    """A record in exchange form; subfields are marked with `$`."""
    directory = data = b""
    for tag, content in fields:
        body = content.replace("$", "\x1f").encode() + b"\x1e"
        directory += f"{tag}{len(body):04d}{len(data):05d}".encode()
        data += body
    base = 24 + len(directory) + 1
    head = f"{base + len(data) + 1:05d}{leader}22{base:05d}   4500".encode()
    return head + directory + b"\x1e" + data + b"\x1d"


def titled(title: str, id: str = "1") -> bytes:
    return marc(("001", id), ("245", f"10$a{title}"))


def results(data: bytes) -> list[Item]:
    return list(read(io.BytesIO(data), ORIGIN))


def ids(path: str) -> list[str]:
    with (FILES / path).open("rb") as stream:
        return [found.id if isinstance(found, Record) else found.reason for found in read(stream, ORIGIN)]


def test_records_and_what_may_stand_between_them() -> None:
    found = results(b"\r\n" + titled("One", "1") + b"\r\n\0" + titled("Two", "2") + b"\x1a")
    assert [(record.id, record.title, record.source) for record in found if isinstance(record, Record)] == [
        ("1", "One", "shelf"),
        ("2", "Two", "shelf"),
    ]
    assert len(found) == 2


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_nothing_gives_nothing(data: bytes) -> None:
    assert results(data) == []


def test_wrong_lengths_are_got_over_and_broken_records_passed() -> None:
    assert ids("marc-wrong-lengths.mrc") == [
        "good-1",
        "too-long",
        "too-short",
        "no-number",
        "characters",
        "no leader and directory at its start",
        "last",
        "cut off by the end of the file",
    ]


def test_a_directory_counted_in_characters_gives_the_right_fields() -> None:
    with (FILES / "marc-wrong-lengths.mrc").open("rb") as stream:
        record = next(r for r in read(stream, ORIGIN) if isinstance(r, Record) and r.id == "characters")
    assert (record.title, record.authors, record.year) == (
        "Über Zählung in Zeichen",
        ("Müller, Jürgen",),
        1984,
    )


def test_character_sets_are_right_whatever_the_leader_says() -> None:
    with (FILES / "marc-charsets.mrc").open("rb") as stream:
        found = list(read(stream, ORIGIN))
    names = {record.id: (record.title, record.authors) for record in found if isinstance(record, Record)}
    assert names == {
        "utf8-says-marc8": ("Größe und Bedeutung", ("Dvořák, Jiří",)),
        "latin1-says-utf8": ("Größe und Bedeutung", ("Müller, Jürgen",)),
        "latin1-says-marc8": ("Größe und Bedeutung", ("Müller, Jürgen",)),
        "marc8-says-utf8": ("Größe und Bedeutung", ("Dvořák, Jiří",)),
        "marc8": ("Größe und Bedeutung", ("Dvořák, Jiří",)),
        "damaged-note": ("Größe", ()),
    }
    letter = found[-1]
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "the title (245) holds bytes of no known character set"


def test_a_dead_letter_says_where_and_what() -> None:
    good = titled("One")
    letter = results(good + b"00030nam" + b"x" * 9000 + b"\x1d")[1]
    assert isinstance(letter, DeadLetter)
    assert letter.file == "file.mrc"
    assert letter.position == f"record 2 at byte {len(good)}"
    assert letter.raw.startswith("00030namxxx")
    assert len(letter.raw) == RAW_LIMIT


def test_an_end_mark_inside_a_record_does_not_end_it() -> None:
    found = results(titled("One\x1dand") + titled("Two"))
    assert [record.title for record in found if isinstance(record, Record)] == ["Oneand", "Two"]


def test_fields_that_do_not_match_the_directory_are_a_dead_letter() -> None:
    letter = results(titled("One").replace(b"One", b"O\x1ee"))[0]
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "the directory names 2 fields but 3 follow"


def test_a_directory_of_odd_length_is_a_dead_letter() -> None:
    letter = results(titled("One").replace(b"\x1e", b"5\x1e", 1))[0]
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "a directory of 25 bytes, not a multiple of 12"


def test_what_never_ends_is_one_dead_letter_and_is_skipped() -> None:
    found = results(b"x" * (LARGEST + LARGEST // 2) + b"\x1d" + titled("Behind"))
    assert [type(each) for each in found] == [DeadLetter, Record]
    assert isinstance(found[0], DeadLetter)
    assert found[0].reason == "larger than 16 MB, the largest size of a record (setting largest_record)"


def test_a_record_without_fields_is_a_dead_letter() -> None:
    letter = results(marc())[0]
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "no leader and directory at its start"


def test_missing_indicators_and_subfields_are_lived_with() -> None:
    record = results(marc(("001", "1"), ("245", "Plain title"), ("650", "$aCats"), ("500", "")))[0]
    assert isinstance(record, Record)
    assert record.title == "ain title"
    assert ["650", "  ", [["a", "Cats"]]] in record.extra["marc"]


def test_deleted_records_are_deletions_and_authorities_are_dead_letters() -> None:
    gone, nameless, authority = results(
        marc(("001", "1"), leader="dam a") + marc(("245", "10$aT"), leader="dam a") + marc(("001", "2"), leader="nz  a")
    )
    assert isinstance(gone, Deletion)
    assert (gone.id, "leader/05 is d" in gone.reason) == ("1", True)
    assert isinstance(nameless, DeadLetter)
    assert "without control number" in nameless.reason
    assert isinstance(authority, DeadLetter)
    assert authority.reason == "describes an authority, not a work (leader/06 is z)"


def test_ids_may_be_absent_or_repeated() -> None:
    found = results(titled("One", "7") + titled("Two", "7") + marc(("245", "10$aThree")))
    assert [record.id for record in found if isinstance(record, Record)] == ["7", "7", ""]


def test_ten_thousand_authors_in_a_record_longer_than_its_leader_can_say() -> None:
    names = [f"Author {number:05d}, A." for number in range(10_000)]
    entries = b"".join(b"700%04d%05d" % (len(name) + 5, 99999) for name in names)
    data = b"".join(b"1 \x1fa" + name.encode() + b"\x1e" for name in names)
    record = results(b"99999nam a2299999   4500" + entries + b"\x1e" + data + b"\x1d")[0]
    assert isinstance(record, Record)
    assert record.authors == tuple(names)


@settings(deadline=None)
@given(st.binary(max_size=300) | st.text("0123456789 abc\x1d\x1e\x1f$", max_size=200).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    assert all(isinstance(found, Record | DeadLetter) for found in results(data))


@settings(deadline=None)
@given(st.data())
def test_no_damage_raises_and_the_next_record_is_read(data: st.DataObject) -> None:
    whole = bytearray(titled("Größe und Bedeutung"))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 2))] = data.draw(st.integers(0, 255))
    found = results(bytes(whole[:-1]) + b"\x1d" + titled("Behind"))
    assert isinstance(found[-1], Record)
    assert found[-1].title == "Behind"


def test_a_subfield_code_that_is_no_ascii() -> None:
    [record] = results(marc(("001", "1"), ("245", "10$aTitle"), ("500", "  $á note")))
    assert isinstance(record, Record)
    assert record.title == "Title"
    assert ["500", "  ", [["á", " note"]]] in record.extra["marc"]


def test_a_leader_that_lacks_blanks() -> None:
    short = titled("Title").replace(b"   4500", b"4500", 1)
    [record] = results(short)
    assert isinstance(record, Record)
    assert record.title == "Title"
