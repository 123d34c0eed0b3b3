"""UNIMARC records, which stand among MARC 21 in mixed files, said in MARC 21."""

from collections.abc import Iterator, Mapping

from bibfold.records.formats.marc import Field, Marc

_FIELDS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "010": ("020", "  ", {"a": "a", "z": "z"}),
    "011": ("022", "  ", {"a": "a"}),
    "101": ("041", "  ", {"a": "a"}),
    "200": ("245", "00", {"a": "a", "e": "b", "h": "n", "i": "p"}),
    "205": ("250", "  ", {"a": "a"}),
    "210": ("264", " 1", {"a": "a", "c": "b", "d": "c"}),
    "214": ("264", " 1", {"a": "a", "c": "b", "d": "c"}),
    "215": ("300", "  ", {"a": "a", "c": "b", "d": "c"}),
    "225": ("490", "0 ", {"a": "a", "v": "v", "x": "x"}),
    "330": ("520", "  ", {"a": "a"}),
    "461": ("773", "0 ", {"t": "t", "v": "g", "x": "x", "y": "z"}),
    "463": ("773", "0 ", {"t": "t", "v": "g", "x": "x", "y": "z"}),
    "510": ("246", "  ", {"a": "a", "e": "b"}),
    "700": ("100", "1 ", {"a": "a", "4": "4"}),
    "701": ("700", "1 ", {"a": "a", "4": "4"}),
    "702": ("700", "1 ", {"a": "a", "4": "4"}),
    "710": ("110", "2 ", {"a": "a", "b": "b", "4": "4"}),
    "711": ("710", "2 ", {"a": "a", "b": "b", "4": "4"}),
    "712": ("710", "2 ", {"a": "a", "b": "b", "4": "4"}),
}
_PERSONS = frozenset({"700", "701", "702"})


def as_marc21(marc: Marc) -> Marc:
    """The same record in MARC 21 where it is UNIMARC, which has its title in 200 and none in 245."""
    tags = {field.tag for field in marc.fields}
    if "245" in tags or not any(field.all("a") for field in marc.each("200")):
        return marc
    return Marc(marc.leader, tuple(_translated(marc)))


def _translated(marc: Marc) -> Iterator[Field]:
    for field in marc.fields:
        if field.tag in _FIELDS:
            tag, indicators, codes = _FIELDS[field.tag]
            subfields = tuple((codes[code], value) for code, value in field.subfields if code in codes)
            if field.tag in _PERSONS and field.first("b"):
                name = f"{field.first('a').rstrip(' ,')}, {field.first('b').strip(' ,')}"
                subfields = (("a", name), *(pair for pair in subfields if pair[0] == "4"))
            yield Field(tag, indicators, subfields)
        elif field.tag in ("001", "003", "005", "035"):
            yield field
