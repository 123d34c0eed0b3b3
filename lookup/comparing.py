"""Compares a batch of pairs by a profile: cheap evidence first, and no more of it than the decision needs."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Floats, Places
from bibfold.records.prepare import Prepared
from lookup.cautions import CAUTIONS
from lookup.combinations import COMBINATIONS
from lookup.evidence import DECISIONS, RANK, Comparison, Evidence, Finding, Findings, Veto
from lookup.fields import COMPARATORS
from lookup.pairs import Comparator, Look, Pairs, Scores
from lookup.profile import Profile
from lookup.vetoes import VETOES

CHUNK: Final = 20_000
"""So many pairs are compared at once: what they need stays in the processor's cache."""


class Compared(NamedTuple):
    """Pairs with their scores and decisions (as their rank in `DECISIONS`), and what each part found of them.

    `kept` are their places among the pairs that were given; those left out are `different`. Of these, the `possible`
    ones differ only in names or by a close look, and are worth another comparison if one of the two records changes.
    """

    profile: Profile
    pairs: Pairs
    kept: Places
    possible: Places
    score: Floats
    decision: NDArray[np.int8]
    found: list[Scores]

    def comparison(self, pair: int) -> Comparison:
        """All that is known of one pair, in words."""
        ours, theirs = self.pairs.records(pair)
        evidence = [
            Evidence(
                part.field,
                float(scores.score[pair]),
                part.weight * float(scores.share[pair]),
                COMPARATORS[part.comparator].say(ours, theirs, float(scores.score[pair])),
            )
            for part, scores in zip(self.profile.parts, self.found, strict=True)
            if not scores.missing[pair]
        ]
        score = float(self.score[pair])
        vetoes = vetoes_of(ours, theirs, self.profile)
        if score >= self.profile.same:
            vetoes += _cautions(ours, theirs, self.profile, self.findings(pair))
        reasons = tuple(veto.reason for veto in vetoes)
        return Comparison(DECISIONS[self.decision[pair]], score, self.profile.name, reasons, tuple(evidence))

    def findings(self, pair: int) -> Findings:
        """What each part found of one pair, by field."""
        return {
            part.field: Finding(float(scores.score[pair]), float(scores.share[pair]))
            for part, scores in zip(self.profile.parts, self.found, strict=True)
            if not scores.missing[pair]
        }

    def only(self, kept: NDArray[np.bool_]) -> "Compared":
        """Some of the pairs."""
        if kept.all():
            return self
        found = [scores.only(kept) for scores in self.found]
        pairs = self.pairs.only(kept)
        return Compared(
            self.profile, pairs, self.kept[kept], self.possible, self.score[kept], self.decision[kept], found
        )


def compare(pairs: Pairs, profile: Profile, *, every: bool = False) -> Compared:
    """Compare pairs; those that are `different` may be left out before all is known of them, unless `every`."""
    if pairs.size <= CHUNK:
        return _compare(pairs, profile, every=every)
    chunks = []
    for start in range(0, pairs.size, CHUNK):
        part = _compare(pairs.only(np.arange(start, min(start + CHUNK, pairs.size))), profile, every=every)
        chunks.append(part._replace(kept=part.kept + start, possible=part.possible + start))
    return _joined(chunks)


