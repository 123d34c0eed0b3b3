"""A catalogue in memory that is being written to, and records to put there by hand."""

from collections.abc import Callable, Iterator

import pytest

from bibfold.catalogue import store
from bibfold.catalogue.rows import NEW, ClusterState, PlacedRecord
from bibfold.catalogue.writing import Writing
from bibfold.records.model import Record
from bibfold.records.native import encode

Fill = Callable[..., None]


@pytest.fixture
def write() -> Iterator[Writing]:
    with store.throw_away() as catalogue, catalogue.writing() as made:
        yield made


@pytest.fixture
def fill(write: Writing) -> Fill:
    """Found a cluster for each list of ids, with a record of source x for each id."""

    def filled(*clusters: list[str]) -> None:
        numbers = write.found([ClusterState(len(ids)) for ids in clusters])
        placed = [
            PlacedRecord(NEW, f"x:{id}", "x", encode(Record(source="x", id=id, title=f"On {id}")), id.encode(), no)
            for no, ids in enumerate(clusters, start=numbers.first)
            for id in ids
        ]
        write.join(placed, run=1)

    return filled
