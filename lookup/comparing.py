"""Compares a batch of pairs by a profile: cheap evidence first, and no more of it than the decision needs."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bibfold.records.columns import Flags, Floats, Places
from bibfold.records.prepare import Prepared
from lookup.cautions import CAUTIONS
from lookup.combinations import COMBINATIONS
from lookup.evidence import DECISIONS, RANK, Comparison, Evidence, Finding, FindingsByField, Veto
from lookup.fields import comparator_of
from lookup.learnt import rarity
from lookup.pairs import Comparator, Findings, Look, Pairs, Scores, no_findings
from lookup.profile import Part, Profile
from lookup.proofs import evidence, precedence, shared_lines
from lookup.vetoes import VETOES

CHUNK: Final = 20_000
"""So many pairs are compared at once: what they need stays in the processor's cache."""

FEW: Final = 32
"""No more pairs than these are quicker looked at one by one than as sets and lists of numbers."""


class Compared(NamedTuple):
    """Pairs with their scores and decisions (as their rank in `DECISIONS`), and what each part found of them.

    `kept` are their places among the pairs that were given; those left out are `different`. Of these, the `possible`
    ones differ only in names or by a close look, and are worth another comparison if one of the two records changes.
    Where a proof made a pair the `same`, `precedence` says how strong it is.
    """

    profile: Profile
    pairs: Pairs
    kept: Places
    possible: Places
    score: Floats
    decision: NDArray[np.int8]
    found: Findings
    precedence: NDArray[np.int8]

    def comparison(self, pair: int) -> Comparison:
        """All that is known of one pair, in words."""
        ours, theirs = self.pairs.records(pair)
        findings = self.findings(pair)
        counts = COMBINATIONS[self.profile.combine].counts(self.profile, self.found, pair)
        found = list(_evidence(ours, theirs, self.profile.parts, findings, counts.tolist()))
        score, strength = float(self.score[pair]), int(self.precedence[pair])
        vetoes = vetoes_of(ours, theirs, self.profile)
        if strength:
            found.insert(0, evidence(ours, theirs, self.profile, strength))
        elif score >= self.profile.same:
            vetoes += _cautions(ours, theirs, self.profile, findings)
        reasons = tuple(veto.reason for veto in vetoes)
        decision = DECISIONS[self.decision[pair]]
        return Comparison(decision, score, self.profile.name, reasons, tuple(found), strength)

    def findings(self, pair: int) -> FindingsByField:
        """What each part found of one pair, by field."""
        score, missing, share = (lines[:, pair].tolist() for lines in self.found[:3])
        return {
            part.field: Finding(score[place], share[place])
            for place, part in enumerate(self.profile.parts)
            if not missing[place]
        }


def _evidence(
    ours: Prepared, theirs: Prepared, parts: Sequence[Part], findings: FindingsByField, counts: Sequence[float]
) -> Iterator[Evidence]:
    """The evidence field by field; parts of a field, such as `title.main`, count and speak with it."""
    for field in dict.fromkeys(part.field.partition(".")[0] for part in parts):
        said = [
            (part, finding, count, comparator_of(part.comparator, part.text).say(ours, theirs, finding.score))
            for part, count in zip(parts, counts, strict=True)
            if part.field.partition(".")[0] == field and (finding := findings.get(part.field)) is not None
        ]
        if any(reason for *_, reason in said):
            weight = sum(count for _, _, count, _ in said)
            reasons = dict.fromkeys(reason for *_, reason in said if reason)
            yield Evidence(field, said[0][1].score, abs(weight), "; ".join(reasons))


