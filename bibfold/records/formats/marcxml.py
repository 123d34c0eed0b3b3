"""MARCXML: reads it with or without namespace, in a collection or in OAI-PMH answers; writes it."""

from collections.abc import Iterable, Iterator
from typing import IO
from xml.etree.ElementTree import Element

import msgspec

from bibfold.errors import RecordError
from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.marc import Field, Marc, control, field
from bibfold.records.formats.marc_export import to_marc
from bibfold.records.formats.marc_local import from_marc
from bibfold.records.formats.oai import IDENTIFIER, NOTICES, check_notice, deletion, header_identifier, inside
from bibfold.records.formats.xml import records
from bibfold.records.model import Deletion, Item, Record

_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">\n'
_FOOT = b"</collection>\n"
_LENGTH = 24
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


def read(stream: IO[bytes], origin: Origin) -> Iterator[Item]:
    """The records, and a deletion for each that OAI-PMH or the leader marks as deleted.

    A record of an OAI-PMH answer has that answer's identifier in `extra` as `oai_identifier`, and as its id
    where it has no control number.
    """
    return records(stream, origin, ("record",), read_element, NOTICES)


def write(written: Iterable[Record], out: IO[bytes], options: Options = DEFAULTS) -> None:
    """One `record` element for each record, in a collection."""
    out.write(_HEAD)
    for record in written:
        out.write(_written(to_marc(record, options)).encode())
    out.write(_FOOT)


def read_element(element: Element, origin: Origin) -> Record | Deletion:
    """The record of a MARCXML element, or of the one that an OAI-PMH or SRU record holds, or that it is gone."""
    check_notice(element)
    if gone := deletion(element, origin):
        return gone
    inner = next(inside(element).iter("record"), element)
    record = from_marc(_marc(inner), origin)
    identifier = header_identifier(element)
    if isinstance(record, Deletion) or not identifier:
        return record
    extra = {**record.extra, IDENTIFIER: identifier}
    return msgspec.structs.replace(record, id=record.id or identifier, extra=extra)


def _marc(element: Element) -> Marc:
    fields = tuple(made for child in element if (made := _field(child)))
    if not fields:
        raise RecordError("record", "no controlfield or datafield in this record; is the file MARCXML?")
    return Marc(_leader(element.findtext("leader") or ""), fields)


def _leader(text: str) -> str:
    """A leader of full length: one that lost blanks or digits at its start still ends in 4500."""
    return text if len(text) >= _LENGTH or not text.strip() else _padded(text)


def _padded(text: str) -> str:
    return text.rjust(_LENGTH) if text.rstrip().endswith("4500") else text.ljust(_LENGTH)


def _field(element: Element) -> Field | None:
    tag = element.get("tag", "")
    if element.tag == "controlfield":
        return control(tag, "".join(element.itertext()))
    if element.tag != "datafield":
        return None
    indicators = "".join(element.get(name, " ")[:1] or " " for name in ("ind1", "ind2"))
    subfields = ((child.get("code", ""), "".join(child.itertext())) for child in element.iter("subfield"))
    return field(tag, indicators, subfields)


def _written(marc: Marc) -> str:
    rows = [f"  <leader>{marc.leader.translate(_IN_TEXT)}</leader>"] if marc.leader else []
    for each in marc.fields:
        tag = each.tag.translate(_IN_ATTRIBUTE)
        if not each.indicators:
            rows.append(f'  <controlfield tag="{tag}">{each.data.translate(_IN_TEXT)}</controlfield>')
            continue
        first, second = (character.translate(_IN_ATTRIBUTE) for character in each.indicators[:2].ljust(2))
        rows.append(f'  <datafield tag="{tag}" ind1="{first}" ind2="{second}">')
        rows.extend(
            f'    <subfield code="{code.translate(_IN_ATTRIBUTE)}">{value.translate(_IN_TEXT)}</subfield>'
            for code, value in each.subfields
        )
        rows.append("  </datafield>")
    return "\n".join(("<record>", *rows, "</record>\n"))
