"""Samples nearest neighbours (the paper's section 5.3): searches for each title and pairs it with its hits."""

from collections.abc import Iterable, Iterator, Sequence

from bibfold.engines.base import Document, Engine, Put
from bibfold.records.keys import KeySettings
from bibfold.records.model import Record
from bibfold.workspace import Layers, ensure_index, throw_away
from evaluation.samples.pool import Pool
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest, ordered
from lookup.matcher import KeyedRecord, Matcher
from lookup.profiles import MENDELEY_TITLE
from lookup.retrieve import Retrieval

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
    return select_pairs(pool, request, ranked_hits(pool, request, layers), min_rank=min_rank, count_self=count_self)


Hits = tuple[int, list[int]]
"""The place of a record, and those of its hits, best first."""


def ranked_hits(pool: Pool, request: SampleRequest, layers: Layers = ()) -> Iterator[Hits]:
    """The hits of every title, in random order."""
    with throw_away(layers) as workspace:
        index = ensure_index(workspace)
        top_n, languages = workspace.settings.top_n, workspace.settings.languages
        matcher = Matcher(MENDELEY_TITLE, Retrieval(top_n=top_n, identifiers=False, keys=KeySettings(languages)))
        every = sorted(pool.group_of)
        documents = (Document(title.record.id, title.terms, title.record) for title in _titles(pool, every, matcher))
        workspace.engine.write(index, map(Put, documents))
        workspace.engine.commit(index)
        request.rng.shuffle(every)
        yield from _search(pool, every, matcher, workspace.engine, index)


def select_pairs(
    pool: Pool, request: SampleRequest, found: Iterable[Hits], *, min_rank: int | None = None, count_self: bool = False
) -> list[SampledPair]:
    """The labelled pairs among hits, until there are enough of each class."""
    return _select(request, (list(_labelled_hits(pool, *hits, count_self)) for hits in found), min_rank)


def _titles(pool: Pool, places: Iterable[int], matcher: Matcher) -> Iterator[KeyedRecord]:
    """Records with a title alone, each named for its place."""
    for place in places:
        yield matcher.key(Record(source="", id=str(place), title=pool.members[place].title))


def _search(pool: Pool, every: Sequence[int], matcher: Matcher, engine: Engine, index: str) -> Iterator[Hits]:
    """For each title the places of its hits, best first."""
    for start in range(0, len(every), BATCH):
        batch = every[start : start + BATCH]
        owners, hits = matcher.candidates(engine, index, list(_titles(pool, batch, matcher)))
        found: list[list[int]] = [[] for _ in batch]
        for owner, hit in zip(owners.tolist(), hits, strict=True):
            found[owner].append(int(hit.id))
        yield from zip(batch, found, strict=True)


def _labelled_hits(pool: Pool, place: int, hits: Sequence[int], count_self: bool) -> Iterator[SampledPair]:
    """The pairs of a title with those of its hits that are known to be the same work or a different one."""
    ranked = [second for second in hits if second != place or count_self]
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
