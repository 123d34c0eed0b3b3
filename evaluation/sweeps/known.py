"""Known pairs as numbers, so that a million of them need little memory, beside the records that they name."""

from array import array
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from bibfold.errors import InputError
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from evaluation.records import check_known
from evaluation.truth import form, labelled, read_keys, read_truth

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Named(msgspec.Struct, frozen=True):
    """A truth as it was read: each pair as the numbers of two names, and whether they are the same work.

    Where it is `whole`, every pair that it does not name is different. `judged` says of which names pairs count.
    """

    names: Sequence[str]
    one: Places
    other: Places
    same: Flags
    whole: bool
    judged: frozenset[str] | None = None


class Known(msgspec.Struct, frozen=True):
    """Records in the order of their file, and known pairs of an earlier and a later one; each pair stands once.

    `judged` tells the records whose pairs count. `unknown` are the truth's records that are not there. Where the
    truth is `whole`, pairs that an index proposes may stand for its different ones: then they are `proposed`.
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


def read_named(path: str, judged: str | None = None) -> Named:
    """A truth of any size; raises InputError where it contradicts itself or holds no pair that counts."""
    only = frozenset(read_keys(judged)) if judged else None
    shape = form(path)
    pairs = ((a, b, True) for a, b in sorted(read_truth(path).same)) if shape.clusters else labelled(path)
    names: dict[str, int] = {}
    one, other, same = array("q"), array("q"), array("b")
    for a, b, is_same in pairs:
        if only is None or a in only or b in only:
            one.append(names.setdefault(a, len(names)))
            other.append(names.setdefault(b, len(names)))
            same.append(is_same)
    if not same:
        raise InputError(f"{path}: holds no pairs that count; draw some with `bibfold evaluate sample`")
    named = Named(list(names), np.array(one), np.array(other), np.array(same, np.bool_), shape.whole, only)
    _refuse_contradictions(named, path)
    return named


def known(named: Named, records: Iterable[Record], *, every: bool = False, skip_unknown: bool = False) -> Known:
    """The truth set against the records that it names, or against every record."""
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
    unknown = check_known(named.names, there, skip_unknown=skip_unknown)
    one, other = place[named.one], place[named.other]
    held = (one >= 0) & (other >= 0)
    earlier, later = np.minimum(one, other)[held], np.maximum(one, other)[held]
    codes, first = np.unique(coded(earlier, later, len(keys)), return_index=True)
    earlier, later = np.divmod(codes, len(keys) or 1)
    judged = np.array([named.judged is None or key in named.judged for key in keys], np.bool_)
    return Known(keys, prepared, earlier, later, named.same[held][first], judged, unknown, named.whole)


def coded(earlier: Places, later: Places, size: int) -> Places:
    """One number for each pair of places."""
    return earlier * size + later


def _once(records: Iterable[Record]) -> Iterator[Record]:
    """Of records with one key the first."""
    seen: set[str] = set()
    for record in records:
        if record.key not in seen:
            seen.add(record.key)
            yield record


def _refuse_contradictions(named: Named, path: str) -> None:
    low, high = np.minimum(named.one, named.other), np.maximum(named.one, named.other)
    codes = coded(low, high, len(named.names))
    both = np.intersect1d(codes[named.same], codes[~named.same])
    if len(both):
        a, b = (named.names[number] for number in divmod(int(both[0]), len(named.names)))
        raise InputError(
            f"{path}: {len(both)} pairs are called both same and different, such as {a} and {b}; keep one label"
        )
