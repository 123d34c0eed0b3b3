"""Catalogue text without the punctuation that ISBD puts between its areas."""

import re

_BETWEEN = " \t/:;,=\u00a0"
_WORD_BREAK = re.compile(r"[\s,(\[]")
_NEEDS_STOP = re.compile(
    r"(?![\u2e80-\uffff])[^\W\d]|.*\.[^\W\d]"
    r"|al|co|corp|dept|dr|eds?|esq|etc|inc|jr|ltd|mrs?|nos?|prof|rev|ser|sr|st|suppl?|univ|vols?",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"\s*\[(?:electronic|sound|video|micro|text|music|graphic|map|manuscript|kit|motion|braille|slide|large)"
    r"[^\]]{0,60}\](?=\s*(?:$|[/:;.,=]))",
    re.IGNORECASE,
)
_LONGEST_DATES = 40
_DATES = re.compile(r"[,(\s]+(?:b\.|d\.|ca\.|fl\.|active|born|died)?\s*\d{3,4}\??\s*-\s*(?:\d{3,4}\??)?\)?\.?$")


def trimmed(text: str) -> str:
    """The text without the mark before the next area, and without blanks or stray brackets around it."""
    bare = " ".join(text.split()).strip(_BETWEEN)
    opened, closed = bare.count("["), bare.count("]")
    if bare.startswith("[") and bare.endswith("]") and opened == closed == 1:
        return trimmed(bare[1:-1])
    if bare.startswith("[") and not closed:
        return bare[1:]
    return bare[:-1] if bare.endswith("]") and not opened else bare


def sentence(text: str) -> str:
    """Trimmed, and without a full stop at the end, unless an initial, an abbreviation or dots need it."""
    bare = trimmed(text)
    if not bare.endswith(".") or bare.endswith("..."):
        return bare
    last = _WORD_BREAK.split(bare[:-1])[-1]
    return bare if _NEEDS_STOP.fullmatch(last) else trimmed(bare.rstrip("."))


def title(text: str) -> str:
    """A title without end marks and without a general material designation such as `[sound recording]`."""
    return sentence(_MATERIAL.sub("", text))


def name(text: str) -> str:
    """A name without end marks and without dates of life."""
    bare = trimmed(text)
    dates = _DATES.search(bare, max(len(bare) - _LONGEST_DATES, 0))
    return sentence(bare[: dates.start()] if dates else bare)
