"""Two texts word by word: which words only one of them has."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from markupsafe import Markup, escape

LONGEST = 2_000
"""Words beyond these are shown without marks: comparing them would take long."""


def marked(text: str, other: str) -> Markup:
    """A text as markup, with those of its words marked that the other does not have there."""
    words, others = text.split(), other.split()
    if not other or len(words) > LONGEST or len(others) > LONGEST:
        return escape(text)
    matcher = SequenceMatcher(None, _folded(words), _folded(others), autojunk=False)
    parts: list[Markup] = []
    for kind, start, end, _, _ in matcher.get_opcodes():
        if start < end:
            run = escape(" ".join(words[start:end]))
            parts.append(run if kind == "equal" else Markup("<mark>{}</mark>").format(run))
    return Markup(" ").join(parts)


def _folded(words: Sequence[str]) -> list[str]:
    return [word.casefold().strip(".,;:") for word in words]
