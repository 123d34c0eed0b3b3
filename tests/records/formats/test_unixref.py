"""Crossref's XML."""

import io

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.unixref import read
from bibfold.records.model import DeadLetter, Record

PERSON = (
    '<contributors><person_name contributor_role="author"><given_name>Ann</given_name><surname>Roe</surname>'
    '</person_name><organization contributor_role="author">Shelf Society</organization>'
    '<person_name contributor_role="editor"><surname>Poe</surname></person_name></contributors>'
)
ARTICLE = f"""<journal><journal_metadata language="en"><full_title>Journal of Shelves</full_title><issn>1234-5679</issn>
</journal_metadata><journal_issue><publication_date><year>2002</year></publication_date><journal_volume><volume>12</volume>
</journal_volume><issue>3</issue></journal_issue><journal_article><titles><title>A shelf</title>
<subtitle>its folds</subtitle>
</titles>{PERSON}<publication_date media_type="online"><year>2001</year></publication_date><pages>
<first_page>45</first_page>
<last_page>50</last_page></pages><doi_data><doi>10.5555/1</doi></doi_data></journal_article></journal>"""
CHAPTER = f"""<book><book_metadata><titles><title>The book</title></titles><publication_date><year>2001</year>
</publication_date><isbn>9780306406157</isbn><publisher><publisher_name>Shelf Press</publisher_name></publisher>
<doi_data><doi>10.5555/book</doi></doi_data></book_metadata><content_item><titles><title>The chapter</title></titles>
{PERSON}<doi_data><doi>10.5555/book.1</doi></doi_data></content_item></book>"""


def read_text(*works: str) -> list[Record | DeadLetter]:
    body = "".join(f"<doi_record><crossref>{work}</crossref></doi_record>" for work in works)
    return list(read(io.BytesIO(f"<doi_records>{body}</doi_records>".encode()), Origin("x.xml", "shelf")))


def test_an_article() -> None:
    [record] = read_text(ARTICLE)
    assert record == Record(
        source="shelf",
        id="10.5555/1",
        title="A shelf",
        subtitle="its folds",
        authors=("Roe, Ann", "Shelf Society"),
        publication="Journal of Shelves",
        year=2001,
        identifiers={"doi": ("10.5555/1",), "issn": ("1234-5679",)},
        volume="12",
        issue="3",
        pages="45-50",
        type="journal-article",
        language="en",
    )


def test_a_chapter_and_a_book() -> None:
    chapter, book = read_text(CHAPTER, CHAPTER.partition("<content_item>")[0] + "</book>")
    assert isinstance(chapter, Record)
    assert (chapter.id, chapter.title, chapter.publication) == ("10.5555/book.1", "The chapter", "The book")
    assert (chapter.publisher, chapter.year, chapter.type) == ("Shelf Press", 2001, "book-chapter")
    assert isinstance(book, Record)
    assert (book.id, book.title, book.publication, book.type) == ("10.5555/book", "The book", "", "book")


@pytest.mark.parametrize(
    ("work", "title", "year"),
    [
        ("<posted_content><titles><title>P</title></titles><posted_date><year>2003</year></posted_date></posted_content>",
         "P", 2003),
        ("<dissertation><person_name><surname>Roe</surname></person_name><titles><title>D</title></titles>"
         "<approval_date><year>2004</year></approval_date></dissertation>", "D", 2004),
        ("<conference><proceedings_metadata><proceedings_title>Proc</proceedings_title></proceedings_metadata>"
         "<conference_paper><titles><title>C</title></titles></conference_paper></conference>", "C", None),
    ],
)  # fmt: skip
def test_other_kinds(work: str, title: str, year: int | None) -> None:
    [record] = read_text(work)
    assert isinstance(record, Record)
    assert (record.title, record.year) == (title, year)


def test_an_error_in_place_of_a_work() -> None:
    error, unknown = read_text("<error>doi:10.5555/x not found in CrossRef</error>", "<sa_component/>")
    assert isinstance(error, DeadLetter)
    assert error.reason == "Crossref answers with an error: doi:10.5555/x not found in CrossRef"
    assert isinstance(unknown, DeadLetter)
