"""Replays records through the real fold, in order, and sets what came of it against a truth."""

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager

import msgspec

from bibfold.catalogue.exports import memberships
from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers, Workspace, throw_away
from evaluation.metrics.counting import Counted, count_pairs
from evaluation.pairs import Key
from evaluation.records import check_known, read_records
from evaluation.replay.again import not_found_again
from evaluation.replay.comparisons import Comparisons
from evaluation.truth import Truth, without
from ingest.run import Totals, Watcher, fold_stream
from lookup.retrieve import Retrieval
from lookup.setup import profile_of, retrieval_of

Items = Callable[[], Iterator[Record | DeadLetter]]
"""Gives the records anew each time it is called: a replay goes over them more than once."""


class Replayed(msgspec.Struct, frozen=True):
    """A run that is over, its catalogue and index still open: what it found, and how the truth's pairs fared.

    `clusters` are all records with their cluster. `skipped` are pairs never compared; `lost` are records that a
    lookup does not find again; `unknown` are records that the truth names and that are not there.
    """

    workspace: Workspace
    truth: Truth
    totals: Totals
    clusters: dict[str, str]
    counted: Counted
    skipped: Set[Key]
    lost: Set[str]
    unknown: list[str]


@contextmanager
def replayed(
    items: Items,
    truth: Truth,
    layers: Layers = (),
    watcher: Watcher = Watcher(),  # noqa: B008 - frozen
    *,
    skip_unknown: bool = False,
) -> Iterator[Replayed]:
    """Fold all records into a catalogue that is gone at the end."""
    unknown = check_known(truth.named, _keys(items(), truth.named), skip_unknown=skip_unknown)
    truth = without(truth, set(unknown))
    if not truth.same and not truth.different:
        raise InputError("no pair of the truth has both records there; is it the truth of these records?")
    with throw_away(layers, history=False) as workspace:
        comparisons = Comparisons(workspace, _retrieval(workspace), [*truth.same, *truth.different])

        def progress(done: int) -> None:
            comparisons.settle()
            watcher.progress(done)

        told = msgspec.structs.replace(watcher, proposed=comparisons.proposed, progress=progress)
        totals = fold_stream(workspace, items(), "evaluate", told)
        clusters = clusters_of(workspace)
        named = truth.named
        lost = not_found_again(workspace, (record for record in read_records(items()) if record.key in named))
        counted = count_pairs(truth, clusters)
        yield Replayed(workspace, truth, totals, clusters, counted, comparisons.skipped, lost, unknown)


def clusters_of(workspace: Workspace) -> dict[str, str]:
    """Every record of a catalogue and its cluster."""
    with workspace.catalogue.reading() as connection:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(connection)}


def stripped(items: Iterable[Record | DeadLetter]) -> Iterator[Record | DeadLetter]:
    """The records without their identifiers."""
    for item in items:
        yield msgspec.structs.replace(item, identifiers={}) if isinstance(item, Record) else item


def _keys(items: Iterable[Record | DeadLetter], named: Set[str]) -> set[str]:
    return {record.key for record in read_records(items) if record.key in named}


def _retrieval(workspace: Workspace) -> Retrieval:
    return retrieval_of(workspace.settings, profile_of(workspace.settings))
