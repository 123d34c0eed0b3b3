"""What has to change in a component: ids go where most of their records go, and every change says why."""

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from bibfold.catalogue.rows import NEW
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest.components import Component, Components
from ingest.regroup import Change, Member, _named, regroupings
from ingest.run import fold_stream
from lookup.matcher import matcher_of

EMPTY = Record(source="x", id="")


def members(*clusters: int) -> list[Member]:
    """Members of these clusters, numbered in order."""
    return [Member(no, EMPTY, cluster, no) for no, cluster in enumerate(clusters, start=1)]


@pytest.mark.parametrize(
    ("clusters", "labels", "names"),
    [
        ((1, 1, 2), (0, 0, 2), {0: 1, 2: 2}),
        ((1, 2, 2), (0, 0, 0), {0: 1}),
        ((1, 1, 1), (0, 1, 1), {0: NEW, 1: 1}),
        ((1, 1, 2, 2), (0, 1, 0, 1), {0: 1, 1: NEW}),
        ((1, 1, 1, 2), (0, 1, 2, 3), {0: 1, 1: NEW, 2: NEW + 1, 3: 2}),
        ((3, 5), (0, 0), {0: 3}),
        ((1, 2, 2, 2), (0, 0, 1, 1), {0: 1, 1: 2}),
    ],
)
def test_an_id_goes_where_most_of_its_records_go(
    clusters: Sequence[int], labels: Sequence[int], names: dict[int, int]
) -> None:
    naming = _named(members(*clusters), labels)
    assert naming.name == names
    held = {(cluster, label) for cluster, label in zip(clusters, labels, strict=True)}
    assert all((cluster, label) in held for cluster, label in naming.heir.items()), "an id leads to what it held"


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    titles = ("arctic terns fly north", "arctic terns fly south", "arctic terns fly north", "lunar dust settles early")
    with throw_away([{"profile": "mendeley-title"}]) as opened:
        fold_stream(opened, [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)])
        yield opened


def changes(workspace: Workspace, same: float) -> list[Change]:
    matcher = matcher_of(replace(workspace.settings, same=same, unsure=same))
    components = Components(workspace, matcher)
    return [change for one in regroupings(components, components.of([1, 2])) for change in one.changes]


def test_a_component_that_stands_as_it_should_is_left_out(workspace: Workspace) -> None:
    assert changes(workspace, 0.3) == []


def test_a_split_names_the_records_the_pair_and_how_many_pairs_are_the_same(workspace: Workspace) -> None:
    (split,) = changes(workspace, 0.9)
    assert (split.kind, split.left, split.joined) == ("split", 1, NEW)
    assert [record.key for record in split.records.values()] == ["x:1"]
    assert (split.pair.a, split.pair.b) in [("x:1", "x:0"), ("x:1", "x:2")]
    assert split.cause == f"0 of 2 pairs are the same; x:1 and {split.pair.b}: {split.pair.comparison.summary}"


def test_a_persons_word_is_the_reason_where_there_is_one(workspace: Workspace) -> None:
    with workspace.catalogue.writing() as write:
        write.record_verdicts([("x:0", "x:2")], "different")
    (split,) = changes(workspace, 0.3)
    assert split.cause in [
        f"decided by a person: {one} and {other} are different" for one, other in (("x:0", "x:2"), ("x:2", "x:0"))
    ]


def test_a_component_of_one_record_has_nothing_to_change(workspace: Workspace) -> None:
    components = Components(workspace, matcher_of(workspace.settings))
    with workspace.catalogue.reading() as read:
        alone = Component([read.clusters([2])[2]])
    assert list(regroupings(components, [alone])) == []
