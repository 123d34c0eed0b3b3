"""What a MARC record means: MARC 21 (or UNIMARC) fields to bibfold's record.

Besides the model's own fields, `extra` gets what there is of: `marc` (the whole record, so that an export
gives it back), `control_number_identifier` (003), `alternative_titles` (parallel and variant titles, also in
other scripts), `alternative_names` (names in other scripts), `series` (title, volume, issn), `physical`
(300), `invalid_isbn` (020 $z), `host_isbn` (773 $z) and `system_numbers` (035 by prefix).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from bibfold.records.formats import isbd
from bibfold.records.formats.marc import KEPT, Field, Marc, kept
from bibfold.records.formats.marc_host import Host, host
from bibfold.records.formats.marc_identifiers import identifiers, invalid_isbns, system_numbers
from bibfold.records.formats.marc_imprint import publisher, year
from bibfold.records.formats.marc_relators import is_author
from bibfold.records.formats.unimarc import as_marc21
from bibfold.records.formats.values import gather
from bibfold.records.model import Record

MAIN = ("100", "110", "111")
ADDED = ("700", "710", "711")
UNCONTROLLED = "720"
PERSONS = ("100", "700", "720")
MEETINGS = ("111", "711")
_TITLES = ("245", "130", "240", "222", "210")
_VARIANT_TITLES = ("210", "222", "242", "246", "247")

TYPES: Mapping[str, str] = {
    "aa": "chapter",
    "ab": "article",
    "am": "book",
    "as": "periodical",
    "ai": "website",
    "c": "score",
    "d": "score",
    "e": "map",
    "f": "map",
    "g": "video",
    "i": "audio",
    "j": "music",
    "k": "image",
    "m": "software",
    "o": "kit",
    "p": "collection",
    "r": "object",
    "tm": "manuscript",
}
"""Type by leader/06 and 07, or by leader/06 where 07 makes no difference."""

_VOLUME = re.compile(r"^\W*[^\W\d]{1,8}\.?\s*(\d[^\]]*)\]?$")
_PARALLEL = re.compile(r" = (?=[^\W\d]{2})")
_NUMERATION = re.compile(r"[IVXLC]+")
_LANGUAGE = re.compile(r"[a-z]{3}")
_NO_LANGUAGE = frozenset({"und", "mul", "zxx", "mis"})


def to_record(marc: Marc, source: str) -> Record:
    """The record that a MARC record describes; the id is empty where it has no control number."""
    read = as_marc21(marc)
    part = host(read)
    main, subtitle, parallel = _title(read)
    series = list(_series(read))
    numbered = next((item["volume"] for item in series if "volume" in item), "")
    return Record(
        source=source,
        id=read.control("001").strip(),
        title=main,
        subtitle=subtitle,
        authors=_authors(read),
        publication=part.publication,
        year=year(read, part.dates),
        identifiers=gather([*identifiers(read), *(("issn", value.strip()) for value in part.issn)]),
        volume=part.volume if part != Host() else _VOLUME.sub(r"\1", numbered),
        issue=part.issue,
        pages=part.pages,
        edition=_joined(read, "250", "ab"),
        publisher=publisher(read),
        type=_type(read),
        language=_language(read),
        abstract=_abstract(read),
        extra=_extra(read, part, parallel, series) | {KEPT: kept(marc)},
    )


def _title(marc: Marc) -> tuple[str, str, list[str]]:
    """Title, subtitle and parallel titles of the first title field that has one."""
    for tag in _TITLES:
        for field in marc.each(tag):
            main, subtitle, parallel = title_of(field)
            if main:
                return main, subtitle, parallel
    return "", "", []


def title_of(field: Field) -> tuple[str, str, list[str]]:
    """Title with number and name of the part, subtitle, and parallel titles of one title field."""
    first = next(iter(field.all("a") or field.all("k")), "")
    rest = " ".join(field.all("b"))
    parts = [bare for value in field.all("np") if (bare := isbd.sentence(value))]
    subtitle, *parallel = _PARALLEL.split(rest)
    if first.rstrip().endswith("="):
        subtitle, parallel = "", [subtitle, *parallel]
    main = ". ".join(part for part in (isbd.title(first), ", ".join(parts)) if part)
    others = [bare for value in parallel if (bare := isbd.title(value))]
    return (main, isbd.title(subtitle), others) if main else (isbd.title(rest), "", [])


def _authors(marc: Marc) -> tuple[str, ...]:
    """Main entry first, then added ones, each once; entries for another work (`$t`) are left out."""
    added = (field for field in marc.each(*ADDED) if not field.all("t") and is_author(field))
    main = (field for field in islice(marc.each(*MAIN), 1) if is_author(field))
    fields = (*main, *added) or tuple(filter(is_author, marc.each(UNCONTROLLED)))
    return tuple(_distinct(name_of(field, field.tag) for field in fields))


def name_of(field: Field, tag: str) -> str:
    """The name in a field of this tag: persons with their numeration, bodies with the units below them."""
    if tag in PERSONS:
        number = isbd.trimmed(field.first("b"))
        name = isbd.name(field.first("a"))
        return f"{name} {number}" if name and _NUMERATION.fullmatch(number) else name
    units = [isbd.name(value) for value in field.all("ae" if tag in MEETINGS else "ab")]
    return ". ".join(unit for unit in units if unit)


def _alternative_titles(marc: Marc, parallel: Iterable[str]) -> Iterator[str]:
    """Parallel titles, a 245 given again in another script, variants and linked fields."""
    linked = (field for field in marc.each("880") if field.first("6")[:3] in ("245", "246"))
    yield from parallel
    for field in (*islice(marc.each("245"), 1, None), *marc.each(*_VARIANT_TITLES), *linked):
        main, subtitle, others = title_of(field)
        yield f"{main} : {subtitle}" if subtitle else main
        yield from others


def _alternative_names(marc: Marc) -> Iterator[str]:
    """A main entry given again in another script, and linked fields."""
    yield from (name_of(field, field.tag) for field in islice(marc.each(*MAIN), 1, None))
    linked = ((field, field.first("6")[:3]) for field in marc.each("880"))
    yield from (name_of(field, tag) for field, tag in linked if tag in MAIN or tag in ADDED)


def _series(marc: Marc) -> Iterator[dict[str, str]]:
    """Series as stated on the item, else as traced."""
    for tags in (("490", "440"), ("830",)):
        found = [item for field in marc.each(*tags) if (item := _one_series(field))]
        if found:
            yield from found
            return


def _one_series(field: Field) -> dict[str, str]:
    title = ". ".join(isbd.sentence(value) for value in field.all("anp"))
    item = {
        "title": title,
        "volume": isbd.sentence(field.first("v")),
        "issn": isbd.trimmed(field.first("x")),
    }
    return {name: value for name, value in item.items() if value} if title else {}


def _type(marc: Marc) -> str:
    if marc.leader[6:7] in "at" and any(marc.each("502")):
        return "thesis"
    kind = marc.leader[6:8]
    return TYPES.get(kind) or TYPES.get(kind[:1], "")


def _language(marc: Marc) -> str:
    """The coded language of the text, as a code of three letters."""
    codes = [value.strip()[:3].lower() for field in marc.each("041") for value in field.all("a")]
    codes.insert(0, marc.control("008")[35:38].lower())
    return next((code for code in codes if _LANGUAGE.fullmatch(code) and code not in _NO_LANGUAGE), "")


def _abstract(marc: Marc) -> str:
    """The first summary; reviews and content advice are none."""
    for field in marc.each("520"):
        if field.indicators[:1] not in ("1", "4") and (text := " ".join(field.all("ab")).strip()):
            return text
    return ""


def _joined(marc: Marc, tag: str, codes: str) -> str:
    return next((isbd.sentence(" ".join(field.all(codes))) for field in marc.each(tag)), "")


def _extra(marc: Marc, part: Host, parallel: list[str], series: list[dict[str, str]]) -> dict[str, Any]:
    extra = {
        "control_number_identifier": marc.control("003").strip(),
        "alternative_titles": _distinct(_alternative_titles(marc, parallel)),
        "alternative_names": _distinct(_alternative_names(marc)),
        "series": series,
        "physical": _joined(marc, "300", "abce"),
        "invalid_isbn": invalid_isbns(marc),
        "host_isbn": list(part.isbn),
        "system_numbers": system_numbers(marc),
    }
    return {key: value for key, value in extra.items() if value}


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))
