"""LaTeX in BibTeX fields: accents, symbols and markup to plain text, and plain text to what LaTeX can set.

Mathematics between dollar signs stays as it is. Outside it, an unescaped `&`, `%`, `#`, `_` or `^` is itself,
as exports leave them unescaped; a command that is not known keeps its name, unless it has an argument.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from pylatexenc.latexencode import get_builtin_uni2latex_dict

_MATH: Final = r"\$(?:[^$\\]++|\\[^$])++\$"
_TOKEN: Final = re.compile(
    rf"(?P<math>{_MATH})"
    r"|\\(?P<word>[A-Za-z]+)(?P<gap>\s*)"
    r"|\\(?P<sign>.)"
    r"|(?P<mark>[{}~]|---?|``|'')"
    r"|(?P<text>(?:[^\\{}~$`'-]++|-(?!-)|`(?!`)|'(?!'))++|.)",
    re.DOTALL,
)
_SPECIAL: Final = re.compile(r"[\\{}~$]|--|``|''")
_ACCENTS: Final = dict(
    zip(
        "`'^\"~=.cvuHkrdbt",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a\u0323\u0331\u0361",
        strict=True,
    )
)
_LIGATURES: Final = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}
_SILENT: Final = re.compile("relax|em|it|bf|rm|sc|sf|sl|tt|bfseries|itshape|scshape|small|large|normalfont|protect")
_SYMBOLS: Final = {
    "aa": "å",
    "AA": "Å",
    "j": "ȷ",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textunderscore": "_",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "ldots": "…",
    "dots": "…",
    "copyright": "©",
    "S": "§",
    "P": "¶",
    "euro": "€",
    "times": "×",
    "quad": " ",
    "Delta": "Δ",
    "textemdash": "—",
    "textquotesingle": "'",
    "textquotedbl": '"',
    "textdollar": "$",
    "nobreakspace": " ",
    "slash": "/",
    "hyphen": "-",
    "cprime": "′",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "BibTeX": "BibTeX",
}


def decode(text: str, ligatures: bool = True) -> str:
    """The text that LaTeX would set; without ligatures for what is no prose, such as an address."""
    if not _SPECIAL.search(text):
        return text
    out: list[str] = []
    accents: list[str] = []
    for token in _TOKEN.finditer(text):
        piece = _piece(token, accents) if ligatures or token.group() not in _LIGATURES else token.group()
        if piece and accents:
            piece = _accented(piece, accents)
        out.append(piece)
    return "".join(out)


def _piece(token: re.Match[str], accents: list[str]) -> str:
    """What a token sets; an accent is put on the list for the next letter."""
    kind, value = token.lastgroup, token.group()
    if kind == "mark":
        return _LIGATURES.get(value, "")
    if kind == "sign" or (kind == "gap" and token["word"] in _ACCENTS):
        name = token["sign"] or token["word"]
        if name in _ACCENTS:
            accents.append(_ACCENTS[name])
            return ""
        return {"\\": " ", "-": "", "/": "", ",": " ", "\n": " "}.get(name, name)
    return _command(token) if kind == "gap" else value


def _command(token: re.Match[str]) -> str:
    name = token["word"]
    if symbol := _symbols().get(name):
        return symbol
    if _SILENT.fullmatch(name) or token.string[token.end() : token.end() + 1] == "{":
        return ""
    return token.group()


def _accented(piece: str, accents: list[str]) -> str:
    """The piece with the accents on its first letter."""
    piece = piece.lstrip() or piece
    letter = {"ı": "i", "ȷ": "j"}.get(piece[0], piece[0])
    composed = unicodedata.normalize("NFC", letter + "".join(reversed(accents)))
    accents.clear()
    return composed + piece[1:]


@cache
def _symbols() -> Mapping[str, str]:
    """The commands that stand for one character, from pylatexenc's table and our own."""
    simple = re.compile(r"(?:\\ensuremath\{)?\\([A-Za-z]+)\}?")
    table = {
        found[1]: chr(point)
        for point, code in reversed(get_builtin_uni2latex_dict().items())
        if (found := simple.fullmatch(code))
    }
    return table | _SYMBOLS


_ESCAPES: Final[Mapping[str, str]] = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ESCAPED: Final = re.compile(rf"{_MATH}|[\\{{}}~^$&%#_]|-(?=-)|`(?=`)|'(?=')")


def encode(text: str) -> str:
    """LaTeX that sets this text; letters of every script stay as they are."""
    return _ESCAPED.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    value = found.group()
    if len(value) > 1:
        return value if _is_math(value) else f"\\${encode(value[1:-1])}\\$"
    if value in "-`'":
        return value + "{}"
    return _ESCAPES.get(value, f"\\{value}")


def _is_math(text: str) -> bool:
    """Whether what is between dollar signs has marks of mathematics, and braces that match."""
    if not re.search(r"[\\^_]", text) or re.search(r"\\[{}]", text):
        return False
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
