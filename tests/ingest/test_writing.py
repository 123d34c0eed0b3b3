"""What a batch decided comes into the catalogue as a whole, with real numbers in place of the provisional ones."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from msgspec.structs import replace
from sqlalchemy import select

from bibfold.catalogue import schema, store
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.reviews import review_list
from bibfold.catalogue.rows import NEW, PUBLISHED, Numbers
from bibfold.catalogue.views import event_list
from bibfold.errors import CatalogueError
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest.decide import NAMED, Deciding, Proposal, Rules
from ingest.groups import Group, group_of
from ingest.incoming import Incoming, arrive
from ingest.run import fold_stream
from ingest.sifting import Run, sift
from ingest.writing import final_no, write_batch
from lookup.matcher import matcher_of

Make = Callable[..., Record]

RULES = Rules()


def fresh(workspace: Workspace, records: Sequence[Record]) -> list[Incoming]:
    """Records that the catalogue does not have, as they are after sifting."""
    with store.throw_away() as empty, empty.reading() as read:
        return sift(read, map(arrive, records), Run(1), workspace.keys).incoming


def begun(workspace: Workspace, groups: Mapping[int, Group] = {}) -> Deciding:
    return Deciding(matcher_of(workspace.settings), RULES, groups, {})


def earlier(*places: int) -> list[Proposal]:
    """Earlier records of the batch, to be compared with as they are now."""
    return [Proposal(place, True, NAMED) for place in places]


def written(workspace: Workspace, deciding: Deciding, batch: Sequence[Incoming] = ()) -> tuple[Numbers, int]:
    with workspace.catalogue.writing() as write:
        return write_batch(write, deciding, batch, run=7)


def lying(workspace: Workspace) -> dict[str, str]:
    with workspace.catalogue.reading() as read:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(read)}


def test_new_clusters_are_numbered_after_those_that_are_stored(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    batch = fresh(workspace, [make("3", 2), make("4", 3)])
    deciding = begun(workspace)
    for one in batch:
        deciding.place(one, ())
    numbers, last = written(workspace, deciding, batch)
    assert [numbers.real(no) for no in deciding.placed] == [3, 4]
    assert lying(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c3", "x:4": "c4"}
    with workspace.catalogue.reading() as read:
        assert read.outbox(PUBLISHED, 99, 10) == ([3, 4], last)
        assert read.stored(["x:4"])["x:4"].run == 7
        assert [event["cluster"] for event in event_list(read, None, 2)] == ["c4", "c3"]


def test_a_record_joins_one_that_came_before_it_in_the_batch(workspace: Workspace, make: Make) -> None:
    batch = fresh(workspace, [make("1", 1), make("2"), make("3", publisher="Press")])
    deciding = begun(workspace)
    for place, one in enumerate(batch):
        deciding.place(one, earlier(1) if place == 2 else ())
    written(workspace, deciding, batch)
    assert lying(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c2"}
    with workspace.catalogue.reading() as read:
        cluster = read.clusters([2])[2]
        assert cluster.canonical.provenance["publisher"] == "x:3"
        assert [record.key for record in cluster.members] == ["x:2", "x:3"]


def test_new_clusters_that_merged_redirect_by_their_real_numbers(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1", 1)])
    batch = fresh(workspace, [make("2"), make("3"), make("4")])
    deciding = begun(workspace)
    deciding.place(batch[0], ())
    deciding.place(batch[1], ())
    deciding.place(batch[2], earlier(0, 1))
    assert [final_no(deciding, NEW + at) for at in range(2)] == [NEW, NEW]
    written(workspace, deciding, batch)
    assert lying(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c2", "x:4": "c2"}
    with workspace.catalogue.reading() as read:
        assert read.merged_into(2) == [3]
        merged = next(event for event in event_list(read, None, 9) if event["kind"] == "merged")
        assert (merged["cluster"], merged["other"]) == ("c2", "c3")


def test_stored_clusters_that_merged_take_their_records_along(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)])
    with workspace.catalogue.reading() as read:
        one, two, three = (group_of(cluster, RULES.canonical) for cluster in read.clusters([1, 2, 3]).values())
    deciding = begun(workspace, {1: one, 2: two, 3: three})
    deciding.merge(two, three, "by hand")
    deciding.merge(one, two, "by hand")
    written(workspace, deciding)
    assert set(lying(workspace).values()) == {"c1"}
    with workspace.catalogue.reading() as read:
        redirects = read.execute(select(schema.clusters.c.size, schema.clusters.c.merged_into)).all()
    assert [tuple(row) for row in redirects] == [(3, None), (0, 1), (0, 2)]


@pytest.mark.parametrize("history", [True, False])
def test_history_is_kept_where_the_catalogue_keeps_one(make: Make, history: bool) -> None:
    layers = [{"profile": "mendeley-title", "same": 0.9, "unsure": 0.2}]
    with throw_away(layers, history=history) as workspace:
        batch = fresh(workspace, [make("1"), make("2", title="Folding duplicate cards")])
        deciding = begun(workspace)
        deciding.place(batch[0], ())
        deciding.place(batch[1], earlier(0))
        _, last = written(workspace, deciding, batch)
        with workspace.catalogue.reading() as read:
            counts = [len(list(event_list(read, None, 9))), len(list(review_list(read, 9))), read.count_outbox()]
        assert ([*counts, last], len(lying(workspace))) == ([2, 1, 2, 2] if history else [0, 0, 0, 0], 2)


def test_a_changed_record_gets_its_content_and_keeps_its_number(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    with workspace.catalogue.reading() as read:
        stored = read.stored(["x:2"])["x:2"]
        group = group_of(read.clusters([1])[1], RULES.canonical)
    (given,) = fresh(workspace, [make("2", pages="7")])
    given = replace(given, stored=stored, no=stored.no)
    deciding = begun(workspace, {1: group})
    deciding.place(given, ())
    numbers, _ = written(workspace, deciding, [given])
    with workspace.catalogue.reading() as read:
        now = read.stored(["x:2"])["x:2"]
        assert (now.no, now.digest, now.run, now.cluster) == (stored.no, given.digest, 7, 1)
        assert read.clusters([1])[1].canonical.record.pages == "7"
    assert numbers.real(1) == 1


def test_a_failure_writes_nothing(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1")])
    batch = fresh(workspace, [make("1"), make("2", 1)])  # the first is there already: its key is taken
    deciding = begun(workspace)
    for given in batch:
        deciding.place(given, ())
    with pytest.raises(CatalogueError):
        written(workspace, deciding, batch)
    assert lying(workspace) == {"x:1": "c1"}
    with workspace.catalogue.reading() as read:
        assert (read.last_cluster(), read.count_outbox()) == (1, 0)
