"""Pairs of nearest neighbours (section 5.3): each title asked of the real engine, its hits taken as pairs."""

from collections.abc import Iterable, Iterator, Sequence

from bibfold.engines.base import Document, Hit, Put, Query
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from bibfold.workspace import Layers, Workspace, ensure_index, throw_away
from evaluation.samples.drawn import Drawn, Wanted, places
from evaluation.samples.pool import Pool

BATCH = 500
"""How many titles one request asks for."""


def neighbour_pairs(
    pool: Pool, wanted: Wanted, layers: Layers = (), *, min_rank: int | None = None, count_self: bool = False
) -> list[Drawn]:
    """The pairs that the engine's first hits make, title by title in random order, until there are enough.

    With `min_rank`, a title's hits count only where a different work stands at that rank or better: the smaller, the
    harder the sample and the fewer the pairs. A title finds its own record, too, which is no pair; it has a rank only
    where `count_self`, as in the paper's table 15, and none as in table 16.
    """
    with throw_away(layers) as workspace:
        index = ensure_index(workspace)
        every = sorted(pool.group_of)
        workspace.engine.write(index, (Put(_document(pool, place, workspace)) for place in every))
        workspace.engine.commit(index)
        wanted.dice.shuffle(every)
        return _drawn(pool, wanted, _asked(pool, every, workspace, index, count_self), min_rank)


def _document(pool: Pool, place: int, workspace: Workspace) -> Document:
    """The title alone: it is what is asked for."""
    record = Record(source="", id=str(place), title=pool.members[place].title)
    return Document(str(place), {"title": keys(prepare(record), workspace.keys)["title"]}, record)


def _asked(
    pool: Pool, every: Sequence[int], workspace: Workspace, index: str, count_self: bool
) -> Iterator[list[Drawn]]:
    """For each title the pairs that its hits make, whose works are known to be the same or different."""
    for start in range(0, len(every), BATCH):
        batch = every[start : start + BATCH]
        queries = [Query(_document(pool, place, workspace).terms) for place in batch]
        found = workspace.engine.search(index, queries, workspace.settings.top_n)
        for place, hits in zip(batch, found, strict=True):
            yield list(_known(pool, place, hits, count_self))


def _known(pool: Pool, place: int, hits: Sequence[Hit], count_self: bool) -> Iterator[Drawn]:
    ranked = [other for hit in hits if (other := int(hit.id)) != place or count_self]
    for rank, other in enumerate(ranked, start=1):
        if other == place:
            continue
        if pool.same(place, other):
            yield Drawn(place, other, True, rank)
        elif pool.apart(place, other):
            yield Drawn(place, other, False, rank)


def _drawn(pool: Pool, wanted: Wanted, answers: Iterable[list[Drawn]], min_rank: int | None) -> list[Drawn]:
    left = {True: wanted.pairs, False: wanted.pairs}
    taken: set[tuple[int, int]] = set()
    drawn: list[Drawn] = []
    for asked, answer in enumerate(answers, start=1):
        if not any(left.values()):
            break
        wanted.progress(asked)
        if min_rank is not None and not any(not pair.same and (pair.rank or 0) <= min_rank for pair in answer):
            continue
        for pair in answer:
            name = places(pair.one, pair.other)
            if left[pair.same] and name not in taken:
                left[pair.same] -= 1
                taken.add(name)
                drawn.append(pair)
    return drawn
