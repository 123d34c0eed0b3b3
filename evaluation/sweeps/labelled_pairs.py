"""Labelled pairs as arrays of positions, so that a million of them fit in little memory, with their records."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from bibfold.errors import InputError
from bibfold.records.columns import Flags, Places
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from evaluation.records import check_present
from evaluation.truth import form, labelled, read_keys, read_truth


class NamedPairs(msgspec.Struct, frozen=True):
    """The pairs of a truth file: each as two indexes into `names`, and whether the two are the same work.

    Where the truth is `whole`, every pair that it does not list is different. With `judged`, only pairs with one of
    these names count.
    """

    names: Sequence[str]
    first: Places
    second: Places
    same: Flags
    whole: bool
    judged: frozenset[str] | None = None


class LabelledPairs(msgspec.Struct, frozen=True):
    """Records in file order, and labelled pairs of positions in it, the earlier record first, no pair twice.

    `judged` marks the records whose pairs count. `unknown` lists records of the truth that the file does not hold.
    `proposed` is set where a `whole` truth was extended by the pairs that an index proposes, as different ones.
    """

    keys: Sequence[str]
    prepared: Sequence[Prepared]
    earlier: Places
    later: Places
    same: Flags
    judged: Flags
    unknown: Sequence[str]
    whole: bool
    proposed: bool = False


def read_named_pairs(path: str, judged: str | None = None) -> NamedPairs:
    """Read a truth of any size; raises InputError where it contradicts itself or holds no pair that counts."""
    only = frozenset(read_keys(judged)) if judged else None
    shape = form(path)
    pairs = ((a, b, True) for a, b in sorted(read_truth(path).same)) if shape.clusters else labelled(path)
    names: dict[str, int] = {}
    first, second, same = array("q"), array("q"), array("b")
    for a, b, is_same in pairs:
        if only is None or a in only or b in only:
            first.append(names.setdefault(a, len(names)))
            second.append(names.setdefault(b, len(names)))
            same.append(is_same)
    if not same:
        raise InputError(f"{path}: holds no pairs that count; draw some with `bibfold evaluate sample`")
    named = NamedPairs(list(names), np.array(first), np.array(second), np.array(same, np.bool_), shape.whole, only)
    _refuse_contradictions(named, path)
    return named


def match_records(
    named: NamedPairs, records: Iterable[Record], *, every: bool = False, skip_unknown: bool = False
) -> LabelledPairs:
    """Match the names of a truth to records: keep the records that it names, or `every` record."""
    numbers = {name: number for number, name in enumerate(named.names)}
    place = np.full(len(numbers), -1, np.int64)
    keys: list[str] = []
    prepared: list[Prepared] = []
    for record in _once(records):
        number = numbers.get(record.key)
        if number is not None:
            place[number] = len(keys)
        if number is not None or every:
            keys.append(record.key)
            prepared.append(prepare(record))
    there = {name for name, at in zip(named.names, place.tolist(), strict=True) if at >= 0}
    unknown = check_present(named.names, there, skip_unknown=skip_unknown)
    first, second = place[named.first], place[named.second]
    present = (first >= 0) & (second >= 0)
    earlier, later = np.minimum(first, second)[present], np.maximum(first, second)[present]
    codes, first = np.unique(coded(earlier, later, len(keys)), return_index=True)
    earlier, later = np.divmod(codes, len(keys) or 1)
    judged = np.array([named.judged is None or key in named.judged for key in keys], np.bool_)
    return LabelledPairs(keys, prepared, earlier, later, named.same[present][first], judged, unknown, named.whole)


def coded(earlier: Places, later: Places, size: int) -> Places:
    """One number for each pair of places."""
    return earlier * size + later


def _once(records: Iterable[Record]) -> Iterator[Record]:
    """The first record of each key."""
    seen: set[str] = set()
    for record in records:
        if record.key not in seen:
            seen.add(record.key)
            yield record


def _refuse_contradictions(named: NamedPairs, path: str) -> None:
    low, high = np.minimum(named.first, named.second), np.maximum(named.first, named.second)
    codes = coded(low, high, len(named.names))
    both = np.intersect1d(codes[named.same], codes[~named.same])
    if len(both):
        a, b = (named.names[number] for number in divmod(int(both[0]), len(named.names)))
        raise InputError(
            f"{path}: {len(both)} pairs are called both same and different, such as {a} and {b}; keep one label"
        )
