"""The records of a request's body, in any format that bibfold reads."""

from collections.abc import Iterable
from io import BytesIO
from typing import Final

import msgspec

from bibfold.errors import InputError, RecordError
from bibfold.records.formats import FORMATS, Origin, reader
from bibfold.records.formats.detect import detect
from bibfold.records.formats.files import identified
from bibfold.records.identifiers import PROPOSING
from bibfold.records.model import DeadLetter, Deletion, Item, Record
from bibfold.records.native import from_native
from service.errors import Refused

MOST_RECORDS: Final = 1_000
"""How many records one request may hold."""

MEDIA_TYPES: Final = {
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "application/x-bibtex": "bibtex",
    "text/x-bibtex": "bibtex",
    "application/x-research-info-systems": "ris",
    "application/marc": "marc21",
    "application/marcxml+xml": "marcxml",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
}
"""Content types that name a format; those of `DETECTED` leave it to the content."""

DETECTED: Final = ("text/plain", "text/xml", "application/xml", "application/octet-stream")

_COMPRESSED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


def records_of(body: bytes, content_type: str, source: str = "request") -> list[Record]:
    """The records of a body; raises Refused where one cannot be read, or says nothing to look for."""
    media = content_type.partition(";")[0].strip().lower() or "application/json"
    if body.startswith(_COMPRESSED):
        raise Refused(415, "the body is compressed; send it as it is")
    if media == "application/json":
        items: Iterable[Item] = identified(iter(_json_records(body, source)))
    elif media in MEDIA_TYPES or media in DETECTED:
        items = _read(body, MEDIA_TYPES.get(media), source)
    else:
        known = ", ".join(("application/json", *MEDIA_TYPES, *DETECTED))
        raise Refused(415, f"content type {media!r} is not read here; these are: {known}")
    return _checked(items)


def _json_records(body: bytes, source: str) -> list[Record]:
    try:
        data = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(400, f"the body is not JSON: {error}") from None
    except RecursionError:
        raise Refused(400, "the body is nested too deeply") from None
    many = data if isinstance(data, list) else [data]
    if len(many) > MOST_RECORDS:
        raise _too_many()
    found = []
    for number, item in enumerate(many, start=1):
        try:
            found.append(from_native(item, source))
        except RecordError as error:
            raise Refused(400, f"record {number}: {error.reason}") from None
    return found


def _read(body: bytes, format: str | None, source: str) -> Iterable[Item]:
    try:
        name = format or detect(body[: 1 << 16], "the body")
    except InputError as error:
        raise Refused(400, str(error)) from None
    return identified(reader(name)(BytesIO(body), Origin("the body", source)))


def _checked(items: Iterable[Item]) -> list[Record]:
    found: list[Record] = []
    for item in items:
        if isinstance(item, DeadLetter):
            raise Refused(400, f"{item.position}: {item.reason}")
        if isinstance(item, Deletion):
            raise Refused(422, f"{item.key} is marked as deleted; there is nothing to look for")
        if len(found) == MOST_RECORDS:
            raise _too_many()
        if not item.title.strip() and not any(kind in PROPOSING for kind in item.identifiers):
            raise Refused(422, f"record {len(found) + 1} has neither a title nor an identifier to look for")
        found.append(item)
    if not found:
        raise Refused(422, "the body holds no record")
    return found


def _too_many() -> Refused:
    return Refused(413, f"more than {MOST_RECORDS} records in one request; send them in several")


def accepted_format(media: str) -> str | None:
    """The format that a content type names, if it can be written."""
    name = MEDIA_TYPES.get(media)
    return name if name and FORMATS[name].writer else None
