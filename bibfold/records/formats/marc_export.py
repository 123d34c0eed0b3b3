"""bibfold's record as a MARC record that says the same.

A record that came from MARC goes out with the fields it came with, but for those whose meaning has changed;
any other gets the fields that MARC has for it. The result is read back at once, and what would be lost goes into our
local field.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from bibfold.records.formats import DEFAULTS, Options
from bibfold.records.formats.marc import KEPT, Field, Marc, control, field, from_kept, kept
from bibfold.records.formats.marc_local import local
from bibfold.records.formats.marc_record import ADDED, MAIN, TYPES, UNCONTROLLED, to_record
from bibfold.records.formats.marc_valid import mended, valid
from bibfold.records.formats.names import name_of
from bibfold.records.formats.parts import parts
from bibfold.records.formats.remainder import remainder
from bibfold.records.formats.unimarc import as_marc21
from bibfold.records.formats.work_types import work_type
from bibfold.records.model import Record

_LEADER = "00000nam a2200000 u 4500"
_LEVELS = {kind: f"{level}m"[:2] for level, kind in reversed(list(TYPES.items()))}
_LEVELS_BY_WORK = {
    **dict.fromkeys(("JOUR", "MGZN", "NEWS"), "ab"),
    **dict.fromkeys(("CHAP", "CPAPER"), "aa"),
    **{"SER": "as", "ELEC": "ai", "BLOG": "ai", "MAP": "em", "VIDEO": "gm", "SOUND": "im", "MUSIC": "cm", "COMP": "mm"},
    **{"MANSCPT": "tm"},
}
"""Type of record and bibliographic level (leader/06 and 07) by the work's type: articles are component parts."""

_ALTERNATIVE_TITLES = "alternative_titles"


def to_marc(record: Record, options: Options = DEFAULTS) -> Marc:
    """The MARC record, which the schema of MARCXML allows; without our local field if it is to be plain."""
    before = from_kept(record.extra.get(KEPT))
    leader = _LEADER[:6] + _level(record) + _LEADER[8:]
    received = mended(Marc(before.leader or leader, before.fields) if before else Marc(leader, ()))
    marc = valid(received)
    read = _read(marc)
    changed = [aspect for aspect in _ASPECTS if not _same(aspect, record, read)]
    if changed or not before:
        marc = _with(as_marc21(received), changed, record, () if before else tuple(_parts(record)))
        read = _read(marc)
    if options.plain or not remainder(_mended(record, received) if before else record, read, options):
        return marc
    return Marc(marc.leader, (*marc.fields, local(record, read)))


def _mended(record: Record, received: Marc) -> Record:
    """The record with the MARC fields that it came with mended: what is lost of their form alone is not missed."""
    return msgspec.structs.replace(record, extra={**record.extra, KEPT: kept(received)})


class _Aspect(msgspec.Struct, frozen=True):
    """Fields of the model that MARC holds together, in which tags, and how these are made."""

    names: tuple[str, ...]
    tags: tuple[str, ...]
    make: Callable[[Record], Iterator[Field]]


def _same(aspect: _Aspect, record: Record, read: Record) -> bool:
    return all(_value(record, name) == _value(read, name) for name in aspect.names)


def _value(record: Record, name: str) -> Any:
    return record.extra.get(name) if name == _ALTERNATIVE_TITLES else getattr(record, name)


def _with(marc: Marc, aspects: list[_Aspect], record: Record, others: tuple[Field, ...]) -> Marc:
    """The record with these aspects as bibfold's has them, and other fields; added names keep their order."""
    tags = {tag for aspect in aspects for tag in aspect.tags}
    fields = [each for each in marc.fields if each.tag not in tags]
    fields.extend(made for aspect in aspects for made in aspect.make(record))
    fields.extend(others)
    leader = marc.leader
    if any("type" in aspect.names for aspect in aspects):
        leader = leader[:6] + _level(record) + leader[8:]
    fields.sort(key=lambda each: ADDED[0] if each.tag in ADDED else each.tag)
    return valid(mended(Marc(leader, tuple(fields))))


def _level(record: Record) -> str:
    usual = "ab" if record.publication and not record.type else "am"
    return _LEVELS.get(record.type) or _LEVELS_BY_WORK.get(work_type(record).ris, usual)


def _read(marc: Marc) -> Record:
    """What a reader makes of these fields."""
    fields = (
        field(each.tag, each.indicators, each.subfields) if each.indicators else control(each.tag, each.data)
        for each in marc.fields
    )
    return to_record(Marc(marc.leader, tuple(fields)), "")


