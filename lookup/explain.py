"""Says in one line why a comparison came out as it did."""

from lookup.evidence import Comparison


def summary(comparison: Comparison) -> str:
    """The reason for a decision: its vetoes, else the evidence, weightiest first."""
    if comparison.vetoes:
        return "; ".join(comparison.vetoes)
    ordered = sorted(comparison.evidence, key=lambda one: -one.weight)
    return "; ".join(one.reason for one in ordered)
