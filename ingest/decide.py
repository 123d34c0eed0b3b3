"""Decides, record by record, where the members of a batch belong, and notes what happened and why."""

from collections.abc import Mapping, Sequence, Set
from typing import Final, Literal, NamedTuple

import msgspec
import numpy as np

from bibfold.catalogue.rows import NEW, Verdicts
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared
from ingest.groups import CanonicalPolicy, Group
from ingest.incoming import Incoming
from ingest.observer import Pair
from lookup.comparing import Compared
from lookup.evidence import RANK, Comparison, Veto
from lookup.matcher import Matcher
from lookup.profile import Profile
from lookup.proofs import without_generic
from lookup.vetoes import VETOES

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


class Rules(msgspec.Struct, frozen=True):
    """How the fold decides, beside the metric."""

    bridge: Bridge = "merge"
    canonical: CanonicalPolicy = CanonicalPolicy()


class Proposal(NamedTuple):
    """A group that a record may belong to: that of a cluster, or of an `earlier` record of the batch, by its place.

    `pair` is how the two compare, or `DIFFERENT`: then only a change of the group is a reason to compare again.
    """

    target: int
    earlier: bool
    pair: int


DIFFERENT: Final = -1
NAMED: Final = -2
"""In place of a pair: a person decided on the record and a member of the cluster."""


class Choice(msgspec.Struct, frozen=True):
    """A group that a record may join, how the two compare, and why that counts."""

    group: Group
    comparison: Comparison
    cause: str


