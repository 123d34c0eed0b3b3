"""What a cluster looks like from outside: one record made of its members, with the provenance of each field."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from bibfold.records.identifiers import normalise
from bibfold.records.model import TEXT_FIELDS, Record
from bibfold.text import fold

WEIGHED_MEMBERS: Final = 200
"""A cluster's earliest members, this many at most, make its canonical record."""


class Canonical(msgspec.Struct, frozen=True):
    """A cluster's record, named after its founder, and for each field the key of the member that gave it."""

    record: Record
    provenance: Mapping[str, str]


def founder(members: Sequence[Record], trust: Sequence[str] = ()) -> Canonical:
    """The record that started the cluster, as in the Mendeley paper, with the identifiers and files of all members."""
    first = members[0]
    identifiers = _all_identifiers(members[:WEIGHED_MEMBERS])
    record = msgspec.structs.replace(first, identifiers=_values(identifiers))
    provenance = dict.fromkeys(_filled(first), first.key)
    return Canonical(record, provenance | {f"identifiers.{kind}": given[0][1] for kind, given in identifiers.items()})


def aggregate(members: Sequence[Record], trust: Sequence[str] = ()) -> Canonical:
    """Per field the value that most members agree on; then of the most trusted source; then the fullest."""
    members = members[:WEIGHED_MEMBERS]
    first = members[0]
    values: dict[str, Any] = {}
    provenance: dict[str, str] = {}
    for name in (*TEXT_FIELDS, "authors", "year"):
        given = [record for record in members if getattr(record, name)]
        if not given:
            continue
        best = _best(given, name, trust)
        values[name] = getattr(best, name)
        provenance[name] = best.key
    identifiers = _all_identifiers(members)
    extra = _all_extra(members)
    provenance.update({f"identifiers.{kind}": given[0][1] for kind, given in identifiers.items()})
    provenance.update({name: key for name, (_, key) in extra.items()})
    record = Record(
        source=first.source,
        id=first.id,
        identifiers=_values(identifiers),
        extra={name: value for name, (value, _) in extra.items()},
        **values,
    )
    return Canonical(record, provenance)


POLICIES: Final[Mapping[str, Callable[[Sequence[Record], Sequence[str]], Canonical]]] = {
    "aggregate": aggregate,
    "founder": founder,
}
"""How a canonical record is made, by name."""


def _filled(record: Record) -> list[str]:
    names = [name for name in (*TEXT_FIELDS, "authors", "year") if getattr(record, name)]
    return [*names, *(f"identifiers.{kind}" for kind in record.identifiers), *record.extra]


def _best(given: Sequence[Record], name: str, trust: Sequence[str]) -> Record:
    if len(given) == 1:
        return given[0]
    shapes = [_shape(name, getattr(record, name)) for record in given]
    votes = Counter(shapes)

    def merit(place: int) -> tuple[int, int, int, int]:
        record = given[place]
        trusted = -trust.index(record.source) if record.source in trust else -len(trust)
        return votes[shapes[place]], trusted, _fullness(getattr(record, name)), -place

    return given[max(range(len(given)), key=merit)]


def _shape(name: str, value: Any) -> Any:
    """What counts as the same value: authors by their number, texts by their folded words."""
    if name == "authors":
        return len(value)
    return fold(value) if isinstance(value, str) else value


def _fullness(value: Any) -> int:
    return sum(map(len, value)) if isinstance(value, tuple) else len(str(value))


def _all_identifiers(members: Sequence[Record]) -> dict[str, list[tuple[str, str]]]:
    """Every identifier of any member once, as (value, member that gave it first)."""
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for record in members:
        for kind, values in record.identifiers.items():
            for value in values:
                found.setdefault(kind, {}).setdefault(normalise(kind, value) or value, (value, record.key))
    return {kind: list(given.values()) for kind, given in found.items()}


def _values(identifiers: Mapping[str, Sequence[tuple[str, str]]]) -> dict[str, tuple[str, ...]]:
    return {kind: tuple(value for value, _ in given) for kind, given in identifiers.items()}


def _all_extra(members: Sequence[Record]) -> dict[str, tuple[Any, str]]:
    found: dict[str, tuple[Any, str]] = {}
    for record in members:
        for name, value in record.extra.items():
            found.setdefault(name, (value, record.key))
    return found
