"""Rows: clusters found by any of their names, redirects followed, many values at a time."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.rows import CHUNK, cluster_no, every, held, merged_into, resolve, survivors
from bibfold.catalogue.schema import clusters
from bibfold.errors import NotFound
from bibfold.records.model import Record
from bibfold.workspace import Workspace
from ingest.run import fold_stream

Make = Callable[..., Record]


def test_a_cluster_is_found_by_its_id_and_by_its_records(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2"), make("c1", 1)])
    with workspace.catalogue.reading() as connection:
        assert [resolve(connection, name) for name in ("c1", "x:2", "c2", "x:c1")] == [1, 1, 2, 2]
        for name in ("c9", "x:9", "c", "", "c1x", "c²"):
            with pytest.raises(NotFound, match="no cluster or record"):
                resolve(connection, name)


@pytest.mark.parametrize("name", ["", "c", "12", "x:1", "c²"])
def test_what_is_no_cluster_id(name: str) -> None:
    with pytest.raises(NotFound, match="is no cluster id"):
        cluster_no(name)


def test_redirects_far_and_wide(workspace: Workspace) -> None:
    chain = {no: no - 1 or None for no in range(1, 21)}
    star = dict.fromkeys(range(21, 21 + 2 * CHUNK), 20)
    rows = [{"no": no, "size": int(no == 1), "merged_into": into} for no, into in {**chain, **star}.items()]
    with workspace.catalogue.writing() as connection:
        connection.execute(clusters.insert(), rows)
        assert survivors(connection, [1, 20, 99, 9999]) == {1: 1, 20: 1, 99: 1}
        assert merged_into(connection, 1) == list(range(2, 21 + 2 * CHUNK))


def test_more_records_than_one_question_takes(workspace: Workspace) -> None:
    records = [Record(source="x", id=str(at), title=f"t{at} u{at}") for at in range(CHUNK + 7)]
    fold_stream(workspace, records)
    with workspace.catalogue.reading() as connection:
        assert len(held(connection, [record.key for record in records])) == CHUNK + 7
        assert [len(part) for part in every(connection)] == [CHUNK, 7]
