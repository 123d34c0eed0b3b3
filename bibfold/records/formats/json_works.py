"""Works in JSON, whatever service gives them: the record or dead letter of each, and how their values are taken."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.attempt import attempt
from bibfold.records.formats.charset import check, excerpt
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_stream import Item, items
from bibfold.records.formats.values import squeeze
from bibfold.records.model import FIELD_NAMES, DeadLetter, Record

Work = dict[str, Any]

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def works(stream: IO[bytes], origin: Origin, make: Callable[[Work, Origin], Record]) -> Iterator[Record | DeadLetter]:
    """The works, from JSON Lines, an array, pages of an API, or one work alone; `make` may change what it is given."""

    def made(item: Item, origin: Origin) -> Record:
        check(item.text)
        if item.reason:
            raise RecordError("work", item.reason)
        if not isinstance(item.value, dict):
            raise RecordError("work", f"not a work: {looks_like(item.value)}")
        if _SURROGATE.search(item.text):
            _check_surrogates(item.value)
        return make(dict(item.value), origin)

    for number, item in enumerate(items(stream, origin.largest), 1):

        def letter(reason: str, number: int = number, item: Item = item) -> DeadLetter:
            return DeadLetter(file=origin.file, position=f"work {number}", reason=reason, raw=excerpt(item.text))

        yield attempt(made, item, origin, letter)


def _check_surrogates(value: Any) -> None:
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        raise RecordError("work", "an escape `\\ud800` to `\\udfff` stands alone: it is no character") from None


def text_of(value: Any) -> str:
    """A text or number as a text; anything else as none."""
    if isinstance(value, str):
        return squeeze(value)
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def take_first(work: Work, *names: str) -> str:
    """The first text under these names, each a text or a list; what more a list holds stays."""
    for name in names:
        value = work.get(name)
        values = value if isinstance(value, list) else [value]
        first = text_of(values[0]) if values else ""
        if (first and len(values) == 1) or value in ([], None, ""):
            work.pop(name, None)
        if first:
            return first
    return ""


def take_texts(work: Work, name: str) -> list[str]:
    """Every text of a field, which is a text or a list."""
    value = work.get(name)
    values = value if isinstance(value, list) else [value]
    texts = [text_of(item) for item in values]
    if all(texts):
        work.pop(name, None)
    return [text for text in texts if text]


def objects(value: Any) -> list[Work]:
    """The objects of a list; none where it is something else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def part(value: Any, *names: str) -> Any:
    """What stands under a path of names; None where the path ends early."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def rest(work: Mapping[str, Any], format: str) -> dict[str, Any]:
    """What no field took, for `extra`; a name that the model has gets the format's in front."""
    return {
        f"{format}:{name}" if name in FIELD_NAMES else name: value
        for name, value in work.items()
        if value not in (None, "", [], {})
    }
