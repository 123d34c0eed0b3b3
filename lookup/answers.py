"""Looks records up: for each its candidates, how they compare, and the decision."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

import msgspec

from bibfold.engines.base import Engine
from bibfold.errors import IndexMissing
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.native import to_native
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace, opened
from lookup.evidence import RANK, Comparison, Decision
from lookup.matcher import Matcher, matcher_of
from lookup.profile import Profile
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval, found_by

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


def answers(matcher: Matcher, engine: Engine, index: str, records: Sequence[Record]) -> list[Answer]:
    """An answer for each record, in order: all its candidates, best first."""
    asked = [matcher.key(record) for record in records]
    owners, hits = matcher.candidates(engine, index, asked)
    ours = matcher.add(keyed.prepared for keyed in asked)
    theirs = matcher.add_hits(hits)
    compared = matcher.compare(ours[owners], theirs, every=True)
    found: list[list[Candidate]] = [[] for _ in records]
    for pair, (owner, hit) in enumerate(zip(owners.tolist(), hits, strict=True)):
        terms = keys(matcher.columns.rows[theirs[pair]], matcher.retrieval.keys)
        candidate = Candidate(hit.id, 0, found_by(asked[owner].terms, terms), compared.comparison(pair), hit.record)
        found[owner].append(candidate)
    return [_answer(record, candidates) for record, candidates in zip(records, found, strict=True)]


def _answer(record: Record, candidates: list[Candidate]) -> Answer:
    candidates.sort(
        key=lambda candidate: (-RANK[candidate.comparison.decision], -candidate.comparison.score, candidate.cluster)
    )
    ranked = tuple(msgspec.structs.replace(candidate, rank=rank) for rank, candidate in enumerate(candidates, start=1))
    decision: Decision = ranked[0].comparison.decision if ranked else "different"
    return Answer(record, decision, ranked[0].cluster if decision == "same" else None, ranked)


def look_up(workspace: Workspace, records: Iterable[Record]) -> Iterator[Answer]:
    """Look records up in a catalogue's index, batch by batch; the index may give way to another meanwhile."""
    matcher = matcher_of(workspace.settings)
    index = workspace.index()
    rest = iter(records)
    while batch := list(islice(rest, BATCH)):
        matcher.tidy()
        try:
            found, index = workspace.ask(partial(answers, matcher, workspace.engine, records=batch), index)
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
        "evidence": [msgspec.structs.asdict(found) for found in comparison.evidence],
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
