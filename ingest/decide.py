"""Decides, record by record, where the members of a batch belong, and notes what happened and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from ingest.groups import CanonicalPolicy, Group
from ingest.incoming import Incoming
from lookup.evidence import Comparison, Profile, Veto
from lookup.explain import summary
from lookup.scoring import compare, decide

Bridge = Literal["merge", "join-best"]
Verdicts = Mapping[str, Mapping[str, str]]
"""A person's decisions: for a record's key, the other keys and `same` or `different`."""


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
    """The state of a batch while it is decided: which groups there are and what has happened so far."""

    def __init__(self, rules: Rules, groups: Iterable[Group], verdicts: Verdicts, next_no: int) -> None:
        self.rules = rules
        self.groups = {group.no: group for group in groups}
        self.verdicts = verdicts
        self.next_no = next_no
        self.founded: dict[int, Record] = {}
        self.touched: dict[int, Group] = {}
        self.placed: list[int] = []
        self.events: list[Happened] = []
        self.pairs: list[Pair] = []

    def place(self, one: Incoming, clusters: Sequence[int], earlier: Sequence[int]) -> None:
        """Put one record where it belongs: into the best group that it is the same as, or into one of its own."""
        own = self._own_group(one)
        numbers = dict.fromkeys([*clusters, *(self.placed[at] for at in earlier)])
        groups = {group.no: group for no in numbers if (group := self._standing(no)) is not own}
        choices = [self._choice(one, group) for group in groups.values() if group.members]
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
            self._join(one, same)
        else:
            self._found(one, "founded", "no candidate was the same")

    def _found(self, one: Incoming, kind: str, cause: str, other: int | None = None) -> None:
        no = self.next_no
        self.next_no += 1
        self.founded[no] = one.record
        self.placed.append(no)
        self.events.append(Happened(kind, no, cause, one.record.key, other))

    def found_group(self, records: Sequence[Record]) -> Group:
        """A new group of records that leave another."""
        group = Group(self.next_no, records, self.rules.canonical)
        self.next_no += 1
        self.founded[group.no] = records[0]
        self.groups[group.no] = self.touched[group.no] = group
        return group

    def _join(self, one: Incoming, same: Sequence[Choice]) -> None:
        best = same[0]
        group = best.group
        if len(same) > 1:
            group = self._bridge(one, same)
        self._take(group, [one.record])
        self.placed.append(group.no)
        self.events.append(Happened("joined", group.no, best.cause, one.record.key, comparison=best.comparison))

    def _bridge(self, one: Incoming, same: Sequence[Choice]) -> Group:
        """One record is the same as several groups: merge those that no veto parts, or note it and go on."""
        best, *others = same
        group = best.group
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
        self._take(older, younger.members)
        younger.members = []
        younger.merged_into = older.no
        self.touched[younger.no] = younger
        self.events.append(Happened("merged", older.no, cause, other=younger.no, comparison=comparison))
        return older

    def _settle_changed(self, one: Incoming, own: Group, same: Sequence[Choice]) -> None:
        """A record whose content changed stays where it is unless the evidence says that it left."""
        key = one.record.key
        own.remove(key)
        if own.members:
            choice = self._choice(one, own)
            if choice.comparison.decision != "different":
                self._stay(one, own, choice.cause, choice.comparison)
                return
            self.touched[own.no] = own
            if not same:
                cause = f"its new content differs from cluster c{own.no}"
                self._found(one, "split", cause, own.no)
                return
            self._take(same[0].group, [one.record])
            self.placed.append(same[0].group.no)
            self.events.append(Happened("moved", same[0].group.no, same[0].cause, key, own.no, same[0].comparison))
        elif same:
            self._take(own, [one.record])
            group = self.merge(own, same[0].group, f"{key} changed: {same[0].cause}", same[0].comparison)
            self.placed.append(group.no)
            self.events.append(Happened("changed", group.no, "new content", key, comparison=same[0].comparison))
        else:
            self._stay(one, own, "new content", None)

    def _stay(self, one: Incoming, own: Group, cause: str, comparison: Comparison | None) -> None:
        self._take(own, [one.record])
        self.placed.append(own.no)
        self.events.append(Happened("changed", own.no, cause, one.record.key, comparison=comparison))

    def _take(self, group: Group, records: Sequence[Record]) -> None:
        group.add(records)
        self.touched[group.no] = group

    def _choice(self, one: Incoming, group: Group) -> Choice:
        """Compare a record with a group: a person's word first, then the metric, then every member's vetoes."""
        profile = self.rules.profile
        comparison = compare(one.prepared, group.prepared, profile)
        verdict = self._verdict(one.record.key, group)
        if verdict is not None:
            decided = msgspec.structs.replace(comparison, decision=verdict[0])
            return Choice(group, decided, verdict[1])
        if comparison.decision == "same" and len(group.members) > 1:
            vetoes = _member_vetoes(one.prepared, group, profile)
            if vetoes:
                comparison = msgspec.structs.replace(
                    comparison,
                    decision=decide(comparison.score, vetoes, profile),
                    vetoes=tuple(veto.reason for veto in vetoes),
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
        """Why two groups must not become one: a person's word or a veto between any two members."""
        for member in one.members:
            verdict = self._verdict(member.key, other)
            if verdict and verdict[0] == "different":
                return verdict[1]
        for prepared in one.members_prepared():
            for veto in _member_vetoes(prepared, other, self.rules.profile):
                return veto.reason
        return None

    def _own_group(self, one: Incoming) -> Group | None:
        return self._standing(one.held.cluster) if one.held else None

    def _standing(self, no: int) -> Group:
        """The group that a cluster number stands for now, made from its founder where it is new."""
        group = self.groups.get(no)
        if group is None:
            group = self.groups[no] = Group(no, [self.founded[no]], self.rules.canonical)
        while group.merged_into is not None:
            group = self.groups[group.merged_into]
        return group


def _member_vetoes(prepared: Prepared, group: Group, profile: Profile) -> list[Veto]:
    found = (
        veto
        for member in group.members_prepared()
        for rule in profile.vetoes
        if (veto := rule(prepared, member)) is not None
    )
    first = next(found, None)
    return [first] if first else []
