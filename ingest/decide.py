"""Decides, record by record, where the members of a batch belong, and notes what happened and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec

from bibfold.catalogue.rows import NEW, Verdicts
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from ingest.groups import CanonicalPolicy, Group
from ingest.incoming import Incoming
from lookup.evidence import Comparison, Profile, Veto
from lookup.explain import summary
from lookup.scoring import RANK, compare

Bridge = Literal["merge", "join-best"]

ALONE: Final = "no candidate was the same"


class Happened(msgspec.Struct, frozen=True):
    """An event in the life of a cluster, before it is written down."""

    kind: str
    cluster: int
    cause: str
    record: str | None = None
    other: int | None = None
    comparison: Comparison | None = None


class Pair(msgspec.Struct, frozen=True):
    """Two records that were compared and found `same` or `unsure`."""

    a: str
    b: str
    comparison: Comparison


class Rules(msgspec.Struct, frozen=True):
    """How the fold decides."""

    profile: Profile
    bridge: Bridge = "merge"
    canonical: CanonicalPolicy = CanonicalPolicy()


class Choice(msgspec.Struct, frozen=True):
    """A group that a record may join, how the two compare, and why that counts."""

    group: Group
    comparison: Comparison
    cause: str


class Deciding:
    """The state of a batch while it is decided: which groups there are and what has happened so far.

    New clusters are numbered provisionally, in the order in which they are founded.
    """

    def __init__(self, rules: Rules, groups: Iterable[Group], verdicts: Verdicts) -> None:
        self.rules = rules
        self.groups = {group.no: group for group in groups}
        self.verdicts = verdicts
        self.next_no = NEW
        self.founded: dict[int, Incoming] = {}
        self.touched: dict[int, Group] = {}
        self.placed: list[int] = []
        self.events: list[Happened] = []
        self.pairs: list[Pair] = []

    def place(self, one: Incoming, clusters: Sequence[int], earlier: Sequence[int]) -> None:
        """Put one record where it belongs: into the best group that it is the same as, or into one of its own."""
        if not clusters and not earlier and one.stored is None:
            self._found(one, "founded", ALONE)
            return
        own = self._own_group(one)
        numbers = dict.fromkeys([*clusters, *(self.placed[at] for at in earlier)])
        groups = {group.no: group for no in numbers if (group := self._standing(no)) is not own}
        choices = [self._choice(one, group) for group in groups.values() if group.numbered]
        self.pairs.extend(
            Pair(one.record.key, choice.group.canonical.record.key, choice.comparison)
            for choice in choices
            if choice.comparison.decision != "different"
        )
        same = sorted(
            (choice for choice in choices if choice.comparison.decision == "same"),
            key=lambda choice: (-choice.comparison.score, choice.group.no),
        )
        if own is not None:
            self._settle_changed(one, own, same)
        elif same:
            self._join(one, same, "joined")
        else:
            self._found(one, "founded", ALONE)

    def _found(self, one: Incoming, kind: str, cause: str, other: int | None = None) -> None:
        no = self.next_no
        self.next_no += 1
        self.founded[no] = one
        self.placed.append(no)
        self.events.append(Happened(kind, no, cause, one.record.key, other))

    def found_group(self, numbered: Mapping[int, Record]) -> Group:
        """A new group of records that leave another."""
        group = Group(self.next_no, numbered, self.rules.canonical)
        self.next_no += 1
        self.groups[group.no] = self.touched[group.no] = group
        return group

    def _join(self, one: Incoming, same: Sequence[Choice], kind: str, left: int | None = None) -> None:
        best, *others = same
        group = self._bridge(one, best.group, others)
        self._take(group, one)
        self.events.append(Happened(kind, group.no, best.cause, one.record.key, left, best.comparison))

    def _bridge(self, one: Incoming, group: Group, others: Sequence[Choice]) -> Group:
        """One record is the same as several groups: merge those that no veto parts, or note it and go on."""
        for choice in others:
            apart = self._kept_apart(group, choice.group)
            if self.rules.bridge == "merge" and apart is None:
                group = self.merge(group, choice.group, f"{one.record.key} is the same as both", choice.comparison)
            else:
                cause = f"{one.record.key} is the same as both; {apart or 'the policy joins the best only'}"
                self.events.append(
                    Happened("bridged", group.no, cause, one.record.key, choice.group.no, choice.comparison)
                )
        return group

    def merge(self, one: Group, other: Group, cause: str, comparison: Comparison | None = None) -> Group:
        """Make two groups one: the older survives, the other redirects to it."""
        older, younger = sorted((one, other), key=lambda group: group.no)
        older.add(younger.numbered)
        younger.numbered = {}
        younger.merged_into = older.no
        self.touched[older.no] = older
        self.touched[younger.no] = younger
        self.events.append(Happened("merged", older.no, cause, other=younger.no, comparison=comparison))
        return older

    def _settle_changed(self, one: Incoming, own: Group, same: Sequence[Choice]) -> None:
        """A record whose content changed stays where it is unless the evidence says that it left."""
        own.remove(one.no)
        if not own.numbered:
            self._settle_alone(one, own, same)
            return
        home = self._choice(one, own)
        if home.comparison.decision == "same" or (home.comparison.decision == "unsure" and not same):
            group = self._bridge(one, own, same)
            self._take(group, one)
            self.events.append(Happened("changed", group.no, home.cause, one.record.key, comparison=home.comparison))
            return
        self.touched[own.no] = own
        if same:
            self._join(one, same, "moved", own.no)
        else:
            self._found(one, "split", f"its new content differs from c{own.no}: {home.cause}", own.no)

    def _settle_alone(self, one: Incoming, own: Group, same: Sequence[Choice]) -> None:
        """A changed record that was its cluster's only one takes the cluster along to where it now belongs."""
        own.add({one.no: one.record})
        self.touched[own.no] = group = own
        comparison = same[0].comparison if same else None
        if same:
            joined = self._bridge(one, same[0].group, same[1:])
            group = self.merge(own, joined, f"{one.record.key} changed: {same[0].cause}", comparison)
        self.placed.append(group.no)
        self.events.append(Happened("changed", group.no, "new content", one.record.key, comparison=comparison))

    def _take(self, group: Group, one: Incoming) -> None:
        group.add({one.no: one.record})
        self.touched[group.no] = group
        self.placed.append(group.no)

    def _choice(self, one: Incoming, group: Group) -> Choice:
        """Compare a record with a group: a person's word first, then the metric, then every member's vetoes."""
        comparison = compare(one.prepared, group.prepared, self.rules.profile)
        verdict = self._verdict(one.record.key, group)
        if verdict is not None:
            decided = msgspec.structs.replace(comparison, decision=verdict[0])
            return Choice(group, decided, verdict[1])
        if comparison.decision != "different" and len(group.numbered) > 1:
            veto = _strictest_veto(one.prepared, group, self.rules.profile)
            if veto is not None:
                comparison = msgspec.structs.replace(
                    comparison,
                    decision=min(comparison.decision, veto.at_most, key=RANK.__getitem__),
                    vetoes=tuple(dict.fromkeys((*comparison.vetoes, veto.reason))),
                )
        return Choice(group, comparison, summary(comparison))

    def _verdict(self, key: str, group: Group) -> tuple[Literal["same", "different"], str] | None:
        said = self.verdicts.get(key)
        if not said:
            return None
        verdicts = {member.key: said[member.key] for member in group.members if member.key in said}
        for word in ("different", "same"):
            for other, verdict in verdicts.items():
                if verdict == word:
                    return word, f"decided by a person: {key} and {other} are {word}"
        return None

    def _kept_apart(self, one: Group, other: Group) -> str | None:
        """Why two groups must not become one: a person's word, a veto between members, or how they compare."""
        for member in one.members:
            verdict = self._verdict(member.key, other)
            if verdict and verdict[0] == "different":
                return verdict[1]
        for prepared in one.members_prepared():
            veto = _strictest_veto(prepared, other, self.rules.profile)
            if veto is not None:
                return veto.reason
        comparison = compare(one.prepared, other.prepared, self.rules.profile)
        return None if comparison.decision == "same" else f"the two are {comparison.decision}: {summary(comparison)}"

    def _own_group(self, one: Incoming) -> Group | None:
        return self._standing(one.stored.cluster) if one.stored else None

    def _standing(self, no: int) -> Group:
        """The group that a cluster number stands for now, made from its founder where it is new."""
        group = self.groups.get(no)
        if group is None:
            founder = self.founded[no]
            group = self.groups[no] = Group(no, {founder.no: founder.record}, self.rules.canonical)
        while group.merged_into is not None:
            group = self.groups[group.merged_into]
        return group


def _strictest_veto(prepared: Prepared, group: Group, profile: Profile) -> Veto | None:
    """Of the vetoes between a record and a group's members, the one that leaves the least.

    Where a person brought two members together that a rule would part, a record that agrees with one of them is
    not parted from the other.
    """
    strictest = None
    members = group.members_prepared()
    for member in members:
        for rule in profile.vetoes:
            veto = rule(prepared, member)
            if veto is None or any(rule(member, other) and not rule(prepared, other) for other in members):
                continue
            if veto.at_most == "different":
                return veto
            strictest = strictest or veto
    return strictest
