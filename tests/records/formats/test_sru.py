"""Answers of SRU servers."""

import io
from html import escape

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.sru import read
from bibfold.records.model import DeadLetter, Record

MARC = (
    '<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 u 4500</leader>'
    '<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Title</subfield></datafield></record>'
)
MODS = '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Title</title></titleInfo></mods>'
DC = '<srw_dc:dc xmlns:srw_dc="info:srw/schema/1/dc-v1.1"><title>Title</title></srw_dc:dc>'


def answer(*data: str) -> list[Record | DeadLetter]:
    records = "".join(
        f"<zs:record><zs:recordSchema>s</zs:recordSchema><zs:recordData>{each}</zs:recordData>"
        "<zs:recordPosition>1</zs:recordPosition></zs:record>"
        for each in data
    )
    text = f"<zs:searchRetrieveResponse><zs:records>{records}</zs:records></zs:searchRetrieveResponse>"
    return list(read(io.BytesIO(text.encode()), Origin("sru.xml", "shelf")))


@pytest.mark.parametrize("data", [MARC, MODS, DC])
@pytest.mark.parametrize("packed", [str, escape])
def test_every_schema_as_elements_and_as_text(data: str, packed: type[str]) -> None:
    first, second = answer(packed(data), packed(data))
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.title, second.title) == ("Title", "Title")


def test_what_cannot_be_read_is_told() -> None:
    other, broken, whole = answer("<pica/>", escape("<record><a></record>"), MARC)
    assert isinstance(other, DeadLetter)
    assert other.reason == "a record in s; MARCXML, MODS and Dublin Core can be read"
    assert isinstance(broken, DeadLetter)
    assert broken.reason == "the text of recordData is no XML: mismatched tag"
    assert isinstance(whole, Record)


def test_a_diagnostic_is_told() -> None:
    text = (
        "<searchRetrieveResponse><diagnostics><diag:diagnostic><uri>info:srw/diagnostic/1/10</uri>"
        "<message>Query syntax error</message></diag:diagnostic></diagnostics></searchRetrieveResponse>"
    )
    [letter] = read(io.BytesIO(text.encode()), Origin("sru.xml", "shelf"))
    assert isinstance(letter, DeadLetter)
    assert "with an error, not with records: info:srw/diagnostic/1/10: Query syntax error" in letter.reason
