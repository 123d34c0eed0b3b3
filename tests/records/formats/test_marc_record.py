"""What MARC fields mean, field by field."""

from typing import Any

import pytest

from bibfold.records.formats.marc import Field, Marc, clean, control, field, from_kept, kept
from bibfold.records.formats.marc_record import to_record
from bibfold.records.model import Record

BOOK = "00000nam a2200000 a 4500"
ARTICLE = "00000nab a2200000 a 4500"
FIXED = "840507s1984    gw            000 0 ger d"


def parsed(row: str) -> Field:
    """A field from `246 3# $aTitle$bSubtitle`, or a control field from `001 number`."""
    if row.startswith("00"):
        return control(row[:3], row[4:])
    head, *pieces = row[7:].split("$")
    assert not head
    return field(row[:3], row[4:6].replace("#", " "), [(piece[0], piece[1:]) for piece in pieces])


def read(*rows: str, leader: str = BOOK) -> Record:
    return to_record(Marc(leader, tuple(map(parsed, rows))), "shelf")


@pytest.mark.parametrize(
    ("row", "title", "subtitle"),
    [
        ("245 10 $aThe cat :$bher life /$cby A. Cat.", "The cat", "her life"),
        ("245 10 $aThe cat.", "The cat", ""),
        ("245 10 $aHistory.$nPart 1,$pThe cats /$cby B.", "History. Part 1, The cats", ""),
        ("245 10 $aHistory.$nPart 2,$pThe dogs :$ba book", "History. Part 2, The dogs", "a book"),
        ("245 10 $aJazz$h[sound recording] :$blive", "Jazz", "live"),
        ("245 10 $kLetters$b1912", "Letters", "1912"),
        ("245 10 $bOnly this", "Only this", ""),
        ("240 10 $aUniform title", "Uniform title", ""),
        ("245 10 $aSize at E = 630 GeV", "Size at E = 630 GeV", ""),
    ],
)
def test_title(row: str, title: str, subtitle: str) -> None:
    record = read(row)
    assert (record.title, record.subtitle) == (title, subtitle)


def test_alternative_titles_are_parallel_repeated_variant_and_linked_ones() -> None:
    record = read(
        "245 10 $aOne =$bZwei /$cx",
        "245 10 $aEka",
        "246 3# $aUno :$bdue",
        "880 10 $6245-01/$1$a一 /",
        "880 1# $6100-02/$1$a李, 明.",
        "880 ## $6260-03/$1$a北京",
    )
    assert (record.title, record.subtitle) == ("One", "")
    assert record.extra["alternative_titles"] == ["Zwei", "Eka", "Uno : due", "一"]
    assert record.extra["alternative_names"] == ["李, 明"]


def test_parallel_title_behind_the_subtitle() -> None:
    record = read("245 10 $aOne :$btwo = Eins : zwei /$cx")
    assert (record.subtitle, record.extra["alternative_titles"]) == ("two", ["Eins : zwei"])


def test_authors_are_names_alone_main_entry_first_each_once() -> None:
    record = read(
        "700 1# $aBrown, Bob,$eillustrator.",
        "100 1# $aAusten, Jane,$d1775-1817.",
        "700 0# $aJohn Paul$bII,$cPope",
        "700 12 $aOther, Olga.$tAnother work.",
        "710 2# $aUnited States.$bCongress.",
        "711 2# $aSymposium on Cats$n(3rd :$d1983 :$cBonn)",
        "700 1# $aBrown, Bob.",
        "720 ## $aUncontrolled, Una",
    )
    assert record.authors == (
        "Austen, Jane",
        "Brown, Bob",
        "John Paul II",
        "United States. Congress",
        "Symposium on Cats",
    )


def test_a_repeated_main_entry_is_the_name_in_another_script() -> None:
    record = read("100 1# $aशाह, वीर.", "100 1# $aŚāha, Vīra.")
    assert (record.authors, record.extra["alternative_names"]) == (("शाह, वीर",), ["Śāha, Vīra"])


def test_uncontrolled_names_serve_where_there_are_no_others() -> None:
    assert read("720 ## $aUna, U.").authors == ("Una, U.",)