def _joined(chunks: Sequence[Compared]) -> Compared:
    first = chunks[0]
    found = [
        Scores(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        for parts in zip(*(chunk.found for chunk in chunks), strict=True)
    ]
    left = np.concatenate([chunk.pairs.left for chunk in chunks])
    right = np.concatenate([chunk.pairs.right for chunk in chunks])
    return Compared(
        first.profile,
        Pairs(first.pairs.columns, left, right),
        np.concatenate([chunk.kept for chunk in chunks]),
        np.concatenate([chunk.possible for chunk in chunks]),
        np.concatenate([chunk.score for chunk in chunks]),
        np.concatenate([chunk.decision for chunk in chunks]),
        found,
    )


class _Open:
    """A batch on its way to being decided: which pairs are left, and what was found of them so far."""

    def __init__(self, pairs: Pairs, profile: Profile, *, every: bool) -> None:
        self.pairs = pairs
        self.kept = np.arange(pairs.size)
        self.found: list[Scores] = []
        self._profile = profile
        self._every = every
        if not every:
            for name in profile.vetoes:
                self._keep(~VETOES[name].suspects(self.pairs).certain)

    def rule_out(self) -> None:
        """Drop the pairs that can no longer reach `unsure`."""
        if not self._every and self.pairs.size:
            reaches = COMBINATIONS[self._profile.combine].reaches
            self._keep(reaches(self._profile.parts, self.found, self._profile.unsure))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            self.pairs, self.kept = self.pairs.only(kept), self.kept[kept]
            self.found = [scores.only(kept) for scores in self.found]


def _compare(pairs: Pairs, profile: Profile, *, every: bool) -> Compared:
    batch, comparators = _Open(pairs, profile, every=every), comparators_of(profile)
    batch.found = [_cheap(comparator, batch.pairs) for comparator in comparators]
    batch.rule_out()
    possible = batch.kept
    for place, comparator in enumerate(comparators):
        if comparator.column is not None:
            batch.found[place] = comparator.compare(batch.pairs)
    batch.rule_out()
    for place, comparator in enumerate(comparators):
        if comparator.look is not None:
            batch.found[place] = _looked_at(batch.pairs, batch.found[place], comparator.look)
            batch.rule_out()
    score = COMBINATIONS[profile.combine].total(profile.parts, batch.found)
    decision = np.where(score >= profile.same, RANK["same"], np.where(score >= profile.unsure, RANK["unsure"], 0))
    compared = Compared(profile, batch.pairs, batch.kept, possible, score, decision.astype(np.int8), batch.found)
    _apply_vetoes(compared)
    return compared if every else compared.only(compared.decision > RANK["different"])


def possible(pairs: Pairs, profile: Profile) -> Places:
    """Those pairs that may be `same` or `unsure` as far as the cheap comparators and vetoes can tell."""
    kept = []
    for start in range(0, pairs.size, CHUNK):
        batch = _Open(pairs.only(np.arange(start, min(start + CHUNK, pairs.size))), profile, every=False)
        batch.found = [_cheap(comparator, batch.pairs) for comparator in comparators_of(profile)]
        batch.rule_out()
        kept.append(batch.kept + start)
    return np.concatenate(kept) if kept else np.zeros(0, np.int64)


def comparators_of(profile: Profile) -> list[Comparator]:
    """The comparators of a profile's parts."""
    return [COMPARATORS[part.comparator] for part in profile.parts]


def _cheap(comparator: Comparator, pairs: Pairs) -> Scores:
    return comparator.compare(pairs) if comparator.column is None else comparator.present(pairs)


def _looked_at(pairs: Pairs, scores: Scores, look: Look) -> Scores:
    """The findings with every open pair looked at."""
    if not scores.open.any():
        return scores
    score, share, missing = scores.score.copy(), scores.share.copy(), scores.missing.copy()
    rows = pairs.columns.rows
    for pair in np.flatnonzero(scores.open).tolist():
        finding = look(rows[pairs.left[pair]], rows[pairs.right[pair]])
        if finding is None:
            missing[pair] = True
        else:
            score[pair], share[pair] = finding.score, finding.share
    return Scores(score, share, missing, np.zeros(len(score), np.bool_))


def _apply_vetoes(compared: Compared) -> None:
    """Lower the decisions, in place, that a veto or a caution forbids."""
    decision, pairs, profile = compared.decision, compared.pairs, compared.profile
    for name in profile.vetoes:
        rule = VETOES[name]
        suspects = rule.suspects(pairs)
        decision[suspects.certain] = RANK["different"]
        for pair in np.flatnonzero(suspects.open & (decision > RANK["different"])).tolist():
            veto = rule.look(*pairs.records(pair))
            if veto is not None:
                decision[pair] = min(decision[pair], RANK[veto.at_most])
    if profile.cautions:
        for pair in np.flatnonzero(decision == RANK["same"]).tolist():
            if _cautions(*pairs.records(pair), profile, compared.findings(pair)):
                decision[pair] = RANK["unsure"]


def vetoes_of(ours: Prepared, theirs: Prepared, profile: Profile) -> list[Veto]:
    """What forbids two records to be the same, whatever their score."""
    return [veto for name in profile.vetoes if (veto := VETOES[name].look(ours, theirs)) is not None]


def _cautions(ours: Prepared, theirs: Prepared, profile: Profile, findings: Findings) -> list[Veto]:
    return [veto for name in profile.cautions if (veto := CAUTIONS[name](ours, theirs, findings)) is not None]
