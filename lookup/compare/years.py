"""How near two years of publication are."""

from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


def near(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 / (1 + d/4) for years that are d apart: 1 for the same, 0.8 for the next, a half for four apart."""
    if ours.year is None or theirs.year is None:
        return None
    apart = abs(ours.year - theirs.year)
    if not apart:
        return Finding(1.0, f"year {ours.year}: equal")
    return Finding(1 / (1 + apart / 4), f"year {ours.year} against {theirs.year}: {apart} apart")


def close(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 for the same year, a half for the next, nothing from three years on."""
    if ours.year is None or theirs.year is None:
        return None
    apart = abs(ours.year - theirs.year)
    if not apart:
        return Finding(1.0, f"year {ours.year}: equal")
    score = {1: 0.5, 2: 0.2}.get(apart, 0.0)
    return Finding(score, f"year {ours.year} against {theirs.year}: {apart} apart")
