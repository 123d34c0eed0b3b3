"""Tables of bibliographic data, as databases and reference managers export them."""

import io
from pathlib import Path

import pytest

from bibfold.errors import InputError
from bibfold.records.formats import Origin
from bibfold.records.formats.csv import read
from bibfold.records.model import DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"


def read_text(text: str | bytes, **columns: str) -> list[Record | DeadLetter]:
    data = text.encode() if isinstance(text, str) else text
    return list(read(io.BytesIO(data), Origin("file.csv", "shelf", columns)))


def one(text: str, **columns: str) -> Record:
    [record] = read_text(text, **columns)
    assert isinstance(record, Record), record
    return record


def test_scopus() -> None:
    first, second = read_text((DATA / "scopus.csv").read_bytes())
    assert first == Record(
        source="shelf",
        id="2-s2.0-17",
        title='Folding "duplicate" records',
        authors=("Müller A.", "Øster B."),
        publication="Journal of Catalogue Studies",
        year=2019,
        identifiers={"doi": ("10.5555/jcs.2019.17",), "pmid": ("12345",), "issn": ("12345679",)},
        volume="12",
        issue="3",
        pages="101-117",
        type="Article",
        extra={
            "Author full names": "Müller, Anna (57000000001); Øster, Bo (57000000002)",
            "Author(s) ID": "57000000001; 57000000002",
            "Cited by": "4",
            "Link": "https://example.org/17",
        },
    )
    assert isinstance(second, Record)
    assert (second.title, second.extra["Art. No."]) == ("A title on two lines", "55")


def test_pubmed() -> None:
    record = one((DATA / "pubmed.csv").read_text(encoding="utf-8"))
    assert record.id == "12345"
    assert record.authors == ("Müller A", "Øster BC", "van der Berg D")
    assert record.identifiers == {
        "doi": ("10.5555/jcs.2019.17",),
        "pmid": ("12345",),
        "pmcid": ("PMC678",),
    }
    assert record.publication == "J Cat Stud"


def test_zotero_notes_give_identifiers() -> None:
    record = one("Key,Title,ISSN,Extra\nK,T,1234-5679 2049-3630,Place: Bern PMID: 12 PMCID: PMC34\n")
    assert record.identifiers == {"issn": ("1234-5679", "2049-3630"), "pmid": ("12",), "pmcid": ("PMC34",)}


def test_web_of_science_tags_and_tabs() -> None:
    record = one("PT\tAU\tTI\tSO\tPY\tBP\tEP\tDI\tUT\nJ\tField, C; Roe, D\tA title\tShelf\t2001\t1\t9\t10.5/1\tWOS:1\n")
    assert (record.id, record.title, record.publication, record.pages) == ("WOS:1", "A title", "Shelf", "1-9")
    assert record.authors == ("Field, C", "Roe, D")


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_delimiters(mark: str) -> None:
    text = f'title{mark}authors{mark}year\n"A{mark} B"{mark}"X; Y"{mark}2000\n'
    record = one(text)
    assert (record.title, record.authors, record.year) == (f"A{mark.strip()} B", ("X", "Y"), 2000)


def test_a_first_line_for_spreadsheets_tells_the_delimiter() -> None:
    [record, bad] = read_text('sep=;\ntitle;year\n"a, b";2000\nx;2000;3;4\n')
    assert isinstance(record, Record)
    assert record.title == "a, b"
    assert isinstance(bad, DeadLetter)
    assert bad.position == "line 4"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Doe, Jane; Roe, R", ("Doe, Jane", "Roe, R")),
        ("Doe, Jane and Roe, R", ("Doe, Jane", "Roe, R")),
        ("Jane Doe & R Roe", ("Jane Doe", "R Roe")),
        ("Doe J, Roe AB, van der Berg D.", ("Doe J", "Roe AB", "van der Berg D")),
        ("Smith J., Roe A.-B.", ("Smith J.", "Roe A.-B")),
        ("Doe, Jane", ("Doe, Jane")),
        ("Doe J", ("Doe J")),
        ("World Health Organization", ("World Health Organization")),
        ("Doe, J;", ("Doe, J")),
        (" ; ", ()),
    ],
)
def test_authors(cell: str, expected: tuple[str, ...] | str) -> None:
    expected = (expected,) if isinstance(expected, str) else expected
    assert one(f'title,authors\nt,"{cell}"\n').authors == expected


