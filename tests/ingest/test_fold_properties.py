"""Whatever arrives in whatever batches, the catalogue and its index hang together."""

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from bibfold.catalogue import schema
from bibfold.catalogue.canonical import POLICIES
from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import cluster_id
from bibfold.errors import SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from indexer.check import check
from ingest import curate
from ingest.run import fold_stream

TITLES = (
    "Folding duplicate records",
    "Folding duplicate records as they arrive",
    "Folding records, part 1",
    "Folding records, part 2",
    "Erratum: Folding duplicate records",
    "Union catalogues of maps",
    "",
)
DOIS = ((), ("10.1000/1",), ("10.1000/2",))

records = st.builds(
    lambda source, id, title, author, year, doi: Record(
        source=source,
        id=id,
        title=title,
        authors=author,
        year=year,
        identifiers={"doi": doi} if doi else {},
    ),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["1", "2", "3", "4", "5"]),
    st.sampled_from(TITLES),
    st.sampled_from([(), ("Doe, Jane", "Roe, Richard", "Poe, Edgar"), ("Foe, Ada", "Roe, Richard")]),
    st.sampled_from([None, 2001, 2001, 2002]),
    st.sampled_from(DOIS),
)
runs = st.lists(st.lists(records, min_size=1, max_size=8), min_size=1, max_size=4)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    runs=runs,
    size=st.integers(1, 5),
    bridge=st.sampled_from(["merge", "join-best"]),
    canonical=st.sampled_from(sorted(POLICIES)),
    curated=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["same", "different"])), max_size=3
    ),
)
def test_catalogue_and_index_hang_together(
    runs: list[list[Record]],
    size: int,
    bridge: str,
    canonical: str,
    curated: list[tuple[int, int, str]],
) -> None:
    with throw_away([{"batch_size": size, "bridge": bridge, "canonical": canonical}]) as workspace:
        for at, run in enumerate(runs):
            fold_stream(workspace, run)
            if at < len(curated):
                _decide(workspace, *curated[at])
            _check_catalogue(workspace, canonical)
            assert check(workspace).agree


def _decide(workspace: Workspace, one: int, other: int, verdict: str) -> None:
    with workspace.catalogue.reading() as read:
        keys = list(read.execute(select(schema.records.c.key).order_by(schema.records.c.no)).scalars())
    a, b = keys[one % len(keys)], keys[other % len(keys)]
    if a == b:
        return
    with suppress(SettingsError):  # contradicts an earlier word
        placed = curate.decide(workspace, a, b, "same" if verdict == "same" else "different")
        assert (placed[0] == placed[1]) == (verdict == "same")


def _check_catalogue(workspace: Workspace, canonical: str) -> None:
    with workspace.catalogue.reading() as read:
        standing = {cluster.no: cluster for part in read.standing() for cluster in part.values()}
        _check_clusters(read, list(standing))
        for cluster in standing.values():
            assert cluster.members
            if len(cluster.members) > 1:
                assert cluster.canonical == POLICIES[canonical](cluster.members, ())
            else:
                assert cluster.canonical.record == cluster.members[0]
        assert read.execute(select(func.count()).select_from(schema.outbox)).scalar_one() == 0
    assert set(workspace.engine.ids(workspace.index())) == {cluster_id(no) for no in standing}


def _check_clusters(read: Reading, standing: Sequence[int]) -> None:
    """Each record lies in one standing cluster, sizes are right, redirects lead to a standing cluster."""
    sizes = select(schema.records.c.cluster, func.count()).group_by(schema.records.c.cluster)
    held = {row.cluster: row[1] for row in read.execute(sizes)}
    rows = read.execute(select(schema.clusters)).all()
    assert {row.no: row.size for row in rows if row.size} == held
    assert set(held) == set(standing)
    gone = [row.no for row in rows if row.no not in held]
    assert set(read.survivors(gone)) == set(gone)
    assert set(read.leads(gone).values()) <= set(standing)
    assert all(row.no in gone for row in rows if row.merged_into is not None)


@settings(max_examples=15, deadline=None)
@given(st.lists(records, min_size=1, max_size=10), st.integers(1, 4))
def test_folding_again_changes_nothing(stream: list[Record], size: int) -> None:
    with throw_away([{"batch_size": size}]) as workspace:
        fold_stream(workspace, stream)
        before = _state(workspace)
        again = fold_stream(workspace, stream)
        assert again.records == 0
        assert _state(workspace) == before


def _state(workspace: Workspace) -> list[object]:
    tables = (schema.records, schema.clusters, schema.events, schema.reviews, schema.outbox)
    with workspace.catalogue.reading() as read:
        return [[tuple(row) for row in read.execute(select(table))] for table in tables]


@pytest.mark.parametrize("canonical", sorted(POLICIES))
def test_a_founder_that_was_split_off_and_merged_again_is_the_first(canonical: str) -> None:
    authors = ("Doe, Jane", "Roe, Richard")
    stream = [
        Record(source="x", id=str(at), title=TITLES[1], authors=authors, year=2001, abstract=f"P{at}")
        for at in range(3)
    ]
    with throw_away([{"canonical": canonical}]) as workspace:
        fold_stream(workspace, stream)
        new = curate.split(workspace, "c1", ["x:0"])
        curate.merge(workspace, ["c1", new])
        _check_catalogue(workspace, canonical)
