"""What stands behind a title without being part of it: who made it, series, edition, notes of a cataloguer."""

import re
from typing import Final

LONGEST: Final = 1_000
"""No more characters than this of a title are looked at for statements."""

_ROLES: Final = (
    r"(?:(?:new(?:ly)?|completely|fully|with|by|an?|the|and|&|\w+ly) )*"
    r"(?:by\b|ed(?:ited|itor|s)?\b|eds\.|compiled|comp\.|illus|ill\.|pictures?\b|pictured|drawings?\b|drawn|"
    r"photo(?:s|graph|\b)|translat|trans\.|tr\.|introd|foreword|pref(?:ace|\.)|decorat|written|selected|collected|"
    r"arranged|adapted|revised|rev\.|annotated|prepared|retold|told\b|text\b|words\b|lyrics\b|music by|maps?\b|"
    r"designed|cover\b|jacket|frontispiece|woodcuts|etchings|engravings|lithographs|pseud|sponsored)"
)
_NOTES: Final = (
    r"(?:(?:\d+(?:st|nd|rd|d|th)|first|second|third|fourth|fifth|sixth|new|rev(?:ised|\.)?|enl(?:arged|\.)?|"
    r"student|teacher'?s'?|college|school|text|library|deluxe|american|abridged|school) (?:\S+ )?"
    r"ed(?:ition|n|\.|\b)|vol(?:ume|s|\.)|v\. ?\d|pt\. ?\d|bk\. ?\d|nos?\. ?\d|n\.? ?m\.?:|new matter|"
    r"pub(?:lished|\.)|appl(?:ied|\.)|app\.|in the public domain|©|copyright|orig(?:inally|\.)|"
    r"from the |reprint|repr\.|\d+ ?p\.|\d+ ?v\.|includes?\b|issued|companion|contents|cont(?:aining|ains)|"
    r"by arrangement|prev(?:ious|\.)|prepub|series\b|under the (?:direction|editorship|auspices|supervision))"
)
_STATEMENT: Final = re.compile(rf"(?:[.;,/!?)]|\s[-–—])\s*[(\[]?(?:{_ROLES}|{_NOTES})", re.IGNORECASE)
_MARK: Final = re.compile(r"[.;,/!?)(\[:]|\s[-–—]")
"""Without one of these nothing follows a title."""

_BRACKETED: Final = re.compile(r"\s*[(\[][^()\[\]]{3,}[)\]]?[\s.]*$")
_SLASH: Final = re.compile(r"\s/\s.*$")
_MAIN: Final = re.compile(r"\s*(?:[.;:?!](?=\s)|[(\[]|\s[-–—/]\s|,(?=\s(?:or|a|an|the|being|with|from|and other)\s))")


def bare(title: str) -> str:
    """The title without what follows it: "by Jane Roe", "Illus. by …", "(Series, v.12)", "2d ed. rev.".

    A title that would be left with nothing stays as it is.
    """
    if _MARK.search(title) is None:
        return title
    kept = title[:LONGEST]
    found = _STATEMENT.search(kept, 3)
    if found:
        kept = kept[: found.start()]
    if "(" in kept or "[" in kept:
        kept = _BRACKETED.sub("", kept)
    if " / " in kept:
        kept = _SLASH.sub("", kept)
    kept = kept.rstrip(" .,;:")
    return kept if any(map(str.isalnum, kept)) else title


def main(bare_title: str) -> str:
    """What stands before the first mark that may part a main title from a subtitle; all where none does."""
    found = _MAIN.search(bare_title, 2)
    return bare_title[: found.start()] if found else bare_title