def test_a_map_says_what_columns_are() -> None:
    record = one(
        "Nr,Titel,Verfasser,Jahr,DOI,Title\n1,Ein Titel,A; B,2001,10.5/1,other\n",
        Nr="identifiers.local",
        Titel="title",
        Verfasser="authors",
        Jahr="year",
    )
    assert (record.title, record.authors, record.year) == ("Ein Titel", ("A", "B"), 2001)
    assert record.identifiers == {"local": ("1",), "doi": ("10.5/1",)}
    assert record.extra == {"Title": "other"}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"Titel": "title"}, "file.csv: no column 'Titel' to map; columns: title, x"),
        ({"x": "colour"}, "column 'x' maps to the unknown field 'colour'; known: abstract, authors, "),
    ],
)
def test_maps_that_cannot_be_used(columns: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_text("title,x\na,b\n", **columns)


def test_a_table_without_a_known_column() -> None:
    with pytest.raises(InputError, match=r"no column is known as a title .* --map .*\(columns: a, b\)"):
        read_text("a,b\n1,2\n")


def test_a_header_that_is_broken() -> None:
    with pytest.raises(InputError, match=r"file.csv: the header cannot be read: not a row: "):
        read_text('"title" x,year\na,2000\n')


@pytest.mark.parametrize(
    ("cell", "year", "extra"),
    [
        ("2001", 2001, {}),
        ("2001.0", 2001, {"csv:year": "2001.0"}),
        ("n.d.", None, {"year": "n.d."}),
        ("20022", 20022, {}),
    ],
)
def test_years(cell: str, year: int | None, extra: object) -> None:
    record = one(f"title,year\nt,{cell}\n")
    assert (record.year, record.extra) == (year, extra)


def test_values_of_one_cell() -> None:
    record = one('title,doi,isbn\nt,10.1/CO;2-O; 10.2/b,"9780306406157, 0-306-40615-2"\n')
    assert record.identifiers == {
        "doi": ("10.1/CO;2-O", "10.2/b"),
        "isbn": ("9780306406157", "0-306-40615-2"),
    }


def test_a_link_is_an_identifier_where_there_is_no_other() -> None:
    assert one("title,url\nt,https://doi.org/10.5555/a\n").identifiers == {"doi": ("10.5555/a",)}


def test_a_source_is_one_beside_an_id() -> None:
    assert one("source,id,title\ndblp,1,t\n").key == "dblp:1"
    foreign = one("Source,EID,Title\nScopus,2-s2,t\n")
    assert (foreign.key, foreign.extra) == ("shelf:2-s2", {"Source": "Scopus"})


def test_columns_of_one_name_are_all_kept() -> None:
    assert one("title,Notes,Notes\nt,a,b\n").extra == {"Notes": ["a", "b"]}


def test_broken_rows_spoil_no_others() -> None:
    text = 'title,year\nfirst,2000\n"unclosed,2001\nsecond,2002\n"bad "quote",2003\nthird,2004\nlonely\n'
    items = read_text(text)
    assert [item.title for item in items if isinstance(item, Record)] == ["first", "second", "third"]
    letters = [item for item in items if isinstance(item, DeadLetter)]
    assert [(letter.position, letter.raw) for letter in letters] == [
        ("line 3", '"unclosed,2001'),
        ("line 5", '"bad "quote",2003'),
        ("line 7", "lonely"),
    ]
    assert letters[2].reason == "1 cells, but the header has 2"


def test_a_quotation_mark_that_is_never_closed_loses_one_row() -> None:
    text = 'title,year\n"open,2000\n' + "".join(f"row {number},2001\n" for number in range(2500))
    items = read_text(text)
    assert [item.position for item in items if isinstance(item, DeadLetter)] == ["line 2"]
    assert sum(isinstance(item, Record) for item in items) == 2500


def test_short_rows_lack_only_what_is_missing() -> None:
    record = one("title,year,volume,doi\nt,2000\n")
    assert (record.title, record.year, record.volume) == ("t", 2000, "")


def test_blank_rows_are_passed_over() -> None:
    assert len(read_text("title,year\n\na,1\n,\n\n")) == 1


def test_bytes_of_windows_1252() -> None:
    latin, bad = read_text(b"title,year\ncaf\xe9,1\n\x81,2\n")
    assert isinstance(latin, Record)
    assert latin.title == "café"
    assert isinstance(bad, DeadLetter)
    assert (bad.position, bad.raw) == ("line 3", "?,2")


def test_web_of_science_names_its_records_by_ut() -> None:
    record = one("PT\tAU\tAF\tTI\tSO\tID\tPY\tUT\nJ\tRoe, A\tRoe, Ann\tT\tShelves\tDUST\t2001\tWOS:1\n")
    assert (record.id, record.authors, record.extra["csv:ID"]) == ("WOS:1", ("Roe, Ann",), "DUST")


def test_a_table_of_springerlink() -> None:
    record = one(
        "Item Title,Publication Title,Book Series Title,Journal Volume,Journal Issue,Item DOI,Authors,"
        "Publication Year,URL,Content Type\nT,Shelves,,3,2,10.5555/1,Ann RoeBob Doe,2001,http://x.y,Article\n"
    )
    assert (record.title, record.publication, record.volume, record.issue) == ("T", "Shelves", "3", "2")
    assert (record.authors, record.type) == (("Ann Roe", "Bob Doe"), "Article")
    assert record.identifiers == {"doi": ("10.5555/1",)}


def test_a_line_before_the_header_as_dimensions_writes() -> None:
    text = '"About the data: Exported on Jan 01, 2024."\nRank,Publication ID,DOI,Title,PubYear,Pagination\n'
    record = one(f"{text}5,pub.1,10.5555/1,T,2001,1-9\n")
    assert (record.id, record.year, record.pages) == ("pub.1", 2001, "1-9")


def test_a_table_of_publish_or_perish() -> None:
    record = one('Cites,Authors,Title,Year,Source,GSRank\n5,"A Roe, B Doe",T,2001,Shelves,1\n')
    assert (record.authors, record.publication, record.source) == (("A Roe", "B Doe"), "Shelves", "shelf")


def test_the_citation_of_pubmed_tells_volume_issue_and_pages() -> None:
    text = "PMID,Title,Authors,Citation,Publication Year\n"
    record = one(f'{text}1,T,"Roe A, Doe B.",J Shelf. 2001 Jan;12(3):45-50. doi: 10.5555/1.,2001\n')
    assert (record.volume, record.issue, record.pages) == ("12", "3", "45-50")


def test_a_last_row_that_was_cut_off() -> None:
    whole, cut = read_text("title,authors,year\nA,B,2001\nC,D")
    assert isinstance(whole, Record)
    assert isinstance(cut, DeadLetter)
    assert cut.reason == "cut off: the file ends after 2 of 3 cells"
