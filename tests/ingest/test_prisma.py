"""The counts and the picture of a PRISMA flow diagram."""

from xml.etree.ElementTree import fromstring

from ingest.prisma import Prisma, diagram, prisma

COUNTS = Prisma(15, {"pubmed": 9, "<odd> & long" * 9: 5}, 1, 4, 11, 2)


def test_repeats_count_as_identified_and_as_removed() -> None:
    assert prisma({"pubmed": 9, "embase": 5}, repeated=1, left=11, unreadable=2) == Prisma(
        15, {"pubmed": 9, "embase": 5}, 1, 4, 11, 2
    )


def test_the_diagram_says_the_counts() -> None:
    svg = fromstring(diagram(COUNTS))
    texts = [each.text or "" for each in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == ["Records identified (n = 15):", "pubmed (n = 9)"]
    assert texts[2].startswith("<odd> & long")
    assert texts[2].endswith("… (n = 5)")
    assert texts[3:] == [
        "Repeated within a source (n = 1)",
        "Records removed before screening:",
        "Duplicates (n = 4)",
        "Not readable, not counted here (n = 2)",
        "Records left to screen (n = 11)",
    ]


def test_what_is_zero_is_left_out() -> None:
    text = diagram(prisma({"pubmed": 2}, 0, 2, 0))
    assert "Repeated" not in text
    assert "Not readable" not in text
