"""Where a record belongs: with the best group that it is the same as, unless a person or a member says otherwise."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from bibfold.catalogue import store
from bibfold.catalogue.rows import NEW, StoredRecord, Verdicts
from bibfold.records.keys import KeySettings
from bibfold.records.model import Record
from ingest.decide import ALONE, DIFFERENT, NAMED, Bridge, Deciding, Happened, Proposal, Rules
from ingest.groups import CanonicalPolicy, Group
from ingest.incoming import Incoming, arrive
from ingest.sifting import Run, sift
from ingest.writing import final_no
from lookup.matcher import Matcher
from lookup.profiles import PROFILES
from lookup.retrieve import Retrieval

Make = Callable[..., Record]

POLICY = CanonicalPolicy()
NOTHING_SAID: Verdicts = {}


def incoming(records: Sequence[Record], stored: Mapping[str, tuple[int, int]] = {}) -> list[Incoming]:
    """Records after sifting; those that are stored with their number and cluster there."""
    with store.throw_away() as catalogue, catalogue.reading() as read:
        found = sift(read, map(arrive, records), Run(1), KeySettings()).incoming
    return [
        replace(given, no=stored[given.record.key][0], stored=_stored(given.record, *stored[given.record.key]))
        if given.record.key in stored
        else given
        for given in found
    ]


def _stored(record: Record, no: int, cluster: int) -> StoredRecord:
    return StoredRecord(no, record.source, b"another digest", cluster, run=1)


def cluster(no: int, *records: Record, first: int = 0) -> Group:
    """A stored cluster; its records are numbered from `first` on, or by the cluster."""
    return Group(no, dict(enumerate(records, start=first or 10 * no)), POLICY)


class Batch:
    """A batch that is about to be decided, with each record's proposals: clusters and earlier records alike."""

    def __init__(
        self,
        records: Sequence[Record],
        groups: Sequence[Group] = (),
        *,
        profile: str = "bibfold",
        bridge: Bridge = "merge",
        verdicts: Verdicts = NOTHING_SAID,
        stored: Mapping[str, tuple[int, int]] = {},
        **thresholds: float,
    ) -> None:
        chosen = replace(PROFILES[profile], **thresholds)
        self.matcher = Matcher(chosen, Retrieval(chosen.searched))
        self.incoming = incoming(records, stored)
        by_number = {group.no: group for group in groups}
        self.deciding = Deciding(self.matcher, Rules(bridge, POLICY), by_number, verdicts)

    def place(self, *proposed: Sequence[Proposal]) -> Deciding:
        """Place the records in order; what is not said has no proposals."""
        rows = self.matcher.add(given.prepared for given in self.incoming)
        pairs: list[tuple[int, int]] = []
        numbered: list[list[Proposal]] = []
        for row, proposals in zip(rows.tolist(), proposed, strict=False):
            numbered.append([self._compared(row, proposal, rows.tolist(), pairs) for proposal in proposals])
        left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
        self.deciding.compared = self.matcher.compare(left, right, every=True)
        for place, given in enumerate(self.incoming):
            self.deciding.place(given, numbered[place] if place < len(numbered) else ())
        return self.deciding

    def _compared(self, row: int, proposal: Proposal, rows: Sequence[int], pairs: list[tuple[int, int]]) -> Proposal:
        if proposal.pair < 0:
            return proposal
        group = None if proposal.earlier else self.deciding.groups[proposal.target]
        pairs.append((row, rows[proposal.target] if group is None else int(self.matcher.add((group.prepared,))[0])))
        return proposal._replace(pair=len(pairs) - 1)


def at(target: int) -> Proposal:
    """The index proposes a cluster, and the two were compared."""
    return Proposal(target, False, 0)


def earlier(place: int) -> Proposal:
    """An earlier record of the batch, and the two were compared."""
    return Proposal(place, True, 0)


def kinds(deciding: Deciding) -> list[str]:
    return [event.kind for event in deciding.events]


def last(deciding: Deciding) -> Happened:
    return deciding.events[-1]


def keys(group: Group) -> list[str]:
    return [record.key for record in group.members]


def pairs(deciding: Deciding) -> list[tuple[str, str, str]]:
    return [(pair.a, pair.b, pair.comparison.decision) for pair in deciding.pairs]


def test_without_a_proposal_each_record_founds_a_cluster(make: Make) -> None:
    deciding = Batch([make("1"), make("2")]).place()
    assert deciding.placed == [NEW, NEW + 1]
    assert deciding.events == [Happened("founded", NEW + at, ALONE, f"x:{at + 1}") for at in range(2)]
    assert (deciding.next_no, deciding.touched, deciding.pairs) == (NEW + 2, {}, [])


