"""What OAI-PMH puts around a record: its identifier, and whether the record was deleted."""

from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.model import Deletion

IDENTIFIER = "oai_identifier"
"""The key in a record's `extra` for the identifier of a header, where the record has an id of its own."""


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
