"""The records that pairs are sampled from, grouped by work."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from heapq import nlargest, nsmallest
from itertools import pairwise

import msgspec

from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from evaluation.pairs import closure
from evaluation.samples.validation import Verdict, signature
from evaluation.truth import Truth
from lookup.generic import is_generic


class Member(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The fields of a record that sampling needs.

    `names` are its identifiers that name a work (`arxiv:2001.00001`); records with equal `metadata` have the same
    title, authors, publication and year.
    """

    key: str
    title: str
    signature: str
    names: tuple[str, ...] = ()
    metadata: int = 0


Group = list[int]
"""The positions of the members of one work."""


SHOWN = 10
"""How many members on either side of the line of validation are kept to be shown."""


class Borderline(msgspec.Struct, frozen=True):
    """A member near the line of validation: how like its reference it is, and the texts that were compared."""

    similarity: float
    key: str
    text: str
    reference: str


class Pool(msgspec.Struct, frozen=True):
    """Members and their groups.

    Where `probable`, members of different groups are only probably different works; those with equal titles then count
    as different only with `equal_titles`. With `judged`, only pairs with one of these records have a label. `counts`
    says how many records were left out, by reason. `rejected` are the members nearest to their reference that
    validation left out, nearest first, `accepted` the farthest that it kept, farthest first.
    """

    members: Sequence[Member]
    groups: Sequence[Group]
    group_of: Mapping[int, int]
    probable: bool = False
    judged: Set[str] | None = None
    counts: Mapping[str, int] = {}
    equal_titles: bool = False
    rejected: Sequence[Borderline] = ()
    accepted: Sequence[Borderline] = ()

    def same(self, first: int, second: int) -> bool:
        """Whether two members are known to be the same work."""
        return self.group_of[first] == self.group_of[second] and self._judged(first, second)

    def different(self, first: int, second: int) -> bool:
        """Whether two members are known to be different works.

        By identifiers, two records are different only if both have one of the same kind.
        """
        if self.group_of[first] == self.group_of[second] or not self._judged(first, second):
            return False
        left, right = self.members[first], self.members[second]
        if left.names and _kinds(left.names).isdisjoint(_kinds(right.names)):
            return False
        return self.equal_titles or not (self.probable and left.title == right.title)

    def different_and_not_identical(self, first: int, second: int) -> bool:
        """The same, where groups are only probably different only if the metadata are not equal throughout."""
        identical = self.probable and self.members[first].metadata == self.members[second].metadata
        return not identical and self.different(first, second)

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
    useless = {value for value, places in holders.items() if is_generic([members[place].title for place in places])}
    named = [[value for value in values if value not in useless] for values in carried]
    cluster = closure(pair for values in named if values for pair in pairwise([values[0], *values]))
    identified = [
        msgspec.structs.replace(member, names=tuple(values)) for member, values in zip(members, named, strict=True)
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


def kept(pool: Pool, judge: Callable[[Sequence[Member]], Sequence[Verdict]], what: str) -> Pool:
    """The pool without the members that a rule rejects in their group; `what` names them in the counts."""
    groups = []
    judged: list[tuple[bool, Borderline]] = []
    for group in pool.groups:
        verdicts = judge([pool.members[place] for place in group])
        groups.append([place for place, verdict in zip(group, verdicts, strict=True) if verdict.accepted])
        judged += [
            (good, Borderline(round(similarity, 4), pool.members[place].key, text, reference))
            for place, (good, similarity, text, reference) in zip(group, verdicts, strict=True)
        ]
    left = sum(map(len, groups))
    counts = {**pool.counts, what: sum(map(len, pool.groups)) - left}
    found = _grouped(pool, [group for group in groups if group], counts)
    return msgspec.structs.replace(
        found,
        rejected=nlargest(SHOWN, (near for good, near in judged if not good), key=_similarity),
        accepted=nsmallest(SHOWN, (near for good, near in judged if good), key=_similarity),
    )


def _similarity(near: Borderline) -> float:
    return near.similarity


def _kinds(names: Iterable[str]) -> set[str]:
    return {name.partition(":")[0] for name in names}


def _member(record: Record, prepared: Prepared) -> Member:
    metadata = hash((prepared.title, prepared.people, prepared.publication, prepared.year))
    return Member(record.key, prepared.title, signature(prepared), metadata=metadata)


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
