"""Reads known pairs and the results that are measured against them."""

import csv
from collections.abc import Iterator, Mapping, Sequence, Set

import msgspec

from bibfold.errors import InputError
from bibfold.lines import whole_lines
from evaluation.pairs import Key, closure, pair, pairs_of

SAME = frozenset({"same", "1", "true", "yes", "duplicate", "match"})
DIFFERENT = frozenset({"different", "0", "false", "no", "non-duplicate", "nonduplicate", "non-match", "nonmatch"})
OPEN = frozenset({"", "unsure"})
"""What stands in place of a label where nobody has decided yet; such pairs are left out."""

SHOWN = 5
"""How many offending pairs a message names."""


class Truth(msgspec.Struct, frozen=True):
    """What is known: pairs of the same work, and pairs of different ones.

    Where it is `whole`, every pair that is not the same is different: clusters, or pairs without labels. With
    `judged` only pairs with one of these records count. `alone` are records that a cluster of one names.
    """

    same: Set[Key]
    different: Set[Key]
    whole: bool
    judged: Set[str] | None = None
    alone: Set[str] = frozenset()

    @property
    def named(self) -> set[str]:
        """All records that the truth names."""
        return {key for pairs in (self.same, self.different) for two in pairs for key in two} | self.alone

    def counts(self, two: Key) -> bool:
        """Whether a pair is judged at all."""
        return self.judged is None or two[0] in self.judged or two[1] in self.judged


def read_truth(path: str, judged: str | None = None) -> Truth:
    """What a CSV file knows: `a,b`, `a,b,label` or `cluster,source,id`; `judged` names a file of record keys.

    Raises InputError where the file is empty, contradicts itself, pairs a record with itself or has a label
    that means nothing.
    """
    file = _opened(path)
    shape = _form(file.header)
    if shape.clusters:
        memberships = list(_memberships(file))
        same = pairs_of(memberships)
        together = {key for two in same for key in two}
        truth = Truth(same, frozenset(), True, alone={key for _, key in memberships} - together)
    else:
        labels: dict[bool, set[Key]] = {True: set(), False: set()}
        for one, other, is_same in _labelled(file):
            labels[is_same].add(pair(one, other))
        _refuse_contradictions(path, labels[True] & labels[False])
        truth = Truth(labels[True], labels[False], shape.whole)
    if not truth.named:
        raise InputError(f"{path}: holds no pairs; draw some with `bibfold evaluate sample`")
    return _judged_only(truth, frozenset(read_keys(judged))) if judged else truth


class Form(msgspec.Struct, frozen=True):
    """What a truth's columns tell: whether it holds clusters, and whether it is whole."""

    clusters: bool
    whole: bool


def form(path: str) -> Form:
    """The form of a truth, by its header."""
    return _form(_opened(path).header)


def labelled(path: str) -> Iterator[tuple[str, str, bool]]:
    """Each pair of a file of pairs and whether it is the same work, line by line; open ones are left out."""
    file = _opened(path)
    if _form(file.header).clusters:
        raise InputError(f"{path}: holds clusters; pairs with a label are wanted, a,b,label")
    return _labelled(file)


def read_pairs(path: str) -> set[Key]:
    """The pairs of a result or a gold file, as they are: those called the same, or all of each cluster."""
    file = _opened(path)
    if _form(file.header).clusters:
        return pairs_of(_memberships(file))
    return {pair(one, other) for one, other, is_same in _labelled(file) if is_same}


def read_result(path: str) -> dict[str, str] | list[tuple[str, str]]:
    """A result as it is: each record with its cluster, or the links called the same, left and right as they stand."""
    file = _opened(path)
    if _form(file.header).clusters:
        return {key: cluster for cluster, key in _memberships(file)}
    return [(one, other) for one, other, is_same in _labelled(file) if is_same]


def read_keys(path: str) -> Iterator[str]:
    """The record keys in a file, one a line."""
    for line in _text(path):
        if key := line.strip():
            yield key


def strained(truth: Truth) -> list[Key]:
    """Pairs called different although pairs called the same chain the two together."""
    cluster = closure(truth.same)
    return sorted((a, b) for a, b in truth.different if a in cluster and cluster[a] == cluster.get(b))


def without(truth: Truth, unknown: Set[str]) -> Truth:
    """The truth without the pairs that name one of these records."""
    if not unknown:
        return truth
    return msgspec.structs.replace(
        truth,
        same={two for two in truth.same if unknown.isdisjoint(two)},
        different={two for two in truth.different if unknown.isdisjoint(two)},
        alone=truth.alone - unknown,
    )


def need_same(truth: Truth, path: str = "the truth") -> None:
    """Refuse a truth without pairs of the same work."""
    if not truth.same:
        raise no_same(path)


def need_both(truth: Truth, path: str = "the truth") -> None:
    """Refuse a truth in which one class is missing; of a whole one, what is not the same is different."""
    need_same(truth, path)
    if not truth.different and not truth.whole:
        raise no_different(path)


def no_same(path: str) -> InputError:
    """What to say of a truth without pairs of the same work."""
    return InputError(f"{path} holds no pairs that are the same; recall cannot be told; {_DRAW}")


def no_different(path: str) -> InputError:
    """What to say of a truth without pairs of different works."""
    return InputError(f"{path} holds no pairs that are different; precision cannot be told; {_DRAW}")


_DRAW = "draw some with `bibfold evaluate sample`"


class _File(msgspec.Struct, frozen=True):
    """A CSV file: its header, and its rows, each with the number of its line."""

    path: str
    header: list[str]
    rows: Iterator[tuple[int, Mapping[str, str]]]


def _judged_only(truth: Truth, judged: Set[str]) -> Truth:
    truth = msgspec.structs.replace(truth, judged=judged)
    same = {two for two in truth.same if truth.counts(two)}
    different = {two for two in truth.different if truth.counts(two)}
    if not same and not different:
        raise InputError("--judged names no record of the truth; is it the list that belongs to this truth?")
    return msgspec.structs.replace(truth, same=same, different=different)


def _refuse_contradictions(path: str, both: Set[Key]) -> None:
    if both:
        shown = "; ".join(f"{one} and {other}" for one, other in sorted(both)[:SHOWN])
        more = f"; and {len(both) - SHOWN} more" if len(both) > SHOWN else ""
        raise InputError(f"{path}: {len(both)} pairs are called both same and different: {shown}{more}; keep one label")


def _labelled(file: _File) -> Iterator[tuple[str, str, bool]]:
    column = _label_column(file.header)
    for number, row in file.rows:
        one, other = row["a"].strip(), row["b"].strip()
        if not one or not other or one == other:
            reason = f"{one} is paired with itself" if one and one == other else "a record is not named"
            raise InputError(f"{file.path}, line {number}: {reason}; a pair is two records, source:id")
        word = row[column].strip().lower() if column else "same"
        if word in SAME or word in DIFFERENT:
            yield one, other, word in SAME
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


def _form(header: Sequence[str]) -> Form:
    clusters = {"cluster", "source", "id"} <= set(header)
    return Form(clusters, clusters or _label_column(header) is None)


def _label_column(header: Sequence[str]) -> str | None:
    return next((name for name in ("label", "decision") if name in header), None)


def _opened(path: str) -> _File:
    """The file, with the columns of a known form."""
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
