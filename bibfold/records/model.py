"""A bibliographic record as received, what becomes of one that cannot be read, and the word that one is gone."""

from collections.abc import Mapping
from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One bibliographic record, as its source gave it; never changed after reading.

    `source` and `id` together name it. An absent field is empty. `identifiers` maps a kind (`doi`, `arxiv`,
    `pmid`, `isbn`, …) to its values as received. `extra` keeps what the model does not know. This is the one list
    of fields: their order here is their order in every output.
    """

    source: str
    id: str
    title: str = ""
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    publication: str = ""
    year: int | None = None
    identifiers: Mapping[str, tuple[str, ...]] = {}
    volume: str = ""
    issue: str = ""
    pages: str = ""
    edition: str = ""
    publisher: str = ""
    type: str = ""
    language: str = ""
    abstract: str = ""
    extra: Mapping[str, Any] = {}

    @property
    def key(self) -> str:
        """`source:id`, the record's name in every output."""
        return f"{self.source}:{self.id}"


NATIVE_FIELDS = tuple(name for name in Record.__struct_fields__ if name != "extra")
"""The fields of a record in its JSON form, in order."""

FIELD_NAMES = frozenset(NATIVE_FIELDS)
"""The same for quick tests of membership; any other name in an input goes into `extra`."""

TEXT_FIELDS = tuple(
    field.name for field in msgspec.structs.fields(Record) if field.type is str and field.name not in ("source", "id")
)
"""The fields that hold one text, in order; `source` and `id`, which name the record, are not among them."""


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of input that could not become a record: where it stood, why, and its text.

    `position` is in words ("line 12", "record 3 at byte 1024"); `raw` holds at most `RAW_LIMIT` characters.
    """

    file: str
    position: str
    reason: str
    raw: str = ""


class Deletion(msgspec.Struct, frozen=True, array_like=True):
    """A source says that its record is gone; `reason` tells by what sign, and in which file."""

    source: str
    id: str
    reason: str

    @property
    def key(self) -> str:
        """The name of the record that is gone."""
        return f"{self.source}:{self.id}"


Item = Record | Deletion | DeadLetter
"""What a reader may find."""

RAW_LIMIT = 4_000
"""How many characters of unreadable input a dead letter keeps."""
