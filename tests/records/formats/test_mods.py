"""MODS, alone and in its wrappings."""

import io

import pytest

from bibfold.records.formats import Origin
from bibfold.records.formats.mods import read
from bibfold.records.model import DeadLetter, Deletion, Item, Record

MODS = """<mods:mods xmlns:mods="http://www.loc.gov/mods/v3" ID="a1"><mods:titleInfo><mods:nonSort>The</mods:nonSort>
<mods:title>shelf</mods:title><mods:subTitle>a study</mods:subTitle><mods:partNumber>Part 2</mods:partNumber>
</mods:titleInfo><mods:titleInfo type="alternative"><mods:title>Shelving</mods:title></mods:titleInfo>
<mods:name type="personal"><mods:namePart type="given">Ann</mods:namePart>
<mods:namePart type="family">Roe</mods:namePart>
<mods:role><mods:roleTerm type="code">aut</mods:roleTerm></mods:role></mods:name>
<mods:name><mods:namePart>Poe, E.</mods:namePart><mods:role><mods:roleTerm>editor</mods:roleTerm></mods:role>
</mods:name>
<mods:name><mods:namePart>Shelf Press</mods:namePart><mods:role><mods:roleTerm>pbl</mods:roleTerm>
</mods:role></mods:name>
<mods:typeOfResource>text</mods:typeOfResource><mods:genre>article</mods:genre>
<mods:originInfo><mods:publisher>Shelf Press</mods:publisher><mods:copyrightDate>2000</mods:copyrightDate>
<mods:edition>2nd</mods:edition></mods:originInfo><mods:language><mods:languageTerm>eng</mods:languageTerm></mods:language>
<mods:abstract>Short.</mods:abstract><mods:subject><mods:topic>shelves</mods:topic></mods:subject>
<mods:relatedItem type="host"><mods:titleInfo><mods:title>Journal of Shelves</mods:title></mods:titleInfo>
<mods:identifier type="issn">1234-5679</mods:identifier><mods:part><mods:detail type="volume">
<mods:number>12</mods:number>
</mods:detail><mods:detail type="issue"><mods:number>3</mods:number></mods:detail><mods:extent unit="pages">
<mods:start>45</mods:start><mods:end>50</mods:end></mods:extent><mods:date>2001-05</mods:date></mods:part></mods:relatedItem>
<mods:identifier type="doi">10.5555/1</mods:identifier><mods:identifier type="isbn" invalid="yes">1</mods:identifier>
<mods:location><mods:url>https://arxiv.org/abs/2101.00001</mods:url></mods:location>
<mods:recordInfo><mods:recordIdentifier>r1</mods:recordIdentifier></mods:recordInfo></mods:mods>"""


def read_text(text: str) -> list[Item]:
    return list(read(io.BytesIO(text.encode()), Origin("mods.xml", "shelf")))


@pytest.mark.parametrize("wrapping", ["{}", "<modsCollection>{}</modsCollection>",
    "<OAI-PMH><record><header><identifier>oai:1</identifier></header><metadata>{}</metadata></record></OAI-PMH>"],
)  # fmt: skip
def test_a_part_of_a_journal_in_every_wrapping(wrapping: str) -> None:
    [record] = read_text(wrapping.format(MODS))
    assert record == Record(
        source="shelf",
        id="r1",
        title="The shelf. Part 2",
        subtitle="a study",
        authors=("Roe, Ann",),
        publication="Journal of Shelves",
        year=2001,
        identifiers={"doi": ("10.5555/1",), "arxiv": ("2101.00001",), "issn": ("1234-5679",)},
        volume="12",
        issue="3",
        pages="45-50",
        edition="2nd",
        publisher="Shelf Press",
        type="article",
        language="eng",
        abstract="Short.",
        extra={
            "alternative_titles": ["Shelving"],
            "subject": ["shelves"],
            "url": ["https://arxiv.org/abs/2101.00001"],
        },
    )


def test_editors_serve_where_there_are_no_authors() -> None:
    [record] = read_text(MODS.replace(">aut<", ">fnd<"))
    assert isinstance(record, Record)
    assert record.authors == ("Poe, E.",)


def test_a_deleted_record_is_a_deletion_and_one_of_another_kind_is_a_dead_letter() -> None:
    deleted = '<record><header status="deleted"><identifier>x</identifier></header></record>'
    [gone, letter] = read_text(f"<OAI-PMH>{deleted}<record><metadata><dc/></metadata></record></OAI-PMH>")
    assert isinstance(gone, Deletion)
    assert gone.id == "x"
    assert isinstance(letter, DeadLetter)
    assert letter.reason == "no mods element in this record; is the file MODS?"
