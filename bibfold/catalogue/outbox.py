"""The outbox: whose documents are out of date, in the published index and in one that is being built."""

from collections.abc import Iterable
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from bibfold.catalogue.rows import highest, insert_many
from bibfold.catalogue.schema import meta, outbox

PUBLISHED: Final = ""
"""The target of rows for the published index; other rows name the index that is being built."""

_BUILD: Final = "build"


class Build(msgspec.Struct, frozen=True):
    """An index that is being built: what by, up to which cluster it is scanned, and how far it is committed."""

    index: str
    engine: str
    languages: tuple[str, ...]
    retriever: str
    last: int
    done: int = 0


def building(connection: Connection) -> Build | None:
    """The build that is under way or was left half done, if any."""
    text = connection.execute(select(meta.c.value).where(meta.c.name == _BUILD)).scalar()
    return msgspec.json.decode(text, type=Build) if text else None


def register(connection: Connection, build: Build) -> None:
    """Keep how far a build has got; from the first time on, every change is noted for it, too."""
    _forget_build(connection)
    connection.execute(insert(meta).values(name=_BUILD, value=msgspec.json.encode(build).decode()))


def unregister(connection: Connection, index: str) -> None:
    """Forget a build and what was noted for it."""
    _forget_build(connection)
    connection.execute(delete(outbox).where(outbox.c.target == index))


def _forget_build(connection: Connection) -> None:
    connection.execute(delete(meta).where(meta.c.name == _BUILD))


def note(connection: Connection, clusters: Iterable[int]) -> int:
    """Note that documents of clusters are out of date; the number of the last row for the published index."""
    build = building(connection)
    before = last = highest(connection, outbox)
    changed = list(clusters)
    for target in (PUBLISHED, build.index) if build else (PUBLISHED,):
        rows = [{"no": last + at, "cluster": no, "target": target} for at, no in enumerate(changed, start=1)]
        insert_many(connection, outbox, rows)
        last += len(rows)
    return before + len(changed)


def noted(connection: Connection, target: str, upto: int, limit: int) -> tuple[list[int], int]:
    """The clusters in a target's oldest rows, and the number of the last of these rows; 0 where there is none."""
    of_target = select(outbox).where(outbox.c.target == target, outbox.c.no <= upto)
    rows = connection.execute(of_target.order_by(outbox.c.no).limit(limit)).all()
    return list(dict.fromkeys(row.cluster for row in rows)), rows[-1].no if rows else 0


def forget(connection: Connection, target: str, upto: int) -> None:
    """Forget a target's rows up to one that its index has."""
    connection.execute(delete(outbox).where(outbox.c.target == target, outbox.c.no <= upto))


def waiting(connection: Connection, target: str = PUBLISHED) -> int:
    """How many rows a target has."""
    return connection.execute(select(func.count()).select_from(outbox).where(outbox.c.target == target)).scalar_one()
