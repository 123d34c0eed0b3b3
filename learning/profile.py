"""Trees as a profile: with the parts, vetoes and cautions that stand beside them."""

from typing import Final

from learning.parts import PARTS
from lookup.learnt import Learnt
from lookup.profile import Profile

VETOES: Final = ("identifiers_differ", "bare_numerals_differ", "notice_differs")
CAUTIONS: Final = (
    "untitled",
    "title_alone",
    "short_title",
    "recurring",
    "another_edition",
    "sense_turned",
    "order_turned",
    "another_word",
    "other_people",
    "long_after",
    "same_volume",
)


def made(name: str, title: str, learnt: Learnt, same: float, unsure: float) -> Profile:
    """A profile of learnt trees."""
    return Profile(
        name,
        title,
        PARTS,
        same=same,
        unsure=unsure,
        combine="trees",
        vetoes=VETOES,
        cautions=CAUTIONS,
        searched=("title", "also"),
        learnt=learnt,
    )
