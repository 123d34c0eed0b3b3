"""Reads a whole catalogue back: whether each record is what was received, and each cluster what its records say."""

from collections.abc import Iterator

from sqlalchemy import func, select

from bibfold.catalogue.reading import Reading, canonical_of
from bibfold.catalogue.rows import CHUNK, cluster_id
from bibfold.catalogue.schema import clusters, records
from bibfold.errors import CatalogueError
from bibfold.records.native import digest


def contradictions(read: Reading) -> Iterator[str]:
    """What in the catalogue cannot be as it was written, in words, streamed."""
    yield from _changed_contents(read)
    yield from _unreadable_canonicals(read)
    yield from _wrong_sizes(read)


def _changed_contents(read: Reading) -> Iterator[str]:
    query = select(records.c.no, records.c.key, records.c.content, records.c.digest).order_by(records.c.no).limit(CHUNK)
    after = 0
    while rows := read.execute(query.where(records.c.no > after)).all():
        for _, key, content, written in rows:
            if digest(content) != written:
                yield f"record {key} is not what was received: its checksum differs"
        after = rows[-1].no


def _unreadable_canonicals(read: Reading) -> Iterator[str]:
    query = select(clusters.c.no, clusters.c.canonical).where(clusters.c.canonical.is_not(None)).limit(CHUNK)
    after = 0
    while rows := read.execute(query.where(clusters.c.no > after).order_by(clusters.c.no)).all():
        for no, canonical in rows:
            try:
                canonical_of(no, canonical)
            except CatalogueError as error:
                yield str(error)
        after = rows[-1].no


def _wrong_sizes(read: Reading) -> Iterator[str]:
    held = select(records.c.cluster, func.count().label("held")).group_by(records.c.cluster).subquery()
    number = func.coalesce(held.c.held, 0)
    query = select(clusters.c.no, clusters.c.size, number).outerjoin(held, held.c.cluster == clusters.c.no)
    for no, size, found in read.execute(query.where(clusters.c.size != number)):
        yield f"cluster {cluster_id(no)} should hold {size} records, and holds {found}"
    homeless = select(records.c.key).where(records.c.cluster.not_in(select(clusters.c.no)))
    for key in read.execute(homeless).scalars():
        yield f"record {key} lies in a cluster that is not there"
