"""Looks records up after a run and reports those that find no cluster, which the paper counts as skipped."""

from collections.abc import Iterable

from bibfold.catalogue.rows import chunks
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from lookup.evidence import RANK
from lookup.matcher import matcher_of

BATCH = 2_000


def not_found_again(workspace: Workspace, records: Iterable[Record]) -> set[str]:
    """The keys of the records for which a lookup finds no cluster that is the same."""
    matcher, index = matcher_of(workspace.settings), workspace.index()
    lost: set[str] = set()
    for batch in chunks(records, BATCH):
        matcher.tidy()
        keyed = [matcher.key(record) for record in batch]
        owners, hits = matcher.candidates(workspace.engine, index, keyed)
        places = matcher.add(record.prepared for record in keyed)
        compared = matcher.compare(places[owners], matcher.add_hits(hits))
        found = set(owners[compared.kept[compared.decision == RANK["same"]]].tolist())
        lost.update(record.key for place, record in enumerate(batch) if place not in found)
    return lost
