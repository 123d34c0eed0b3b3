"""The catalogue's tables, their version, and how an older catalogue is brought up to date."""

import time
from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    insert,
    inspect,
    select,
    update,
)

from bibfold.catalogue.rows import other_name
from bibfold.errors import CatalogueError, CatalogueNewer
from bibfold.records.native import decode

SCHEMA_VERSION = 6

metadata = MetaData()

_Number = BigInteger().with_variant(Integer, "sqlite")

meta = Table("meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("started", Float, nullable=False),
    Column("command", Text, nullable=False),
)

records = Table(
    "records",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("source", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("cluster", _Number, nullable=False, index=True),
    Column("run", _Number, nullable=False),
    Column("file", LargeBinary),
)
"""`file` stands for the file of a record whose id is a label there: only that file changes the record."""

former_contents = Table(
    "former_contents",
    metadata,
    Column("key", Text, primary_key=True),
    Column("digest", LargeBinary, primary_key=True),
    Column("deleted", Boolean, nullable=False),
)
"""What records held before their present content; what was `deleted` does not come back when it is read again."""

other_names = Table(
    "other_names",
    metadata,
    Column("name", Text, primary_key=True),
    Column("key", Text, nullable=False, index=True),
)
"""Names by which a source may delete a record, beside its key."""

clusters = Table(
    "clusters",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("size", Integer, nullable=False),
    Column("canonical", LargeBinary),
    Column("merged_into", _Number, index=True),
)
"""`canonical` is empty for a cluster of one: the record itself is what it looks like from outside."""

last_members = Table(
    "last_members",
    metadata,
    Column("cluster", _Number, primary_key=True),
    Column("record", Text, primary_key=True, index=True),
)
"""The keys of the records that an empty cluster held when it was last not empty."""

events = Table(
    "events",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("at", Float, nullable=False),
    Column("run", _Number, nullable=False),
    Column("kind", Text, nullable=False),
    Column("cluster", _Number, nullable=False, index=True),
    Column("other", _Number),
    Column("record", Text, index=True),
    Column("cause", Text, nullable=False),
    Column("profile", Text),
    Column("score", Float),
    Column("evidence", LargeBinary),
)

decisions = Table(
    "decisions",
    metadata,
    Column("a", Text, primary_key=True),
    Column("b", Text, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("note", Text, nullable=False),
    Column("curation", _Number),
)
"""What a person decided of two records; `curation` is the change that this came about by, if it was kept."""
Index("decisions_b", decisions.c.b)

curations = Table(
    "curations",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("at", Float, nullable=False),
    Column("command", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("before", LargeBinary, nullable=False),
    Column("after", LargeBinary, nullable=False),
    Column("undone", Float),
)
"""A person's changes: in which clusters the records lay and what was decided of them, before and after."""

reviews = Table(
    "reviews",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("record", Text, nullable=False, index=True),
    Column("against", Text, nullable=False, index=True),
    Column("score", Float, nullable=False),
    Column("comparison", LargeBinary, nullable=False),
    Column("at", Float, nullable=False),
)
"""Pairs of records that were doubtful when they were compared; `bibfold.catalogue.reviews` tells which are open."""

dead_letters = Table(
    "dead_letters",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("run", _Number, nullable=False),
    Column("file", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("raw", Text, nullable=False),
    Column("closed", _Number),
)
"""What could not be read, the run that met it last, and the one that read its file without meeting it."""

outbox = Table(
    "outbox",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("cluster", _Number, nullable=False),
    Column("target", Text, nullable=False, server_default=""),
)
"""Clusters whose documents are out of date, in the order in which they became so; `target` is the index that is
being built, or empty for the published one."""
_by_target = Index("outbox_target", outbox.c.target, outbox.c.no)

tokens = Table(
    "tokens",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("revoked", Float),
)
"""Who may use the service; of a secret only its digest is kept."""

commands = Table(
    "commands",
    metadata,
    Column("no", _Number, primary_key=True),
    Column("at", Float, nullable=False),
    Column("who", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("state", Text, nullable=False),
    Column("answer", LargeBinary),
    Column("answered", Float),
)
"""What others ask of the writer, in order; `state` is `waiting`, `done` or `failed`."""
_by_state = Index("commands_state", commands.c.state, commands.c.no)

Migration = Callable[[Connection], None]


def _give_outbox_targets(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE outbox ADD COLUMN target TEXT NOT NULL DEFAULT ''")
    _by_target.create(connection)


def _make_room_for_deletions(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE records ADD COLUMN file BLOB")
    for table in (former_contents, other_names, last_members):
        table.create(connection)
    kept = select(records.c.key, records.c.content)
    for key, content in connection.execute(kept.execution_options(yield_per=10_000)):
        if b'"oai_identifier":' in content and (name := other_name(decode(content))):
            connection.execute(insert(other_names).prefix_with("OR IGNORE").values(name=name, key=key))


def _keep_curations(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE decisions ADD COLUMN curation BIGINT")
    curations.create(connection)


def _let_dead_letters_be_closed(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE dead_letters ADD COLUMN closed BIGINT")


def _add_service(connection: Connection) -> None:
    tokens.create(connection)
    commands.create(connection)


MIGRATIONS: dict[int, Migration] = {
    1: _give_outbox_targets,
    2: _keep_curations,
    3: _let_dead_letters_be_closed,
    4: _add_service,
    5: _make_room_for_deletions,
}
"""From each older version, the step to the next: `MIGRATIONS[n]` brings a catalogue of version n to n + 1."""


def is_empty(connection: Connection) -> bool:
    """Whether the database holds nothing yet."""
    return not inspect(connection).get_table_names()


def create(connection: Connection) -> None:
    """Make the tables of an empty catalogue."""
    metadata.create_all(connection)
    connection.execute(insert(meta).values(name="schema", value=str(SCHEMA_VERSION)))
    connection.execute(insert(meta).values(name="created", value=str(time.time())))


def version(connection: Connection) -> int | None:
    """The schema version of a catalogue; None where the database is no catalogue."""
    tables = inspect(connection).get_table_names()
    if meta.name not in tables or records.name not in tables:
        return None
    return int(connection.execute(select(meta.c.value).where(meta.c.name == "schema")).scalar_one())


def check_readable(connection: Connection, place: str) -> int:
    """Refuse a database that this version cannot understand; else its schema version."""
    found = version(connection)
    if found is None:
        raise CatalogueError(f"{place} holds a database but no catalogue; name another folder")
    if found > SCHEMA_VERSION:
        raise CatalogueNewer(
            f"{place} has schema {found}, this bibfold knows {SCHEMA_VERSION}: it was made by a later version; "
            "upgrade bibfold to use it"
        )
    return found


def migrate(connection: Connection, place: str) -> None:
    """Bring an older catalogue up to date, one step after the other."""
    for step in range(check_readable(connection, place), SCHEMA_VERSION):
        if step not in MIGRATIONS:
            raise CatalogueError(f"{place} has schema {step}, which this bibfold can no longer bring up to date")
        MIGRATIONS[step](connection)
        connection.execute(update(meta).where(meta.c.name == "schema").values(value=str(step + 1)))
