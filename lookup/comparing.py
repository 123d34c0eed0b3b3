"""Compares a batch of pairs by a profile: cheap evidence first, and no more of it than the decision needs."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

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
    found: Scores

    def comparison(self, pair: int) -> Comparison:
        """All that is known of one pair, in words."""
        ours, theirs = self.pairs.records(pair)
        findings = self.findings(pair)
        evidence = [
            Evidence(
                part.field,
                finding.score,
                part.weight * finding.share,
                COMPARATORS[part.comparator].say(ours, theirs, finding.score),
            )
            for part in self.profile.parts
            if (finding := findings.get(part.field)) is not None
        ]
        score = float(self.score[pair])
        vetoes = vetoes_of(ours, theirs, self.profile)
        if score >= self.profile.same:
            vetoes += _cautions(ours, theirs, self.profile, findings)
        reasons = tuple(veto.reason for veto in vetoes)
        return Comparison(DECISIONS[self.decision[pair]], score, self.profile.name, reasons, tuple(evidence))

    def findings(self, pair: int) -> Findings:
        """What each part found of one pair, by field."""
        score, share, missing = (lines[:, pair].tolist() for lines in self.found[:3])
        return {
            part.field: Finding(score[place], share[place])
            for place, part in enumerate(self.profile.parts)
            if not missing[place]
        }

    def only(self, kept: NDArray[np.bool_]) -> "Compared":
        """Some of the pairs."""
        if kept.all():
            return self
        pairs, found = self.pairs.only(kept), self.found.only(kept)
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
    found = Scores(*(np.concatenate(lines, axis=1) for lines in zip(*(chunk.found for chunk in chunks), strict=True)))
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
        self.found = Scores(
            *(np.zeros((len(profile.parts), 0)),) * 2, *(np.zeros((len(profile.parts), 0), np.bool_),) * 2
        )
        self._profile = profile
        self._every = every
        if not every:
            different = np.zeros(pairs.size, np.bool_)
            for name in profile.vetoes:
                different |= VETOES[name].suspects(pairs).certain
            self._keep(~different)

    def ask(self, questions: Sequence[Callable[[Pairs], Scores]]) -> None:
        """Ask one question for each part, and drop the pairs that cannot reach `unsure`."""
        answers = [question(self.pairs) for question in questions]
        self.found = Scores(*(np.array(lines) for lines in zip(*answers, strict=True)))
        self.rule_out()

    def rule_out(self) -> None:
        """Drop the pairs that can no longer reach `unsure`."""
        if not self._every and self.pairs.size:
            reaches = COMBINATIONS[self._profile.combine].reaches
            self._keep(reaches(self._profile.parts, self.found, self._profile.unsure))

    def _keep(self, kept: NDArray[np.bool_]) -> None:
        if not kept.all():
            self.pairs, self.kept = self.pairs.only(kept), self.kept[kept]
            if self.found.score.shape[1]:
                self.found = self.found.only(kept)


def _compare(pairs: Pairs, profile: Profile, *, every: bool) -> Compared:
    batch, comparators = _Open(pairs, profile, every=every), comparators_of(profile)
    if every:
        batch.ask([comparator.compare for comparator in comparators])
    else:
        batch.ask([comparator.cheap for comparator in comparators])
    possible = batch.kept
    if not every:
        for place, comparator in enumerate(comparators):
            if comparator.dear:
                for lines, line in zip(batch.found, comparator.compare(batch.pairs), strict=True):
                    lines[place] = line
        batch.rule_out()
    for place, comparator in enumerate(comparators):
        if comparator.look is not None and _look_at(batch, place, comparator.look):
            batch.rule_out()
    score = COMBINATIONS[profile.combine].total(profile.parts, batch.found)
    decision = np.where(score >= profile.same, RANK["same"], np.where(score >= profile.unsure, RANK["unsure"], 0))
    compared = Compared(profile, batch.pairs, batch.kept, possible, score, decision.astype(np.int8), batch.found)
    _apply_vetoes(compared)
    return compared if every else compared.only(compared.decision > RANK["different"])


def possible(pairs: Pairs, profile: Profile) -> Places:
    """Those pairs that may be `same` or `unsure` as far as the cheap comparators and vetoes can tell."""
    kept = []
    questions = [comparator.cheap for comparator in comparators_of(profile)]
    for start in range(0, pairs.size, CHUNK):
        batch = _Open(pairs.only(np.arange(start, min(start + CHUNK, pairs.size))), profile, every=False)
        batch.ask(questions)
        kept.append(batch.kept + start)
    return np.concatenate(kept) if kept else np.zeros(0, np.int64)


def comparators_of(profile: Profile) -> list[Comparator]:
    """The comparators of a profile's parts."""
    return [COMPARATORS[part.comparator] for part in profile.parts]


def _look_at(batch: _Open, place: int, look: Look) -> bool:
    """Look at the pairs that one part left open; whether there were any."""
    found, pairs = batch.found, batch.pairs
    open = np.flatnonzero(found.open[place]).tolist()
    for pair in open:
        finding = look(*pairs.records(pair))
        if finding is None:
            found.missing[place, pair] = True
        else:
            found.score[place, pair], found.share[place, pair] = finding.score, finding.share
    found.open[place] = False
    return bool(open)


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
