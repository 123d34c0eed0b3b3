"""Lists of authors in one text, as tables and labelled exports have them."""

import re

_AND = re.compile(r"\s+(?:and|&)\s+")
_FAMILY_INITIALS = re.compile(r"[^,]+ [A-Z][A-Z.-]{0,5}\.?")
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[ -]?){1,4}")
_INITIALS_FAMILY = re.compile(r"(?:[^\W\d_a-z]{1,3}|(?:[^\W\d_a-z]\.[ -]?)*[^\W\d_a-z]\.) [^\W\d_].+")
_WORDS = re.compile(r"\S+ \S.*")
_GLUE = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=\.)(?=[A-Z][a-z])")
_NUMBERED = re.compile(r"\s*\(\d{6,}\)")


def split_authors(text: str, *, glued: bool = False) -> tuple[str, ...]:
    """The names in a text: between semicolons or bars, or else each "and", or else commas that part whole names.

    Such are "Doe J, Roe AB" (PubMed), "J Doe, AB Roe" (Google Scholar), "Doe, J., Roe, A. B." and lists of at least
    three names of several words. With `glued`, names follow each other without a mark ("Jane DoeAnn Roe").
    """
    names = _names(_NUMBERED.sub("", text), glued)
    return tuple(name.strip(" ,") if len(names) > 1 else name for name in names if name.strip(" ,"))


def _names(text: str, glued: bool) -> list[str]:
    for mark in (";", "|"):
        if mark in text:
            return text.split(mark)
    if glued:
        return _unglued(text)
    if _AND.search(text):
        parted = _AND.split(text)
        return [*_by_commas(parted[0]), *parted[1:]] if len(parted) == 2 else parted
    return _by_commas(text)


def _by_commas(text: str) -> list[str]:
    parts = [part.strip() for part in text.rstrip(".").split(",") if part.strip()]
    if len(parts) < 2:
        return parts if _FAMILY_INITIALS.fullmatch(text.rstrip(".")) else [text]
    if all(_FAMILY_INITIALS.fullmatch(part) for part in parts) or all(
        _INITIALS_FAMILY.fullmatch(part) for part in parts
    ):
        return parts
    if len(parts) > 2 and all(_WORDS.fullmatch(part) for part in parts):
        return parts
    if len(parts) > 3 and len(parts) % 2 == 0 and all(_INITIALS.fullmatch(part) for part in parts[1::2]):
        pieces = [part.strip() for part in text.split(",") if part.strip()]
        return [f"{family}, {initials}" for family, initials in zip(pieces[::2], pieces[1::2], strict=True)]
    return [text]


def _unglued(text: str) -> list[str]:
    """Names of at least two words; a piece of one word belongs to the name before it, as in "Ann McDonald"."""
    names: list[str] = []
    for piece in _GLUE.split(text):
        if names and (" " not in piece.strip() or " " not in names[-1].strip()):
            names[-1] += piece
        else:
            names.append(piece)
    return names
