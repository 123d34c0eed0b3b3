"""A record made ready for keys and comparison: every text folded, every name and number parsed, once."""

import re
from functools import lru_cache
from zlib import crc32

import msgspec

from bibfold.records.identifiers import UNIQUE, normalised
from bibfold.records.model import Record
from bibfold.records.numerals import numerals, roman
from bibfold.records.people import UNKNOWN, Person, people
from bibfold.records.statements import bare, main
from bibfold.text import fold, plain, tokens

YEARS = range(1000, 2101)
"""Years that are compared; any other is kept with the record but says nothing."""


class Prepared(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the comparators see of a record.

    `title` holds the folded words of title and subtitle; `head` those before the first colon, empty where
    that is the whole. `notice` tells an erratum, a reply or the like from the article that it speaks of.
    A text that only says that nothing is known ("N/A", "null") is empty. The `written` fields are the record's own
    texts, for profiles that clean them in a way of their own; empty where no part of the profile reads them. What few
    profiles look at is made of these when it is asked for.
    """

    title: str
    head: str
    numerals: tuple[str, ...]
    series: tuple[str, ...]
    notice: str
    people: tuple[Person, ...]
    publication: str
    year: int | None
    volume: str
    issue: str
    first_page: str
    last_page: str
    identifiers: tuple[tuple[str, str], ...]
    edition: str
    publisher: str
    marks: tuple[int, ...]
    written_title: str = ""
    written_authors: tuple[str, ...] = ()
    written_publication: str = ""
    abstract: str = ""

    @property
    def bare(self) -> str:
        """The folded title without statements of responsibility, series, edition and notes."""
        return _bare_titles(self.written_title, self.title)[0]

    @property
    def stem(self) -> str:
        """The part of the bare title before the first mark."""
        return _bare_titles(self.written_title, self.title)[1]

    @property
    def bare_numbers(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Numerals and series of the bare title."""
        bare = self.bare
        return (self.numerals, self.series) if bare == self.title or not self.numerals else numerals(bare.split())


def prepare(record: Record, *, written: bool = True) -> Prepared:
    """The comparable form of a record; without the texts as `written` it takes less room on its way elsewhere."""
    title, head = _titles(record)
    words = title.split()
    numbers, series = numerals(words)
    first_page, last_page = pages(record.pages) if record.pages else ("", "")
    volume, issue = numbering(record.volume, record.issue) if record.volume or record.issue else ("", "")
    year = record.year
    identifiers = normalised(record)
    return Prepared(
        title,
        head,
        numbers,
        series,
        notice(title, record.title),
        people(record.authors),
        known(record.publication) if record.publication else "",
        year if year is not None and year in YEARS else None,
        volume,
        issue,
        first_page,
        last_page,
        identifiers,
        known(record.edition) if record.edition else "",
        known(record.publisher) if record.publisher else "",
        marks(identifiers) if identifiers else NO_MARKS,
        *(
            (record.title[:LONGEST_TITLE], record.authors, record.publication, record.abstract[:LONGEST_ABSTRACT])
            if written
            else ()
        ),
    )


NO_MARKS = tuple(0 for _ in sorted(UNIQUE))


def marks(identifiers: tuple[tuple[str, str], ...]) -> tuple[int, ...]:
    """For each kind that is unique per work a number for its value: 0 where there is none, -1 where several."""
    found = list(NO_MARKS)
    for kind, value in identifiers:
        if kind in UNIQUE:
            place = UNIQUE_ORDER[kind]
            found[place] = -1 if found[place] else crc32(value.encode()) + 1
    return tuple(found)


UNIQUE_ORDER = {kind: place for place, kind in enumerate(sorted(UNIQUE))}


def known(text: str) -> str:
    """The folded text, empty where it only says that nothing is known."""
    folded = fold(text)
    return "" if folded in UNKNOWN else folded


LONGEST_TITLE = 20_000
"""No more characters than this of a title are compared or searched by: a whole text was taken for one."""

LONGEST_ABSTRACT = 400
"""So many characters of an abstract are compared: how it begins tells it from others."""

LONGEST_NOTE = 400
LONGEST_NUMBER = 80
"""No more characters than this are read of a note behind a title, of a volume or of pages."""

_BRACKETED_NOTE = re.compile(
    r"[\s.]*\[(?:[^\[\]]{0,60}\berrat(?:um|a)\b|correct(?:ed|ion)\b|(?:see )?comments?\b|retracted\b)"
    r".{0,300}$"
    r"|[\s.]*\[[a-z]\](?:\s*[.,/].{0,200})?$"
    r"|[\s.]*[\[(](?:(?:article )?in )?(?:abstract|article|review|letter|editorial|meeting abstract|"
    r"conference abstract|proceedings|see comments?|electronic resource|[^\[\]()]{0,40}\btranslation|"
    r"arabic|bulgarian|chinese|croatian|czech|danish|dutch|english|finnish|french|german|greek|hebrew|hungarian|"
    r"italian|japanese|korean|norwegian|persian|polish|portuguese|romanian|russian|serbian|slovak|spanish|"
    r"swedish|turkish|ukrainian)[\])][\s.]*$",
    re.IGNORECASE,
)
_RETRACTED = re.compile(r"^\W*(?:retracted|withdrawn)(?: article| paper)?\W*[:\]]\s*", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def _titles(record: Record) -> tuple[str, str]:
    """The folded whole title, and the part of it before the first colon."""
    raw = record.title.strip()[:LONGEST_TITLE]
    if "[" in raw or "(" in raw or "ETRACTED" in raw.upper():
        end = len(raw) - LONGEST_NOTE if len(raw) > LONGEST_NOTE else 0
        raw = _RETRACTED.sub("", raw[:end] + _BRACKETED_NOTE.sub("", raw[end:])) or raw
    if "," in raw:
        raw = _THOUSANDS.sub("", raw)
    main = fold(raw) or " ".join(tokens(raw))
    if record.subtitle:
        rest = fold(record.subtitle[:LONGEST_TITLE])
        return (f"{main} {rest}" if rest and not main.endswith(rest) else main), main
    before, colon, _ = raw.partition(": ")
    head = fold(plain(before)) if colon else ""
    return main, head if head != main else ""


@lru_cache(1 << 16)
def _bare_titles(written: str, title: str) -> tuple[str, str]:
    """The folded title without statements, and the part of it before the first mark."""
    raw = written.strip()
    if raw.replace(" ", "").isalnum():
        return title, title
    without = bare(raw)
    stem = fold(main(without))
    folded = title if without is raw else fold(without)
    return folded or title, stem or folded or title


_NOTICE = re.compile(
    r"^(?:author |publisher )?(?P<erratum>errat(?:um|a)|corrigend(?:um|a)|addendum)\b"
    r"|^(?P<erratum4>(?:author |publisher )correction)\b|^(?P<erratum5>corrections?)(?: to\b| notice|$)"
    r"|^(?P<retraction>(?:notice of |statement of )?retraction|expression of concern|withdrawal)"
    r"(?: of| to| note| notice|$)"
    r"|^(?:(?:the |an? )?(?:authors?|editors?) )?(?P<reply>repl(?:y|ies)|response|rejoinder|rebuttal)"
    r"(?: to| on| by|$)"
    r"|^(?:in |authors? )(?P<reply2>reply|response)\b"
    r"|^(?:a |some |further )?(?P<comment>comments?|commentary|discussion|remarks?|letter)"
    r"(?: on| to| about| regarding|$)"
    r"|^(?P<review>book review|review of the book)\b"
    r"|\b(?P<erratum2>erratum|corrigendum|(?:author|publisher) correction)$"
    r"|\b(?P<erratum3>vol \w+ pg \w+ \d{4})$"
    r"|\b(?:authors?|the) (?P<reply3>reply|response|rejoinder)$"
)
_NOTICE_NEAR = re.compile(
    r"(?:\S+ ){0,3}(?:err|corr|addend|ret|expr|with|repl|resp|rej|reb|comm|disc|rem|lett|book|rev)"
)
"""One of the first four words begins as those do that tell a notice."""

_NOTICE_ENDS = ("erratum", "corrigendum", "correction", "reply", "response", "rejoinder")


_CORRECTION = re.compile(r"^\W*corrections?\s*[:.\])]\s|[:.(\[]\s*corrections?\W*$", re.IGNORECASE)
"""A correction that a mark tells from a word of the title: "Error correction" is none."""


def notice(title: str, raw: str = "") -> str:
    """Which kind of notice a folded title is: erratum, retraction, reply, comment, review, or none.

    The title as it was written tells "X: correction" from "the correction of X".
    """
    if not _may_be_notice(title):
        return ""
    if "orrection" in raw.lower() and _CORRECTION.search(raw[:LONGEST_NOTE]):
        return "erratum"
    found = _NOTICE.search(title)
    return found.lastgroup.rstrip("0123456789") if found and found.lastgroup else ""


def _may_be_notice(title: str) -> bool:
    """What is so of every notice, and of few other titles: asked first, since it is quick."""
    if title.endswith(_NOTICE_ENDS) or " pg " in title:
        return True
    return _NOTICE_NEAR.match(title) is not None


_VOLUME_ISSUE = re.compile(r"(\w+)\s*\(([^()]+)\)?")
_VOLUME_WORD = re.compile(r"^(?:volumes?|vol|v|band|bd|tome|tomo|issue|number|no|nr|heft|n)(?: |(?=\d))")


def numbering(volume: str, issue: str) -> tuple[str, str]:
    """Volume and issue as bare numbers: "vol. 6" is 6, "6(1)" is volume 6, issue 1, "IV" is 4."""
    if (volume.isdigit() or not volume) and (issue.isdigit() or not issue):
        return volume.lstrip("0"), issue.lstrip("0")
    joint = _VOLUME_ISSUE.search(volume[:LONGEST_NUMBER])
    if joint and not (issue and known(issue)):
        volume, issue = joint[1], joint[2]
    return _number(volume), _number(issue)


def _number(text: str) -> str:
    bare = _VOLUME_WORD.sub("", known(text))
    return roman(bare) or bare.lstrip("0")


_PAGE = re.compile(r"([a-z]*)0*(\d+)([a-z]?)")
_PAGE_RANGE = re.compile(r"\s*(?:--?|[‐-―−]|_|/|\bto\b)\s*")


def pages(text: str) -> tuple[str, str]:
    """First and last page; "288-97" ends at 297, "e12" and "S5" keep their letters."""
    bare = text[:LONGEST_NUMBER].lower().replace("pp.", "").replace("p.", "").replace("pages", "").strip(" .,;:")
    parts = _PAGE_RANGE.split(bare, maxsplit=1)
    first = _page(parts[0])
    last = _page(parts[1]) if len(parts) > 1 else ""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return first, last


def _page(text: str) -> str:
    found = _PAGE.search(text)
    return found[1] + found[2] + found[3] if found else ""