def test_a_record_joins_the_cluster_that_it_is_the_same_as(make: Make) -> None:
    deciding = Batch([make("2")], [cluster(1, make("1"))]).place([at(1)])
    assert (deciding.placed, keys(deciding.touched[1])) == ([1], ["x:1", "x:2"])
    assert pairs(deciding) == [("x:2", "x:1", "same")]
    event = last(deciding)
    assert (event.kind, event.cluster, event.record) == ("joined", 1, "x:2")
    assert event.comparison == deciding.pairs[0].comparison


def test_a_record_joins_an_earlier_one_of_its_batch(make: Make) -> None:
    deciding = Batch([make("1"), make("2", 1), make("3")]).place((), (), [earlier(0)])
    assert deciding.placed == [NEW, NEW + 1, NEW]
    assert kinds(deciding) == ["founded", "founded", "joined"]
    assert keys(deciding.touched[NEW]) == ["x:1", "x:3"]
    assert NEW + 1 not in deciding.touched


def test_what_differs_founds_and_is_no_pair(make: Make) -> None:
    deciding = Batch([make("2", 1)], [cluster(1, make("1"))]).place([at(1)])
    assert (deciding.placed, kinds(deciding), deciding.pairs) == ([NEW], ["founded"], [])


def test_an_unsure_pair_is_told_but_not_followed(make: Make) -> None:
    batch = Batch(
        [make("2", title="Folding duplicate cards")],
        [cluster(1, make("1"))],
        profile="mendeley-title",
        same=0.9,
        unsure=0.2,
    )
    deciding = batch.place([at(1)])
    assert (deciding.placed, pairs(deciding)) == ([NEW], [("x:2", "x:1", "unsure")])


TITLE = "alpha beta gamma delta"


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1)])
def test_the_best_score_wins_then_the_oldest_cluster(make: Make, order: tuple[int, ...]) -> None:
    groups = [
        cluster(1, make("1", title=f"{TITLE} epsilon")),
        cluster(2, make("2", title=TITLE)),
        cluster(3, make("3", title=TITLE)),
    ]
    batch = Batch([make("4", title=TITLE)], groups, profile="mendeley-title", bridge="join-best")
    deciding = batch.place([at(no) for no in order])
    assert deciding.placed == [2]
    assert sorted(pair.b for pair in deciding.pairs) == ["x:1", "x:2", "x:3"]
    assert [(event.kind, event.other) for event in deciding.events] == [
        ("bridged", 3),
        ("bridged", 1),
        ("joined", None),
    ]


def test_a_cluster_that_is_not_there_any_more_is_passed_over(make: Make) -> None:
    assert Batch([make("1")]).place([Proposal(9, False, DIFFERENT)]).placed == [NEW]


def test_a_different_group_is_looked_at_again_only_when_it_changed(make: Make) -> None:
    bare, rich = make("1", title=TITLE), make("2", title=TITLE, publication="Journal of maps")
    coming = make("3", title=TITLE, publication="Journal of maps")
    thresholds = {"same": 0.9, "unsure": 0.9}
    stays = Batch([coming], [cluster(1, bare)], profile="mendeley", **thresholds)
    assert stays.place([Proposal(1, False, DIFFERENT)]).placed == [NEW]
    grows = Batch([rich, coming], [cluster(1, bare)], profile="mendeley", verdicts=same("x:1", "x:2"), **thresholds)
    deciding = grows.place([Proposal(1, False, NAMED)], [Proposal(1, False, DIFFERENT)])
    assert deciding.placed == [1, 1]
    assert pairs(deciding)[-1] == ("x:3", "x:1", "same")


def test_a_comparison_that_a_change_made_stale_is_made_anew(make: Make) -> None:
    group = cluster(1, make("1", authors=(), year=None))
    deciding = Batch([make("2"), make("3", year=1990)], [group]).place([at(1)], [at(1)])
    anew = deciding.pairs[-1].comparison
    assert {found.field for found in anew.evidence} == {"title", "authors", "year"}


def same(*keys: str, word: str = "same") -> Verdicts:
    """A person's word on two records."""
    one, other = keys
    return {one: {other: word}, other: {one: word}}


@pytest.mark.parametrize(("word", "work", "home"), [("same", 1, 1), ("different", 0, NEW)])
def test_a_persons_word_is_above_the_metric(make: Make, word: str, work: int, home: int) -> None:
    batch = Batch([make("2", work)], [cluster(1, make("1"))], verdicts=same("x:1", "x:2", word=word))
    deciding = batch.place([Proposal(1, False, NAMED)])
    assert deciding.placed == [home]
    if word == "same":
        assert last(deciding).cause == "decided by a person: x:2 and x:1 are same"