@pytest.mark.parametrize(
    ("rows", "year"),
    [
        (["260 ## $c1998."], 1998),
        (["260 ## $cc1998."], 1998),
        (["260 ## $c[1998?]"], 1998),
        (["260 ## $c1998-1999."], 1998),
        (["260 ## $c1998, c1997."], 1998),
        (["260 ## $c1998 [i.e. 1999]"], 1999),
        (["260 ## $c14 06 2000"], 2000),
        (["260 ## $c2040 [1983 or 1984]"], 1983),
        (["260 ## $c1405 [1984 or 1985]", f"008 {FIXED}"], 1984),
        (["260 ## $c[19--?]", "008 840507q19001984ck"], None),
        (["260 ## $c[198-?]", f"008 {FIXED}"], 1984),
        ([f"008 {FIXED}"], 1984),
        (["008 840507n19841985"], None),
        (["264 #4 $c©1990", "264 #1 $c1993"], 1993),
        (["264 #4 $c©1990"], 1990),
        (["264 #2 $c1991", "260 ## $c1990"], 1990),
        (["773 0# $tCats$gVol. 3 (Sept. 1993)"], 1993),
        ([], None),
    ],
)
def test_year(rows: list[str], year: int | None) -> None:
    assert read(*rows, leader=ARTICLE).year == year


@pytest.mark.parametrize(
    ("rows", "publisher"),
    [
        (["260 ## $aWien :$bVerlag,$c1984."], "Verlag"),
        (["260 ## $aWien :$b[s.n.],$c1984.", "260 ## $bLater"], "Later"),
        (["264 #3 $bPrinter", "264 #1 $bPress, Inc.,"], "Press, Inc."),
        (["264 #1 $b[publisher not identified]"], ""),
    ],
)
def test_publisher(rows: list[str], publisher: str) -> None:
    assert read(*rows).publisher == publisher


def test_host_of_an_article() -> None:
    row = "773 0# $tJournal of cats.$gVol. 24, no. 9 (1993), p. 235-48$x0317-8471$z0306406152"
    record = read("022 ## $a1234-5679", row, "490 0# $aSeries$v3", leader=ARTICLE)
    assert (record.publication, record.volume, record.issue, record.pages) == (
        "Journal of cats",
        "24",
        "9",
        "235-48",
    )
    assert record.identifiers == {"issn": ("1234-5679", "0317-8471")}
    assert record.extra["host_isbn"] == ["0306406152"]
    assert record.type == "article"


def test_host_as_physics_catalogues_write_it() -> None:
    record = read("773 ## $pPhys. Rev. D$v75$n4$c1098 - 1105$y2007", leader="")
    assert (record.publication, record.volume, record.issue, record.pages, record.year) == (
        "Phys. Rev. D",
        "75",
        "4",
        "1098 - 1105",
        2007,
    )


def test_a_book_is_no_part_of_its_collection() -> None:
    assert read("773 0# $tEbook collection.$nURL: http://x").publication == ""


def test_series_numbers_a_book() -> None:
    record = read("490 1# $aWorks of X,$x0722-5466 ;$vBd. 12", "830 #0 $aWorks of X ;$v12.")
    assert record.volume == "12"
    assert record.extra["series"] == [{"title": "Works of X", "volume": "Bd. 12", "issn": "0722-5466"}]
    assert "issn" not in record.identifiers


def test_identifiers() -> None:
    record = read(
        "001 ocn875586868",
        "003 OCoLC",
        "010 ## $a  92005291 ",
        "020 ## $a0137815853 (pbk.) :$c$20$z0137815850 (wrong)",
        "020 ## $cfree",
        "022 ## $a0317-8471$y0317-8472",
        "024 7# $a10.1234/x$2doi",
        "024 7# $a2101.00001$2arXiv",
        "024 3# $a9780521825146",
        "024 8# $a10.5555/y",
        "024 8# $ano scheme",
        "035 ## $a(OCoLC)170922267",
        "035 ## $a(FI-HELKA)3338566",
        "035 ## $9SLAC$a5278333",
        "035 ## $aplain",
        "037 ## $aarXiv:hep-th/0101001",
    )
    assert record.id == "ocn875586868"
    assert record.identifiers == {
        "lccn": ("92005291",),
        "isbn": ("0137815853",),
        "issn": ("0317-8471",),
        "doi": ("10.1234/x", "10.5555/y"),
        "arxiv": ("2101.00001", "arXiv:hep-th/0101001"),
        "ean": ("9780521825146",),
        "oclc": ("170922267", "ocn875586868"),
    }
    assert record.extra["invalid_isbn"] == ["0137815850"]
    assert record.extra["control_number_identifier"] == "OCoLC"
    assert record.extra["system_numbers"] == {"FI-HELKA": ["3338566"], "SLAC": ["5278333"], "": ["plain"]}


