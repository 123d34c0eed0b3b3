"""A metric as data: which comparators count how much, how they are combined, what forbids `same`, the thresholds."""

from typing import Final, Literal

import msgspec

from lookup.learnt import Learnt

TextForm = Literal["folded", "cleaned"]
"""The form in which a part reads texts: bibfold's own, or that of the Mendeley paper."""


READ_WRITTEN: Final = frozenset(
    {
        "titles.bare_shared", "titles.bare_contained", "titles.telling", "titles.unshared_less", "titles.unshared_more",
        "titles.main", "titles.bare_letters", "titles.prefix", "people.stated", "abstracts.similar", "related",
        "bare_numerals_differ", "another_word", "sense_turned", "order_turned",
    }
)  # fmt: skip
"""Comparators and rules that look at titles as they were written, or at abstracts."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A comparator in a profile: the field it speaks of and how much it counts.

    Where a side is `missing` the part is left out, or counts as that score with its full weight. Below `least` the
    part is left out, below `needed` the pair scores 0. `text` is the form in which it reads texts.
    """

    field: str
    comparator: str
    weight: float
    missing: float | None = None
    least: float = 0.0
    needed: float = 0.0
    text: TextForm = "folded"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Two records that share an identifier of one of these kinds are the same if they score at least this much.

    An identifier that many different titles share proves nothing.
    """

    kinds: tuple[str, ...]
    score: float = 0.0


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named metric. Comparators, combination, vetoes and cautions stand in it by name.

    `searched` are the index fields that propose candidates besides identifiers. Cautions are asked only of a pair
    whose score makes it `same`. `proofs` are asked ahead of the score: a group that one of them makes the `same` comes
    before every group that only scores higher, the first proof's before the second's. A veto overrules them.
    `learnt` is what the combination or a comparator learnt from examples.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    same: float
    unsure: float
    combine: str = "mean"
    vetoes: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    searched: tuple[str, ...] = ("title",)
    proofs: tuple[Proof, ...] = ()
    learnt: Learnt | None = None

    @property
    def reads_written(self) -> bool:
        """Whether a part or a rule needs texts as they were written, or abstracts."""
        rules = {*self.vetoes, *self.cautions}
        return bool(rules & READ_WRITTEN) or any(
            part.text != "folded" or part.comparator in READ_WRITTEN for part in self.parts
        )
