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
    """1 for the same year, 0.3 for the next, else 0; the full weight is only for titles that differ too.

    A work may appear twice with a year between, as preprint and article; another title in another year is
    another work.
    """
    if ours.year is None or theirs.year is None:
        return None
    apart = abs(ours.year - theirs.year)
    if not apart:
        return Finding(1.0, f"year {ours.year}: equal", 0.5)
    score = 0.3 if apart == 1 else 0.0
    share = 0.5 if ours.title == theirs.title else 1.0
    return Finding(score, f"year {ours.year} against {theirs.year}: {apart} apart", share)
