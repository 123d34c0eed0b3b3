"""Numbers in titles, however they are written: "Part II", "part two", "the 2nd part" all hold a 2."""

import re
from collections.abc import Sequence

_ROMAN = re.compile(r"(?=[ivxl])(?:x{0,3}|xl|lx{0,3})(?:ix|iv|v?i{0,3})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_ARABIC = re.compile(r"\d+")
_GROUP = re.compile(r"[1-9]\d{0,2}")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_CARDINALS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_WORDS = {word: str(number) for words in (_CARDINALS, _ORDINALS) for number, word in enumerate(words, start=1)}
_SERIES = frozenset((
    "part", "parts", "pt", "volume", "vol", "chapter", "chap", "book", "no", "nr", "number", "section",
    "act", "phase", "episode", "issue", "case", "paper", "lecture", "teil", "band", "tome", "tomo",
    "partie", "parte", "capitulo", "edition", "ed", "supplement", "suppl", "appendix", "report", "stage",
    "type", "class",
))  # fmt: skip
_LONE = frozenset("ivxl")
_NUMBERS = frozenset(_WORDS) | {
    tens + ones
    for tens in ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
}
"""Every word, without digits, that is a number: "two", "second", "ii"."""


def numerals(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers among folded title words, sorted, and those of them that number a part of a series."""
    if _NUMBERS.isdisjoint(words) and all(map(str.isalpha, words)):
        return (), ()
    words = _grouped(words)
    numbers: list[str] = []
    series: list[str] = []
    for place, word in enumerate(words):
        if word.isalpha() and word not in _WORDS and word[0] not in _LONE:
            continue
        value = _value(words, place)
        if value:
            numbers.append(value)
            if _numbers_a_part(words, place):
                series.append(value)
    return tuple(sorted(numbers)), tuple(sorted(series))


def _grouped(words: Sequence[str]) -> Sequence[str]:
    """The words, where the digits of a number that was written in groups ("31 000") stand together."""
    grouped: list[str] = []
    goes_on = False
    for word in words:
        if goes_on and len(word) == 3 and _ARABIC.fullmatch(word):
            grouped[-1] += word
        else:
            grouped.append(word)
            goes_on = _GROUP.fullmatch(word) is not None
    return grouped


def _value(words: Sequence[str], place: int) -> str:
    word = words[place]
    if _ARABIC.fullmatch(word):
        return word.lstrip("0") or "0"
    if found := _ORDINAL.fullmatch(word):
        return found[1].lstrip("0")
    if word in _WORDS:
        return _WORDS[word]
    if _ROMAN.fullmatch(word) and (word not in _LONE or _lone_numeral(words, place)):
        return str(_roman(word))
    return ""


def _lone_numeral(words: Sequence[str], place: int) -> bool:
    """A single letter is a number only behind "part" and the like, or "i" as the last word."""
    return place > 0 and (words[place - 1] in _SERIES or (words[place] == "i" and place == len(words) - 1))


def _numbers_a_part(words: Sequence[str], place: int) -> bool:
    """Behind "part" and the like, before it, or a Roman numeral."""
    before = words[place - 1] if place else ""
    after = words[place + 1] if place + 1 < len(words) else ""
    return before in _SERIES or after in _SERIES or not (words[place][0].isdigit() or words[place] in _WORDS)


def roman(word: str) -> str:
    """The number that a folded Roman numeral stands for; empty for any other word."""
    return str(_roman(word)) if word and _ROMAN.fullmatch(word) else ""


def _roman(word: str) -> int:
    values = [_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))
