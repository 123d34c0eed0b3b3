"""Records in columns: what each column holds is what plain Python would say of each record."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.columns import BagRows, Bags, Codes, Columns, Lists, Numbers, found
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from lookup.pairs import Pairs

TITLE = Codes(lambda record: record.title)
YEAR = Numbers(lambda record: record.year or 0)
WORDS = Bags(lambda record: record.title.split())
LENGTHS = Bags(lambda record: record.title.split(), lambda word: len(word) + 1.0)
LETTERS = Lists(lambda record: record.title.split(), lambda word: (ord(word[0]), len(word)))

titles = st.lists(st.sampled_from("fold folds folding map maps a".split()), max_size=6).map(" ".join)
many_titles = st.lists(titles, max_size=8)


def _record(title: str, year: int | None = None) -> Prepared:
    return prepare(Record(source="x", id="1", title=title, year=year))


def _numbers(columns: Columns, column: Codes | Numbers) -> list[int]:
    """The column's number for each place."""
    places = np.arange(len(columns.rows))
    ours, theirs = Pairs(columns, places, places[::-1]).both(column)
    assert ours.tolist() == theirs.tolist()[::-1]
    return ours.tolist()


def test_records_get_places_in_the_order_in_which_they_come() -> None:
    columns = Columns()
    assert columns.add(map(_record, ["a", "b"])).tolist() == [0, 1]
    assert columns.add([]).tolist() == []
    assert columns.add([_record("c")]).tolist() == [2]
    assert [row.title for row in columns.rows] == ["a", "b", "c"]


@given(st.lists(many_titles, max_size=4))
def test_codes_are_equal_for_equal_values_and_0_for_none(added: list[list[str]]) -> None:
    columns = Columns()
    for some in added:
        columns.add(map(_record, some))
        codes, values = _numbers(columns, TITLE), [row.title for row in columns.rows]
        assert [code == 0 for code in codes] == [not title for title in values]
        assert [[code == other for other in codes] for code in codes] == [
            [one == two for two in values] for one in values
        ]


def test_a_column_that_is_asked_for_late_holds_all_records() -> None:
    columns = Columns()
    columns.add(_record("fold", year) for year in range(1990, 2000))
    assert len(set(_numbers(columns, TITLE))) == 1
    columns.add([_record("map", 2000), _record("", None)])
    assert _numbers(columns, YEAR) == [*range(1990, 2001), 0]
    assert [code == 0 for code in _numbers(columns, TITLE)] == [False] * 11 + [True]


def test_columns_grow_far_and_keep_what_they_hold() -> None:
    columns = Columns()
    for start in range(0, 1_000, 250):
        columns.add(_record(f"fold {number}", 1000 + number) for number in range(start, start + 250))
        assert _numbers(columns, YEAR) == [*range(1000, 1000 + start + 250)]
        assert columns.bags(WORDS).size == columns.lists(LETTERS).size == start + 250
    assert len(set(_numbers(columns, TITLE))) == 1_000
    places = np.arange(1_000)
    assert columns.bags(WORDS).overlap(places, places).tolist() == [2.0] * 1_000
    assert columns.bags(WORDS).overlap(places, (places + 1) % 1_000).tolist() == [1.0] * 1_000


def _weight(words: set[str]) -> float:
    return sum(len(word) + 1.0 for word in words)


@given(st.lists(many_titles, max_size=3), st.data())
def test_bags_are_sets_of_words(added: list[list[str]], data: st.DataObject) -> None:
    columns = Columns()
    for some in added:
        columns.add(map(_record, some))
        bags, sets = columns.bags(LENGTHS), [set(row.title.split()) for row in columns.rows]
        places = st.lists(st.integers(0, len(sets) - 1), max_size=9) if sets else st.just([])
        left = data.draw(places)
        right = data.draw(st.permutations(left))
        rows = [np.array(side, np.int64) for side in (left, right)]
        assert bags.totals(rows[0]).tolist() == [_weight(sets[place]) for place in left]
        assert bags.lengths(rows[0]).tolist() == [len(sets[place]) for place in left]
        shared = [_weight(sets[ours] & sets[theirs]) for ours, theirs in zip(left, right, strict=True)]
        assert bags.overlap(*rows).tolist() == shared


def test_each_bag_has_its_own_weights() -> None:
    columns = Columns()
    places = columns.add([_record("folding maps"), _record("folding a map")])
    assert columns.bags(WORDS).totals(places).tolist() == [2.0, 3.0]
    assert columns.bags(LENGTHS).totals(places).tolist() == [13.0, 14.0]
    assert columns.bags(WORDS).overlap(places[:1], places[1:]).tolist() == [1.0]
    assert columns.bags(LENGTHS).overlap(places[:1], places[1:]).tolist() == [8.0]


def test_bags_without_words() -> None:
    bags = BagRows(lambda word: 1.0)
    bags.extend([])
    bags.extend([[], []])
    places = np.array([0, 1])
    assert (bags.size, bags.totals(places).tolist(), bags.overlap(places, places).tolist()) == (2, [0, 0], [0, 0])


@given(st.lists(many_titles, max_size=3))
def test_lists_are_ordered_by_their_first_number_and_know_whether_it_is_repeated(added: list[list[str]]) -> None:
    columns = Columns()
    for some in added:
        columns.add(map(_record, some))
        rows = [row.title.split() for row in columns.rows]
        lists, places = columns.lists(LETTERS), np.arange(len(rows))[::-1]
        entries = lists.entries(places)
        firsts, lengths = lists.numbers(entries, 0).tolist(), lists.numbers(entries, 1).tolist()
        assert firsts == [first for row in rows[::-1] for first in sorted(ord(word[0]) for word in row)]
        described = sorted((owner, ord(word[0]), len(word)) for owner, row in enumerate(rows[::-1]) for word in row)
        assert sorted(zip(entries.owners.tolist(), firsts, lengths, strict=True)) == described
        assert lists.lengths(places).tolist() == [len(row) for row in rows[::-1]]
        repeated = [len({word[0] for word in row}) < len(row) for row in rows[::-1]]
        assert lists.repeated(places).tolist() == repeated


@pytest.mark.parametrize(
    ("needles", "keys", "places"),
    [([3, 9, 1, 0], [1, 3, 5], [1, -1, 0, -1]), ([3], [], [-1]), ([], [1], []), ([5, 5], [5], [0, 0])],
)
def test_found(needles: list[int], keys: list[int], places: list[int]) -> None:
    assert found(np.array(needles, np.int64), np.array(keys, np.int64)).tolist() == places
