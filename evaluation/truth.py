"""Reads truths, and the results that are compared with them, from CSV files."""

import csv
from collections.abc import Iterator, Mapping, Sequence, Set

import msgspec

from bibfold.errors import InputError
from bibfold.lines import whole_lines
from evaluation.pairs import Pair, closure, make_pair, pairs_of

SAME = frozenset({"same", "1", "true", "yes", "duplicate", "match"})
DIFFERENT = frozenset({"different", "0", "false", "no", "non-duplicate", "nonduplicate", "non-match", "nonmatch"})
OPEN = frozenset({"", "unsure"})
"""Labels of pairs that nobody has decided yet; such pairs are left out."""

SHOWN = 5
"""How many contradictory pairs a message names."""


class Truth(msgspec.Struct, frozen=True):
    """Pairs known to be the same work, and pairs known to be different works.

    In a `whole` truth (clusters, or pairs without labels) every pair that is not the same is different. With `judged`,
    only pairs with one of these records count. `alone` are the records of clusters of one.
    """

    same: Set[Pair]
    different: Set[Pair]
    whole: bool
    judged: Set[str] | None = None
    alone: Set[str] = frozenset()

    @property
    def named(self) -> set[str]:
        """All records that the truth names."""
        return {key for pairs in (self.same, self.different) for pair in pairs for key in pair} | self.alone

    def counts(self, pair: Pair) -> bool:
        """Whether a pair is judged."""
        return self.judged is None or pair[0] in self.judged or pair[1] in self.judged


def read_truth(path: str, judged: str | None = None) -> Truth:
    """Read a CSV file with the columns `a,b`, `a,b,label` or `cluster,source,id`; `judged` is a file of record keys.

    Raises InputError if the file is empty, contradicts itself, pairs a record with itself or has an unknown label.
    """
    file = _opened(path)
    shape = _form(file.header)
    if shape.clusters:
        memberships = list(_memberships(file))
        same = pairs_of(memberships)
        together = {key for pair in same for key in pair}
        truth = Truth(same, frozenset(), True, alone={key for _, key in memberships} - together)
    else:
        labels: dict[bool, set[Pair]] = {True: set(), False: set()}
        for a, b, is_same in _labelled(file):
            labels[is_same].add(make_pair(a, b))
        _refuse_contradictions(path, labels[True] & labels[False])
        truth = Truth(labels[True], labels[False], shape.whole)
    if not truth.named:
        raise InputError(f"{path}: holds no pairs; draw some with `bibfold evaluate sample`")
    return _judged_only(truth, frozenset(read_keys(judged))) if judged else truth


class TruthForm(msgspec.Struct, frozen=True):
    """Whether a truth holds clusters, and whether it is whole, by its columns."""

    clusters: bool
    whole: bool


def form(path: str) -> TruthForm:
    """The form of a truth, by its header."""
    return _form(_opened(path).header)


def labelled(path: str) -> Iterator[tuple[str, str, bool]]:
    """The pairs of a file, line by line, and whether each is the same work; undecided pairs are left out."""
    file = _opened(path)
    if _form(file.header).clusters:
        raise InputError(f"{path}: holds clusters; expected pairs with a label, a,b,label")
    return _labelled(file)


def read_pairs(path: str) -> set[Pair]:
    """The pairs of a result or a truth: those labelled the same, or all pairs within each cluster."""
    file = _opened(path)
    if _form(file.header).clusters:
        return pairs_of(_memberships(file))
    return {make_pair(a, b) for a, b, is_same in _labelled(file) if is_same}


def read_result(path: str) -> dict[str, str] | list[tuple[str, str]]:
    """A result: the cluster of each record, or the links labelled the same, left record first."""
    file = _opened(path)
    if _form(file.header).clusters:
        return {key: cluster for cluster, key in _memberships(file)}
    return [(a, b) for a, b, is_same in _labelled(file) if is_same]


def read_keys(path: str) -> Iterator[str]:
    """The record keys in a file, one per line."""
    for line in _text(path):
        if key := line.strip():
            yield key


def contradicted(truth: Truth) -> list[Pair]:
    """Pairs labelled different whose records are connected by pairs labelled the same."""
    cluster = closure(truth.same)
    return sorted((a, b) for a, b in truth.different if a in cluster and cluster[a] == cluster.get(b))


def without(truth: Truth, unknown: Set[str]) -> Truth:
    """The truth without the pairs of these records."""
    if not unknown:
        return truth
    return msgspec.structs.replace(
        truth,
        same={pair for pair in truth.same if unknown.isdisjoint(pair)},
        different={pair for pair in truth.different if unknown.isdisjoint(pair)},
        alone=truth.alone - unknown,
    )


