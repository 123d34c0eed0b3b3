"""MARCXML is read in all its wrappings, and what is written reads back the same."""

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bibfold.records.formats import Origin
from bibfold.records.formats.marcxml import read, write
from bibfold.records.model import FIELD_NAMES, TEXT_FIELDS, DeadLetter, Deletion, Item, Record

FILES = Path(__file__).parents[2] / "data" / "formats"
ORIGIN = Origin("file.xml", "shelf")
TITLE = '<datafield tag="245" ind1="1" ind2="0"><subfield code="a">Cats /</subfield></datafield>'


def results(data: str | bytes) -> list[Item]:
    return list(read(io.BytesIO(data.encode() if isinstance(data, str) else data), ORIGIN))


def records_of(name: str) -> list[Item]:
    with (FILES / name).open("rb") as stream:
        return list(read(stream, ORIGIN))


def written(*records: Record) -> bytes:
    out = io.BytesIO()
    write(records, out)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        f"<record>{TITLE}</record>",
        f"<collection><record>{TITLE}</record></collection>",
        f'<collection xmlns="http://www.loc.gov/MARC21/slim"><record>{TITLE}</record></collection>',
        f"<OAI-PMH><ListRecords><record><header/><metadata><record>{TITLE}</record></metadata></record>"
        "</ListRecords></OAI-PMH>",
        f"<L><record><metadata><collection><record>{TITLE}</record></collection></metadata></record></L>",
        "<m:record><m:datafield tag='245'><m:subfield code='a'>Cats</m:subfield></m:datafield></m:record>",
        "<record><datafield tag='245' ind1='' ind2=''>\n<subfield code='a'>\n Cats\n</subfield></datafield></record>",
    ],
)
def test_records_are_found_in_every_wrapping(data: str) -> None:
    (record,) = results(data)
    assert isinstance(record, Record)
    assert (record.title, record.source, record.id) == ("Cats", "shelf", "")


def test_linked_fields_give_alternative_titles_and_names() -> None:
    (record,) = records_of("marcxml-linked.xml")
    assert isinstance(record, Record)
    assert (record.id, record.title, record.subtitle, record.year) == (
        "linked-1",
        "Ao man yu pian jian",
        "",
        1993,
    )
    assert record.authors == ("Zhang, Ling",)
    assert record.identifiers == {"isbn": ("7020016332",)}
    assert record.extra["alternative_titles"] == ["Pride and prejudice", "傲慢与偏见"]
    assert record.extra["alternative_names"] == ["张玲"]
    assert record.extra["control_number_identifier"] == "TEST"


def test_oai_answers_give_identifiers_and_say_what_is_deleted() -> None:
    first, gone, second = records_of("marcxml-oai.xml")
    assert isinstance(gone, Deletion)
    assert gone.id == "oai:example.org:2"
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.id, first.extra["oai_identifier"]) == ("article-1", "oai:example.org:1")
    assert (first.publication, first.volume, first.issue, first.pages, first.year) == (
        "Journal of cats",
        "24",
        "9",
        "235-48",
        1993,
    )
    assert (first.identifiers, first.extra["host_isbn"]) == ({"issn": ("0317-8471",)}, ["0306406152"])
    assert (second.id, second.title) == ("oai:example.org:3", "No control number")


def test_broken_files_give_what_they_can() -> None:
    found = records_of("marcxml-truncated.xml")
    assert [each.id if isinstance(each, Record) else each.position for each in found] == [
        "whole",
        "record 2, line 9, column 71",
        "behind",
        "record 4, line 19, column 1",
    ]
    broken = found[1]
    assert isinstance(broken, DeadLetter)
    assert broken.reason == "not well-formed (invalid token) (the record begins on line 7, column 3)"
    assert broken.raw.startswith('<record>\n    <controlfield tag="001">broken</controlfield>')


def test_entities_are_not_expanded() -> None:
    bomb = records_of("xml-bomb.xml")
    assert [each.title for each in bomb if isinstance(each, Record)] == ["Harmless"]
    assert [each.position for each in bomb if isinstance(each, DeadLetter)] == [
        "line 3, column 14",
        "record 1, line 12, column 69",
    ]
    external = records_of("xml-external-entity.xml")
    assert all(isinstance(each, DeadLetter) and "root:" not in each.raw for each in external)
    assert len(external) == 2


def test_a_record_of_another_kind_is_a_dead_letter() -> None:
    (letter,) = results("<c>\n<record><dc>Cats</dc></record></c>")
    assert isinstance(letter, DeadLetter)
    assert (letter.file, letter.position) == ("file.xml", "record 1, line 2, column 1")
    assert letter.reason == "no controlfield or datafield in this record; is the file MARCXML?"
    assert letter.raw == "Cats"


def test_ten_thousand_authors() -> None:
    authors = tuple(f"Author {number:05d}, A." for number in range(10_000))
    record = Record(source="s", id="1", title="Cats", authors=authors)
    assert results(written(record)) == [record]


ARTICLE = Record(
    source="scopus",
    id="a1",
    title="Cats of the coast",
    subtitle="a study",
    authors=("Müller, Anna", "Brown, Bob"),
    publication="Journal of Cats",
    year=2019,
    identifiers={"doi": ("10.5555/cats",), "issn": ("0317-8471",), "isbn": ("0306406152",), "oclc": ("12",)},
    volume="12",
    issue="3",
    pages="101-117",
    edition="2nd ed.",
    publisher="Cat Press",
    type="article",
    language="eng",
    abstract="About cats.",
    extra={"alternative_titles": ["Katzen der Küste"]},
)