class Deciding:
    """The state of a batch while it is decided: which groups there are and what has happened so far.

    `groups` are by cluster number; one that was merged away stands for its survivor. New clusters are numbered
    provisionally, in the order in which they are founded. `vacated` are empty clusters, with the records that each held
    last and where these lie: a group of just these records, as far as they are left, gets that number back.
    """

    def __init__(
        self,
        matcher: Matcher,
        rules: Rules,
        groups: Mapping[int, Group],
        verdicts: Verdicts,
        compared: Compared | None = None,
        vacated: Mapping[int, Mapping[str, int | None]] = {},
    ) -> None:
        self.matcher = matcher
        self.rules = rules
        self.groups = dict(groups)
        self.verdicts = verdicts
        self.compared = compared
        self.vacated = dict(vacated)
        self.next_no = NEW
        self.revived: set[int] = set()
        self.founded: dict[int, Incoming] = {}
        self.touched: dict[int, Group] = {}
        self.placed: list[int] = []
        self.events: list[Happened] = []
        self.pairs: list[Pair] = []

    def place(self, incoming: Incoming, proposals: Sequence[Proposal]) -> None:
        """Put one record where it belongs: into the best group that it is the same as, or into one of its own."""
        own = self._standing(incoming.stored.cluster) if incoming.stored else None
        pairs = self._proposed(proposals, own) if proposals else {}
        choices = self._choices(incoming, pairs) if pairs else []
        self.pairs.extend(
            Pair(incoming.key, choice.group.canonical.record.key, choice.comparison)
            for choice in choices
            if choice.comparison.decision != "different"
        )
        same = sorted(
            (choice for choice in choices if choice.comparison.decision == "same"),
            key=lambda choice: (-choice.comparison.precedence, -choice.comparison.score, choice.group.no),
        )
        if own is not None:
            self._settle_changed(incoming, own, same)
        elif same:
            self._join(incoming, same, "joined")
        else:
            self._found(incoming, "founded", ALONE)

    def _proposed(self, proposals: Sequence[Proposal], own: Group | None) -> dict[int, int]:
        """For each group that the record has to be held against, the pair that tells how, or that it is not known."""
        pairs: dict[int, int] = {}
        for proposal in proposals:
            no = self.placed[proposal.target] if proposal.earlier else proposal.target
            known = self.groups.get(no)
            if (proposal.pair == DIFFERENT and not (known and known.changed)) or not (known or no in self.founded):
                continue
            group = self._standing(no)
            if group is not own and group.no not in pairs and group.numbered:
                pairs[group.no] = proposal.pair if group.no == no and not group.changed else DIFFERENT
        return pairs

    def _choices(self, incoming: Incoming, pairs: Mapping[int, int]) -> list[Choice]:
        """The groups that a record may join: by a person's word first, then the metric, then every member's vetoes."""
        anew = [no for no, pair in pairs.items() if pair < 0]
        compared_anew = self._compared_anew(incoming, [self.groups[no] for no in anew]) if anew else None
        choices = []
        for no, pair in pairs.items():
            compared, at = (self.compared, pair) if pair >= 0 else (compared_anew, anew.index(no))
            assert compared is not None
            group = self.groups[no]
            if compared.decision[at] > RANK["different"] or self._verdict(incoming.key, group) is not None:
                choices.append(self._choice(incoming, group, compared.comparison(at)))
        return choices

    def _compared_anew(self, incoming: Incoming, groups: Sequence[Group]) -> Compared:
        """How a record compares with groups as they are now."""
        ours = self.matcher.add((incoming.prepared,))
        theirs = self.matcher.add(group.prepared for group in groups)
        return self.matcher.compare(np.repeat(ours, len(groups)), theirs, every=True)

    def _found(self, incoming: Incoming, kind: str, cause: str, other: int | None = None) -> None:
        vacated = self._vacated_by({incoming.key}) if self.vacated else None
        if vacated is not None:
            self.groups[vacated] = self.touched[vacated] = Group(
                vacated, {incoming.no: incoming.record}, self.rules.canonical
            )
            self.placed.append(vacated)
            self.events.append(Happened("revived", vacated, cause, incoming.key, other))
            return
        no = self.next_no
        self.next_no += 1
        self.founded[no] = incoming
        self.placed.append(no)
        self.events.append(Happened(kind, no, cause, incoming.key, other))

    def found_group(self, numbered: Mapping[int, Record]) -> Group:
        """A new group of records that leave another, under the number that they brought to it, if there is one."""
        vacated = self._vacated_by({record.key for record in numbered.values()})
        group = Group(self.next_no if vacated is None else vacated, numbered, self.rules.canonical)
        if vacated is None:
            self.next_no += 1
        self.groups[group.no] = self.touched[group.no] = group
        return group

    def _vacated_by(self, keys: Set[str]) -> int | None:
        """The oldest empty cluster whose last records, as far as they are left, are all among these."""
        for no in sorted(self.vacated):
            left = {key for key, home in self.vacated[no].items() if home is not None or key in keys}
            if left and left <= keys:
                del self.vacated[no]
                self.revived.add(no)
                return no
        return None

    def _join(self, incoming: Incoming, same: Sequence[Choice], kind: str, left: int | None = None) -> None:
        best, *others = same
        group = self._bridge(incoming, best.group, others)
        self._take(group, incoming)
        self.events.append(Happened(kind, group.no, best.cause, incoming.key, left, best.comparison))

    def _bridge(self, incoming: Incoming, group: Group, others: Sequence[Choice]) -> Group:
        """One record is the same as several groups: merge those that no veto parts, or note it and go on."""
        for choice in others:
            apart = self._kept_apart(group, choice.group)
            if self.rules.bridge == "merge" and apart is None:
                group = self.merge(group, choice.group, f"{incoming.key} is the same as both", choice.comparison)
            else:
                cause = f"{incoming.key} is the same as both; {apart or 'the policy joins the best only'}"
                self.events.append(
                    Happened("bridged", group.no, cause, incoming.key, choice.group.no, choice.comparison)
                )
        return group

    def merge(self, group: Group, other: Group, cause: str, comparison: Comparison | None = None) -> Group:
        """Make two groups one: the older survives, the other redirects to it."""
        older, younger = sorted((group, other), key=lambda member: member.no)
        younger.give_way(older)
        self.touched[older.no] = older
        self.touched[younger.no] = younger
        self.events.append(Happened("merged", older.no, cause, other=younger.no, comparison=comparison))
        return older

    def _settle_changed(self, incoming: Incoming, own: Group, same: Sequence[Choice]) -> None:
        """A record whose content changed stays where it is unless the evidence says that it left."""
        own.remove(incoming.no)
        if not own.numbered:
            self._settle_alone(incoming, own, same)
            return
        home = self._choice(incoming, own, self._compared_anew(incoming, [own]).comparison(0))
        if home.comparison.decision == "same" or (home.comparison.decision == "unsure" and not same):
            group = self._bridge(incoming, own, same)
            self._take(group, incoming)
            self.events.append(Happened("changed", group.no, home.cause, incoming.key, comparison=home.comparison))
            return
        self.touched[own.no] = own
        if same:
            self._join(incoming, same, "moved", own.no)
        else:
            self._found(incoming, "split", f"its new content differs from c{own.no}: {home.cause}", own.no)

    def _settle_alone(self, incoming: Incoming, own: Group, same: Sequence[Choice]) -> None:
        """A changed record that was its cluster's only one stays there, or leaves its cluster's id retired."""
        self.touched[own.no] = own
        if same:
            self._join(incoming, same, "moved", own.no)
            return
        self._take(own, incoming)
        self.events.append(Happened("changed", own.no, "new content", incoming.key))

    def _take(self, group: Group, incoming: Incoming) -> None:
        group.add({incoming.no: incoming.record})
        self.touched[group.no] = group
        self.placed.append(group.no)

    def _choice(self, incoming: Incoming, group: Group, comparison: Comparison) -> Choice:
        verdict = self._verdict(incoming.key, group)
        if verdict is not None:
            decided = msgspec.structs.replace(comparison, decision=verdict[0])
            return Choice(group, decided, verdict[1])
        comparison = without_generic(comparison, incoming.prepared, group.members_prepared, self.matcher.profile)
        if comparison.decision != "different" and len(group.numbered) > 1:
            veto = _strictest_veto(incoming.prepared, group, self.matcher.profile)
            if veto is not None:
                comparison = msgspec.structs.replace(
                    comparison,
                    decision=min(comparison.decision, veto.at_most, key=RANK.__getitem__),
                    vetoes=tuple(dict.fromkeys((*comparison.vetoes, veto.reason))),
                )
        return Choice(group, comparison, comparison.summary)

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

    def _kept_apart(self, group: Group, other: Group) -> str | None:
        """Why two groups must not become one: a person's word, a veto between members, or how they compare."""
        for member in group.members:
            verdict = self._verdict(member.key, other)
            if verdict and verdict[0] == "different":
                return verdict[1]
        for prepared in group.members_prepared():
            veto = _strictest_veto(prepared, other, self.matcher.profile)
            if veto is not None:
                return veto.reason
        comparison = self.matcher.explain(group.prepared, other.prepared)
        return None if comparison.decision == "same" else f"the two are {comparison.decision}: {comparison.summary}"

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
    rules = [VETOES[name].look for name in profile.vetoes]
    for member in members:
        for rule in rules:
            veto = rule(prepared, member)
            if veto is None or any(rule(member, other) and not rule(prepared, other) for other in members):
                continue
            if veto.at_most == "different":
                return veto
            strictest = strictest or veto
    return strictest
