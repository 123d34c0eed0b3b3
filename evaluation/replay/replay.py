"""Replays records through the real fold, in order, and compares the result with a truth."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager

import msgspec

from bibfold.catalogue.exports import memberships
from bibfold.errors import InputError
from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Layers, Workspace, throw_away
from evaluation.metrics.counting import Counted, count_pairs
from evaluation.pairs import Pair
from evaluation.records import check_present, read_records
from evaluation.replay.relookup import found_again
from evaluation.replay.skipped import SkippedPairs
from evaluation.truth import Truth, without
from ingest.observer import BatchFolded, Observer
from ingest.run import Totals, fold_stream
from lookup.matcher import matcher_of

Items = Callable[[], Iterable[Record | DeadLetter]]
"""Opens the stream of records; a replay reads it more than once."""


class ReplayResult(msgspec.Struct, frozen=True):
    """The result of a replay, with the catalogue and index still open.

    `clusters` maps every record to its cluster, `found` those of the truth to the cluster that a lookup finds.
    `skipped` are pairs of the truth that were never compared, `unknown` are records of it that the file does not hold.
    """

    workspace: Workspace
    truth: Truth
    totals: Totals
    clusters: dict[str, str]
    counted: Counted
    skipped: Set[Pair]
    found: Mapping[str, str | None]
    unknown: list[str]

    @property
    def lost(self) -> set[str]:
        """Records that a lookup does not find again."""
        return {key for key, cluster in self.found.items() if cluster is None}


@contextmanager
def replay_records(
    items: Items,
    truth: Truth,
    layers: Layers = (),
    observer: Observer = Observer(),  # noqa: B008 - frozen
    *,
    skip_unknown: bool = False,
) -> Iterator[ReplayResult]:
    """Fold all records into a temporary catalogue, which is removed at the end."""
    unknown = check_present(truth.named, _keys(items(), truth.named), skip_unknown=skip_unknown)
    truth = without(truth, set(unknown))
    if not truth.same and not truth.different:
        raise InputError("no pair of the truth has both records there; is it the truth of these records?")
    with throw_away(layers, history=False) as workspace:
        marks_tell_apart = matcher_of(workspace.settings).marks_tell_apart
        pairs = SkippedPairs(workspace, [*truth.same, *truth.different], marks_tell_apart=marks_tell_apart)

        def on_batch(event: BatchFolded) -> None:
            pairs.on_batch(event)
            observer.batch(event)

        totals = fold_stream(
            workspace,
            items(),
            "evaluate",
            msgspec.structs.replace(observer, batch=on_batch),
            obey_deletions=False,
        )
        clusters = clusters_of(workspace)
        named = truth.named
        found = found_again(workspace, (record for record in read_records(items()) if record.key in named))
        counted = count_pairs(truth, clusters)
        yield ReplayResult(workspace, truth, totals, clusters, counted, pairs.skipped, found, unknown)


def clusters_of(workspace: Workspace) -> dict[str, str]:
    """Every record of a catalogue and its cluster."""
    with workspace.catalogue.reading() as read:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(read)}


def _keys(items: Iterable[Record | DeadLetter], named: Set[str]) -> set[str]:
    return {record.key for record in read_records(items) if record.key in named}
