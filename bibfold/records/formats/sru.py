"""Answers of SRU servers: MARCXML, MODS or Dublin Core, as elements or as escaped text."""

from collections.abc import Callable, Iterator
from typing import IO
from xml.etree.ElementTree import Element

from bibfold.errors import RecordError
from bibfold.records.formats import Origin, marcxml, mods, oai_dc
from bibfold.records.formats.oai import NOTICES, check_notice
from bibfold.records.formats.xml import records
from bibfold.records.formats.xml_parser import Parser, Place
from bibfold.records.model import Deletion, Item, Record

_READERS: dict[str, Callable[[Element, Origin], Record | Deletion]] = {
    "record": marcxml.read_element,
    "mods": mods.read_element,
    "dc": oai_dc.read_element,
    "srw_dc": oai_dc.read_element,
}


def read(stream: IO[bytes], origin: Origin) -> Iterator[Item]:
    """The records of one or more answers."""
    return records(stream, origin, ("record",), _record, NOTICES)


def _record(element: Element, origin: Origin) -> Record | Deletion:
    check_notice(element)
    data = element.find("recordData")
    if data is None:
        raise RecordError("record", "no recordData in this record; is the file an answer of an SRU server?")
    held = next(iter(data), None)
    if held is None and data.text:
        held = _unescaped(data.text)
    make = _READERS.get("" if held is None else held.tag)
    if held is None or make is None:
        schema = element.findtext("recordSchema") or (held.tag if held is not None else "nothing")
        raise RecordError("record", f"a record in {schema}; MARCXML, MODS and Dublin Core can be read")
    return make(held, origin)


def _unescaped(text: str) -> Element:
    """The element that stands as text (`recordPacking` is `string`)."""
    parser = Parser(_READERS, (), [], Place())
    broken = parser.feed(text.strip().encode()) or parser.feed(b"")
    if broken or not parser.complete:
        raise RecordError(
            "record", f"the text of recordData is no XML: {broken.reason if broken else 'no record in it'}"
        )
    return parser.complete[0][0]
