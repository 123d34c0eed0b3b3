"""The review queue as it stands: what was doubtful when it was compared, and is still open.

Noted pairs are of records; a person decides on clusters. A pair is open while its records lie in two clusters and no
person has kept these apart, so one that falls together or is decided leaves the queue by itself, and comes back when
that is undone. Of several pairs between the same two clusters the one with the best score stands for all.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Subquery, and_, case, func, select

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import Cluster, chunks, cluster_id
from bibfold.catalogue.schema import decisions, records, reviews


class OpenReview(msgspec.Struct, frozen=True):
    """Two clusters that may be one: the pair of records that stands for them, how many such pairs there are.

    `comparison` is as it was kept, JSON.
    """

    a: str
    b: str
    clusters: tuple[int, int]
    score: float
    comparison: bytes
    pairs: int


def open_reviews(read: Reading) -> Iterator[OpenReview]:
    """What a person should decide, highest score first, streamed."""
    places = _places()
    query = (
        select(reviews, places.c.mine, places.c.yours, places.c.pairs)
        .join(places, places.c.no == reviews.c.no)
        .where(places.c.place == 1)
        .order_by(reviews.c.score.desc(), reviews.c.no)
    )
    for row in read.execute(query):
        yield OpenReview(row.record, row.against, (row.mine, row.yours), row.score, row.comparison, row.pairs)


def count_open(read: Reading) -> int:
    """How many pairs of clusters a person should decide."""
    places = _places()
    return read.execute(select(func.count()).select_from(places).where(places.c.place == 1)).scalar_one()


def review_list(read: Reading, limit: int | None) -> Iterator[dict[str, Any]]:
    """What a person should decide, with clusters, titles and the reason for doubt, highest score first."""
    for part in chunks(islice(open_reviews(read), limit)):
        clusters = read.clusters({no for review in part for no in review.clusters})
        for review in part:
            yield _described(review, clusters)


def doubt(comparison: Mapping[str, Any]) -> str:
    """Why a pair was left to a person: what forbids or cautions against `same`, else its score."""
    if comparison["vetoes"]:
        return "; ".join(comparison["vetoes"])
    return f"a score of {comparison['score']:.3f} is enough for neither same nor different"


def _described(review: OpenReview, clusters: Mapping[int, Cluster]) -> dict[str, Any]:
    comparison = msgspec.json.decode(review.comparison)
    return {
        "a": review.a,
        "b": review.b,
        "clusters": [cluster_id(no) for no in review.clusters],
        "titles": [clusters[no].canonical.record.title for no in review.clusters],
        "pairs": review.pairs,
        "doubt": doubt(comparison),
        **comparison,
    }


def _places() -> Subquery:
    """The open pairs, each with its place among those between the same clusters."""
    one, other = records.alias(), records.alias()
    low, high = _ordered(one.c.cluster, other.c.cluster)
    apart = _kept_apart()
    best = func.row_number().over(partition_by=(low, high), order_by=(reviews.c.score.desc(), reviews.c.no))
    return (
        select(
            reviews.c.no,
            one.c.cluster.label("mine"),
            other.c.cluster.label("yours"),
            best.label("place"),
            func.count().over(partition_by=(low, high)).label("pairs"),
        )
        .join(one, one.c.key == reviews.c.record)
        .join(other, other.c.key == reviews.c.against)
        .join(apart, and_(apart.c.low == low, apart.c.high == high), isouter=True)
        .where(one.c.cluster != other.c.cluster, apart.c.low.is_(None))
        .subquery()
    )


def _kept_apart() -> Subquery:
    """The pairs of clusters that a person keeps apart."""
    one, other = records.alias(), records.alias()
    low, high = _ordered(one.c.cluster, other.c.cluster)
    return (
        select(low.label("low"), high.label("high"))
        .select_from(decisions)
        .join(one, one.c.key == decisions.c.a)
        .join(other, other.c.key == decisions.c.b)
        .where(decisions.c.verdict == "different")
        .distinct()
        .subquery()
    )


def _ordered(one: ColumnElement[int], other: ColumnElement[int]) -> tuple[ColumnElement[int], ColumnElement[int]]:
    return case((one < other, one), else_=other), case((one < other, other), else_=one)
