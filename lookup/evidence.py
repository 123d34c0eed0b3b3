"""What a comparison of two records yields: evidence field by field, a total and a decision."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

Decision = Literal["different", "unsure", "same"]

DECISIONS: Final[tuple[Decision, ...]] = ("different", "unsure", "same")
"""Every decision, weakest first: its place is its rank, and how it stands in an array."""

RANK: Final[Mapping[Decision, int]] = {decision: rank for rank, decision in enumerate(DECISIONS)}


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """One comparator's score between 0 and 1, how much it counts, and the reason in words."""

    field: str
    score: float
    weight: float
    reason: str


class Finding(msgspec.Struct, frozen=True, gc=False):
    """What a comparator found of one pair: the score, and how far the profile's weight applies to it."""

    score: float
    share: float = 1.0


FindingsByField = Mapping[str, Finding]
"""What the comparators found of one pair, by field; a field that is missing on either side is absent."""


class Veto(msgspec.Struct, frozen=True, gc=False):
    """A reason that forbids `same`, and the best decision that it leaves."""

    reason: str
    at_most: Literal["unsure", "different"] = "different"


class Comparison(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """All evidence for a pair, its total and what follows from it.

    Of several that are the `same`, one with a higher `precedence` comes first, whatever its score: a proof made it so.
    """

    decision: Decision
    score: float
    profile: str
    vetoes: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    precedence: int = 0

    @property
    def summary(self) -> str:
        """The reason for the decision in one line: its vetoes, else a proof, then the evidence, weightiest first."""
        if self.vetoes:
            return "; ".join(self.vetoes)
        proofs, others = self.evidence[: self.precedence and 1], self.evidence[self.precedence and 1 :]
        return "; ".join(found.reason for found in (*proofs, *sorted(others, key=lambda found: -found.weight)))
