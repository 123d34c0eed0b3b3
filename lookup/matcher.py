"""The one matcher: records become candidates, and pairs become comparisons, by the batch."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec
import numpy as np

from bibfold.engines.base import Engine, Hit, Terms
from bibfold.errors import SettingsError
from bibfold.records.columns import Columns, Flags, Places
from bibfold.records.keys import key_settings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from bibfold.settings import Settings
from lookup.comparing import Compared, compare, vetoed
from lookup.evidence import Comparison
from lookup.pairs import Pairs
from lookup.profile import Profile, Proof
from lookup.profiles import profile_named
from lookup.retrieve import PreparedOf, Retrieval, retrieve

MOST_ROWS: Final = 1_500_000
"""With more records than these at hand the matcher begins anew: a run may go on for ever."""


class Keyed(Protocol):
    """A record that is ready to be looked up."""

    @property
    def prepared(self) -> Prepared: ...
    @property
    def terms(self) -> Terms: ...


class KeyedRecord(msgspec.Struct, frozen=True):
    """A record with its comparable form and the keys that it is searched by."""

    record: Record
    prepared: Prepared
    terms: Terms


class Candidates(NamedTuple):
    """What an index proposes for a batch of records: `owners[i]` is the place in the batch that `hits[i]` is for."""

    owners: Places
    hits: list[Hit]


class Matcher:
    """Looks for candidates and compares by one profile; records that it has seen need not be prepared again."""

    def __init__(self, profile: Profile, retrieval: Retrieval) -> None:
        self.profile = profile
        self.retrieval = retrieval
        self.columns = Columns()
        self._generic: set[str] = set()
        self._documents: dict[str, tuple[Record, int]] = {}

    def key(self, record: Record) -> KeyedRecord:
        """A record made ready to be looked up."""
        prepared = prepare(record)
        return KeyedRecord(record, prepared, keys(prepared, self.retrieval.keys))

    def candidates(
        self,
        engine: Engine,
        index: str,
        records: Sequence[Keyed],
        *,
        possible: bool = False,
        prepared_of: PreparedOf | None = None,
    ) -> Candidates:
        """What the index proposes; where only `possible` ones are asked for, those that a mark tells apart may lack."""
        marks = [record.prepared.marks for record in records] if possible and self.marks_tell_apart else None
        queries = [record.terms for record in records]
        prepared_of = prepared_of or self._prepared_of
        found = retrieve(engine, index, queries, self.retrieval, prepared_of, marks, self._generic)
        owners = np.repeat(np.arange(len(records)), [len(hits) for hits in found])
        return Candidates(owners, [hit for hits in found for hit in hits])

    def add(self, records: Iterable[Prepared]) -> Places:
        """Take records in; their places."""
        return self.columns.add(records)

    def add_hits(self, hits: Sequence[Hit]) -> Places:
        """Take the records of hits in, each once; their places."""
        return np.array([self._place_of(hit) for hit in hits], np.int64)

    def remember(self, id: str, record: Record, place: int) -> None:
        """A document that the index will hand back is the record at this place."""
        self._documents[id] = (record, place)

    def compare(self, left: Places, right: Places, *, every: bool = False) -> Compared:
        """Compare the records at these places; `different` pairs are left out unless `every` one is asked for."""
        return compare(Pairs(self.columns, left, right), self.profile, every=every, generic=self._generic)

    def vetoed(self, left: Places, right: Places) -> Flags:
        """Which pairs of the records at these places a veto forbids to be the same."""
        return vetoed(Pairs(self.columns, left, right), self.profile)

    def explain(self, ours: Prepared, theirs: Prepared) -> Comparison:
        """How two records compare, in words."""
        left, right = self.columns.add((ours, theirs))
        return self.compare(np.array([left]), np.array([right]), every=True).comparison(0)

    def tidy(self) -> None:
        """Forget all places, where there are too many; called between two batches."""
        if len(self.columns.rows) > MOST_ROWS:
            self.columns = Columns()
            self._documents.clear()
            self._generic.clear()

    @property
    def marks_tell_apart(self) -> bool:
        """Whether two records are different for certain where their marks of a kind differ."""
        return "identifiers_differ" in self.profile.vetoes

    def _prepared_of(self, hit: Hit) -> Prepared:
        return self.columns.rows[self._place_of(hit)]

    def _place_of(self, hit: Hit) -> int:
        known = self._documents.get(hit.id)
        if known is not None and (known[0] is hit.record or known[0] == hit.record):
            return known[1]
        place = int(self.columns.add((prepare(hit.record),))[0])
        self.remember(hit.id, hit.record, place)
        return place


def matcher_of(settings: Settings) -> Matcher:
    """The matcher that settings describe."""
    profile = profile_of(settings)
    retrieval = Retrieval(
        searched=profile.searched,
        top_n=settings.top_n,
        retriever="fingerprint" if settings.retriever == "fingerprint" else "bigrams",
        identifiers=settings.identifiers,
        keys=msgspec.structs.replace(
            key_settings(settings.languages, settings.retriever), written=profile.reads_written
        ),
    )
    return Matcher(profile, retrieval)


def profile_of(settings: Settings) -> Profile:
    """The profile that the settings name, with their thresholds in place of its own.

    Where identifiers propose no candidates they prove nothing either.
    """
    profile = profile_named(settings.profile)
    same = profile.same if settings.same is None else settings.same
    unsure = min(profile.unsure, same) if settings.unsure is None else settings.unsure
    if unsure > same:
        raise SettingsError(f"unsure: {unsure} is above same: {same}; pairs from {unsure} on would be both")
    proofs = _proofs(profile, settings.same_identifier) if settings.identifiers else ()
    return msgspec.structs.replace(profile, same=same, unsure=unsure, proofs=proofs)


def _proofs(profile: Profile, threshold: float | None) -> tuple[Proof, ...]:
    """The profile's proofs, those by an identifier from this score on; a file needs no score."""
    if threshold is None:
        return profile.proofs
    if not any(_by_identifier(proof) for proof in profile.proofs):
        raise SettingsError(
            f"same_identifier: by the profile {profile.name} a shared identifier alone makes no two records the same; "
            "leave the setting out, or choose a profile that has such a threshold, as mendeley does"
        )
    return tuple(
        msgspec.structs.replace(proof, score=threshold) if _by_identifier(proof) else proof for proof in profile.proofs
    )


def _by_identifier(proof: Proof) -> bool:
    return set(proof.kinds) != {"filehash"}
