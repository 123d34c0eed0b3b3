"""Noise in where and when a work appeared: what is missing, abbreviated, a year off or written another way."""

import re
from random import Random
from typing import Final

from msgspec.structs import replace

from bibfold.records.model import Record
from bibfold.text import stopwords

_SMALL_WORDS = stopwords("en", "de", "fr")
_SHORT: Final = {
    "journal": "J", "proceedings": "Proc", "international": "Int", "conference": "Conf", "transactions": "Trans",
    "american": "Am", "national": "Natl", "society": "Soc", "association": "Assoc", "university": "Univ",
    "review": "Rev", "reviews": "Rev", "research": "Res", "science": "Sci", "sciences": "Sci", "letters": "Lett",
    "physics": "Phys", "physical": "Phys", "chemistry": "Chem", "chemical": "Chem", "medicine": "Med",
    "medical": "Med", "clinical": "Clin", "european": "Eur", "british": "Br", "engineering": "Eng", "annals": "Ann",
    "annual": "Annu", "archives": "Arch", "bulletin": "Bull", "computer": "Comput", "computing": "Comput",
    "systems": "Syst", "mathematics": "Math", "mathematical": "Math", "symposium": "Symp", "workshop": "Wksp",
    "technology": "Technol", "applications": "Appl", "applied": "Appl", "theory": "Theor", "language": "Lang",
    "linguistics": "Ling", "computational": "Comput",
}  # fmt: skip
"""How common words of journals and proceedings are shortened (ISO 4)."""

_PAGES = re.compile(r"(\D*?)(\d+)\s*(?:--?|–)\s*(\d+)")


def no_year(record: Record, rng: Random) -> Record | None:
    """No year."""
    return replace(record, year=None) if record.year is not None else None


def year_off_by_one(record: Record, rng: Random) -> Record | None:
    """The year before or after: a preprint, an online edition."""
    return replace(record, year=record.year + rng.choice((-1, 1))) if record.year is not None else None


def no_publication(record: Record, rng: Random) -> Record | None:
    """No journal or proceedings."""
    return replace(record, publication="") if record.publication else None


def abbreviated(record: Record, rng: Random) -> Record | None:
    """The journal or proceedings abbreviated: its words cut short, with or without dots, or its initials."""
    words = [word for word in record.publication.split() if word.lower() not in _SMALL_WORDS]
    if rng.random() < 0.15 and len(words) > 2:
        name = "".join(word[0] for word in words if word[0].isalpha()).upper()
    else:
        dot = rng.choice((".", ""))
        name = " ".join(_short(word, dot) for word in words)
    return replace(record, publication=name) if name and name != record.publication else None


def no_volume(record: Record, rng: Random) -> Record | None:
    """Neither volume nor issue."""
    return replace(record, volume="", issue="") if record.volume or record.issue else None


def no_pages(record: Record, rng: Random) -> Record | None:
    """No pages."""
    return replace(record, pages="") if record.pages else None


def page_format(record: Record, rng: Random) -> Record | None:
    """The same pages written another way: "123-129" as "123-9", "123--129", "pp. 123-129" or "123"."""
    found = _PAGES.fullmatch(record.pages)
    if not found:
        return None
    before, first, last = found.groups()
    ways = {f"{before}{first}--{last}", f"pp. {before}{first}-{last}", f"{before}{first}"}
    if len(first) == len(last) and first[0] == last[0]:
        same = next((at for at, (a, b) in enumerate(zip(first, last, strict=True)) if a != b), 0)
        ways.add(f"{before}{first}-{last[same:]}")
    return replace(record, pages=rng.choice(sorted(ways - {record.pages})))


def no_abstract(record: Record, rng: Random) -> Record | None:
    """No abstract."""
    return replace(record, abstract="") if record.abstract else None


def _short(word: str, dot: str) -> str:
    if short := _SHORT.get(word.lower()):
        return short + dot
    return word[: 4 + len(word) // 6] + dot if len(word) > 8 and word.isalpha() else word
