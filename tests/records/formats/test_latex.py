"""LaTeX to plain text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.formats.latex import decode, encode


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"{\"u}ber", "über"),
        (r"M\"uller caf\'e", "Müller café"),
        (r"\'{\i} \'\i na na\"{\i}ve \v{\j}", "í ína naïve ǰ"),
        (r"\c{c} \c c \v{s} {\v C} {\H o} \k{a} \.{z} \r{a} \d{s} \u{g} \=o \~n", "ç ç š Č ő ą ż å ṣ ğ ō ñ"),
        (r"\' e", "é"),
        (r"{\o} \ss{} \aa{} \L{}odz Stra{\ss}e \AE", "ø ß å Łodz Straße Æ"),
        (r"A\&B 5\% \#1 a\_b \$5 \{x\}", "A&B 5% #1 a_b $5 {x}"),
        ("A & B 10% of_x #1", "A & B 10% of_x #1"),
        (r"\textit{E. coli} {\em x} \textbf{\emph{y}}", "E. coli x y"),
        (r"{\relax Ch}arles", "Charles"),
        (r"\textless{}p\textgreater{} \textasciitilde{} \textbackslash{}", "<p> ~ \\"),
        (r"a~b -- c --- d ``q'' 'r'", "a b – c — d “q” 'r'"),
        (r"\alpha-helix \ldots \textregistered \copyright 2000", "α-helix …®©2000"),
        (r"$\alpha_2$ and H$_2$O", r"$\alpha_2$ and H$_2$O"),
        ("costs $5", "costs $5"),
        (r"C:\temp", r"C:\temp"),
        (r"\unknown{kept}", "kept"),
        ("{{{deep}}}", "deep"),
        ("plain text", "plain text"),
        (r"\'", ""),
    ],
)
def test_decode(latex: str, plain: str) -> None:
    assert decode(latex) == plain


def test_ligatures_are_for_prose_alone() -> None:
    assert decode(r"http://x.org/~me--you''\_{a}", ligatures=False) == "http://x.org/~me--you''_a"


def test_braces_beyond_number_are_no_trouble() -> None:
    assert decode("{" * 100_000 + "x" + "}" * 100_000) == "x"


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("Müller & Söhne", r"Müller \& Söhne"),
        ("{x}", r"\textbraceleft{}x\textbraceright{}"),
        ("$5 or $6", r"\$5 or \$6"),
        ("an $x^2$", "an $x^2$"),
        ("not $x^{2$", r"not \$x\textasciicircum{}\textbraceleft{}2\$"),
        ("not $x}{_$", r"not \$x\textbraceright{}\textbraceleft{}\_\$"),
        ("a--b ''c''", "a-{}-b '{}'c'{}'"),
    ],
)
def test_encode(plain: str, latex: str) -> None:
    assert encode(plain) == latex
    assert decode(latex) == plain


@given(st.text(alphabet="ab \\{}$~^&%#_-`'é日"))
def test_what_is_encoded_is_decoded_the_same(text: str) -> None:
    assert decode(encode(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"O{\textquotesingle}Neil", "O'Neil"),
        (r"and{\slash}or", "and/or"),
        (r"self{\hyphen}made", "self-made"),
        (r"{\LaTeX} and \BibTeX{}", "LaTeX and BibTeX"),
    ],
)
def test_signs_that_programs_write_as_commands(text: str, expected: str) -> None:
    assert decode(text) == expected