def test_other_software_sees_ordinary_marc() -> None:
    lines = written(ARTICLE).decode()
    for said in (
        "<leader>00000nab a2200000 u 4500</leader>",
        '<controlfield tag="001">a1</controlfield>',
        "Cats of the coast :</subfield>",
        "Vol. 12, no. 3, p. 101-117</subfield>",
        "(OCoLC)12</subfield>",
        "Katzen der Küste</subfield>",
        '{"set":{"source":"scopus"},"unset":["marc"]}',
    ):
        assert said in lines
    assert results(lines) == [ARTICLE]


def test_a_record_from_marc_goes_out_with_the_fields_it_came_with() -> None:
    (record,) = records_of("marcxml-linked.xml")
    assert isinstance(record, Record)
    again = written(record).decode()
    for said in ("translator.</subfield>", "Courtship</subfield>", "245-02/$1</subfield>", "©1990</subfield>"):
        assert said in again
    assert results(again) == [record]


def test_a_changed_record_goes_out_changed_with_its_other_fields() -> None:
    (record,) = records_of("marcxml-linked.xml")
    assert isinstance(record, Record)
    changed = msgspec.structs.replace(record, title="Stolz", authors=("Austen, Jane",), year=1994)
    again = written(changed).decode()
    assert "Courtship</subfield>" in again
    assert '<subfield code="a">Ao man yu pian jian' not in again
    assert "Stolz</subfield>" in again
    assert results(again) == [changed]


def test_a_local_field_of_others_is_a_field_like_any() -> None:
    data = f'<record>{TITLE}<datafield tag="997" ind1=" " ind2=" "><subfield code="a">x</subfield></datafield></record>'
    (record,) = results(data)
    assert isinstance(record, Record)
    assert ["997", "  ", [["a", "x"]]] in record.extra["marc"]
    assert results(written(record)) == [record]


ODD = st.sampled_from(
    [
        *(" :", " /", " =", " = ", ".", "..", "[", "]", "1998", "Vol. 3", "p. 4", "&", "<", ">", '"', "'", "]]>"),
        *(
            "\n",
            "\r",
            "\t",
            "\x00",
            "\x1f",
            "\x7f",
            "\x85",
            "\u2028",
            "\ufffe",
            "\ufeff",
            "e\u0301",
            "Ã¼",
            "日本",
            "🙂",
        ),
        *("(OCoLC)", "10.1234/x", "978-0-306-40615-7", "  ", "thesis", "book", "article", "eng", "&#x30AB;"),
    ]
)
texts = st.lists(ODD | st.text(max_size=6), max_size=4).map("".join)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
rows = st.lists(
    st.tuples(st.sampled_from(["001", "008", "LDR"]), texts).map(list)
    | st.tuples(
        st.sampled_from(["100", "245", "260", "773", "880", "997", "200"]),
        st.sampled_from(["  ", "10", "", "123"]) | texts,
        st.lists(st.tuples(st.sampled_from("abcgtx26\x00") | texts, texts).map(list), max_size=3),
    ).map(list),
    max_size=4,
)
extras = st.dictionaries(texts.filter(lambda key: key not in FIELD_NAMES), values, max_size=2)
records = st.builds(
    Record,
    source=texts.filter(bool),
    id=texts,
    authors=st.lists(texts, max_size=3).map(tuple),
    year=st.none() | st.integers(-5000, 20_000),
    identifiers=st.dictionaries(
        st.sampled_from(["doi", "isbn", "issn", "oclc", "lccn", "Local kind"]),
        st.lists(texts, min_size=1, max_size=2).map(tuple),
        max_size=3,
    ),
    extra=st.builds(
        lambda others, kept, titles: {**others, **kept, **titles},
        extras,
        st.just({}) | st.fixed_dictionaries({"marc": rows}),
        st.just({}) | st.fixed_dictionaries({"alternative_titles": st.lists(texts, max_size=2) | values}),
    ),
    **dict.fromkeys(TEXT_FIELDS, texts),
)


@settings(deadline=None)
@given(st.lists(records, max_size=2))
def test_what_is_written_reads_back_the_same(some: list[Record]) -> None:
    assert results(written(*some)) == some


SRU = """<zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/"><zs:version>1.1</zs:version>
<zs:numberOfRecords>1</zs:numberOfRecords><zs:records><zs:record><zs:recordSchema>marcxml</zs:recordSchema>
<zs:recordPacking>xml</zs:recordPacking><zs:recordData><record xmlns="http://www.loc.gov/MARC21/slim">
<leader>00000nam a2200000 u 4500</leader><controlfield tag="001">7</controlfield>
<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Title</subfield></datafield></record></zs:recordData>
<zs:recordPosition>1</zs:recordPosition></zs:record></zs:records></zs:searchRetrieveResponse>"""


def test_the_wrapper_of_sru_is_no_record() -> None:
    [record] = results(SRU)
    assert isinstance(record, Record)
    assert (record.id, record.title) == ("7", "Title")


def test_an_error_of_oai_pmh_is_told() -> None:
    [letter] = results('<OAI-PMH><error code="noRecordsMatch">Nothing since yesterday</error></OAI-PMH>')
    assert isinstance(letter, DeadLetter)
    assert letter.reason.endswith("with records: noRecordsMatch: Nothing since yesterday")


def test_an_error_within_a_record_is_a_field_like_any() -> None:
    [record] = results(SRU.replace("<leader>", "<error>x</error><leader>"))
    assert isinstance(record, Record)


@pytest.mark.parametrize("leader", ["nam a2200000 u 4500", "00000nam", "     nam a22      u 4500"])
def test_a_leader_that_was_trimmed(leader: str) -> None:
    [record] = results(SRU.replace("00000nam a2200000 u 4500", leader))
    assert isinstance(record, Record)
    assert record.type == "book"
