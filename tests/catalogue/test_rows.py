"""Names and numbers of clusters, and values in parts."""

import pytest

from bibfold.catalogue.rows import NEW, Numbers, chunks, cluster_id, cluster_no
from bibfold.errors import NotFound


def test_a_cluster_is_named_after_its_number() -> None:
    assert cluster_no(cluster_id(12)) == 12


@pytest.mark.parametrize("name", ["", "c", "12", "x:1", "c²"])
def test_what_is_no_cluster_id(name: str) -> None:
    with pytest.raises(NotFound, match="is no cluster id"):
        cluster_no(name)


def test_provisional_numbers_follow_upon_the_last_real_one() -> None:
    numbers = Numbers(first=8)
    assert [numbers.real(no) for no in (NEW, NEW + 1, 7, 8)] == [8, 9, 7, 8]


def test_what_is_new_is_younger_than_all_that_is_stored() -> None:
    assert sorted([NEW + 1, 2**53, NEW, 1]) == [1, 2**53, NEW, NEW + 1]
    assert NEW + 10**9 < 2**63


def test_values_in_parts() -> None:
    assert list(chunks(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert list(chunks([])) == []
