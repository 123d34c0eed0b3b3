"""Scores a pair of prepared records by a profile: evidence, total, vetoes, decision."""

from collections.abc import Sequence

from bibfold.records.prepare import Prepared
from lookup.evidence import Comparison, Decision, Evidence, Finding, Profile, Veto
from lookup.screening import screen

__all__ = ["RANK", "compare", "decide", "screen", "total"]

RANK: dict[Decision, int] = {"different": 0, "unsure": 1, "same": 2}


def compare(ours: Prepared, theirs: Prepared, profile: Profile) -> Comparison:
    """All evidence for a pair, however low it scores."""
    findings: dict[str, Finding] = {}
    evidence = []
    for part in profile.parts:
        finding = part.comparator(ours, theirs)
        if finding is not None:
            findings[part.field] = finding
            evidence.append(Evidence(part.field, finding.score, part.weight * finding.share, finding.reason))
    score = total(evidence, profile)
    vetoes = [veto for rule in profile.vetoes if (veto := rule(ours, theirs)) is not None]
    if score >= profile.same:
        vetoes += [veto for caution in profile.cautions if (veto := caution(ours, theirs, findings)) is not None]
    return Comparison(
        decide(score, vetoes, profile),
        score,
        profile.name,
        tuple([veto.reason for veto in vetoes]),
        tuple(evidence),
    )


def total(evidence: Sequence[Evidence], profile: Profile) -> float:
    """The weighted mean of the evidence."""
    reached = weight = 0.0
    for one in evidence:
        reached += one.score * one.weight
        weight += one.weight
    if profile.missing_is_zero:
        weight = sum([part.weight for part in profile.parts])
    return reached / weight if weight else 0.0


def decide(score: float, vetoes: Sequence[Veto], profile: Profile) -> Decision:
    """`same` at or above its threshold, `different` below `unsure`; a veto lowers what the score allows."""
    reached: Decision = "same" if score >= profile.same else "unsure" if score >= profile.unsure else "different"
    return min([reached, *(veto.at_most for veto in vetoes)], key=RANK.__getitem__) if vetoes else reached
