"""Text that people look at: without control characters on a terminal, formulas in a table, or passwords anywhere."""

import re
from typing import Final

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_IN_UTF8: Final = re.compile(
    b"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)  # what JSON does not escape of these
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)*")
_PASSWORD: Final = re.compile(r"(?<=//)([^/@:?#\s]*):[^/\s]*(?=@)")


def visible(text: str) -> str:
    """The text with control characters, line ends and changes of direction written out, such as `\\x1b`."""
    return _CONTROL.sub(lambda found: _escape(found[0]), text)


def visible_json(data: bytes) -> bytes:
    """JSON with such characters escaped in its strings; it says the same as before."""
    return _CONTROL_IN_UTF8.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), data)


def spreadsheet_safe(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: a likely one that is no number begins with an apostrophe."""
    return f"'{cell}" if cell.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell


def without_password(address: str) -> str:
    """An address with `***` in place of a password."""
    return _PASSWORD.sub(r"\1:***", address)


def _escape(char: str) -> str:
    code = ord(char)
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
