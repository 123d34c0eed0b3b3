"""Text that XML can hold."""

import re
from typing import Final

_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return text if text.isprintable() else _FORBIDDEN.sub("", text)


def escaped_json(json: str) -> str:
    """JSON that says the same, with such characters written as `\\u0000`."""
    return json if json.isprintable() else _FORBIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
