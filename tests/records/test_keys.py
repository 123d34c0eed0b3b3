"""The keys by which records are found."""

import pytest

from bibfold.records.keys import LONGEST_KEY, KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare


def _keys(settings=None, **fields):
    return keys(prepare(Record(source="x", id="1", **fields)), settings or KeySettings())


@pytest.mark.parametrize(
    ("title", "terms"),
    [
        ("Folding proteins fast", ["folding proteins", "proteins fast"]),
        ("It", ["it"]),
        ("1984", ["1984"]),
        ("To be or not to be", ["to be", "be or", "or not", "not to"]),
        ("紅樓夢", ["紅 樓", "樓 夢"]),
        ("The fall of the house", ["the fall", "fall of", "the house"]),
        ("C++", ["c"]),
        ("...", ["..."]),
        ("", []),
    ],
)
def test_title_keys(title, terms):
    assert _keys(title=title)["title"] == terms


def test_other_keys_find_a_record_whose_title_changed():
    found = _keys(title="X", authors=("Doe, J", "Roe, R"), year=2003, volume="14", pages="288-97")["also"]
    assert found == ["y doe 2003", "a doe roe", "p 14 288"]


def test_identifiers_that_name_a_work():
    given = {"doi": ("10.1000/A",), "issn": ("0378-5955",), "isbn": ("0140434267",)}
    assert _keys(title="X", identifiers=given)["identifier"] == ["doi:10.1000/a", "isbn:9780140434262"]


def test_blocks_only_on_request():
    assert "block" not in _keys(title="Folding proteins")
    assert len(_keys(KeySettings(fingerprints=True), title="Folding proteins")["block"]) == 4


def test_languages_add_stopwords():
    german = KeySettings(languages=("en", "de"))
    assert _keys(german, title="Das Haus in der Stadt")["title"] == ["das haus", "haus in", "der stadt"]


def test_long_keys_are_cut_but_stay_apart():
    one, other = (_keys(title="x" * 500 + end)["title"][0] for end in "ab")
    assert one != other
    assert len(one) <= LONGEST_KEY
