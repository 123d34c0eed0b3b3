"""What OAI-PMH and SRU put around a record: its identifier, whether it was deleted, and errors in its place."""

from xml.etree.ElementTree import Element

from bibfold.errors import RecordError

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


def is_deleted(record: Element) -> bool:
    """Whether the repository says that this record is gone."""
    header = record.find("header")
    return header is not None and header.get("status") == "deleted"
