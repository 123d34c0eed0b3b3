"""The records that pairs are sampled from, grouped by work."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import pairwise

import msgspec

from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from evaluation.pairs import closure
from evaluation.samples.validation import generic, signature
from evaluation.truth import Truth


class Member(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The fields of a record that sampling needs; `kinds` are the kinds of its identifiers that name a work."""

    key: str
    title: str
    signature: str
    kinds: tuple[str, ...] = ()


Group = list[int]
"""The positions of the members of one work."""


class Pool(msgspec.Struct, frozen=True):
    """Members and their groups.

    Where `probable`, members of different groups are only probably different works. With `judged`, only pairs with one
    of these records have a label. `counts` says how many records were left out, by reason.
    """

    members: Sequence[Member]
    groups: Sequence[Group]
    group_of: Mapping[int, int]
    probable: bool = False
    judged: Set[str] | None = None
    counts: Mapping[str, int] = {}

    def same(self, first: int, second: int) -> bool:
        """Whether two members are known to be the same work."""
        return self.group_of[first] == self.group_of[second] and self._judged(first, second)

    def different(self, first: int, second: int) -> bool:
        """Whether two members are known to be different works.

        By identifiers, two records are different only if both have one of the same kind. If groups are only probably
        different, records with equal titles do not count as different.
        """
        if self.group_of[first] == self.group_of[second] or not self._judged(first, second):
            return False
        left, right = self.members[first], self.members[second]
        if left.kinds and set(left.kinds).isdisjoint(right.kinds):
            return False
        return not (self.probable and left.title == right.title)

    def _judged(self, first: int, second: int) -> bool:
        if self.judged is None:
            return True
        return self.members[first].key in self.judged or self.members[second].key in self.judged


def by_identifier(records: Iterable[Record], kinds: Set[str]) -> Pool:
    """Group records that share an identifier of these kinds; records without any are left out.

    A generic identifier, which many different titles share, is ignored.
    """
    members: list[Member] = []
    carried: list[list[str]] = []
    holders: dict[str, list[int]] = defaultdict(list)
    seen: Counter[str] = Counter()
    for record in records:
        prepared = prepare(record)
        values = [f"{kind}:{value}" for kind, value in prepared.identifiers if kind in kinds]
        seen["records"] += 1
        if not values:
            continue
        for value in values:
            holders[value].append(len(members))
        carried.append(values)
        members.append(_member(record, prepared))
    useless = {value for value, places in holders.items() if generic([members[place].title for place in places])}
    named = [[value for value in values if value not in useless] for values in carried]
    cluster = closure(pair for values in named if values for pair in pairwise([values[0], *values]))
    identified = [
        msgspec.structs.replace(member, kinds=_kinds(values)) for member, values in zip(members, named, strict=True)
    ]
    owners = {place: cluster[values[0]] for place, values in enumerate(named) if values}
    counts = {**seen, "with an identifier": len(members), "generic identifiers": len(useless)}
    return _pool(identified, owners, counts, probable="filehash" in kinds)


def by_clusters(records: Iterable[Record], truth: Truth) -> Pool:
    """Group records by a whole truth; a record that it does not name is a work of its own."""
    cluster = closure(truth.same)
    members = [_member(record, prepare(record)) for record in records]
    owners = {place: cluster.get(member.key, member.key) for place, member in enumerate(members)}
    return _pool(members, owners, {"records": len(members)}, judged=truth.judged)


def kept(pool: Pool, keep: Callable[[Sequence[Member]], Sequence[bool]], what: str) -> Pool:
    """The pool without the members that a rule rejects in their group; `what` names them in the counts."""
    groups = []
    for group in pool.groups:
        verdicts = keep([pool.members[place] for place in group])
        groups.append([place for place, good in zip(group, verdicts, strict=True) if good])
    left = sum(map(len, groups))
    counts = {**pool.counts, what: sum(map(len, pool.groups)) - left}
    return _grouped(pool, [group for group in groups if group], counts)


def _kinds(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({value.partition(":")[0] for value in values}))


def _member(record: Record, prepared: Prepared) -> Member:
    return Member(record.key, prepared.title, signature(prepared))


def _pool(
    members: Sequence[Member],
    owners: Mapping[int, str],
    counts: Mapping[str, int],
    *,
    probable: bool = False,
    judged: Set[str] | None = None,
) -> Pool:
    groups: dict[str, Group] = defaultdict(list)
    for place, owner in owners.items():
        groups[owner].append(place)
    return _grouped(Pool(members, (), {}, probable, judged), list(groups.values()), counts)


def _grouped(pool: Pool, groups: Sequence[Group], counts: Mapping[str, int]) -> Pool:
    group_of = {place: number for number, group in enumerate(groups) for place in group}
    return msgspec.structs.replace(pool, groups=groups, group_of=group_of, counts=counts)
