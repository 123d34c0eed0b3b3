"""Scores a pair of prepared records by a profile: evidence, total, vetoes, decision."""

from collections.abc import Sequence

from bibfold.records.prepare import Prepared
from lookup.evidence import Comparison, Decision, Evidence, Finding, Profile, Veto

RANK: dict[Decision, int] = {"different": 0, "unsure": 1, "same": 2}


def compare(ours: Prepared, theirs: Prepared, profile: Profile) -> Comparison:
    """All evidence for a pair, however low it scores: the score is its weighted mean."""
    findings: dict[str, Finding] = {}
    evidence = []
    reached = counted = 0.0
    for part in profile.parts:
        finding = part.comparator(ours, theirs)
        if finding is None:
            continue
        weight = part.weight * finding.share
        reached += weight * finding.score
        counted += weight
        findings[part.field] = finding
        evidence.append(Evidence(part.field, finding.score, weight, finding.reason))
    if profile.missing_is_zero:
        counted = sum([part.weight for part in profile.parts])
    score = reached / counted if counted else 0.0
    vetoes = [veto for rule in profile.vetoes if (veto := rule(ours, theirs)) is not None]
    if score >= profile.same:
        vetoes += [veto for rule in profile.cautions if (veto := rule(ours, theirs, findings)) is not None]
    reasons = tuple([veto.reason for veto in vetoes])
    return Comparison(decide(score, vetoes, profile), score, profile.name, reasons, tuple(evidence))


def decide(score: float, vetoes: Sequence[Veto], profile: Profile) -> Decision:
    """`same` at or above its threshold, `different` below `unsure`; a veto lowers what the score allows."""
    reached: Decision = "same" if score >= profile.same else "unsure" if score >= profile.unsure else "different"
    return min([reached, *(veto.at_most for veto in vetoes)], key=RANK.__getitem__) if vetoes else reached
