"""A record's fields as text for people."""

from bibfold.records.model import Record


def field_text(record: Record, field: str) -> str:
    """A field as readable text."""
    value = getattr(record, field)
    if isinstance(value, tuple):
        return "; ".join(value)
    return "" if value is None else str(value)


def identifiers_text(record: Record) -> str:
    """The identifiers as readable text."""
    return " ".join(f"{kind}:{value}" for kind, values in record.identifiers.items() for value in values)