def compare(pairs: Pairs, profile: Profile, *, every: bool = False, generic: Set[str] = frozenset()) -> Compared:
    """Compare pairs; those that are `different` may be left out before all is known of them, unless `every`.

    Identifiers that are `generic` (`doi:10.1000/1`) prove nothing.
    """
    pairs = _weighed(pairs, profile)
    if pairs.size <= CHUNK:
        return _compare(pairs, profile, every=every, generic=generic)
    chunks = []
    for start, some in _chunks(pairs):
        chunk = _compare(some, profile, every=every, generic=generic)
        chunks.append(chunk._replace(kept=chunk.kept + start, possible=chunk.possible + start))
    left = np.concatenate([chunk.pairs.left for chunk in chunks])
    right = np.concatenate([chunk.pairs.right for chunk in chunks])
    return Compared(
        profile,
        Pairs(pairs.columns, left, right),
        np.concatenate([chunk.kept for chunk in chunks]),
        np.concatenate([chunk.possible for chunk in chunks]),
        np.concatenate([chunk.score for chunk in chunks]),
        np.concatenate([chunk.decision for chunk in chunks]),
        Findings(*(np.concatenate(lines, axis=1) for lines in zip(*(chunk.found for chunk in chunks), strict=True))),
        np.concatenate([chunk.precedence for chunk in chunks]),
    )


def possible(pairs: Pairs, profile: Profile) -> Places:
    """Those pairs that may be `same` or `unsure` as far as the cheap comparators and vetoes can tell."""
    questions = [comparator.bound if comparator.dear else comparator.compare for comparator in _comparators(profile)]
    batches = (
        (start, _Batch(some, profile, questions, every=False)) for start, some in _chunks(_weighed(pairs, profile))
    )
    kept = [batch.kept + start for start, batch in batches]
    return np.concatenate([np.zeros(0, np.int64), *kept])


def _weighed(pairs: Pairs, profile: Profile) -> Pairs:
    """The pairs, their words weighed as the profile learnt."""
    if profile.learnt is None or not profile.learnt.words:
        return pairs
    return Pairs(pairs.columns, pairs.left, pairs.right, rarity(profile.learnt))


def _chunks(pairs: Pairs) -> Iterator[tuple[int, Pairs]]:
    """The pairs in parts, each with the place of its first."""
    for start in range(0, pairs.size, CHUNK):
        yield start, pairs.only(np.arange(start, min(start + CHUNK, pairs.size)))


def vetoed(pairs: Pairs, profile: Profile) -> Flags:
    """Which pairs a veto forbids to be the same, whatever their score."""
    found = np.zeros(pairs.size, np.bool_)
    for rule in (VETOES[name] for name in profile.vetoes):
        suspects = rule.suspects(pairs)
        found |= suspects.certain
        for pair in (suspects.open & ~found).nonzero()[0].tolist():
            found[pair] = rule.look(*pairs.records(pair)) is not None
    return found


def vetoes_of(ours: Prepared, theirs: Prepared, profile: Profile) -> list[Veto]:
    """What forbids two records to be the same, whatever their score."""
    return [veto for name in profile.vetoes if (veto := VETOES[name].look(ours, theirs)) is not None]


class _Batch:
    """Pairs on their way to a decision: which are left, and what was found of them so far.

    One question is asked for each part; unless `every` pair is to be kept, those that a veto rules out for certain are
    not asked about, and those that cannot reach `unsure` and share nothing that proves them the same are dropped.
    """

    def __init__(
        self,
        pairs: Pairs,
        profile: Profile,
        questions: Sequence[Callable[[Pairs], Scores]],
        *,
        every: bool,
        generic: Set[str] = frozenset(),
    ) -> None:
        different = np.zeros(pairs.size, np.bool_)
        for name in () if every else profile.vetoes:
            different |= VETOES[name].suspects(pairs).certain
        self.kept = (~different).nonzero()[0]
        self.pairs = pairs.only(self.kept) if different.any() else pairs
        self.shared = shared_lines(self.pairs, profile, generic)
        self._profile = profile
        self._every = every
        asked = {part: question(self.pairs) for part, question in enumerate(questions) if profile.parts[part].needed}
        self.found = no_findings(len(questions), self.pairs.size)
        for part, scores in asked.items():
            self.found.set(part, scores)
        if asked and not every and profile.unsure > 0:
            self._keep(self._meets_needs(asked) | self.shared.any(axis=0))
        for part, question in enumerate(questions):
            if part not in asked:
                self.found.set(part, question(self.pairs))
        self.rule_out()

    def _meets_needs(self, asked: Iterable[int]) -> Flags:
        """The pairs of which no part is below what it needs for certain."""
        meets = np.ones(self.pairs.size, np.bool_)
        for part in asked:
            found = self.found
            meets &= found.missing[part] | found.open[part] | (found.score[part] >= self._profile.parts[part].needed)
        return meets

    def _keep(self, kept: Flags) -> None:
        if not kept.all():
            self.pairs, self.kept, self.found = self.pairs.only(kept), self.kept[kept], self.found.only(kept)
            self.shared = self.shared[:, kept]

    def look(self, part: int, look: Look) -> None:
        """Look at the pairs that a part left open, and drop those that cannot reach `unsure` now."""
        found = self.found
        open = found.open[part].nonzero()[0].tolist()
        for pair in open:
            finding = look(*self.pairs.records(pair))
            if finding is None:
                found.missing[part, pair] = True
            else:
                found.score[part, pair], found.share[part, pair] = finding.score, finding.share
        if open:
            found.open[part] = False
            self.rule_out()

    def rule_out(self) -> None:
        """Drop the pairs that can no longer reach `unsure`."""
        if self._every or not self.pairs.size:
            return
        kept = COMBINATIONS[self._profile.combine].reaches(self._profile, self.found, self._profile.unsure)
        self._keep(kept | self.shared.any(axis=0))


