"""Clusters that hang together are found through the records that are the same, and through what people decided."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from msgspec.structs import replace

from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest import components
from ingest.components import Components
from ingest.run import fold_stream
from lookup.matcher import matcher_of

Make = Callable[..., Record]

BY_TITLE = {"profile": "mendeley-title"}


def titled(*titles: str) -> list[Record]:
    return [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]


def found(workspace: Workspace, suspects: Sequence[int]) -> list[list[int]]:
    looking = Components(workspace, matcher_of(workspace.settings))
    return [[cluster.no for cluster in component.clusters] for component in looking.of(suspects)]


def test_clusters_that_nothing_ties_are_components_of_their_own(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3", 2), make("4")])
    assert found(workspace, [3, 1]) == [[1], [3]]
    assert found(workspace, []) == []


def test_a_number_that_no_cluster_has_is_passed_over(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1")])
    assert found(workspace, [1, 77]) == [[1]]


CHAIN = ("arctic terns migrate north", "terns migrate north slowly", "migrate north slowly today")
"""Each two neighbours share three words of five."""


def by(workspace: Workspace, same: float) -> Components:
    """Looks by another threshold than the records were folded by."""
    return Components(workspace, matcher_of(replace(workspace.settings, same=same, unsure=same)))


@pytest.fixture
def chained() -> Iterator[Workspace]:
    """Four clusters of one record each."""
    with throw_away([BY_TITLE | {"same": 0.99, "unsure": 0.99}]) as workspace:
        fold_stream(workspace, titled(*CHAIN, "stone masons build towers"))
        yield workspace


def test_a_chain_is_followed_to_its_end_from_any_link(chained: Workspace) -> None:
    for suspect in (1, 2, 3):
        (component,) = by(chained, 0.55).of([suspect])
        assert [cluster.no for cluster in component.clusters] == [1, 2, 3]
        assert component.size == 3
    assert found(chained, [1, 2, 3, 4]) == [[1], [2], [3], [4]], "by the threshold of the fold nothing is the same"


def test_a_component_stops_growing_when_it_is_too_large(chained: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST", 1)
    (component,) = by(chained, 0.55).of([1])
    assert [cluster.no for cluster in component.clusters] == [1, 2]


def test_a_cluster_that_is_too_large_is_not_even_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST", 2)
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, titled(*["arctic terns migrate north"] * 3, "stone masons build towers"))
        looking = Components(workspace, matcher_of(workspace.settings))
        assert looking.too_large == {1: 3}
        assert [component.clusters[0].no for component in looking.of([1, 2])] == [2]


def test_what_a_person_holds_to_be_the_same_hangs_together(chained: Workspace) -> None:
    with chained.catalogue.writing() as write:
        write.record_verdicts([("x:0", "x:3")], "same")
        write.record_verdicts([("x:1", "x:2")], "different")
        write.record_verdicts([("x:1", "x:99")], "same")
    looking = by(chained, 0.99)
    (component,) = looking.of([4])
    assert [cluster.no for cluster in component.clusters] == [1, 4]
    assert looking.verdicts["x:0"] == {"x:3": "same"}


def test_only_what_reaches_out_of_its_component_is_looked_at_again(chained: Workspace) -> None:
    assert by(chained, 0.55).reaching([1, 2], {1: 0, 2: 0}) == [2]
    assert by(chained, 0.55).reaching([1, 2], {1: 0, 2: 0, 3: 0}) == []


def test_the_records_of_a_cluster_are_prepared_once(chained: Workspace) -> None:
    looking = by(chained, 0.55)
    (component,) = looking.of([1])
    rows = len(looking.matcher.columns.rows)
    places = [looking.places(cluster) for cluster in component.clusters]
    assert len({place for one in places for place in one}) == 3
    assert len(looking.matcher.columns.rows) == rows