def test_different_is_above_same_where_a_person_said_both(make: Make) -> None:
    said = {"x:3": {"x:1": "same", "x:2": "different"}}
    deciding = Batch([make("3")], [cluster(1, make("1"), make("2"))], verdicts=said).place([at(1)])
    assert deciding.placed == [NEW]


def test_every_member_can_veto(make: Make) -> None:
    group = Group(1, {1: make("1"), 2: make("2", identifiers={"doi": ("10.1000/1",)})}, CanonicalPolicy("founder"))
    deciding = Batch([make("3", identifiers={"doi": ("10.1000/2",)})], [group]).place([at(1)])
    assert (deciding.placed, deciding.pairs) == ([NEW], [])


def test_a_record_that_agrees_with_one_of_two_that_were_brought_together_is_not_parted_from_them(make: Make) -> None:
    group = cluster(1, *(make(id, identifiers={"doi": (f"10.1000/{id}",)}) for id in "12"))
    deciding = Batch([make("3", identifiers={"doi": ("10.1000/2",)})], [group]).place([at(1)])
    assert deciding.placed == [1]


@pytest.mark.parametrize("bridge", ["merge", "join-best"])
def test_a_record_that_is_the_same_as_two_clusters(make: Make, bridge: Bridge) -> None:
    groups = [cluster(1, make("1")), cluster(2, make("2"))]
    deciding = Batch([make("3")], groups, bridge=bridge).place([at(1), at(2)])
    assert deciding.placed == [1]
    first = deciding.events[0]
    assert (first.kind, first.cluster, first.other) == ("merged" if bridge == "merge" else "bridged", 1, 2)
    assert first.cause.startswith("x:3 is the same as both")
    merged = groups[1].merged_into
    assert (merged, final_no(deciding, 2)) == ((1, 1) if bridge == "merge" else (None, 2))
    assert keys(groups[0]) == (["x:1", "x:2", "x:3"] if bridge == "merge" else ["x:1", "x:3"])


APART: dict[str, dict[str, Any]] = {
    "decided by a person: x:1 and x:2 are different": {"verdicts": same("x:1", "x:2", word="different")},
    "doi 10.1000/1 against 10.1000/2": {"dois": True},
}


@pytest.mark.parametrize("reason", APART)
def test_what_keeps_two_clusters_apart(make: Make, reason: str) -> None:
    dois = [{"doi": (f"10.1000/{id}",)} if "dois" in APART[reason] else {} for id in "12"]
    groups = [cluster(no, make(str(no), identifiers=doi)) for no, doi in enumerate(dois, start=1)]
    deciding = Batch([make("3")], groups, verdicts=APART[reason].get("verdicts", NOTHING_SAID)).place([at(1), at(2)])
    assert (deciding.placed, groups[1].merged_into) == ([1], None)
    assert deciding.events[0].cause == f"x:3 is the same as both; {reason}"


def test_clusters_that_differ_are_not_merged_by_what_lies_between(make: Make) -> None:
    titles = ("alpha beta gamma", "delta epsilon zeta", "alpha beta gamma delta epsilon zeta")
    one, two, between = (make(str(at), title=title) for at, title in enumerate(titles, start=1))
    batch = Batch([between], [cluster(1, one), cluster(2, two)], profile="mendeley-title")
    deciding = batch.place([at(1), at(2)])
    assert (deciding.placed, kinds(deciding)) == ([1], ["bridged", "joined"])
    assert "the two are different" in deciding.events[0].cause


def test_a_merged_cluster_stands_for_its_survivor(make: Make) -> None:
    groups = [cluster(1, make("1")), cluster(2, make("2"))]
    deciding = Batch([make("3"), make("4")], groups).place([at(1), at(2)], [at(2)])
    assert deciding.placed == [1, 1]
    assert keys(groups[0]) == ["x:1", "x:2", "x:3", "x:4"]


def test_new_clusters_of_a_batch_merge_as_stored_ones_do(make: Make) -> None:
    deciding = Batch([make("1"), make("2"), make("3")]).place((), (), [earlier(0), earlier(1)])
    assert [final_no(deciding, no) for no in deciding.placed] == [NEW, NEW, NEW]
    assert keys(deciding.touched[NEW]) == ["x:1", "x:2", "x:3"]
    assert deciding.touched[NEW + 1].merged_into == NEW


