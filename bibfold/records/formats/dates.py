"""Dates of publication as formats write them, in one form."""

import re
from typing import Any, Final

MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = rf"(?P<month>{'|'.join(MONTHS)})[a-z]*\.?"
_FORMS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<year>\d{4})[/-]?(?P<number>\d\d)[/-]?(?P<day>\d\d)?[/-]*",
        r"(?P<year>\d{4})[/-](?P<number>\d)(?:[/-](?P<day>\d\d?))?[/-]*",
        rf"(?P<year>\d{{4}})\s+{_MONTH}(?:\s+(?P<day>\d\d?))?",
        rf"(?:(?P<day>\d\d?)\s+)?{_MONTH},?\s+(?P<year>\d{{4}})",
        rf"{_MONTH}\s+(?P<day>\d\d?),\s+(?P<year>\d{{4}})",
        r"(?P<year>\d{4})[/-]*",
    )
)


def iso_date(value: Any) -> str:
    """A text, or a date of CSL-JSON, as 2019-05-01, 2019-05 or 2019; empty where it says another thing."""
    match value:
        case {"date-parts": [[*numbers]], **more} if not more and len(numbers) <= 3:
            return "-".join(str(number).zfill(2) for number in numbers) if all(map(_is_number, numbers)) else ""
        case str():
            found = next((match for form in _FORMS if (match := form.fullmatch(value.strip()))), None)
            return _iso(found.groupdict()) if found else ""
        case _:
            return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | str) and str(value).isdecimal()


def _iso(parts: dict[str, str | None]) -> str:
    month = parts.get("number") or (str(MONTHS.index(name.lower()) + 1) if (name := parts.get("month")) else None)
    given = [parts["year"], month, parts.get("day")]
    numbers = [number for number in given if number]
    if month and not 1 <= int(month) <= 12:
        return ""
    return "-".join(number.zfill(2) for number in numbers)
