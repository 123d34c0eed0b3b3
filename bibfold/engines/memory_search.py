"""Ranks the documents of in-memory segments for many queries at once, by products of sparse matrices."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sparse_dot_topn import sp_matmul_topn

from bibfold.engines.base import K1, SCORE_DIGITS, TIES, B, Hit, Query, reach
from bibfold.engines.memory_segments import FIELD_STARTS, Floats, Ints, Segment, number, rows_of

AT_ONCE = 1_000_000
"""So many hits are looked for at once, over all queries; more would only take more memory."""

SCALES = np.array([10.0 ** (SCORE_DIGITS - 1 - power) for power in (*range(16), *range(-16, 0))])
"""What a score of each power of ten is multiplied by to bring its digits before the point."""

WORTH_THREADS = 1_000_000
"""Smaller products, by their number of steps, are done before threads have started."""

THREADS = os.cpu_count() or 1


def search(
    segments: Sequence[Segment], queries: Sequence[Query], limit: int, threads: int, wide: int = 0
) -> list[list[Hit]]:
    """For each query its best documents, as the engine contract ranks them; `wide` are looked at."""
    if not segments or limit < 1:
        return [[] for _ in queries]
    found: list[list[Hit]] = []
    wide = wide or reach(limit)
    step = max(1, AT_ONCE // wide)
    for start in range(0, len(queries), step):
        found += _search(segments, queries[start : start + step], limit, threads, wide)
    return found


def rounded(scores: Floats) -> Floats:
    """What `base.rounded` gives for each of the scores."""
    scale = SCALES[np.floor(np.log10(scores)).astype(np.int64)]
    result: Floats = np.rint(scores * scale) / scale
    return result


def _search(
    segments: Sequence[Segment], queries: Sequence[Query], limit: int, threads: int, wide: int
) -> list[list[Hit]]:
    asked, held = _matrices(segments, queries)
    steps = np.diff(held.indptr)[asked.indices].sum()
    threads = threads if steps > WORTH_THREADS else 1
    top = sp_matmul_topn(asked, held, wide, threshold=0.0, sort=True, n_threads=threads)
    starts, sizes = top.indptr[:-1], np.diff(top.indptr)
    scores, places = rounded(top.data[: top.indptr[-1]]), top.indices[: top.indptr[-1]]
    ranks = np.arange(len(scores)) - np.repeat(starts, sizes)
    _order_ties(segments, scores, places, ranks < limit, ranks == 0)
    kept = ranks < limit
    owners = np.repeat(np.arange(len(queries)), sizes)
    kept[kept] = _possible(segments, queries, owners[kept], places[kept])
    hits = _hits(segments, places[kept], scores[kept])
    stops = np.cumsum(np.bincount(owners[kept], minlength=len(queries))).tolist()
    found = [hits[start:stop] for start, stop in zip([0, *stops], stops, strict=False)]
    wider = np.flatnonzero(sizes == wide)
    torn = wider[scores[starts[wider] + wide - 1] == scores[starts[wider] + limit - 1]]
    if len(torn) and wide < TIES:
        settled = search(segments, [queries[row] for row in torn], limit, threads, TIES)
        for row, best in zip(torn.tolist(), settled, strict=True):
            found[row] = best
    return found


def _matrices(segments: Sequence[Segment], queries: Sequence[Query]) -> tuple[Any, Any]:
    """Queries by terms, with idf, and terms by documents, with the length factor; their product is the score."""
    numbered = number([query.terms for query in queries])
    terms, columns = np.unique(numbered.terms, return_inverse=True)
    parts = [(segment, rows_of(segment, terms)) for segment in segments]
    size = sum(segment.size for segment in segments)
    frequencies: Ints = np.sum([segment.frequencies[rows] for segment, rows in parts], axis=0)
    idf = np.log1p((size - frequencies + 0.5) / (frequencies + 0.5))
    asked = csr_matrix((idf[columns], (numbered.owners, columns)), shape=(len(queries), len(terms)))
    averages: Floats = np.sum([segment.totals for segment in segments], axis=0) / size
    fields = np.searchsorted(terms, FIELD_STARTS)
    weighed = [_weighed(segment, rows, fields, averages) for segment, rows in parts]
    return asked, weighed[0] if len(weighed) == 1 else hstack(weighed, format="csr")


def _weighed(segment: Segment, rows: Ints, fields: Ints, averages: Floats) -> Any:
    """Rows of the segment's postings with BM25's length factor in place of the length, 0 for the dead."""
    part = segment.postings[rows]
    bounds = part.indptr[fields].tolist()
    for start, stop, average in zip(bounds, bounds[1:], averages.tolist(), strict=False):
        values = part.data[start:stop]
        values *= K1 * B / average
        values += 1 + K1 * (1 - B)
        np.reciprocal(values, out=values)
    if segment.size < len(segment.live):
        part.data *= segment.live[part.indices]
    return part


def _order_ties(
    segments: Sequence[Segment],
    scores: Floats,
    places: Ints,
    first_of_run: NDArray[np.bool_],
    first: NDArray[np.bool_],
) -> None:
    """Order by id, in place, each run of equal scores that begins with one of these."""
    begins = np.flatnonzero((np.diff(scores, prepend=-1) != 0) | first)
    sizes = np.diff(begins, append=len(scores))
    tied = (sizes > 1) & first_of_run[begins]
    among = np.flatnonzero(np.repeat(tied, sizes))
    runs = np.repeat(np.arange(tied.sum()), sizes[tied])
    orders = _gathered([segment.held.orders for segment in segments], places[among])
    order = np.lexsort((orders, runs))
    unclear = (np.diff(runs) == 0) & (np.diff(orders[order]) == 0)
    settled = places[among[order]]
    if unclear.any():
        ids = _gathered([segment.held.ids for segment in segments], settled).tolist()
        for run in np.unique(runs[1:][unclear]).tolist():
            start, stop = np.searchsorted(runs, [run, run + 1]).tolist()
            fixed = sorted(range(start, stop), key=ids.__getitem__)
            settled[start:stop] = settled[fixed]
    places[among] = settled


def _gathered(arrays: Sequence[NDArray[Any]], places: Ints) -> NDArray[Any]:
    """The elements at these places, counted over all the arrays."""
    starts = np.cumsum([0, *(len(array) for array in arrays)])
    homes = np.searchsorted(starts, places, side="right") - 1
    found = np.empty((len(places), *arrays[0].shape[1:]), arrays[0].dtype)
    for home, array in enumerate(arrays):
        here = homes == home
        found[here] = array[places[here] - starts[home]]
    return found


def _possible(segments: Sequence[Segment], queries: Sequence[Query], owners: Ints, places: Ints) -> NDArray[np.bool_]:
    """Which of the documents do not differ from their query by a mark."""
    asked = np.array([query.marks for query in queries], np.int64)
    if not asked.any():
        return np.ones(len(owners), np.bool_)
    ours, theirs = asked[owners], _gathered([segment.held.marks for segment in segments], places)
    possible: NDArray[np.bool_] = ~((ours != theirs) & (ours > 0) & (theirs > 0)).any(axis=1)
    return possible


def _hits(segments: Sequence[Segment], places: Ints, scores: Floats) -> list[Hit]:
    ids = _gathered([segment.held.ids for segment in segments], places)
    records = _gathered([segment.held.records for segment in segments], places)
    return list(map(Hit, ids.tolist(), scores.tolist(), records.tolist()))