def test_the_older_survives_whichever_way_round(make: Make) -> None:
    one, two = cluster(1, make("1")), cluster(2, make("2", 1))
    deciding = Batch([], [one, two]).deciding
    assert deciding.merge(two, one, "by hand") is one
    assert (keys(one), two.numbered, two.merged_into) == (["x:1", "x:2"], {}, 1)
    assert deciding.events == [Happened("merged", 1, "by hand", other=2)]
    assert set(deciding.touched) == {1, 2}


def test_records_that_leave_found_a_group(make: Make) -> None:
    deciding = Batch([]).deciding
    group = deciding.found_group({5: make("5"), 3: make("3")})
    assert (group.no, keys(group)) == (NEW, ["x:3", "x:5"])
    assert deciding.touched == deciding.groups == {NEW: group}
    assert deciding.found_group({7: make("7")}).no == NEW + 1


def changed(record: Record, *groups: Group, **options: Any) -> Batch:
    """A batch of a record that lies in the first cluster, where its content was another."""
    no = next(no for no, member in groups[0].numbered.items() if member.key == record.key)
    return Batch([record], groups, stored={record.key: (no, groups[0].no)}, **options)


def test_a_changed_record_that_still_agrees_stays(make: Make) -> None:
    home = cluster(1, make("1"), make("2"))
    deciding = changed(make("2", pages="7"), home).place()
    assert (deciding.placed, kinds(deciding)) == ([1], ["changed"])
    assert home.canonical.record.pages == "7"
    assert keys(home) == ["x:1", "x:2"]


def test_a_changed_record_in_doubt_stays_unless_it_is_the_same_as_another(make: Make) -> None:
    title = "Folding duplicate cards"
    thresholds = {"same": 0.9, "unsure": 0.2}
    home, other = cluster(1, make("1"), make("2")), cluster(2, make("3", title=title))
    stays = changed(make("2", title=title), home, other, profile="mendeley-title", **thresholds)
    assert stays.place().placed == [1]
    home = cluster(1, make("1"), make("2"))
    moves = changed(make("2", title=title), home, other, profile="mendeley-title", **thresholds)
    deciding = moves.place([at(2)])
    assert (deciding.placed, last(deciding).kind, last(deciding).other) == ([2], "moved", 1)


def test_a_changed_record_that_differs_founds_a_cluster_and_the_old_one_is_touched(make: Make) -> None:
    home = cluster(1, make("1"), make("2", publisher="Press"))
    assert home.canonical.record.publisher == "Press"
    deciding = changed(make("2", 1), home).place()
    assert (deciding.placed, kinds(deciding), last(deciding).other) == ([NEW], ["split"], 1)
    assert last(deciding).cause.startswith("its new content differs from c1: ")
    assert (keys(home), home.canonical.record.publisher, set(deciding.touched)) == (["x:1"], "", {1})


def test_a_changed_record_is_not_held_against_its_own_cluster_as_a_candidate(make: Make) -> None:
    deciding = changed(make("1", pages="7"), cluster(1, make("1"), make("2"))).place([at(1)])
    assert (deciding.placed, deciding.pairs) == ([1], [])


@pytest.mark.parametrize(("own", "other"), [(1, 2), (2, 1)])
def test_a_lone_changed_record_leaves_its_cluster_for_another(make: Make, own: int, other: int) -> None:
    home, there = cluster(own, make("1", 1)), cluster(other, make("2"))
    deciding = changed(make("1"), home, there).place([at(other)])
    assert (deciding.placed, kinds(deciding), deciding.events[0].other) == ([other], ["moved"], own)
    assert sorted(keys(there)) == ["x:1", "x:2"]
    assert (keys(home), home.last, home.merged_into, set(deciding.touched)) == ([], ("x:1",), None, {1, 2})


def test_a_record_that_founds_a_cluster_gets_back_the_number_that_it_left(make: Make) -> None:
    home = cluster(2, make("1"), make("2"))
    deciding = changed(make("1", 3), home).place()
    deciding.vacated = {7: {"x:1": 2}, 5: {"x:1": 2, "x:2": 2}, 9: {"x:1": 2}, 6: {"x:1": 2, "x:3": None}}
    deciding._found(deciding.founded[NEW], "split", "why", 2)
    assert (deciding.placed[-1], kinds(deciding)[-1], deciding.revived) == (6, "revived", {6})
    assert (keys(deciding.touched[6]), sorted(deciding.vacated)) == (["x:1"], [5, 7, 9])


def test_a_lone_changed_record_without_a_better_place_stays(make: Make) -> None:
    home = cluster(1, make("1", 1))
    deciding = changed(make("1"), home).place()
    assert (deciding.placed, kinds(deciding)) == ([1], ["changed"])
    assert (home.canonical.record.title, set(deciding.touched)) == (make("1").title, {1})
