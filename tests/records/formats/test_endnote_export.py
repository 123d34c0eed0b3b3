"""EndNote XML as EndNote reads it."""

import io
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from bibfold.records.formats import Options, Origin
from bibfold.records.formats.endnote import read
from bibfold.records.formats.endnote_export import write
from bibfold.records.model import Record


def written(*records: Record, plain: bool = True) -> bytes:
    out = io.BytesIO()
    write(records, out, Options(plain=plain, file_sources=frozenset({"s"})))
    return out.getvalue()


def element(plain: bool = True, **fields: Any) -> Element:
    found = fromstring(written(Record(source="s", id="1", **fields), plain=plain)).find("records/record")
    assert found is not None
    return found


def texts(found: Element, path: str) -> list[str | None]:
    return [each.text for each in found.iterfind(path)]


def test_an_article() -> None:
    found = element(
        title="Cats <&> dogs",
        authors=("Anna Müller", "World Health Organization"),
        publication="Nature",
        year=2020,
        type="article",
        identifiers={"doi": ("10.1/1",), "pmid": ("7",), "pmcid": ("PMC3",), "issn": ("1234-5679", "2049-3630")},
        extra={"keywords": "cats, dogs", "url": "https://example.org"},
    )
    assert found.find("ref-type").attrib == {"name": "Journal Article"}  # type: ignore[union-attr]
    assert texts(found, "ref-type") == ["17"]
    assert texts(found, "contributors/authors/author") == ["Müller, Anna", "World Health Organization,"]
    assert texts(found, "titles/title") == ["Cats <&> dogs"]
    assert texts(found, "titles/secondary-title") == texts(found, "periodical/full-title") == ["Nature"]
    assert texts(found, "keywords/keyword") == ["cats", "dogs"]
    assert texts(found, "dates/year") == ["2020"]
    assert texts(found, "isbn") == ["1234-5679; 2049-3630"]
    assert texts(found, "electronic-resource-num") == ["10.1/1"]
    assert (texts(found, "accession-num"), texts(found, "remote-database-name")) == (["7"], ["PubMed"])
    assert texts(found, "urls/related-urls/url") == ["https://example.org"]


def test_a_book_has_its_series_as_secondary_title() -> None:
    found = element(title="Cats", type="book", extra={"series": "Handbooks", "custom1": "kept", "other": "x"})
    assert texts(found, "titles/secondary-title") == ["Handbooks"]
    assert texts(found, "custom1") == ["kept"]
    assert found.find("other") is None


def test_a_note_only_where_something_would_be_lost() -> None:
    fields: dict[str, Any] = {"title": "Cats", "authors": ("UNESCO",), "type": "BOOK"}
    assert element(plain=False, **fields).find("research-notes") is None
    assert element(plain=False, **fields, extra={"odd": [1]}).find("research-notes") is not None
    record = Record(source="s", id="1", **fields, extra={"odd": "\x00\ufffe"})
    assert list(read(io.BytesIO(written(record, plain=False)), Origin("", "s"))) == [record]


def test_an_organisation_is_read_without_its_comma() -> None:
    [again] = read(io.BytesIO(written(Record(source="s", id="1", title="A", authors=("UNESCO",)))), Origin("", "s"))
    assert isinstance(again, Record)
    assert again.authors == ("UNESCO",)
