"""PubMed's XML."""

import io

from bibfold.records.formats import Origin
from bibfold.records.formats.pubmed_xml import read
from bibfold.records.model import DeadLetter, Record

ARTICLE = """<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">77</PMID>
<Article PubModel="Print"><Journal><ISSN IssnType="Print">1234-5679</ISSN><JournalIssue><Volume>12</Volume>
<Issue>3</Issue><PubDate><MedlineDate>2001 Nov-Dec</MedlineDate></PubDate></JournalIssue>
<Title>Journal of shelves</Title><ISOAbbreviation>J Shelves</ISOAbbreviation></Journal>
<ArticleTitle>Folding H<sub>2</sub>O &amp; more.</ArticleTitle><Pagination><StartPage>45</StartPage>
<EndPage>50</EndPage><MedlinePgn>45-50</MedlinePgn></Pagination><ELocationID EIdType="doi">10.5555/1</ELocationID>
<Abstract><AbstractText Label="AIMS">To fold.</AbstractText><AbstractText>We did.</AbstractText></Abstract>
<AuthorList><Author><LastName>Roe</LastName><ForeName>Ann B</ForeName><Initials>AB</Initials><Suffix>Jr</Suffix>
<AffiliationInfo><Affiliation>Shelf House</Affiliation></AffiliationInfo></Author>
<Author><LastName>Doe</LastName><Initials>C</Initials></Author>
<Author><CollectiveName>Shelf Group</CollectiveName></Author></AuthorList><Language>ger</Language>
<PublicationTypeList><PublicationType>Journal Article</PublicationType><PublicationType>Review</PublicationType>
</PublicationTypeList><VernacularTitle>Falten</VernacularTitle></Article>
<MeshHeadingList><MeshHeading><DescriptorName>Libraries</DescriptorName></MeshHeading></MeshHeadingList>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">77</ArticleId>
<ArticleId IdType="pmc">PMC5</ArticleId></ArticleIdList><ReferenceList><Reference><ArticleIdList>
<ArticleId IdType="doi">10.5555/other</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>
</PubmedArticle>"""
CHAPTER = """<PubmedBookArticle><BookDocument><PMID>78</PMID><Book><Publisher><PublisherName>Shelf Press</PublisherName>
</Publisher><BookTitle>The book</BookTitle><PubDate><Year>2002</Year></PubDate><Isbn>9780306406157</Isbn></Book>
<ArticleTitle>The chapter</ArticleTitle><AuthorList Type="authors"><Author><LastName>Roe</LastName></Author>
</AuthorList>
</BookDocument></PubmedBookArticle>"""


def read_text(text: str) -> list[Record | DeadLetter]:
    data = f'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet SYSTEM "x.dtd"><PubmedArticleSet>{text}</PubmedArticleSet>'
    return list(read(io.BytesIO(data.encode()), Origin("pubmed.xml", "shelf")))


def test_an_article() -> None:
    [record] = read_text(ARTICLE)
    assert record == Record(
        source="shelf",
        id="77",
        title="Folding H2O & more.",
        authors=("Roe, Ann B, Jr", "Doe, C", "Shelf Group"),
        publication="Journal of shelves",
        year=2001,
        identifiers={"pmid": ("77",), "doi": ("10.5555/1",), "pmcid": ("PMC5",), "issn": ("1234-5679",)},
        volume="12",
        issue="3",
        pages="45-50",
        type="Journal Article",
        language="ger",
        abstract="AIMS: To fold. We did.",
        extra={
            "alternative_titles": ["Falten"],
            "journal_abbreviation": "J Shelves",
            "publication_types": ["Review"],
            "mesh": ["Libraries"],
            "affiliations": ["Shelf House"],
        },
    )


def test_a_chapter_of_a_book() -> None:
    [record] = read_text(CHAPTER)
    assert isinstance(record, Record)
    assert (record.title, record.publication, record.publisher) == ("The chapter", "The book", "Shelf Press")
    assert (record.year, record.identifiers) == (2002, {"pmid": ("78",), "isbn": ("9780306406157",)})


def test_a_broken_article_spoils_no_other_and_an_empty_one_is_a_dead_letter() -> None:
    broken, empty, whole = read_text("<PubmedArticle><a></b></PubmedArticle><PubmedArticle/>" + ARTICLE)
    assert isinstance(broken, DeadLetter)
    assert isinstance(empty, DeadLetter)
    assert empty.reason.startswith("no MedlineCitation/Article in this record")
    assert isinstance(whole, Record)


def test_entities_are_not_expanded() -> None:
    data = b'<!DOCTYPE x [<!ENTITY a "b">]><PubmedArticleSet><PubmedArticle>&a;</PubmedArticle></PubmedArticleSet>'
    items = list(read(io.BytesIO(data), Origin("pubmed.xml", "shelf")))
    assert any(isinstance(item, DeadLetter) and "DTDs are not read" in item.reason for item in items)
