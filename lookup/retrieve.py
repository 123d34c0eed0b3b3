"""Asks the engine for the candidates of many records at once: by identifier, then by title or fingerprint."""

from collections.abc import Sequence
from itertools import repeat
from typing import Literal

import msgspec

from bibfold.engines.base import Engine, Hit, Marks, Query, Terms
from bibfold.records.fingerprint import MAX_DISTANCE, blocks_value, distance
from bibfold.records.keys import KeySettings, identifiers, keys
from bibfold.records.model import Record
from bibfold.records.prepare import NO_MARKS, Prepared, prepare

GENERIC = 5
"""An identifier that more different titles than this share names no work and proposes nothing."""

FINGERPRINT_POOL = 1_000
"""How many records that share a fingerprint block are looked at for each query."""

Retriever = Literal["bigrams", "fingerprint"]


class Retrieval(msgspec.Struct, frozen=True):
    """How candidates are found: fields and number of the ranked search, and whether identifiers propose too."""

    searched: tuple[str, ...] = ("title",)
    top_n: int = 10
    retriever: Retriever = "bigrams"
    identifiers: bool = True
    keys: KeySettings = KeySettings()


class PreparedCache:
    """Prepared forms of the records that an engine hands back, so that each is made once."""

    def __init__(self, size: int = 1 << 20) -> None:
        self._size = size
        self._held: dict[str, tuple[Record, Prepared]] = {}

    def __call__(self, hit: Hit) -> Prepared:
        """The prepared form of a hit's record."""
        found = self._held.get(hit.id)
        if found is not None and (found[0] is hit.record or found[0] == hit.record):
            return found[1]
        prepared = prepare(hit.record)
        self.add(hit.id, hit.record, prepared)
        return prepared

    def many(self, hits: Sequence[Hit]) -> list[Prepared]:
        """The prepared forms of many hits' records."""
        held = self._held
        return [
            found[1] if (found := held.get(hit.id)) is not None and found[0] is hit.record else self(hit)
            for hit in hits
        ]

    def add(self, id: str, record: Record, prepared: Prepared) -> None:
        """Keep a form that was made elsewhere."""
        if len(self._held) >= self._size:
            self._held.clear()
        self._held[id] = (record, prepared)


class ByPlace(PreparedCache):
    """The prepared forms of documents whose ids are their places in a list."""

    def __init__(self, prepared: Sequence[Prepared]) -> None:
        super().__init__()
        self._prepared = prepared

    def __call__(self, hit: Hit) -> Prepared:
        return self._prepared[int(hit.id)]


def retrieve(
    engine: Engine,
    index: str,
    queries: Sequence[Terms],
    wanted: Retrieval,
    prepared: PreparedCache,
    marks: Sequence[Marks] | None = None,
) -> list[list[Hit]]:
    """For each query its candidates: those that share an identifier first, then the ranked ones, each once.

    Given the queries' marks, ranked ones that differ by a mark may be left out.
    """
    ranked = _ranked(engine, index, queries, wanted, prepared, marks)
    if not wanted.identifiers:
        return ranked
    asking = [place for place, terms in enumerate(queries) if terms.get("identifier")]
    named = engine.search(index, [Query({"identifier": queries[place]["identifier"]}) for place in asking], 4 * GENERIC)
    for place, hits in zip(asking, named, strict=True):
        if hits:
            works = _of_works(hits, queries[place]["identifier"], prepared)
            known = {hit.id for hit in works}
            ranked[place] = works + [hit for hit in ranked[place] if hit.id not in known]
    return ranked


def found_by(query: Terms, candidate: Terms) -> tuple[str, ...]:
    """How a candidate was found: the kinds of identifier it shares, `bigrams`, other keys, `fingerprint`."""
    kinds = [key.partition(":")[0] for key in query.get("identifier", ()) if key in candidate["identifier"]]
    if set(query.get("title", ())) & set(candidate["title"]):
        kinds.append("bigrams")
    shared = set(query.get("also", ())) & set(candidate["also"])
    kinds.extend(ALSO[key[0]] for key in sorted(shared))
    if "block" in query and set(query["block"]) & set(candidate.get("block", ())):
        kinds.append("fingerprint")
    return tuple(dict.fromkeys(kinds))


ALSO = {"y": "author-year", "a": "authors", "p": "volume-page"}
"""What the first letter of an `also` key stands for."""


def _ranked(
    engine: Engine,
    index: str,
    queries: Sequence[Terms],
    wanted: Retrieval,
    prepared: PreparedCache,
    marks: Sequence[Marks] | None,
) -> list[list[Hit]]:
    if wanted.retriever == "bigrams":
        asked = [
            Query({name: terms.get(name, ()) for name in wanted.searched}, marked)
            for terms, marked in zip(queries, marks or repeat(NO_MARKS), strict=False)
        ]
        return engine.search(index, asked, wanted.top_n)
    pools = engine.search(index, [Query({"block": terms.get("block", ())}) for terms in queries], FINGERPRINT_POOL)
    return [
        [hit for hit in pool if _near(terms, keys(prepared(hit), wanted.keys))]
        for terms, pool in zip(queries, pools, strict=True)
    ]


def _near(query: Terms, candidate: Terms) -> bool:
    return distance(blocks_value(query["block"]), blocks_value(candidate["block"])) <= MAX_DISTANCE


def _of_works(hits: list[Hit], wanted: Sequence[str], prepared: PreparedCache) -> list[Hit]:
    """The hits that share an identifier which is not generic."""
    if len(hits) <= GENERIC:
        return hits
    titles: dict[str, set[str]] = {key: set() for key in wanted}
    shared = [titles.keys() & set(identifiers(prepared(hit))) for hit in hits]
    for hit, keys_of_hit in zip(hits, shared, strict=True):
        for key in keys_of_hit:
            titles[key].add(prepared(hit).title)
    return [
        hit
        for hit, keys_of_hit in zip(hits, shared, strict=True)
        if any(len(titles[k]) <= GENERIC for k in keys_of_hit)
    ]
