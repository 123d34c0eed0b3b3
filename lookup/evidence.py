"""What a comparison of two records yields: evidence field by field, a total and a decision."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from bibfold.records.prepare import Prepared

Decision = Literal["same", "unsure", "different"]


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """One comparator's score between 0 and 1, how much it counts, and the reason in words."""

    field: str
    score: float
    weight: float
    reason: str


class Finding(msgspec.Struct, frozen=True, gc=False):
    """What a comparator returns: its score, the reason, and how far its profile's weight applies here."""

    score: float
    reason: str
    share: float = 1.0


Comparator = Callable[[Prepared, Prepared], Finding | None]
"""Compares one field of two records; None where either side has nothing to compare."""


class Veto(msgspec.Struct, frozen=True, gc=False):
    """A reason that forbids `same`, and the best decision that it leaves."""

    reason: str
    at_most: Literal["unsure", "different"] = "different"


VetoRule = Callable[[Prepared, Prepared], Veto | None]
"""Looks at two records alone, so that it can be asked of every member of a cluster."""

Findings = Mapping[str, Finding]
"""What the comparators found, by field; a field that is missing on either side is absent."""

Caution = Callable[[Prepared, Prepared, Findings], Veto | None]
"""Looks at the evidence as a whole and says why a good score should not yet be believed."""


class Weighted(msgspec.Struct, frozen=True):
    """A comparator in a profile: the field it speaks of and how much it counts."""

    field: str
    comparator: Comparator
    weight: float


class Profile(msgspec.Struct, frozen=True):
    """A named metric: weighted comparators, vetoes, cautions and thresholds.

    The score is the weighted mean of the evidence. A field that is missing on either side is left out of the
    mean, or counts as 0 with its full weight where `missing_is_zero`. `searched` are the index fields that
    propose candidates besides identifiers. Cautions are asked only of a pair whose score makes it `same`.
    """

    name: str
    title: str
    parts: tuple[Weighted, ...]
    same: float
    unsure: float
    vetoes: tuple[VetoRule, ...] = ()
    cautions: tuple[Caution, ...] = ()
    missing_is_zero: bool = False
    searched: tuple[str, ...] = ("title",)


class Comparison(msgspec.Struct, frozen=True, gc=False):
    """All evidence for a pair, its total and what follows from it."""

    decision: Decision
    score: float
    profile: str
    vetoes: tuple[str, ...]
    evidence: tuple[Evidence, ...]
