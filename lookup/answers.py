"""Looks records up: for each its candidates, how they compare, and the decision."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any, TypedDict

import msgspec

from bibfold.engines.base import Engine, Hit
from bibfold.errors import IndexMissing
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.native import to_native
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace, opened
from lookup.comparing import Compared
from lookup.evidence import DECISIONS, RANK, Comparison, Decision
from lookup.matcher import Matcher, matcher_of
from lookup.profile import Profile
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval, found_by

BATCH = 500
"""How many records one request to the engine asks for."""


class Candidate:
    """A canonical record that the engine proposed, and how it compares; its words are made when somebody reads them."""

    def __init__(
        self, hit: Hit, rank: int, compared: Compared, pair: int, found_by: Callable[[], tuple[str, ...]]
    ) -> None:
        self.cluster = hit.id
        self.record = hit.record
        self.rank = rank
        self.decision = DECISIONS[compared.decision[pair]]
        self.score = float(compared.score[pair])
        self._compared = compared
        self._pair = pair
        self._found_by = found_by

    @cached_property
    def comparison(self) -> Comparison:
        """All evidence, in words."""
        return self._compared.comparison(self._pair)

    @cached_property
    def found_by(self) -> tuple[str, ...]:
        """Which keys led to it: kinds of identifier, `bigrams` and others."""
        return self._found_by()


class Answer(msgspec.Struct, frozen=True):
    """What a lookup of one record found; `cluster` is the one that it belongs to, if it is the `same`."""

    record: Record
    decision: Decision
    cluster: str | None
    candidates: tuple[Candidate, ...]


def answers(matcher: Matcher, engine: Engine, index: str, records: Sequence[Record]) -> list[Answer]:
    """An answer for each record, in order: all its candidates, best first."""
    asked = [matcher.key(record) for record in records]
    owners, hits = matcher.candidates(engine, index, asked)
    ours = matcher.add(keyed.prepared for keyed in asked)
    theirs = matcher.add_hits(hits)
    compared = matcher.compare(ours[owners], theirs, every=True)
    pairs: list[list[int]] = [[] for _ in records]
    for pair in _best_first(compared, hits):
        pairs[owners[pair]].append(pair)

    def found_by_keys(pair: int) -> tuple[str, ...]:
        prepared = compared.pairs.records(pair)[1]
        return found_by(asked[owners[pair]].terms, keys(prepared, matcher.retrieval.keys))

    return [
        _answer(
            record,
            tuple(
                Candidate(hits[pair], rank, compared, pair, partial(found_by_keys, pair))
                for rank, pair in enumerate(found, start=1)
            ),
        )
        for record, found in zip(records, pairs, strict=True)
    ]


def clusters(matcher: Matcher, engine: Engine, index: str, records: Sequence[Record]) -> list[str | None]:
    """The cluster of each record, as `answers` finds it, and nothing else: many times as fast."""
    asked = [matcher.key(record) for record in records]
    owners, hits = matcher.candidates(engine, index, asked)
    ours = matcher.add(keyed.prepared for keyed in asked)
    compared = matcher.compare(ours[owners], matcher.add_hits(hits))
    kept = [hits[at] for at in compared.kept.tolist()]
    found: list[str | None] = [None] * len(records)
    for pair in reversed(_best_first(compared, kept)):
        if compared.decision[pair] == RANK["same"]:
            found[owners[compared.kept[pair]]] = kept[pair].id
    return found


def _best_first(compared: Compared, hits: Sequence[Hit]) -> list[int]:
    """The places of the pairs, each with its hit: by decision, proofs first, then by score, ties by the hit's id."""
    decision, proof, score = compared.decision.tolist(), compared.precedence.tolist(), compared.score.tolist()
    return sorted(range(len(hits)), key=lambda pair: (-decision[pair], -proof[pair], -score[pair], hits[pair].id))


