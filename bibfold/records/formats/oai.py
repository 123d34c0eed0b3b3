"""What OAI-PMH puts around a record: its identifier, and whether the record was deleted."""

from xml.etree.ElementTree import Element


def header_identifier(record: Element) -> str:
    """The identifier of an OAI-PMH record; empty for any other element."""
    return (record.findtext("header/identifier") or "").strip()


def is_deleted(record: Element) -> bool:
    """Whether the repository says that this record is gone."""
    header = record.find("header")
    return header is not None and header.get("status") == "deleted"
