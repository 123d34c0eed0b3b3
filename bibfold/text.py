"""The only place where text is normalised, for the index and the query alike."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Final

MARKUP_HINT: Final = re.compile(r"[<&\\$]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_TEX_ACCENT = re.compile(r"\\(?:([`'^\"~=.])|([uvHtcdbkr])(?=[\s{\\]))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))")
_TEX_LETTER_COMMAND = re.compile(r"\\(aa|AA|ae|AE|oe|OE|o|O|l|L|ss|i|j)(?![A-Za-z])\s*")
_TEX_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?\s*")
_TEX_SYMBOL = re.compile(r"[{}$^_]|\\(?=[^a-zA-Z])")
_TEX_LETTERS = {"aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "i", "j": "j"}
_TEX_FORMATTING = frozenset(
    "mathrm mathbf mathcal mathit mathbb mathsf mathfrak mathtt rm bf it tt sf cal em emph text textit textbf "
    "textrm textsc texttt textsuperscript textsubscript boldsymbol bm left right ensuremath operatorname "
    "displaystyle textstyle hbox mbox sc sl protect".split()
)
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a",
}  # fmt: skip

_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
    "ŧ": "t", "ŋ": "n", "ĸ": "k", "ſ": "s", "ƒ": "f", "ə": "e", "ʻ": "", "ʼ": "", "ʾ": "", "ʿ": "", "ʹ": "",
    "'": "", "’": "", "‘": "", "`": "", "´": "", "ˈ": "", "\u00ad": "", "\u200b": "", "\u200c": "",
    "\u200d": "", "\ufeff": "", "ˮ": "", "ʺ": "",
}  # fmt: skip

_KEPT_MARKS = frozenset({0, 7, 8, 9})
"""Combining classes that are part of a letter: vowel signs, nukta, kana voicing, virama."""


class _Folding(dict[int, str]):
    """What each character becomes, found out once: letters, digits and their marks stay, the rest parts words."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        category = unicodedata.category(char)
        if char in _LETTERS:
            folded = _LETTERS[char]
        elif category == "Mn" and unicodedata.combining(char) not in _KEPT_MARKS:
            folded = ""
        elif category[0] in "LMN":
            folded = char
        else:
            folded = " "
        self[code] = folded
        return folded


_UNSPACED = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0ec0-\u0ec6\u1000-\u102a\u1780-\u17b3]"
    "[\u3099\u309a\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebd\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3]*"
)
"""A letter, with its marks, of a script written without spaces: Han, kana, Thai, Lao, Burmese, Khmer."""


_FOLDING = _Folding()
_ASCII_FOLDING = {code: chr(code) if chr(code).isalnum() else " " for code in range(128)} | {39: "", 96: ""}
for _code in range(65, 91):
    _ASCII_FOLDING[_code] = chr(_code + 32)
_ASCII_TABLE = str.maketrans(_ASCII_FOLDING)


_GARBLED = re.compile(
    "[\u00c2\u00c3\u00d0\u00d1\u00e2][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
    "\u2013-\u203a\u20ac\u2122]|\ufffd|(?<![a-zA-Z])[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]{4,}"
    "|[\u00a1-\u00bf][\u00c0-\u00ff][\u00a1-\u00bf]"
)
"""What letters look like that were read in another encoding than they were written in."""


def looks_garbled(text: str) -> bool:
    """Whether a text looks as if it had been read in another encoding than it was written in."""
    return not text.isascii() and _GARBLED.search(text) is not None


def plain(text: str) -> str:
    """The text without HTML, MathML and LaTeX markup, for reading and before folding."""
    if not MARKUP_HINT.search(text):
        return text
    if "&" in text:
        text = unescape(unescape(text)) if "&amp;" in text else unescape(text)
    if "<" in text:
        text = _TAG.sub(_tag_gap, text)
    if "\\" in text or "$" in text:
        text = _untex(text)
    return text


def _tag_gap(tag: re.Match[str]) -> str:
    """Inline tags join what they stand in (H<sub>2</sub>O), others part it."""
    name = tag.group().strip("</>").split(":")[-1].split(" ")[0].lower()
    return "" if name in _INLINE else " "


_INLINE = frozenset("i b u em strong sub sup sc scp small span tt mi mn mo italic bold inf ovl a font".split())


