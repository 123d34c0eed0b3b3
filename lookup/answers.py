"""Looks records up: for each its candidates, how they compare, and the decision."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import msgspec

from bibfold.engines.base import Engine, Hit, Terms
from bibfold.errors import IndexMissing
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.native import to_native
from bibfold.records.prepare import Prepared, prepare
from bibfold.workspace import Workspace, opened
from lookup.evidence import Comparison, Decision, Profile
from lookup.profiles import BIBFOLD
from lookup.retrieve import PreparedCache, Retrieval, found_by, retrieve
from lookup.scoring import RANK, compare
from lookup.setup import profile_of, retrieval_of

BATCH = 500
"""How many records one request to the engine asks for."""


class Candidate(msgspec.Struct, frozen=True):
    """A canonical record that the engine proposed, and how it compares."""

    cluster: str
    rank: int
    found_by: tuple[str, ...]
    comparison: Comparison
    record: Record


class Answer(msgspec.Struct, frozen=True):
    """What a lookup of one record found; `cluster` is the one that it belongs to, if it is the `same`."""

    record: Record
    decision: Decision
    cluster: str | None
    candidates: tuple[Candidate, ...]


class Lookup:
    """A way to ask an index, with one metric."""

    def __init__(self, engine: Engine, index: str, wanted: Retrieval, profile: Profile) -> None:
        self.engine = engine
        self.index = index
        self.wanted = wanted
        self.profile = profile
        self._cache = PreparedCache()

    def __call__(self, records: Sequence[Record]) -> list[Answer]:
        """An answer for each record, in order."""
        asked = [prepare(record) for record in records]
        terms = [keys(one, self.wanted.keys) for one in asked]
        found = retrieve(self.engine, self.index, terms, self.wanted, self._cache)
        return [
            self._answer(record, prepared, query, hits)
            for record, prepared, query, hits in zip(records, asked, terms, found, strict=True)
        ]

    def _answer(self, record: Record, prepared: Prepared, query: Terms, hits: Sequence[Hit]) -> Answer:
        scored = [(hit, compare(prepared, self._cache(hit), self.profile)) for hit in hits]
        scored.sort(key=lambda pair: (-RANK[pair[1].decision], -pair[1].score, pair[0].id))
        candidates = tuple(
            Candidate(
                hit.id,
                rank,
                found_by(query, keys(self._cache(hit), self.wanted.keys)),
                comparison,
                hit.record,
            )
            for rank, (hit, comparison) in enumerate(scored, start=1)
        )
        decision: Decision = scored[0][1].decision if scored else "different"
        cluster = candidates[0].cluster if decision == "same" else None
        return Answer(record, decision, cluster, candidates)


def look_up(workspace: Workspace, records: Iterable[Record]) -> Iterator[Answer]:
    """Look records up in a catalogue's index, batch by batch; the index may give way to another meanwhile."""
    profile = profile_of(workspace.settings)
    look = Lookup(workspace.engine, workspace.index(), retrieval_of(workspace.settings, profile), profile)

    def answers(index: str) -> list[Answer]:
        look.index = index
        return look(batch)

    rest = iter(records)
    while batch := list(islice(rest, BATCH)):
        try:
            found, _ = workspace.ask(answers, look.index)
        except IndexMissing:
            if workspace.catalogue.folder is None or not workspace.rebuilt():
                raise
            with opened(workspace.catalogue.folder, workspace.layers) as changed:
                yield from look_up(changed, chain(batch, rest))
            return
        yield from found


def compare_records(one: Record, other: Record, profile: Profile = BIBFOLD) -> Comparison:
    """Compare two records, without an index."""
    return compare(prepare(one), prepare(other), profile)


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer as plain data, the form that other programs read."""
    return {
        "record": to_native(answer.record),
        "decision": answer.decision,
        "cluster": answer.cluster,
        "candidates": [_candidate_data(candidate) for candidate in answer.candidates],
    }


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """A comparison as plain data."""
    return {
        "decision": comparison.decision,
        "score": round(comparison.score, 6),
        "profile": comparison.profile,
        "vetoes": list(comparison.vetoes),
        "evidence": [msgspec.structs.asdict(one) for one in comparison.evidence],
    }


def _candidate_data(candidate: Candidate) -> dict[str, Any]:
    compared = comparison_data(candidate.comparison)
    del compared["profile"]
    return {
        "cluster": candidate.cluster,
        "rank": candidate.rank,
        "found_by": list(candidate.found_by),
        **compared,
        "record": to_native(candidate.record),
    }
