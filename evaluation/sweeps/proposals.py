"""A temporary index of the records under evaluation, and the candidates that it proposes for each of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec
import numpy as np

from bibfold.engines.base import Document, Engine, Put, Terms
from bibfold.records.columns import Places
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from bibfold.workspace import Layers, ensure_index, throw_away
from evaluation.progress import OnProgress, no_progress
from evaluation.sweeps.labelled_pairs import LabelledPairs, coded
from lookup.answers import BATCH
from lookup.matcher import Matcher, matcher_of
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval


class Query(msgspec.Struct, frozen=True):
    """A record of the evaluation, ready to be looked up."""

    prepared: Prepared
    terms: Terms


class CandidateIndex(msgspec.Struct, frozen=True):
    """Records in an engine, each under its position, and how the settings retrieve candidates."""

    engine: Engine
    name: str
    prepared: Sequence[Prepared]
    retrieval: Retrieval


class Proposed(NamedTuple):
    """Candidates of some records, best first: `candidates[i]` is proposed for `queries[i]` at `ranks[i]`, from 1 on.

    Queries and candidates are positions; no record is its own candidate.
    """

    queries: Places
    candidates: Places
    ranks: Places


@contextmanager
def indexed(prepared: Sequence[Prepared], layers: Layers) -> Iterator[CandidateIndex]:
    """Build an index of the records with the keys of both retrievers; it is dropped at the end."""
    with throw_away(layers, history=False) as workspace:
        settings = KeySettings(workspace.settings.languages, fingerprints=True)
        retrieval = matcher_of(msgspec.structs.replace(workspace.settings, profile=BIBFOLD.name)).retrieval
        name = ensure_index(workspace)
        documents = (
            Document(str(place), keys(record, settings), Record(source="", id=str(place)))
            for place, record in enumerate(prepared)
        )
        workspace.engine.write(name, (Put(document) for document in documents))
        workspace.engine.commit(name)
        yield CandidateIndex(workspace.engine, name, prepared, msgspec.structs.replace(retrieval, keys=settings))


def proposed(index: CandidateIndex, places: Sequence[int], retrieval: Retrieval) -> Iterator[tuple[int, Proposed]]:
    """Search for records batch by batch: how many are done, and the candidates of the batch."""
    matcher = Matcher(BIBFOLD, msgspec.structs.replace(retrieval, top_n=retrieval.top_n + 1))
    for start in range(0, len(places), BATCH):
        batch = np.array(places[start : start + BATCH], np.int64)
        queries = [Query(record := index.prepared[place], keys(record, retrieval.keys)) for place in batch.tolist()]
        owners, hits = matcher.candidates(
            index.engine, index.name, queries, prepared_of=lambda hit: index.prepared[int(hit.id)]
        )
        candidates = np.array([int(hit.id) for hit in hits], np.int64)
        others = candidates != batch[owners]
        owners, candidates = owners[others], candidates[others]
        ranks = np.arange(1, len(owners) + 1) - np.searchsorted(owners, owners)
        yield start + len(batch), Proposed(batch[owners], candidates, ranks)


def with_proposed(
    pairs: LabelledPairs, layers: Layers, *, across: bool = False, on_progress: OnProgress = no_progress
) -> LabelledPairs:
    """Add, as different pairs, those that an index proposes and that the truth does not hold.

    With `across`, only pairs of records from different sources are proposed.
    """
    size = len(pairs.keys)
    with indexed(pairs.prepared, layers) as index:
        found = _pairs(index, size, on_progress)
    earlier, later = np.divmod(np.setdiff1d(found, coded(pairs.earlier, pairs.later, size)), size or 1)
    counts = pairs.judged[earlier] | pairs.judged[later]
    if across:
        source = np.unique([key.partition(":")[0] for key in pairs.keys], return_inverse=True)[1]
        counts &= source[earlier] != source[later]
    return msgspec.structs.replace(
        pairs,
        earlier=np.concatenate((pairs.earlier, earlier[counts])),
        later=np.concatenate((pairs.later, later[counts])),
        same=np.concatenate((pairs.same, np.zeros(int(counts.sum()), np.bool_))),
        proposed=True,
    )


def _pairs(index: CandidateIndex, size: int, on_progress: OnProgress) -> Places:
    """The codes of all pairs of a record and one of its candidates."""
    parts = [np.zeros(0, np.int64)]
    for done, (queries, candidates, _) in proposed(index, range(size), index.retrieval):
        parts.append(coded(np.minimum(queries, candidates), np.maximum(queries, candidates), size))
        on_progress(done)
    return np.unique(np.concatenate(parts))
