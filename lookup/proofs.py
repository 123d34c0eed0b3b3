"""Shared files and identifiers that make two records the same ahead of the metric: step 1 of the Mendeley paper."""

from collections.abc import Callable, Iterator, Sequence, Set
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Bags, Flags, Floats
from bibfold.records.prepare import Prepared
from lookup.evidence import Comparison, Decision, Evidence
from lookup.generic import is_generic
from lookup.pairs import Pairs
from lookup.profile import Profile, Proof

FIELD = "proof"
"""What the evidence of a proof speaks of."""


def shared_lines(pairs: Pairs, profile: Profile, generic: Set[str] = frozenset()) -> NDArray[np.bool_]:
    """A line for each proof: the pairs that share an identifier of its kinds which is not generic."""
    lines = np.zeros((len(profile.proofs), pairs.size), np.bool_)
    for line, proof in zip(lines, profile.proofs, strict=True):
        _, _, common = pairs.overlap(_names(proof.kinds))
        line[:] = common > 0
        for pair in line.nonzero()[0].tolist() if generic else ():
            line[pair] = any(name not in generic for name in _shared(*pairs.records(pair), proof))
    return lines


def precedence(profile: Profile, shared: Flags, score: Floats) -> NDArray[np.int8]:
    """For each pair how strong the first proof is that holds: the first of a profile is the strongest; 0 for none."""
    found = np.zeros(len(score), np.int8)
    for at in reversed(range(len(profile.proofs))):
        found[shared[at] & (score >= profile.proofs[at].score)] = len(profile.proofs) - at
    return found


def evidence(ours: Prepared, theirs: Prepared, profile: Profile, strength: int) -> Evidence:
    """What is said of a pair that a proof of this strength makes the same."""
    proof = profile.proofs[len(profile.proofs) - strength]
    kind, _, value = next(_shared(ours, theirs, proof)).partition(":")
    condition = f"from a score of {proof.score:g} on" if proof.score else "whatever the score"
    return Evidence(FIELD, 1.0, 0.0, f"{kind} {value}: equal, which makes them the same {condition}")


def without_generic(
    comparison: Comparison, ours: Prepared, members_of: Callable[[], Sequence[Prepared]], profile: Profile
) -> Comparison:
    """The comparison with a cluster by its score alone, if what it shares is generic among the cluster's members.

    A shared file makes all its records one cluster, so that whether it is generic shows only inside: as in an index, it
    is where more than five different titles carry it.
    """
    if not comparison.precedence:
        return comparison
    members = members_of()
    for proof in profile.proofs:
        for name in {name for member in members for name in _shared(ours, member, proof)}:
            kind, _, value = name.partition(":")
            titles = [member.title for member in members if (kind, value) in member.identifiers]
            if not is_generic([ours.title, *titles]):
                return comparison
    decision: Decision = "different"
    if comparison.score >= profile.unsure:
        decision = "same" if comparison.score >= profile.same else "unsure"
    found = tuple(part for part in comparison.evidence if part.field != FIELD)
    return msgspec.structs.replace(comparison, decision=decision, precedence=0, evidence=found)


def _shared(ours: Prepared, theirs: Prepared, proof: Proof) -> Iterator[str]:
    for kind, value in ours.identifiers:
        if kind in proof.kinds and (kind, value) in theirs.identifiers:
            yield f"{kind}:{value}"


@lru_cache
def _names(kinds: tuple[str, ...]) -> Bags:
    """The column of a record's identifiers of these kinds."""
    return Bags(lambda record: [f"{kind}:{value}" for kind, value in record.identifiers if kind in kinds])
