"""Noise in the title's letters and words: typing and scanning errors, rewording, truncation, case, markup."""

import re
from collections.abc import Callable
from random import Random
from typing import Final

from msgspec.structs import replace

from bibfold.records.model import Record
from bibfold.text import stopwords

_WORD = re.compile(r"[^\W\d_]{4,}")
_SMALL_WORDS = stopwords("en")
_NEIGHBOURS: Final = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry", "u": "yi",
    "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip
"""The neighbouring keys of each letter on a keyboard."""

_MISREAD: Final = (
    ("rn", "m"), ("m", "rn"), ("cl", "d"), ("d", "cl"), ("li", "h"), ("h", "li"), ("vv", "w"), ("w", "vv"), ("e", "c"),
    ("c", "e"), ("l", "1"), ("o", "0"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ"), ("in", "m"), ("u", "n"), ("t", "f"),
)  # fmt: skip
"""Letters that scanning software confuses."""

_SPELT: Final = (
    ("our", "or"), ("isation", "ization"), ("ising", "izing"), ("ise", "ize"), ("yse", "yze"), ("tre", "ter"),
    ("aem", "em"), ("oed", "ed"), ("ogue", "og"), (" and ", " & "), ("-", " "), ("-", ""),
)  # fmt: skip
"""Equivalent spellings."""

_TITLE_PARTS = re.compile(r"(?<=\w{3}[\w?!)])(: | - | – | — |\. )(?=\w)")


def typo(record: Record, rng: Random) -> Record | None:
    """A typing error in one or two words of the title: a letter swapped, dropped, doubled or a neighbouring one."""
    title = _in_a_word(record.title, rng, _slip)
    if title and rng.random() < 0.2:
        title = _in_a_word(title, rng, _slip) or title
    return replace(record, title=title) if title else None


def ocr(record: Record, rng: Random) -> Record | None:
    """Scanning errors in one to three words of the title: confused letters, or a hyphen from a line break."""
    title = record.title
    for _ in range(rng.randint(1, 3)):
        title = _in_a_word(title, rng, _misread) or title
    return replace(record, title=title) if title != record.title else None


def reworded(record: Record, rng: Random) -> Record | None:
    """A stopword dropped, two words swapped, or another spelling."""
    ways: list[Callable[[str, Random], str]] = [_without_a_small_word, _swapped_words, _spelt_elsewhere]
    rng.shuffle(ways)
    titles = [title for way in ways if (title := way(record.title, rng)) != record.title]
    return replace(record, title=titles[0]) if titles else None


def truncated(record: Record, rng: Random) -> Record | None:
    """The title cut off: at a word, or in the middle of one with dots."""
    words = record.title.split()
    if len(words) < 5:
        return None
    left = rng.randint(max(4, len(words) // 2), len(words) - 1)
    title = " ".join(words[:left])
    return replace(record, title=title.rstrip(",;:-–") if rng.random() < 0.7 else f"{title} {words[left][:3]}...")


def subtitle(record: Record, rng: Random) -> Record | None:
    """The subtitle dropped."""
    if record.subtitle:
        return replace(record, subtitle="")
    main = _TITLE_PARTS.split(record.title, maxsplit=1)[0]
    return replace(record, title=main) if main != record.title else None


def case(record: Record, rng: Random) -> Record | None:
    """The title in capitals, in small letters, with each word capitalised or only the first."""
    title = record.title
    ways = {title.capitalize(): 5, title.title(): 5, title.upper(): 2, title.lower(): 1}
    ways.pop(title, None)
    return replace(record, title=rng.choices(list(ways), weights=list(ways.values()))[0]) if ways else None


def punctuation(record: Record, rng: Random) -> Record | None:
    """A full stop more or fewer, other dashes, quotes and marks between the title's parts, no commas."""
    title = record.title
    if not title:
        return None
    ways = [
        title[:-1] if title.endswith(".") else f"{title}.",
        title.replace(": ", " - "),
        title.replace(": ", ". "),
        title.replace("-", "–"),
        title.replace("'", "’").replace('"', "“"),
        title.replace(",", ""),
        title.replace(" ", "  ", 1),
    ]
    return replace(record, title=rng.choice([way for way in ways if way != title]))


def markup(record: Record, rng: Random) -> Record | None:
    """Part of the title in HTML or LaTeX."""
    title = record.title
    if "<" in title or "\\" in title or "$" in title:
        return None
    ways = [
        _in_a_word(title, rng, lambda word, _: f"<i>{word}</i>"),
        _in_a_word(title, rng, lambda word, _: f"{{{word}}}"),
        _in_a_word(title, rng, lambda word, _: f"\\emph{{{word}}}"),
        title.replace("&", "&amp;") if "&amp;" not in title else title,
        title.replace("–", "&ndash;").replace("'", "&#39;"),
    ]
    good = [way for way in ways if way and way != title]
    return replace(record, title=rng.choice(good)) if good else None


def _in_a_word(text: str, rng: Random, change: Callable[[str, Random], str]) -> str:
    """The text with one of its longer words changed; empty where there is none."""
    found = list(_WORD.finditer(text))
    if not found:
        return ""
    word = rng.choice(found)
    return text[: word.start()] + change(word.group(), rng) + text[word.end() :]


def _slip(word: str, rng: Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    ways = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[: at + 1] + word[at:],
        word[:at] + rng.choice(_NEIGHBOURS.get(word[at].lower(), word[at])) + word[at + 1 :],
    )
    return rng.choice(ways)


def _misread(word: str, rng: Random) -> str:
    seen = [(right, wrong) for right, wrong in _MISREAD if right in word]
    if not seen or rng.random() < 0.15:
        at = len(word) // 2
        return f"{word[:at]}- {word[at:]}"
    right, wrong = rng.choice(seen)
    return word.replace(right, wrong, 1)


def _without_a_small_word(title: str, rng: Random) -> str:
    words = title.split()
    small = [at for at, word in enumerate(words) if word.lower() in _SMALL_WORDS]
    if not small or len(words) < 4:
        return title
    at = rng.choice(small)
    return " ".join(words[:at] + words[at + 1 :])


def _swapped_words(title: str, rng: Random) -> str:
    words = title.split()
    if len(words) < 4:
        return title
    at = rng.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _spelt_elsewhere(title: str, rng: Random) -> str:
    both_ways = (change for old, new in _SPELT for change in ((old, new), (new, old)))
    changes = [(old, new) for old, new in both_ways if old in title and (len(old.strip()) > 1 or old == "-")]
    if not changes:
        return title
    old, new = rng.choice(changes)
    return title.replace(old, new, 1)
