"""What OAI-PMH and SRU put around a record: its identifier, whether it was deleted, and errors in its place."""

from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.model import Deletion

IDENTIFIER = "oai_identifier"
"""The key in a record's `extra` for the identifier of a header, where the record has an id of its own."""

NOTICES = ("error", "diagnostic")
"""Elements that stand in place of records: OAI-PMH's and SRU's."""


def check_notice(element: Element) -> None:
    """Raise where this is no record, but an error of the server."""
    if element.tag in NOTICES:
        parts = [element.get("code", ""), *(" ".join(text.split()) for text in element.itertext())]
        said = ": ".join(part for part in parts if part)
        raise RecordError("answer", f"the server answers with an error, not with records: {said}")


def inside(element: Element) -> Element:
    """What an OAI-PMH or SRU record holds; any other element is itself."""
    for wrapper in ("metadata", "recordData"):
        held = element.find(wrapper)
        if held is not None:
            return next(iter(held), element)
    return element


def header_identifier(record: Element) -> str:
    """The identifier of an OAI-PMH record; empty for any other element."""
    return (record.findtext("header/identifier") or "").strip()


def deletion(record: Element, origin: Origin) -> Deletion | None:
    """The deletion, where the repository says that this record is gone."""
    header = record.find("header")
    if header is None or header.get("status") != "deleted":
        return None
    identifier = header_identifier(record)
    if not identifier:
        raise RecordError("record", "a header with status=deleted but no identifier: nothing says what is gone")
    return Deletion(origin.source, identifier, f"the OAI-PMH header says status=deleted ({origin.file})")
