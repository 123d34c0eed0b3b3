"""A temporary index of the records under evaluation, and the candidates that it proposes for each of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
import numpy as np

from bibfold.engines.base import Document, Engine, Put
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from bibfold.workspace import Layers, ensure_index, throw_away
from evaluation.progress import OnProgress, no_progress
from evaluation.sweeps.labelled_pairs import LabelledPairs, Places, coded
from lookup.answers import BATCH
from lookup.profiles import BIBFOLD
from lookup.retrieve import ByPlace, Retrieval, retrieve
from lookup.setup import retrieval_of


class CandidateIndex(msgspec.Struct, frozen=True):
    """Records in an engine, each under its position, and how the settings retrieve candidates."""

    engine: Engine
    name: str
    prepared: Sequence[Prepared]
    keys: KeySettings
    retrieval: Retrieval


@contextmanager
def indexed(prepared: Sequence[Prepared], layers: Layers) -> Iterator[CandidateIndex]:
    """Build an index of the records with the keys of both retrievers; it is dropped at the end."""
    with throw_away(layers, history=False) as workspace:
        settings = KeySettings(workspace.settings.languages, fingerprints=True)
        retrieval = retrieval_of(workspace.settings, BIBFOLD)
        name = ensure_index(workspace)
        documents = (
            Document(str(place), keys(record, settings), Record(source="", id=str(place)))
            for place, record in enumerate(prepared)
        )
        workspace.engine.write(name, (Put(document) for document in documents))
        workspace.engine.commit(name)
        yield CandidateIndex(
            workspace.engine, name, prepared, settings, msgspec.structs.replace(retrieval, keys=settings)
        )


def batches(
    index: CandidateIndex, places: Sequence[int], retrieval: Retrieval
) -> Iterator[tuple[Sequence[int], list[list[int]]]]:
    """Search for records batch by batch: their positions, and for each its candidates', best first, without itself."""
    cache = ByPlace(index.prepared)
    wider = msgspec.structs.replace(retrieval, top_n=retrieval.top_n + 1)
    for start in range(0, len(places), BATCH):
        batch = places[start : start + BATCH]
        queries = [keys(index.prepared[place], index.keys) for place in batch]
        found = retrieve(index.engine, index.name, queries, wider, cache)
        yield (
            batch,
            [[at for hit in hits if (at := int(hit.id)) != place] for place, hits in zip(batch, found, strict=True)],
        )


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
    for batch, found in batches(index, range(size), index.retrieval):
        places = np.repeat(np.array(batch, np.int64), [len(others) for others in found])
        others = np.array([at for others in found for at in others], np.int64)
        parts.append(coded(np.minimum(places, others), np.maximum(places, others), size))
        on_progress(batch[-1] + 1)
    return np.unique(np.concatenate(parts))