def _untex(text: str) -> str:
    text = _TEX_ACCENT.sub(lambda m: (m[3] or m[4]) + _ACCENTS.get(m[1] or m[2], ""), text)
    text = _TEX_LETTER_COMMAND.sub(lambda m: _TEX_LETTERS.get(m[1], m[1]), text)
    text = _TEX_COMMAND.sub(lambda m: "" if m[1] in _TEX_FORMATTING else f"{m[1]} ", text)
    return _TEX_SYMBOL.sub("", text)


def fold(text: str) -> str:
    """Lower-case words separated by single spaces: no markup, accents or punctuation; other scripts kept.

    Characters of scripts written without spaces stand alone, so that pairs of them serve as word pairs do.
    Folding what is folded changes nothing.
    """
    if text.isascii():
        if MARKUP_HINT.search(text):
            text = plain(text)
        if text.isascii():
            return " ".join(text.translate(_ASCII_TABLE).split())
    return _fold_unicode(plain(text))


def _fold_unicode(text: str) -> str:
    """Fold until nothing changes: a compatibility form may hide a letter that has a folding of its own."""
    for _ in range(4):
        decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
        folded = unicodedata.normalize("NFC", decomposed.translate(_FOLDING))
        folded = " ".join(_UNSPACED.sub(r" \g<0> ", folded).split())
        if folded == text:
            break
        text = folded
    return text


def tokens(text: str) -> list[str]:
    """The folded words of a text; a text of symbols alone is one word as it stands."""
    words = fold(text).split()
    if words:
        return words
    bare = "".join(plain(text).casefold().split()) or "".join(text.casefold().split())
    return [bare] if bare else []


def bigrams(words: Sequence[str], stopwords: frozenset[str]) -> list[str]:
    """The distinct pairs of neighbouring words, in order, without those made of two stopwords.

    Where that leaves none, all pairs; where there is one word, the word: no titled record is without keys.
    """
    if len(words) == 1:
        return [words[0]]
    pairs = list(pairwise(words))
    kept = [f"{a} {b}" for a, b in pairs if a not in stopwords or b not in stopwords]
    return list(dict.fromkeys(kept or [f"{a} {b}" for a, b in pairs]))


STOPWORDS: Final[dict[str, str]] = {
    "en": "a about above after again against all also am an and any are as at be because been before being below "
    "between both but by can could did do does doing down during each few for from further had has have having he "
    "her here hers him his how i if in into is it its itself just may me might more most must my near new no nor "
    "not of off on once only onto or other our out over own per same shall she should so some such than that the "
    "their them then there these they this those through to too toward towards under until up upon us use used "
    "using versus via very was we were what when where which while who whom whose why will with within without "
    "would you your",
    "de": "aber als am an auch auf aus bei bis das dass dem den der des die doch durch ein eine einem einen einer "
    "eines er es für gegen hat im in ins ist kein mit nach nicht noch nur ob oder ohne sein seine sich sie sind so "
    "über um und unter uns von vom vor war was wenn wie wird zu zum zur zwischen",
    "fr": "à au aux avec ce ces cet cette chez comme d dans de des du elle en entre est et être eux il ils je l la "
    "le les leur leurs lors mais ne nos notre nous on ou où par pas pour qu que qui s sa sans se ses si son sont "
    "sous sur un une vers vos votre vous y",
    "es": "a al algo ante bajo como con contra cual de del desde donde durante e el ella en entre era es esta este "
    "fue ha hacia hasta la las le lo los más mediante ni no nos o para pero por que se según ser si sin sobre su "
    "sus tras un una uno y",
    "pt": "a à ao aos as até com como da das de desde do dos e é ela ele em entre era essa esse esta este foi há "
    "isso já lhe mais mas na nas nem no nos num numa o os ou para pela pelas pelo pelos por que se sem ser seu sua "
    "são sob sobre também um uma",
    "it": "a ad ai al alla alle allo anche che chi come con cui d da dai dal dalla de dei del dell della delle dello "
    "di e è ed fra gli ha i il in io l la le lo ma nel nell nella nelle nello non o per più quale se si sono su sui "
    "sul sull sulla sulle tra un una uno",
}
"""Function words by language, one text each; English is the default, others are added on request."""


@lru_cache
def stopwords(*languages: str) -> frozenset[str]:
    """The folded stopwords of these languages together."""
    return frozenset(fold(word) for language in languages for word in STOPWORDS[language].split())
