"""Samples nearest neighbours (the paper's section 5.3): searches for each title and pairs it with its hits."""

from collections.abc import Iterable, Iterator, Sequence

from bibfold.engines.base import Document, Hit, Put, Query
from bibfold.records.keys import keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from bibfold.workspace import Layers, Workspace, ensure_index, throw_away
from evaluation.samples.pool import Pool
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest, ordered

BATCH = 500
"""How many titles are searched in one request."""


def neighbour_pairs(
    pool: Pool, request: SampleRequest, layers: Layers = (), *, min_rank: int | None = None, count_self: bool = False
) -> list[SampledPair]:
    """Pair titles, in random order, with the engine's first hits, until there are enough pairs.

    With `min_rank`, a title's hits count only if a different work is at that rank or better: the smaller it is, the
    harder the sample and the fewer the pairs. The record itself is among its hits and makes no pair; with `count_self`
    it takes up a rank, as in the paper's table 15, else not, as in table 16.
    """
    with throw_away(layers) as workspace:
        index = ensure_index(workspace)
        every = sorted(pool.group_of)
        workspace.engine.write(index, (Put(_document(pool, place, workspace)) for place in every))
        workspace.engine.commit(index)
        request.rng.shuffle(every)
        return _select(request, _search(pool, every, workspace, index, count_self), min_rank)


def _document(pool: Pool, place: int, workspace: Workspace) -> Document:
    """A document with the title keys alone, since only titles are searched."""
    record = Record(source="", id=str(place), title=pool.members[place].title)
    return Document(str(place), {"title": keys(prepare(record), workspace.keys)["title"]}, record)


def _search(
    pool: Pool, every: Sequence[int], workspace: Workspace, index: str, count_self: bool
) -> Iterator[list[SampledPair]]:
    """For each title its pairs with hits that are known to be the same work or a different one."""
    for start in range(0, len(every), BATCH):
        batch = every[start : start + BATCH]
        queries = [Query(_document(pool, place, workspace).terms) for place in batch]
        found = workspace.engine.search(index, queries, workspace.settings.top_n)
        for place, hits in zip(batch, found, strict=True):
            yield list(_labelled_hits(pool, place, hits, count_self))


def _labelled_hits(pool: Pool, place: int, hits: Sequence[Hit], count_self: bool) -> Iterator[SampledPair]:
    ranked = [second for hit in hits if (second := int(hit.id)) != place or count_self]
    for rank, second in enumerate(ranked, start=1):
        if second == place:
            continue
        if pool.same(place, second):
            yield SampledPair(place, second, True, rank)
        elif pool.different(place, second):
            yield SampledPair(place, second, False, rank)


def _select(request: SampleRequest, answers: Iterable[list[SampledPair]], min_rank: int | None) -> list[SampledPair]:
    left = {True: request.pairs, False: request.pairs}
    taken: set[tuple[int, int]] = set()
    sampled: list[SampledPair] = []
    for done, answer in enumerate(answers, start=1):
        if not any(left.values()):
            break
        request.on_progress(done)
        if min_rank is not None and not any(not pair.same and (pair.rank or 0) <= min_rank for pair in answer):
            continue
        for pair in answer:
            name = ordered(pair.first, pair.second)
            if left[pair.same] and name not in taken:
                left[pair.same] -= 1
                taken.add(name)
                sampled.append(pair)
    return sampled
