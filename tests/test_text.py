"""Text normalised once, for index and query alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.text import STOPWORDS, bigrams, fold, looks_garbled, plain, stopwords, tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Folding, FAST!", "folding fast"),
        ("Müller’s Straße", "mullers strasse"),
        ("Łódź Øre Æsir", "lodz ore aesir"),
        ("H<sub>2</sub>O &amp; CO<sub>2</sub>", "h2o co2"),
        ("M\\\"obius $\\alpha$-stable", "mobius alpha stable"),
        ("{\\'E}cole \\emph{normale}", "ecole normale"),
        ("ﬁne ﬂow ①", "fine flow 1"),
        ("Война и мир", "воина и мир"),
        ("हिन्दी", "हिन्दी"),
        ("紅樓夢", "紅 樓 夢"),
        ("a\u00adb\u200bc", "abc"),
        ("", ""),
        ("?!", ""),
    ],
)  # fmt: skip
def test_fold(text, folded):
    assert fold(text) == folded


@given(st.text(max_size=80) | st.text("aÄß<i>&;\\{}$'’ 紅ﬁ①", max_size=40))
def test_folding_what_is_folded_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=80))
def test_every_visible_text_has_tokens(text):
    assert bool(tokens(text)) == bool(text.split())


def test_symbols_alone_are_one_token():
    assert tokens(" C ++") == ["c"]
    assert tokens("¡ !") == ["¡!"]


@pytest.mark.parametrize(
    ("words", "pairs"),
    [
        ("fall of the house", ["fall of", "the house"]),
        ("to be or", ["to be", "be or"]),
        ("it", ["it"]),
        ("a rose a rose a rose", ["a rose", "rose a"]),
    ],
)
def test_bigrams(words, pairs):
    assert bigrams(words.split(), stopwords("en")) == pairs


def test_markup_is_removed_for_reading():
    assert plain("Effects of <b>heat</b> &lt; 10 K") == "Effects of heat < 10 K"
    assert plain("a < b > c") == "a < b > c"


@pytest.mark.parametrize("language", STOPWORDS)
def test_stopwords_are_folded(language):
    assert all(word == fold(word) for word in stopwords(language))
    assert stopwords(language) <= stopwords(*STOPWORDS)


@pytest.mark.parametrize("text", ["MÃ¼ller", "donâ€™t", "Êàòàëîã êíèã", "Ä¿Â¼Ñ§", "a\ufffdb"])
def test_letters_read_in_the_wrong_encoding_look_garbled(text: str) -> None:
    assert looks_garbled(text)


@pytest.mark.parametrize(
    "text",
    ["Müller über Äpfel", "créée", "Łódź", "ÆØÅ", "Tiếng Việt", "¿Qué? ¡Sí!", "ÉTUDE", "«L'été»", "±5 °C", "目录学"],
)
def test_letters_of_other_languages_do_not(text: str) -> None:
    assert not looks_garbled(text)
