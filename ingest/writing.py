"""Writes what a batch decided into the catalogue, in one transaction."""

from collections.abc import Iterable, Iterator, Sequence

from bibfold.catalogue.rows import NEW, ClusterState, Event, Numbers, PlacedRecord, Review, other_name
from bibfold.catalogue.writing import Writing
from ingest.decide import Deciding, Happened
from ingest.groups import Group
from ingest.incoming import Incoming

FOUNDER_ALONE = ClusterState()


def write_batch(write: Writing, deciding: Deciding, batch: Sequence[Incoming], run: int) -> tuple[Numbers, int]:
    """Write clusters, records and, where history is kept, events, reviews and changes.

    The numbers of the new clusters, and the number of the last change for the published index.
    """
    new = range(NEW, deciding.next_no)
    redirecting = {no: (write.merged_into(no), write.survivors([no])[no]) for no in deciding.revived}
    numbers = write.found([_state(deciding.groups[no]) if no in deciding.groups else FOUNDER_ALONE for no in new])
    write.join(_placed(deciding, batch, numbers), run)
    standing = {no: group for no, group in deciding.touched.items() if no < NEW}
    write.reshape({no: _state(group) for no, group in standing.items() if group.merged_into is None})
    write.merge({no: group.merged_into for no, group in standing.items() if group.merged_into is not None})
    for no, (others, stood_for) in redirecting.items():
        repoint(write, others, (stood_for, no))
    if not write.history:
        return numbers, 0
    emptied = {no: group.last for no, group in standing.items() if not group.numbered}
    write.note_last_members({**dict.fromkeys(deciding.revived, ()), **emptied})
    write.note_events((_event(happened, numbers) for happened in deciding.events), run)
    _write_reviews(write, deciding, batch)
    return numbers, write.note_outbox(dict.fromkeys(map(numbers.real, [*new, *deciding.touched])))


def repoint(write: Writing, redirecting: Iterable[int], targets: Sequence[int]) -> None:
    """Let empty clusters redirect to the one of two that holds most of what each held last, the first in doubt."""
    homes = write.homes(redirecting)
    ends = write.survivors(homes)
    redirects = {}
    for no, held in homes.items():
        best = max(targets, key=lambda target: sum(home == target for home in held.values()))
        if ends[no] != best and best in held.values():
            redirects[no] = best
    write.redirect(redirects)


def final_no(deciding: Deciding, no: int) -> int:
    """The cluster that a number stands for when the batch is done."""
    group = deciding.groups.get(no)
    while group is not None and group.merged_into is not None:
        no = group.merged_into
        group = deciding.groups.get(no)
    return no


def _placed(deciding: Deciding, batch: Sequence[Incoming], numbers: Numbers) -> Iterator[PlacedRecord]:
    for incoming, placed in zip(batch, deciding.placed, strict=True):
        cluster = numbers.real(final_no(deciding, placed))
        yield PlacedRecord(
            incoming.no,
            incoming.key,
            incoming.record.source,
            incoming.content,
            incoming.digest,
            cluster,
            incoming.file,
            other_name(incoming.record) if incoming.record.extra else None,
        )


def _state(group: Group) -> ClusterState:
    many = len(group.numbered) > 1
    return ClusterState(len(group.numbered), group.canonical if many else None, group.merged_into)


def _event(happened: Happened, numbers: Numbers) -> Event:
    comparison = happened.comparison
    return Event(
        happened.kind,
        numbers.real(happened.cluster),
        happened.cause,
        happened.record,
        None if happened.other is None else numbers.real(happened.other),
        comparison.profile if comparison else None,
        comparison.score if comparison else None,
        comparison.evidence if comparison else None,
    )


def _write_reviews(write: Writing, deciding: Deciding, batch: Sequence[Incoming]) -> None:
    """Queue the unsure pairs; drop those whose content changed since."""
    write.forget_reviews(incoming.key for incoming in batch if incoming.stored)
    write.note_reviews(
        Review(pair.a, pair.b, pair.comparison.score, pair.comparison)
        for pair in deciding.pairs
        if pair.comparison.decision == "unsure"
    )