def _parts(record: Record) -> Iterator[Field]:
    """What `extra` holds that MARC has a field for."""
    held = parts(record)
    yield from (Field("490", "0 ", (("a", title),)) for title in held.series)
    yield from (Field("500", "  ", (("a", note),)) for note in held.notes)
    yield from (Field("653", "  ", (("a", keyword),)) for keyword in held.keywords)
    yield from (Field("856", "40", (("u", url),)) for url in held.urls)


def _control_number(record: Record) -> Iterator[Field]:
    if record.id:
        yield Field("001", "", (), record.id)


def _title(record: Record) -> Iterator[Field]:
    if record.subtitle:
        yield Field("245", "00", (("a", f"{record.title} :"), ("b", record.subtitle)))
    elif record.title:
        yield Field("245", "00", (("a", record.title),))


def _alternative_titles(record: Record) -> Iterator[Field]:
    titles = record.extra.get(_ALTERNATIVE_TITLES)
    for title in titles if isinstance(titles, list) else ():
        if isinstance(title, str):
            yield Field("246", "3 ", (("a", title),))


def _names(record: Record) -> Iterator[Field]:
    """Persons as "Family, Given"; an organisation has fields of its own."""
    for number, author in enumerate(record.authors):
        name = name_of(author)
        tag, indicators = ("10", "2 ") if name.organisation else ("00", "1 ")
        yield Field(f"{7 if number else 1}{tag}", indicators, (("a", name.inverted),))


def _imprint(record: Record) -> Iterator[Field]:
    """Publisher and year as text, year and language as codes."""
    known = record.year is not None and 1000 <= record.year < 2100
    code = record.language if len(record.language) == 3 else "   "
    date = f"s{record.year}" if known else "n    "
    yield Field("008", "", (), f"||||||{date}    xx {'|' * 17}{code}||")
    subfields = (("b", record.publisher), ("c", "" if record.year is None else str(record.year)))
    if record.publisher or record.year is not None:
        yield Field("264", " 1", tuple(pair for pair in subfields if pair[1]))


def _host(record: Record) -> Iterator[Field]:
    place = (("Vol.", record.volume), ("no.", record.issue), ("p.", record.pages))
    said = ", ".join(f"{word} {value}" for word, value in place if value)
    subfields = [("t", record.publication), ("g", said), *(("x", issn) for issn in _host_issns(record))]
    if record.publication or said:
        yield Field("773", "0 ", tuple(pair for pair in subfields if pair[1]))


def _host_issns(record: Record) -> tuple[str, ...]:
    return record.identifiers.get("issn", ()) if record.publication else ()


def _identifiers(record: Record) -> Iterator[Field]:
    tags = {"lccn": "010", "isbn": "020", "issn": "022"}
    for kind, values in record.identifiers.items():
        for value in values:
            if kind == "oclc":
                yield Field("035", "  ", (("a", f"(OCoLC){value}"),))
            elif kind not in tags:
                yield Field("024", "7 ", (("a", value), ("2", kind)))
            elif kind != "issn" or not record.publication:
                yield Field(tags[kind], "  ", (("a", value),))


def _kind(record: Record) -> Iterator[Field]:
    if work_type(record).ris == "THES":
        yield Field("502", "  ", (("a", "Thesis"),))


def _edition(record: Record) -> Iterator[Field]:
    if record.edition:
        yield Field("250", "  ", (("a", record.edition),))


def _abstract(record: Record) -> Iterator[Field]:
    if record.abstract:
        yield Field("520", "3 ", (("a", record.abstract),))


_ASPECTS = (
    _Aspect(("id",), ("001",), _control_number),
    _Aspect(("publisher", "year", "language"), ("008", "041", "260", "264"), _imprint),
    _Aspect(("identifiers",), ("010", "020", "022", "024", "035", "037"), _identifiers),
    _Aspect(("authors",), (*MAIN, *ADDED, UNCONTROLLED), _names),
    _Aspect(("title", "subtitle"), ("245",), _title),
    _Aspect((_ALTERNATIVE_TITLES,), ("246",), _alternative_titles),
    _Aspect(("edition",), ("250",), _edition),
    _Aspect(("type",), ("502",), _kind),
    _Aspect(("abstract",), ("520",), _abstract),
    _Aspect(("publication", "volume", "issue", "pages"), ("773",), _host),
)