def need_same(truth: Truth, path: str = "the truth") -> None:
    """Raise InputError if a truth has no pairs of the same work."""
    if not truth.same:
        raise no_same(path)


def need_both(truth: Truth, path: str = "the truth") -> None:
    """Raise InputError if a truth lacks a class; a whole truth always has different pairs."""
    need_same(truth, path)
    if not truth.different and not truth.whole:
        raise no_different(path)


def no_same(path: str) -> InputError:
    """The error for a truth without pairs of the same work."""
    return InputError(f"{path} holds no pairs that are the same; recall cannot be measured; {_DRAW}")


def no_different(path: str) -> InputError:
    """The error for a truth without pairs of different works."""
    return InputError(f"{path} holds no pairs that are different; precision cannot be measured; {_DRAW}")


_DRAW = "draw some with `bibfold evaluate sample`"


class _File(msgspec.Struct, frozen=True):
    """A CSV file: its header, and its rows with their line numbers."""

    path: str
    header: list[str]
    rows: Iterator[tuple[int, Mapping[str, str]]]


def _judged_only(truth: Truth, judged: Set[str]) -> Truth:
    truth = msgspec.structs.replace(truth, judged=judged)
    same = {pair for pair in truth.same if truth.counts(pair)}
    different = {pair for pair in truth.different if truth.counts(pair)}
    if not same and not different:
        raise InputError("--judged names no record of the truth; is it the list that belongs to this truth?")
    return msgspec.structs.replace(truth, same=same, different=different)


def _refuse_contradictions(path: str, both: Set[Pair]) -> None:
    if both:
        shown = "; ".join(f"{a} and {b}" for a, b in sorted(both)[:SHOWN])
        more = f"; and {len(both) - SHOWN} more" if len(both) > SHOWN else ""
        raise InputError(f"{path}: {len(both)} pairs are called both same and different: {shown}{more}; keep one label")


def _labelled(file: _File) -> Iterator[tuple[str, str, bool]]:
    column = _label_column(file.header)
    for number, row in file.rows:
        a, b = row["a"].strip(), row["b"].strip()
        if not a or not b or a == b:
            reason = f"{a} is paired with itself" if a and a == b else "a record is not named"
            raise InputError(f"{file.path}, line {number}: {reason}; a pair is two records, source:id")
        word = row[column].strip().lower() if column else "same"
        if word in SAME or word in DIFFERENT:
            yield a, b, word in SAME
        elif word not in OPEN:
            raise InputError(f"{file.path}, line {number}: the {column} {word!r} is unknown; write same or different")


def _memberships(file: _File) -> Iterator[tuple[str, str]]:
    seen: dict[str, str] = {}
    for number, row in file.rows:
        cluster, key = row["cluster"], f"{row['source']}:{row['id']}"
        if seen.setdefault(key, cluster) != cluster:
            raise InputError(
                f"{file.path}, line {number}: {key} stands in the clusters {seen[key]} and {cluster}; keep one"
            )
        yield cluster, key


def _form(header: Sequence[str]) -> TruthForm:
    clusters = {"cluster", "source", "id"} <= set(header)
    return TruthForm(clusters, clusters or _label_column(header) is None)


def _label_column(header: Sequence[str]) -> str | None:
    return next((name for name in ("label", "decision") if name in header), None)


def _opened(path: str) -> _File:
    """Open a CSV file and check its columns."""
    rows = csv.DictReader(_text(path))
    try:
        rows.fieldnames = header = [name.strip() for name in rows.fieldnames or ()]
    except csv.Error as error:
        raise InputError(f"{path}, after line {rows.line_num}: not CSV: {error}") from error
    if not _form(header).clusters and not {"a", "b"} <= set(header):
        raise InputError(f"{path}: expected the columns a,b or cluster,source,id, found {', '.join(header) or 'none'}")
    return _File(path, header, _rows(rows, path))


def _rows(rows: "csv.DictReader[str]", path: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        for row in rows:
            if None in row or None in row.values():
                raise InputError(f"{path}, line {rows.line_num}: expected {len(rows.fieldnames or ())} columns")
            yield rows.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}, after line {rows.line_num}: not CSV: {error}") from error


def _text(path: str) -> Iterator[str]:
    for number, line in enumerate(whole_lines(path), start=1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise InputError(f"{path}, line {number}: is not UTF-8 text: {error.reason}") from error