def _answer(record: Record, candidates: tuple[Candidate, ...]) -> Answer:
    decision: Decision = candidates[0].decision if candidates else "different"
    return Answer(record, decision, candidates[0].cluster if decision == "same" else None, candidates)


class Lookup:
    """Looks records up in a catalogue that is open, batch after batch; the index may be rebuilt meanwhile."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._matcher = matcher_of(workspace.settings)
        self._index = workspace.index()

    def answers(self, records: Sequence[Record]) -> list[Answer]:
        """An answer for each record, in order; raises IndexMissing where the index was rebuilt by other settings."""
        self._matcher.tidy()
        ask = partial(answers, self._matcher, self.workspace.engine, records=records)
        found, self._index = self.workspace.ask(ask, self._index)
        return found


def look_up(workspace: Workspace, records: Iterable[Record]) -> Iterator[Answer]:
    """Look records up in a catalogue's index, batch by batch, also where it is rebuilt by other settings meanwhile."""
    lookup = Lookup(workspace)
    rest = iter(records)
    while batch := list(islice(rest, BATCH)):
        try:
            found = lookup.answers(batch)
        except IndexMissing:
            if workspace.catalogue.folder is None or not workspace.rebuilt():
                raise
            with opened(workspace.catalogue.folder, workspace.layers) as changed:
                yield from look_up(changed, chain(batch, rest))
            return
        yield from found


def compare_records(record: Record, other: Record, profile: Profile = BIBFOLD) -> Comparison:
    """Compare two records, without an index."""
    return Matcher(profile, Retrieval()).explain(prepare(record), prepare(other))


class EvidenceData(TypedDict):
    """What one comparator found."""

    field: str
    score: float
    weight: float
    reason: str


class ComparisonData(TypedDict):
    """How two records compare."""

    decision: Decision
    score: float
    profile: str
    vetoes: list[str]
    evidence: list[EvidenceData]


class ReasonsData(TypedDict, total=False):
    """Why a candidate is what it is."""

    vetoes: list[str]
    evidence: list[EvidenceData]


class CandidateData(ReasonsData):
    """A canonical record that the index proposed, and how it compares; reasons may be left out where it differs."""

    cluster: str
    rank: int
    found_by: list[str]
    decision: Decision
    score: float
    record: dict[str, Any]


class AnswerData(TypedDict):
    """What a lookup of one record found; `cluster` is the one that it belongs to, if it is the `same`."""

    record: dict[str, Any]
    decision: Decision
    cluster: str | None
    candidates: list[CandidateData]


def answer_data(answer: Answer, *, explain: bool = True) -> AnswerData:
    """An answer as plain data, the form that other programs read; `explain` gives reasons for `different`, too."""
    return {
        "record": to_native(answer.record),
        "decision": answer.decision,
        "cluster": answer.cluster,
        "candidates": [
            _candidate_data(candidate, explain=explain or candidate.decision != "different")
            for candidate in answer.candidates
        ],
    }


def comparison_data(comparison: Comparison) -> ComparisonData:
    """A comparison as plain data."""
    return {
        "decision": comparison.decision,
        "score": round(comparison.score, 6),
        "profile": comparison.profile,
        "vetoes": list(comparison.vetoes),
        "evidence": _evidence_data(comparison),
    }


def _candidate_data(candidate: Candidate, *, explain: bool) -> CandidateData:
    reasons: ReasonsData = {}
    if explain:
        compared = candidate.comparison
        reasons = {"vetoes": list(compared.vetoes), "evidence": _evidence_data(compared)}
    return {
        "cluster": candidate.cluster,
        "rank": candidate.rank,
        "found_by": list(candidate.found_by),
        "decision": candidate.decision,
        "score": round(candidate.score, 6),
        **reasons,
        "record": to_native(candidate.record),
    }


def _evidence_data(comparison: Comparison) -> list[EvidenceData]:
    return [msgspec.structs.asdict(found) for found in comparison.evidence]  # type: ignore[misc]
