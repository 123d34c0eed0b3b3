"""Looks records up after a run: the paper scores what its lookup service finds, and skips what it does not find."""

from collections.abc import Iterable

from bibfold.catalogue.rows import chunks
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from lookup.answers import clusters
from lookup.matcher import matcher_of

BATCH = 2_000


def found_again(workspace: Workspace, records: Iterable[Record]) -> dict[str, str | None]:
    """For each record the cluster that a lookup of it finds; None where none is the same."""
    matcher, index = matcher_of(workspace.settings), workspace.index()
    found: dict[str, str | None] = {}
    for batch in chunks(records, BATCH):
        matcher.tidy()
        names = clusters(matcher, workspace.engine, index, batch)
        found.update(zip((record.key for record in batch), names, strict=True))
    return found
