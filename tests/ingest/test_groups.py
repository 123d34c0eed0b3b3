"""Groups: members in order of arrival, and a canonical record that follows every change."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.canonical import POLICIES, Canonical
from bibfold.catalogue.rows import NEW, Cluster
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from ingest.groups import CanonicalPolicy, Group, group_of

Make = Callable[..., Record]

AGGREGATE = CanonicalPolicy()


def test_a_single_member_is_the_canonical_record_itself(make: Make) -> None:
    record = make("1")
    group = Group(7, {3: record}, AGGREGATE)
    assert group.canonical == Canonical(record, {})
    assert group.prepared == prepare(record)
    assert not group.changed


def test_members_stand_in_the_order_of_their_numbers_not_of_their_coming(make: Make) -> None:
    group = Group(1, {5: make("5"), 2: make("2")}, AGGREGATE)
    group.add({NEW: make("new"), 3: make("3")})
    assert [record.id for record in group.members] == ["2", "3", "5", "new"]
    assert group.canonical.record.id == "2"


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_the_policy_makes_the_canonical_record(make: Make, name: str) -> None:
    members = [make("1"), make("2", source="y", publisher="Press"), make("3", source="z", publisher="Verlag")]
    group = Group(1, dict(enumerate(members)), CanonicalPolicy(name, ("z",)))
    assert group.canonical == POLICIES[name](members, ("z",))
    assert group.canonical.record.publisher == {"aggregate": "Verlag", "founder": ""}[name]


def test_a_member_more_or_less_renews_all_that_is_derived(make: Make) -> None:
    group = Group(1, {1: make("1")}, AGGREGATE)
    assert group.prepared.first_page == ""
    group.add({2: make("2", pages="7-9")})
    assert group.changed
    assert group.canonical.provenance["pages"] == "x:2"
    assert group.prepared.first_page == "7"
    assert [member.first_page for member in group.members_prepared()] == ["", "7"]
    group.remove(2)
    assert group.prepared.first_page == ""
    assert [member.first_page for member in group.members_prepared()] == [""]


def test_a_member_that_left_and_came_back_changed_is_prepared_anew(make: Make) -> None:
    group = Group(1, {1: make("1"), 2: make("2")}, AGGREGATE)
    assert [member.year for member in group.members_prepared()] == [2020, 2020]
    group.remove(2)
    group.add({2: make("2", year=1999)})
    assert [member.year for member in group.members_prepared()] == [2020, 1999]


def test_a_cluster_becomes_a_group_and_stays_as_it_is(make: Make) -> None:
    numbered = {2: make("2"), 9: make("9", pages="7")}
    cluster = Cluster(4, numbered, POLICIES["aggregate"](list(numbered.values()), ()))
    group = group_of(cluster, AGGREGATE)
    assert (group.no, group.merged_into, group.changed) == (4, None, False)
    assert group.canonical == cluster.canonical
    group.remove(2)
    assert list(cluster.numbered) == [2, 9]
