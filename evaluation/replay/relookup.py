"""Looks records up after a run and reports those that find no cluster, which the paper counts as skipped."""

from collections.abc import Iterable

import numpy as np

from bibfold.catalogue.rows import chunks
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace
from lookup.retrieve import PreparedCache, retrieve
from lookup.scoring import compare
from lookup.screening import screen
from lookup.setup import profile_of, retrieval_of

BATCH = 2_000


def not_found_again(workspace: Workspace, records: Iterable[Record]) -> set[str]:
    """The keys of the records for which a lookup finds no cluster that is the same."""
    profile = profile_of(workspace.settings)
    retrieval = retrieval_of(workspace.settings, profile)
    index, cache = workspace.index(), PreparedCache()
    lost: set[str] = set()
    for batch in chunks(records, BATCH):
        prepared = [prepare(record) for record in batch]
        terms = [keys(record, retrieval.keys) for record in prepared]
        found = retrieve(workspace.engine, index, terms, retrieval, cache)
        places = np.repeat(np.arange(len(batch)), [len(hits) for hits in found]).tolist()
        candidates = cache.many([hit for hits in found for hit in hits])
        promising = screen([prepared[place] for place in places], candidates, profile).nonzero()[0].tolist()
        same: set[int] = set()
        for at in promising:
            if places[at] not in same and compare(prepared[places[at]], candidates[at], profile).decision == "same":
                same.add(places[at])
        lost.update(record.key for place, record in enumerate(batch) if place not in same)
    return lost
