"""A metric as data: which comparators count how much, how they are combined, what forbids `same`, the thresholds."""

import msgspec

from lookup.learnt import Learnt


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A comparator in a profile: the field it speaks of and how much it counts.

    Where a side is `missing` the part is left out, or counts as that score with its full weight. Below `least` the
    part is left out, below `needed` the pair scores 0.
    """

    field: str
    comparator: str
    weight: float
    missing: float | None = None
    least: float = 0.0
    needed: float = 0.0


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named metric. Comparators, combination, vetoes and cautions stand in it by name.

    `searched` are the index fields that propose candidates besides identifiers. Cautions are asked only of a pair
    whose score makes it `same`. `learnt` is what the combination or a comparator learnt from examples.
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
    learnt: Learnt | None = None
