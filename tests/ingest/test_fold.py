"""What the fold promises: its steps, what it tells observers, idempotent, changes re-decided, bridges, vetoes."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select

from bibfold.catalogue import schema
from bibfold.catalogue.exports import memberships
from bibfold.catalogue.reviews import review_list
from bibfold.catalogue.rows import NEW
from bibfold.catalogue.views import cluster_data, event_list, retired_data
from bibfold.engines.base import Change, Hit, Put, Query
from bibfold.errors import EngineUnavailable, Retired
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace, throw_away
from indexer.check import check
from ingest.batches import Batch, batches
from ingest.fold import Fold
from ingest.neighbours import Neighbours, neighbours
from ingest.observer import BatchFolded, Observer
from ingest.run import Totals, fold_stream, start
from lookup.matcher import matcher_of

Make = Callable[..., Record]


def homes(workspace: Workspace) -> dict[str, str]:
    """For each record its cluster."""
    with workspace.catalogue.reading() as read:
        return {f"{source}:{id}": cluster for cluster, source, id in memberships(read)}


def together(workspace: Workspace) -> set[frozenset[str]]:
    """The records that lie in one cluster, cluster by cluster, whatever the clusters are called."""
    placed = homes(workspace)
    return {frozenset(key for key in placed if placed[key] == cluster) for cluster in placed.values()}


def kinds(workspace: Workspace, name: str | None = None) -> list[str]:
    """The kinds of the events, oldest first."""
    with workspace.catalogue.reading() as read:
        return [event["kind"] for event in event_list(read, name, 1000)][::-1]


def counts(workspace: Workspace) -> list[int]:
    """How many rows each table has that a fold writes to."""
    tables = (schema.records, schema.clusters, schema.events, schema.reviews, schema.outbox)
    with workspace.catalogue.reading() as read:
        return [read.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def fold(workspace: Workspace, *records: Record) -> Totals:
    totals = fold_stream(workspace, records)
    assert check(workspace).agree
    return totals


def test_the_same_records_again_change_nothing(workspace: Workspace, make: Make) -> None:
    records = [make("1"), make("2", title="Folding Duplicate Records as they arrive"), make("3", 1)]
    fold(workspace, *records)
    before, placed = counts(workspace), homes(workspace)
    again = fold(workspace, *records)
    assert (again.records, again.unchanged) == (0, 3)
    assert counts(workspace) == before
    assert homes(workspace) == placed


def test_records_of_one_batch_see_each_other(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"), make("2", 1), make("3", source="y"), make("4", 1, source="y"))
    assert together(workspace) == {frozenset({"x:1", "y:3"}), frozenset({"x:2", "y:4"})}


def test_a_record_of_a_later_run_joins_what_is_there(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"))
    totals = fold(workspace, make("2", source="y"))
    assert (totals.records, totals.clusters, totals.same) == (1, 0, 1)
    assert homes(workspace) == {"x:1": "c1", "y:2": "c1"}
    assert kinds(workspace) == ["founded", "joined"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_clear_cases_do_not_depend_on_the_size_of_batches(make: Make, size: int) -> None:
    records = [make(str(at), at % 6, source=f"s{at % 4}") for at in range(24)]
    with throw_away([{"batch_size": size}]) as workspace:
        fold(workspace, *records)
        assert together(workspace) == {
            frozenset(records[at].key for at in range(24) if at % 6 == work) for work in range(6)
        }


def test_changed_content_that_still_agrees_stays(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"), make("2"))
    totals = fold(workspace, make("2", pages="1-10"))
    assert (totals.records, totals.clusters) == (1, 0)
    assert homes(workspace) == {"x:1": "c1", "x:2": "c1"}
    assert kinds(workspace)[-1] == "changed"
    with workspace.catalogue.reading() as read:
        assert cluster_data(read, "c1")["canonical"]["pages"] == "1-10"


def test_changed_content_that_differs_leaves_for_a_cluster_of_its_own(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"), make("2"))
    fold(workspace, make("2", 3))
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2"}
    assert kinds(workspace, "c2") == ["split"]


def test_changed_content_moves_to_the_cluster_that_it_now_agrees_with(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"), make("2"), make("3", 3))
    fold(workspace, make("2", 3))
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c2"}
    assert kinds(workspace)[-1] == "moved"


@pytest.mark.parametrize(("changed", "left", "joined"), [("2", "c2", "c1"), ("1", "c1", "c2")])
def test_a_lone_record_that_becomes_another_work_leaves_a_retired_id_and_gets_it_back(
    workspace: Workspace, make: Make, changed: str, left: str, joined: str
) -> None:
    fold(workspace, make("1"), make("2", 3))
    fold(workspace, make(changed, 3 if changed == "1" else 0))
    assert homes(workspace) == {"x:1": joined, "x:2": joined}
    with workspace.catalogue.reading() as read:
        shown = retired_data(read, left)
        assert shown is not None
        assert (shown["cluster"], shown["retired"], shown["held"]) == (left, True, {f"x:{changed}": joined})
        assert cluster_data(read, joined)["redirected_from"] == []
        with pytest.raises(Retired, match=f"{left} is retired: x:{changed} is now in {joined}"):
            read.resolve(left)
    fold(workspace, make(changed, 0 if changed == "1" else 3))
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2"}
    assert kinds(workspace)[-1] == "revived"
    with workspace.catalogue.reading() as read:
        assert retired_data(read, left) is None


ALPHA, DELTA, BOTH = (
    f"Protein folding {words}" for words in ("alpha beta gam", "delta eps zeta", "alpha beta gam delta")
)


ONE_WAY = "alpha beta gamma delta"
OTHER_WAY = "delta gamma beta alpha"
BOTH_WAYS = "alpha beta gamma delta gamma beta alpha"
"""The same words with no bigram in common, so that neither of two finds the other, and a title that finds both."""


@pytest.fixture(params=["merge", "join-best"])
def policy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def strict(policy: str) -> Iterator[Workspace]:
    """A catalogue under a metric that is easily steered, the share of words that titles have in common."""
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.9, "bridge": policy}]) as workspace:
        yield workspace


def lenient(workspace: Workspace) -> Workspace:
    """The same catalogue under a threshold that makes all of ALPHA, DELTA and BOTH the same."""
    return replace(workspace, settings=replace(workspace.settings, same=0.2, unsure=0.2))


def bridge_event(workspace: Workspace, kind: str) -> dict[str, object]:
    with workspace.catalogue.reading() as read:
        return next(event for event in event_list(read, None, 10) if event["kind"] == kind)


def test_a_record_that_is_the_same_as_two_clusters(strict: Workspace, make: Make, policy: str) -> None:
    fold(strict, make("1", title=ONE_WAY), make("2", title=OTHER_WAY))
    fold(lenient(strict), make("3", title=BOTH_WAYS))
    merged = policy == "merge"
    assert homes(strict) == {"x:1": "c1", "x:2": "c1" if merged else "c2", "x:3": "c1"}
    event = bridge_event(strict, "merged" if merged else "bridged")
    assert (event["cluster"], event["other"], event["profile"]) == ("c1", "c2", "mendeley-title")
    assert event["score"]
    assert event["evidence"]
    assert "x:3 is the same as both" in str(event["cause"])


def test_a_changed_record_that_is_the_same_as_two_clusters(strict: Workspace, make: Make, policy: str) -> None:
    fold(strict, make("1", title=ONE_WAY), make("2", title=OTHER_WAY), make("3", title=ONE_WAY))
    assert homes(strict) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
    fold(lenient(strict), make("3", title=BOTH_WAYS))
    merged = policy == "merge"
    assert homes(strict) == {"x:1": "c1", "x:2": "c1" if merged else "c2", "x:3": "c1"}
    assert bridge_event(strict, "merged" if merged else "bridged")["other"] == "c2"


def test_a_lone_changed_record_that_is_the_same_as_two_clusters(strict: Workspace, make: Make, policy: str) -> None:
    fold(strict, make("1", 1), make("2", title=ONE_WAY), make("3", title=OTHER_WAY))
    assert len(together(strict)) == 3
    fold(lenient(strict), make("1", title=BOTH_WAYS))
    merged = policy == "merge"
    assert homes(strict) == {"x:1": "c2", "x:2": "c2", "x:3": "c2" if merged else "c3"}


def test_clusters_that_differ_from_each_other_are_not_merged_by_a_record_between_them(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.3, "unsure": 0.3, "bridge": "merge"}]) as workspace:
        fold(workspace, make("1", title=ALPHA), make("2", title=DELTA))
        fold(workspace, make("3", title=BOTH))
        assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
        assert "the two are different" in str(bridge_event(workspace, "bridged")["cause"])


def test_clusters_that_differ_are_not_merged_by_a_record_between_them(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.35, "unsure": 0.35, "bridge": "merge"}]) as workspace:
        fold(workspace, make("1", title=ALPHA), make("2", title=DELTA), make("3", title=BOTH))
        assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
        assert "x:3 is the same as both; the two are different" in str(bridge_event(workspace, "bridged")["cause"])


def test_a_veto_keeps_two_clusters_apart_that_a_record_bridges(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1", identifiers={"doi": ("10.1000/1",)}), make("2", identifiers={"doi": ("10.1000/2",)}))
    assert len(together(workspace)) == 2
    fold(workspace, make("3"))
    assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1"}
    assert "10.1000/1 against 10.1000/2" in str(bridge_event(workspace, "bridged")["cause"])


def test_every_member_of_a_cluster_can_veto(make: Make) -> None:
    with throw_away([{"canonical": "founder"}]) as workspace:
        fold(workspace, make("1"), make("2", identifiers={"doi": ("10.1000/1",)}))
        assert len(together(workspace)) == 1
        fold(workspace, make("3", identifiers={"doi": ("10.1000/2",)}))
        assert homes(workspace) == {"x:1": "c1", "x:2": "c1", "x:3": "c2"}


def test_a_doubtful_pair_goes_to_the_review_queue_once_and_leaves_it_when_settled(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.4}]) as workspace:
        fold(workspace, make("1", title=ALPHA), make("2", title=BOTH))
        assert len(together(workspace)) == 2
        assert queue(workspace) == [("x:2", "x:1")]
        fold(workspace, make("1", title=ALPHA, pages="7"))
        assert queue(workspace) == [("x:1", "x:2")]
        fold(workspace, make("2", title=ALPHA))
        assert len(together(workspace)) == 1
        assert queue(workspace) == []


def queue(workspace: Workspace) -> list[tuple[str, str]]:
    with workspace.catalogue.reading() as read:
        return [(pair["a"], pair["b"]) for pair in review_list(read, 10)]


def test_a_pair_that_a_change_made_clear_leaves_the_queue(make: Make) -> None:
    with throw_away([{"profile": "mendeley-title", "same": 0.9, "unsure": 0.4}]) as workspace:
        fold(workspace, make("1", title=ALPHA), make("2", title=BOTH))
        assert queue(workspace)
        fold(workspace, make("2", 3))
        assert queue(workspace) == []


@pytest.mark.parametrize("policy", ["aggregate", "founder"])
def test_the_canonical_record_follows_arrival_not_change(make: Make, policy: str) -> None:
    with throw_away([{"canonical": policy}]) as workspace:
        fold(workspace, make("1"), make("2", publisher="Press"))
        fold(workspace, make("1", edition="2nd"))
        with workspace.catalogue.reading() as read:
            shown = cluster_data(read, "c1")
        assert [record["id"] for record in shown["records"]] == ["1", "2"]
        assert (shown["canonical"]["id"], shown["canonical"]["edition"]) == ("1", "2nd")
        assert ("publisher" in shown["canonical"]) == (policy == "aggregate")


def test_records_without_a_title_are_kept_apart(workspace: Workspace) -> None:
    fold(workspace, Record(source="x", id="1"), Record(source="x", id="2"), Record(source="x", id="3", year=2000))
    assert len(together(workspace)) == 3


def begun(workspace: Workspace, observer: Observer | None = None) -> Fold:
    return start(workspace, matcher_of(workspace.settings), "ingest", observer or Observer())


def batch_of(workspace: Workspace, *records: Record) -> Batch:
    (batch,) = batches(records, workspace.keys, held=0, most=100)
    return batch


def test_the_six_steps(workspace: Workspace, make: Make) -> None:
    fold(workspace, make("1"), make("2", 1))
    folding = begun(workspace)
    batch = batch_of(workspace, make("2", 1), make("3"), make("4", 2), make("5", 2))
    sifted = folding.sift(batch)
    assert ([given.record.id for given in sifted.incoming], sifted.unchanged) == (["3", "4", "5"], 1)
    earlier = folding.pair(sifted, batch)
    assert (earlier.later.tolist(), earlier.place.tolist(), earlier.possible) == ([2], [1], 1)
    index = workspace.index()
    proposals = folding.propose(sifted, earlier, index)
    assert [(owner, hit.id) for owner, hit in zip(proposals.owners, proposals.hits, strict=True)] == [(0, "c1")]
    assert [[(given.target, given.earlier) for given in groups] for groups in proposals.groups] == [
        [(1, False)],
        [],
        [(1, True)],
    ]
    deciding = folding.decide(sifted, proposals)
    assert deciding.placed == [1, NEW, NEW]
    before = counts(workspace)
    written = folding.write(sifted, earlier, proposals, deciding)
    assert [now - then for now, then in zip(counts(workspace), before, strict=True)] == [3, 1, 3, 0, 2]
    assert sorted(change.document.id for change in written.changes if isinstance(change, Put)) == ["c1", "c3"]
    assert check(workspace).missing == ["c3"]
    assert folding.deliver(written, index) == []
    assert check(workspace).agree
    assert counts(workspace)[-1] == 0


def test_pairs_found_before_are_taken_where_sifting_leaves_just_their_records(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folding = begun(workspace)
    batch = batch_of(workspace, make("1"), make("2"), make("1"))
    ahead = neighbours([given.forms for given in batch.arrived if given.forms], folding.matcher)
    assert ahead.possible == 3
    assert folding.pair(folding.sift(batch), replace(batch, neighbours=ahead)).possible == 1
    monkeypatch.setattr("ingest.fold.neighbours", lambda records, matcher: pytest.fail("paired twice"))
    other = batch_of(workspace, make("3"), make("4"))
    assert folding.pair(folding.sift(other), replace(other, neighbours=Neighbours(b"", b"", 0))).possible == 0


def test_an_observer_is_given_an_event_for_each_batch(make: Make) -> None:
    events: list[BatchFolded] = []
    with throw_away([{"batch_size": 2}]) as workspace:
        stream = [make("1"), make("2", 1), make("3"), make("4"), make("3")]
        fold_stream(workspace, stream, observer=Observer(batch=events.append))
        assert [(event.records, event.unchanged, event.clusters) for event in events] == [
            (2, 0, 2),
            (2, 0, 0),
            (0, 1, 0),
        ]
        assert [[(pair.a, pair.b) for pair in event.pairs] for event in events] == [
            [],
            [("x:3", "x:1"), ("x:4", "x:1")],
            [],
        ]
        placed = [[(one.key, one.cluster, one.proposed, one.neighbours) for one in event.placed()] for event in events]
        assert placed == [
            [("x:1", 1, [], []), ("x:2", 2, [], [])],
            [("x:3", 1, [1], []), ("x:4", 1, [1], ["x:3"])],
            [],
        ]
        assert events[1].placed()[0].prepared == prepare(make("3"), written=False)
        assert homes(workspace) == {"x:1": "c1", "x:2": "c2", "x:3": "c1", "x:4": "c1"}


def test_a_placement_is_where_a_record_lies_when_the_batch_is_done(workspace: Workspace, make: Make) -> None:
    curated = [make("1", identifiers={"doi": ("10.1000/1",)}), make("2", 1), make("3")]
    events: list[BatchFolded] = []
    fold_stream(workspace, curated, observer=Observer(batch=events.append))
    (event,) = events
    assert {one.key: f"c{one.cluster}" for one in event.placed()} == homes(workspace)
    assert event.clusters == len(set(homes(workspace).values()))


@pytest.mark.parametrize("bridge", ["merge", "join-best"])
def test_who_watches_changes_nothing(make: Make, bridge: str) -> None:
    dois = [{"doi": ("10.1000/1",)}, {}, {"doi": ("10.1000/2",)}]
    stream = [make(str(at), at % 4, identifiers=dois[at % 3], pages=str(at % 5)) for at in range(60)]
    asked: list[object] = []
    outcomes = []
    for observer in (Observer(), Observer(batch=lambda event: asked.extend(event.placed()))):
        with throw_away([{"batch_size": 7, "bridge": bridge}]) as workspace:
            totals = fold_stream(workspace, stream, observer=observer)
            outcomes.append((totals, homes(workspace), kinds(workspace), counts(workspace)))
    assert outcomes[0] == outcomes[1]
    assert len(asked) == 60


def test_what_is_written_is_not_folded_again_when_its_delivery_is(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, failing = workspace.engine.write, [True]

    def fail_once(index: str, changes: Iterable[Change]) -> int:
        if failing and failing.pop():
            raise EngineUnavailable("cut")
        return write(index, changes)

    monkeypatch.setattr(workspace.engine, "write", fail_once)
    monkeypatch.setattr("indexer.outage.FIRST_PAUSE", 0.01)
    events: list[BatchFolded] = []
    totals = fold_stream(workspace, [make("1"), make("2")], observer=Observer(batch=events.append))
    assert (totals.records, totals.clusters, len(events)) == (2, 1, 1)
    assert (kinds(workspace), failing) == (["founded", "joined"], [])
    assert check(workspace).agree


def test_a_search_that_failed_is_made_again_with_the_whole_batch(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold(workspace, make("1"))
    search, failing = workspace.engine.search, [True]

    def fail_once(index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        if failing and failing.pop():
            raise EngineUnavailable("cut")
        return search(index, queries, limit)

    monkeypatch.setattr(workspace.engine, "search", fail_once)
    monkeypatch.setattr("indexer.outage.FIRST_PAUSE", 0.01)
    totals = fold(workspace, make("2"), make("3", 1))
    assert (totals.records, totals.clusters, failing) == (2, 1, [])
    assert homes(workspace) == {"x:1": "c1", "x:2": "c1", "x:3": "c2"}
