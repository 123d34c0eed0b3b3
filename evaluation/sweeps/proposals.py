"""An index of the records that an evaluation speaks of, and the candidates that it proposes for each."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

from bibfold.engines.base import Document, Engine, Put
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from bibfold.workspace import Layers, ensure_index, throw_away
from evaluation.sweeps.known import Known, Places, coded
from lookup.answers import BATCH
from lookup.profiles import BIBFOLD
from lookup.retrieve import ByPlace, Retrieval, retrieve
from lookup.setup import retrieval_of

Told = Callable[[int], Any]
"""Told how many are done."""


class Index(msgspec.Struct, frozen=True):
    """Records in an engine, by place, and how the settings say that candidates are found."""

    engine: Engine
    name: str
    prepared: Sequence[Prepared]
    keys: KeySettings
    wanted: Retrieval


@contextmanager
def indexed(prepared: Sequence[Prepared], layers: Layers) -> Iterator[Index]:
    """An index of the records with the keys of both retrievers, gone at the end."""
    with throw_away(layers, history=False) as workspace:
        settings = KeySettings(workspace.settings.languages, fingerprints=True)
        wanted = retrieval_of(workspace.settings, BIBFOLD)
        name = ensure_index(workspace)
        documents = (
            Document(str(place), keys(one, settings), Record(source="", id=str(place)))
            for place, one in enumerate(prepared)
        )
        workspace.engine.write(name, (Put(document) for document in documents))
        workspace.engine.commit(name)
        yield Index(workspace.engine, name, prepared, settings, msgspec.structs.replace(wanted, keys=settings))


def batches(index: Index, places: Sequence[int], wanted: Retrieval) -> Iterator[tuple[Sequence[int], list[list[int]]]]:
    """Places, batch by batch, and for each the places of its candidates, best first, without itself."""
    cache = ByPlace(index.prepared)
    wider = msgspec.structs.replace(wanted, top_n=wanted.top_n + 1)
    for start in range(0, len(places), BATCH):
        batch = places[start : start + BATCH]
        queries = [keys(index.prepared[place], index.keys) for place in batch]
        found = retrieve(index.engine, index.name, queries, wider, cache)
        yield (
            batch,
            [[at for hit in hits if (at := int(hit.id)) != place] for place, hits in zip(batch, found, strict=True)],
        )


def with_proposed(known: Known, layers: Layers, *, across: bool = False, told: Told = lambda done: None) -> Known:
    """What is known, and as different pairs those that an index proposes and that are not known to be the same.

    With `across` only pairs of records from different sources are proposed.
    """
    size = len(known.keys)
    with indexed(known.prepared, layers) as index:
        found = _pairs(index, size, told)
    earlier, later = np.divmod(np.setdiff1d(found, coded(known.earlier, known.later, size)), size or 1)
    counts = known.judged[earlier] | known.judged[later]
    if across:
        source = np.unique([key.partition(":")[0] for key in known.keys], return_inverse=True)[1]
        counts &= source[earlier] != source[later]
    return msgspec.structs.replace(
        known,
        earlier=np.concatenate((known.earlier, earlier[counts])),
        later=np.concatenate((known.later, later[counts])),
        same=np.concatenate((known.same, np.zeros(int(counts.sum()), np.bool_))),
        proposed=True,
    )


def _pairs(index: Index, size: int, told: Told) -> Places:
    """The codes of all pairs of a record and a candidate of it."""
    parts = [np.zeros(0, np.int64)]
    for batch, found in batches(index, range(size), index.wanted):
        places = np.repeat(np.array(batch, np.int64), [len(others) for others in found])
        others = np.array([at for others in found for at in others], np.int64)
        parts.append(coded(np.minimum(places, others), np.maximum(places, others), size))
        told(batch[-1] + 1)
    return np.unique(np.concatenate(parts))
