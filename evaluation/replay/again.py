"""Looks records up after a run: which of them find no cluster that is the same, as the paper counts skipped pairs."""

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
    """The keys of those records that a lookup does not bring back to any cluster."""
    profile = profile_of(workspace.settings)
    wanted = retrieval_of(workspace.settings, profile)
    index, cache = workspace.index(), PreparedCache()
    lost: set[str] = set()
    for batch in chunks(records, BATCH):
        asked = [prepare(record) for record in batch]
        found = retrieve(workspace.engine, index, [keys(one, wanted.keys) for one in asked], wanted, cache)
        places = np.repeat(np.arange(len(batch)), [len(hits) for hits in found]).tolist()
        theirs = cache.many([hit for hits in found for hit in hits])
        promising = screen([asked[place] for place in places], theirs, profile).nonzero()[0].tolist()
        same: set[int] = set()
        for at in promising:
            if places[at] not in same and compare(asked[places[at]], theirs[at], profile).decision == "same":
                same.add(places[at])
        lost.update(record.key for place, record in enumerate(batch) if place not in same)
    return lost
