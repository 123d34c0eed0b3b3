"""The clusters that one batch touches, as they change while the batch is folded."""

from collections.abc import Mapping

import msgspec

from bibfold.catalogue.canonical import POLICIES, Canonical
from bibfold.catalogue.rows import Cluster
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare


class CanonicalPolicy(msgspec.Struct, frozen=True):
    """How canonical records are made, and which sources are trusted, most trusted first."""

    name: str = "aggregate"
    trust: tuple[str, ...] = ()


class Group:
    """A cluster in the making: its members, oldest first, and the canonical record they make up.

    It is `changed` where it is no longer what the batch's records were compared with. `last` are the keys that it held
    when it was last not empty.
    """

    def __init__(self, no: int, numbered: Mapping[int, Record], policy: CanonicalPolicy) -> None:
        self.no = no
        self.numbered = dict(numbered)
        self.merged_into: int | None = None
        self.last: tuple[str, ...] = ()
        self.changed = False
        self._policy = policy
        self._canonical: Canonical | None = None
        self._prepared: Prepared | None = None
        self._members_prepared: dict[str, Prepared] = {}

    @property
    def members(self) -> list[Record]:
        """The records, in the order in which they came into the catalogue."""
        return [self.numbered[no] for no in sorted(self.numbered)]

    @property
    def canonical(self) -> Canonical:
        """What the group looks like from outside now."""
        if self._canonical is None:
            members = self.members
            if len(members) == 1:
                self._canonical = Canonical(members[0], {})
            else:
                self._canonical = POLICIES[self._policy.name](members, self._policy.trust)
        return self._canonical

    @property
    def prepared(self) -> Prepared:
        """The canonical record, ready to be compared."""
        if self._prepared is None:
            self._prepared = prepare(self.canonical.record)
        return self._prepared

    def members_prepared(self) -> list[Prepared]:
        """The members, ready to be compared."""
        members = self.members
        for record in members:
            if record.key not in self._members_prepared:
                self._members_prepared[record.key] = prepare(record)
        return [self._members_prepared[record.key] for record in members]

    def add(self, numbered: Mapping[int, Record]) -> None:
        """Take members in, by their numbers."""
        self.numbered.update(numbered)
        self._renew()

    def remove(self, no: int) -> None:
        """Let a member go."""
        key = self.numbered.pop(no).key
        self._members_prepared.pop(key, None)
        self.last = (key,)
        self._renew()

    def give_way(self, other: "Group") -> None:
        """Hand all members over to another group, and redirect to it."""
        self.last = tuple(record.key for record in self.members)
        other.add(self.numbered)
        self.numbered = {}
        self.merged_into = other.no
        self.changed = True

    def _renew(self) -> None:
        self.changed = True
        self._canonical = None
        self._prepared = None


def group_of(cluster: Cluster, policy: CanonicalPolicy) -> Group:
    """A group that starts as a cluster of the catalogue stands."""
    return Group(cluster.no, cluster.numbered, policy)
