"""The local MARC field (997, marked `$2 bibfold`) whose `$a` holds what no other field says of a record."""

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.marc import LOCAL, Field, Marc, is_local
from bibfold.records.formats.marc_record import to_record
from bibfold.records.formats.remainder import remainder, restored
from bibfold.records.formats.xml_text import escaped_json
from bibfold.records.model import Deletion, Record

_DELETED = "d"
_OTHER_FILES = {
    **dict.fromkeys("uvxy", "holdings"),
    "q": "community information",
    "w": "a class",
    "z": "an authority",
}
"""What a MARC record describes that is no work, by leader/06."""


def from_marc(marc: Marc, origin: Origin) -> Record | Deletion:
    """The record that a MARC record describes, with what our local field adds; or that it is gone."""
    ours = [field for field in marc.fields if is_local(field.tag, field.subfields)]
    if ours:
        others = tuple(field for field in marc.fields if field not in ours)
        return restored(to_record(Marc(marc.leader, others), origin.source), ours[0].first("a"))
    if kind := _OTHER_FILES.get(marc.leader[6:7]):
        raise RecordError("record", f"describes {kind}, not a work (leader/06 is {marc.leader[6]})")
    if marc.leader[5:6] != _DELETED:
        return to_record(marc, origin.source)
    if not (number := marc.control("001").strip()):
        raise RecordError(
            "record", "a deleted record (leader/05 is d) without control number: nothing says what is gone"
        )
    return Deletion(origin.source, number, f"leader/05 is d ({origin.file})")


def local(record: Record, read: Record) -> Field:
    """The field that makes the record out of what is read of the other fields."""
    return Field(LOCAL, "  ", (("2", "bibfold"), ("a", escaped_json(remainder(record, read)))))
