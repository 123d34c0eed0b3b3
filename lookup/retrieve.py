"""Asks the engine for the candidates of many records at once: by identifier, then by title or fingerprint."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Final, Literal

import msgspec

from bibfold.engines.base import Engine, Hit, Marks, Query, Terms
from bibfold.records.fingerprint import MAX_DISTANCE, blocks_value, distance
from bibfold.records.keys import KeySettings, identifiers, keys
from bibfold.records.prepare import NO_MARKS, Prepared
from lookup.generic import GENERIC

FINGERPRINT_POOL: Final = 1_000
"""How many records that share a fingerprint block are looked at for each query."""

Retriever = Literal["bigrams", "fingerprint"]

PreparedOf = Callable[[Hit], Prepared]
"""The prepared form of a hit's record."""


class Retrieval(msgspec.Struct, frozen=True):
    """How candidates are found: fields and number of the ranked search, and whether identifiers propose too."""

    searched: tuple[str, ...] = ("title",)
    top_n: int = 10
    retriever: Retriever = "bigrams"
    identifiers: bool = True
    keys: KeySettings = KeySettings()


def retrieve(
    engine: Engine,
    index: str,
    queries: Sequence[Terms],
    retrieval: Retrieval,
    prepared_of: PreparedOf,
    marks: Sequence[Marks] | None = None,
    generic: set[str] | None = None,
) -> list[list[Hit]]:
    """For each query its candidates: those that share an identifier first, then the ranked ones, each once.

    Given the queries' marks, ranked ones that differ by a mark may be left out. Generic identifiers, which propose
    nothing, are added to `generic`.
    """
    ranked = _ranked(engine, index, queries, retrieval, prepared_of, marks)
    if not retrieval.identifiers:
        return ranked
    asking = [place for place, terms in enumerate(queries) if terms.get("identifier")]
    named = engine.search(index, [Query({"identifier": queries[place]["identifier"]}) for place in asking], 4 * GENERIC)
    for place, hits in zip(asking, named, strict=True):
        if hits:
            works = _of_works(hits, queries[place]["identifier"], prepared_of, set() if generic is None else generic)
            ids = {hit.id for hit in works}
            ranked[place] = works + [hit for hit in ranked[place] if hit.id not in ids]
    return ranked


def found_by(query: Terms, candidate: Terms) -> tuple[str, ...]:
    """How a candidate was found: the kinds of identifier it shares, `bigrams`, other keys, `fingerprint`."""
    kinds = [key.partition(":")[0] for key in query.get("identifier", ()) if key in candidate["identifier"]]
    if not set(query.get("title", ())).isdisjoint(candidate["title"]):
        kinds.append("bigrams")
    shared = set(query.get("also", ())) & set(candidate["also"])
    kinds.extend(ALSO[key[0]] for key in sorted(shared))
    if "block" in query and set(query["block"]) & set(candidate.get("block", ())):
        kinds.append("fingerprint")
    return tuple(dict.fromkeys(kinds))


ALSO: Final = {"y": "author-year", "a": "authors", "p": "volume-page"}
"""What the first letter of an `also` key stands for."""


def _ranked(
    engine: Engine,
    index: str,
    queries: Sequence[Terms],
    retrieval: Retrieval,
    prepared_of: PreparedOf,
    marks: Sequence[Marks] | None,
) -> list[list[Hit]]:
    if retrieval.retriever == "bigrams":
        asked = [
            Query({name: terms.get(name, ()) for name in retrieval.searched}, marked)
            for terms, marked in zip(queries, marks or repeat(NO_MARKS), strict=False)
        ]
        return engine.search(index, asked, retrieval.top_n)
    pools = engine.search(index, [Query({"block": terms.get("block", ())}) for terms in queries], FINGERPRINT_POOL)
    return [
        [hit for hit in pool if _near(terms, keys(prepared_of(hit), retrieval.keys))]
        for terms, pool in zip(queries, pools, strict=True)
    ]


def _near(query: Terms, candidate: Terms) -> bool:
    return distance(blocks_value(query["block"]), blocks_value(candidate["block"])) <= MAX_DISTANCE


def _of_works(hits: list[Hit], names: Sequence[str], prepared_of: PreparedOf, generic: set[str]) -> list[Hit]:
    """The hits that share an identifier which is not generic; those that are, are noted."""
    if len(hits) <= GENERIC:
        return hits
    titles: dict[str, set[str]] = {name: set() for name in names}
    shared = [titles.keys() & set(identifiers(prepared_of(hit))) for hit in hits]
    for hit, names_of_hit in zip(hits, shared, strict=True):
        for name in names_of_hit:
            titles[name].add(prepared_of(hit).title)
    generic.update(name for name in names if len(titles[name]) > GENERIC)
    return [hit for hit, names_of_hit in zip(hits, shared, strict=True) if not names_of_hit <= generic]