def _compare(pairs: Pairs, profile: Profile, *, every: bool, generic: Set[str]) -> Compared:
    comparators = _comparators(profile)
    few = every and pairs.size <= FEW
    questions = [
        comparator.bound if (comparator.look if few else comparator.dear and not every) else comparator.compare
        for comparator in comparators
    ]
    batch = _Batch(pairs, profile, questions, every=every, generic=generic)
    possible = batch.kept
    if not every:
        for part, comparator in enumerate(comparators):
            if comparator.dear:
                batch.found.set(part, comparator.compare(batch.pairs))
        batch.rule_out()
    for part, comparator in enumerate(comparators):
        if comparator.look is not None:
            batch.look(part, comparator.look)
    score = COMBINATIONS[profile.combine].total(profile, batch.found)
    reached = (score >= profile.unsure).astype(np.int8) + (score >= profile.same)
    proved = precedence(profile, batch.shared, score)
    reached[proved > 0] = RANK["same"]
    compared = Compared(profile, batch.pairs, batch.kept, possible, score, reached, batch.found, proved)
    _apply_vetoes(compared)
    if every or (kept := reached > RANK["different"]).all():
        return compared
    return Compared(
        profile,
        compared.pairs.only(kept),
        batch.kept[kept],
        possible,
        score[kept],
        reached[kept],
        batch.found.only(kept),
        proved[kept],
    )


def _comparators(profile: Profile) -> list[Comparator]:
    return [comparator_of(part.comparator, part.text) for part in profile.parts]


def _apply_vetoes(compared: Compared) -> None:
    """Lower the decisions, in place, that a veto or a caution forbids."""
    decision, pairs, profile = compared.decision, compared.pairs, compared.profile
    if not decision.any():
        return
    for name in profile.vetoes:
        rule = VETOES[name]
        suspects = rule.suspects(pairs)
        decision[suspects.certain] = RANK["different"]
        for pair in (suspects.open & (decision > RANK["different"])).nonzero()[0].tolist():
            veto = rule.look(*pairs.records(pair))
            if veto is not None:
                decision[pair] = min(decision[pair], RANK[veto.at_most])
    compared.precedence[decision < RANK["same"]] = 0
    by_score = (decision == RANK["same"]) & (compared.precedence == 0)
    for pair in by_score.nonzero()[0].tolist() if profile.cautions else ():
        if _cautions(*pairs.records(pair), profile, compared.findings(pair)):
            decision[pair] = RANK["unsure"]


def _cautions(ours: Prepared, theirs: Prepared, profile: Profile, findings: FindingsByField) -> list[Veto]:
    return [veto for name in profile.cautions if (veto := CAUTIONS[name](ours, theirs, findings)) is not None]
