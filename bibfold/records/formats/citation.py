"""Volume, issue and pages out of a statement that says them in words or in a citation's short form."""

import re

_NUMBER = r"\b\.?\s*:?\s*([0-9]+[A-Za-z]?(?:[/–-][0-9]+)?|[IVXLC]+\b)"
_PAGE = r"[A-Za-z]{0,2}[0-9]+[A-Za-z]?"
_RANGE = rf"({_PAGE}(?:\s*[-–—]\s*{_PAGE})?)"
_VOLUME = re.compile(
    r"\b(?:vol(?:ume|umen)?s?|v|bd|band|tome?|t|jahrg(?:ang)?|årg(?:ång|ang)?|vuosik(?:erta)?)" + _NUMBER,
    re.IGNORECASE,
)
_ISSUE = re.compile(
    r"\b(?:nos?|nr|nro|num(?:ber|ero)?|núm|issue|iss|heft|h|häfte|fasc|pt|part)" + _NUMBER, re.IGNORECASE
)
_PAGES = re.compile(r"\b(?:pages?|pp?|s|seiten?|str|sivut?|sid|side)\b\.?\s*:?\s*" + _RANGE, re.IGNORECASE)
_LONGEST = 300
_COMPACT = re.compile(rf"^\W*([0-9]+)\s*(?:\(([0-9][^)]*)\)|:([0-9]+)\b)?(?:.*?[:,<]\s*{_RANGE})?\W*$")


def place(text: str) -> tuple[str, str, str]:
    """Volume, issue and pages of "Vol. 24, no. 9 (Sept. 1993), p. 235-48", "24(9):235-48" or "24:9<235"."""
    said = text[:_LONGEST]
    volume, issue, pages = (_first(pattern, said) for pattern in (_VOLUME, _ISSUE, _PAGES))
    if volume or issue or pages:
        return volume, issue, pages
    compact = _COMPACT.match(said)
    return (compact[1], compact[2] or compact[3] or "", compact[4] or "") if compact else ("", "", "")


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""
