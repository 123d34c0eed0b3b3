"""Identifiers that two records share or contradict."""

from collections.abc import Mapping

from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


def shared(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 where a DOI, PMID, ISBN or the like is common to both; says nothing where none is."""
    if not ours.identifiers or not theirs.identifiers:
        return None
    common = [pair for pair in ours.identifiers if pair in theirs.identifiers and pair[0] != "issn"]
    if not common:
        return None
    return Finding(1.0, f"{common[0][0]} {common[0][1]}: equal")


def by_kind(record: Prepared) -> Mapping[str, set[str]]:
    """The values of each kind."""
    kinds: dict[str, set[str]] = {}
    for kind, value in record.identifiers:
        kinds.setdefault(kind, set()).add(value)
    return kinds