@pytest.mark.parametrize(
    ("rows", "language"),
    [
        ([f"008 {FIXED}", "041 1# $aeng"], "ger"),
        (["008 840507s1984    gw            000 0 und d", "041 1# $afin $beng"], "fin"),
        (["041 1# $aengfre"], "eng"),
        ([], ""),
    ],
)
def test_language(rows: list[str], language: str) -> None:
    assert read(*rows).language == language


@pytest.mark.parametrize(
    ("level", "rows", "kind"),
    [
        ("am", [], "book"),
        ("am", ["502 ## $aThesis"], "thesis"),
        ("ab", [], "article"),
        ("aa", [], "chapter"),
        ("as", [], "periodical"),
        ("cm", [], "score"),
        ("jm", [], "music"),
        ("em", [], "map"),
        ("  ", [], ""),
    ],
)
def test_type(level: str, rows: list[str], kind: str) -> None:
    assert read(*rows, leader=BOOK[:6] + level + BOOK[8:]).type == kind


def test_other_texts() -> None:
    record = read(
        "250 ## $a2nd ed. /$bby X.",
        "300 ## $axii, 3 p. :$bill. ;$c23 cm.",
        "520 1# $aA review.",
        "520 ## $aAbout cats.",
    )
    assert (record.edition, record.abstract) == ("2nd ed. / by X.", "About cats.")
    assert record.extra["physical"] == "xii, 3 p. : ill. ; 23 cm"


def test_unimarc_is_understood() -> None:
    record = read(
        "001 1074414",
        "010 1# $a0553210181$b(pbk.)",
        "101 0# $aeng",
        "200 1# $aPride and prejudice$ea novel$fby Jane Austen",
        "210 ## $aNew York$cBantam Books$d1981",
        "700 #1 $aAusten$bJane$f1775-1817",
        "702 #1 $aBrown$bBob",
    )
    assert (record.title, record.subtitle, record.year, record.publisher, record.language) == (
        "Pride and prejudice",
        "a novel",
        1981,
        "Bantam Books",
        "eng",
    )
    assert record.authors == ("Austen, Jane", "Brown, Bob")
    assert record.identifiers == {"isbn": ("0553210181",)}
    assert ["200", "1 ", [["a", "Pride and prejudice"], ["e", "a novel"], ["f", "by Jane Austen"]]] in (
        record.extra["marc"]
    )


def test_the_whole_record_is_kept() -> None:
    marc = Marc(BOOK, (control("001", "x"), field("650", " 0", [("a", "Cats"), ("a", "Dogs")])))
    rows: list[Any] = [["LDR", BOOK], ["001", "x"], ["650", " 0", [["a", "Cats"], ["a", "Dogs"]]]]
    assert to_record(marc, "s").extra == {"marc": rows}
    assert kept(marc) == rows
    assert from_kept(rows) == marc


@pytest.mark.parametrize("rows", [None, "x", [1], [["245"]], [["245", "  ", [["a"]]]], [["245", 1]]])
def test_what_is_no_kept_record_is_none(rows: object) -> None:
    assert from_kept(rows) is None


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("e\u0301", "é"),
        ("a\x00b\x98c\nd", "abc d"),
        ("MÃ¼ller", "Müller"),
        ("itâ€™s", "it’s"),
        ("MÃ\x83Â¼ller", "Müller"),
        ("Ã la carte", "Ã la carte"),
        ("Москва Ã¼", "Москва Ã¼"),
    ],
)
def test_text_is_cleaned(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("rows", "authors"),
    [
        (["100 1# $aRoe, Ann$4aut", "710 2# $aShelf Press$4pbl"], ("Roe, Ann",)),
        (["710 2# $aShelf Press$4http://id.loc.gov/vocabulary/relators/pbl"], ()),
        (["700 1# $aRoe, Ann,$ethesis advisor."], ()),
        (["700 1# $aRoe, Ann,$epublisher,$eauthor."], ("Roe, Ann",)),
        (["700 1# $aRoe, Ann$4pbl$4aut"], ("Roe, Ann",)),
        (["700 1# $aRoe, Ann$4trl"], ("Roe, Ann",)),
    ],
)
def test_a_relator_says_who_is_no_author(rows: list[str], authors: tuple[str, ...]) -> None:
    assert read("245 10 $aT", *rows).authors == authors


def test_unimarc_may_put_its_comma_into_the_given_name_and_code_its_publisher() -> None:
    record = read("200 1# $aFoundation", "700 #1 $aAsimov$b, Isaac$4070", "712 02 $aGnome Press$4650")
    assert record.authors == ("Asimov, Isaac",)
