"""A record's character set is found whatever its leader says."""

import pytest

from bibfold.records.formats.marc_charset import decoder

GERMAN = "Über die Größe: Müller, Jürgen"
SPANISH = "Historia de la computación, Pérez García, José, en el año"
FRENCH = "Théâtre français à l'époque, œuvres complètes, Gérard"
SWEDISH = "Åtta år på språkön, Göran Öberg"
CZECH_MARC8 = b"P\xe9r\xe2ibeh, Dvo\xe9r\xe2ak, Ji\xe9r\xe2i"
ROMANISED_MARC8 = b"A\xf2hmad, \xf6G\xf6hul\xe5am, Sovetsko-fran\xebt\xecsuzskie otnosheni\xebi\xeca"


@pytest.mark.parametrize("says_utf8", [True, False])
@pytest.mark.parametrize("text", [GERMAN, SPANISH, FRENCH, SWEDISH, "Москва", "傲慢与偏见", "plain"])
def test_utf8_is_read_whatever_the_leader_says(text: str, says_utf8: bool) -> None:
    data = text.encode()
    assert decoder(data, says_utf8)(data) == text


@pytest.mark.parametrize("says_utf8", [True, False])
@pytest.mark.parametrize("text", [GERMAN, SPANISH, FRENCH, SWEDISH])
def test_latin1_is_read_whatever_the_leader_says(text: str, says_utf8: bool) -> None:
    data = text.encode("cp1252")
    assert decoder(data, says_utf8)(data) == text


@pytest.mark.parametrize("says_utf8", [True, False])
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (CZECH_MARC8, "Příbeh, Dvořák, Jiří"),
        (ROMANISED_MARC8, "Aḥmad, G̲h̲ulām, Sovetsko-frant︠s︡uzskie otnoshenii︠a︡"),
        (b"M\xe8uller, J\xe8urgen \x1b(NkNIGA\x1b(B", "Müller, Jürgen Книга"),
    ],
)
def test_marc8_is_read_whatever_the_leader_says(data: bytes, text: str, says_utf8: bool) -> None:
    assert decoder(data, says_utf8)(data) == text


def test_pieces_of_one_record_may_differ() -> None:
    utf8, latin1 = "Größe".encode(), "Müller, Jürgen".encode("latin-1")
    decode = decoder(utf8 + b"\x1e" + latin1, says_utf8=True)
    assert (decode(utf8), decode(latin1)) == ("Größe", "Müller, Jürgen")


def test_lost_bytes_of_utf8_are_marked() -> None:
    damaged = "Größe und Maß".encode()[:-1]
    assert decoder(damaged, says_utf8=True)(damaged) == "Größe und Ma\ufffd"
