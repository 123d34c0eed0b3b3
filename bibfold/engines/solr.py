"""Solr as a search engine, by itself or as SolrCloud: the index lives in the server and outlives us."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import inf
from typing import ClassVar, TypeVar

import msgspec

from bibfold.engines import solr_wire as wire
from bibfold.engines.base import Change, Document, Hit, Query
from bibfold.engines.server_address import address
from bibfold.engines.server_hits import fields, lowest_score, ordered_hits, tied_score, unencodable, write_batches
from bibfold.engines.solr_admin import Admin, admin
from bibfold.engines.solr_client import Client, Core, Refused
from bibfold.errors import EngineError, IndexMissing

IN_FLIGHT = 8
"""So many queries of a batch are asked at once: enough that the server never waits for us."""

PAGE = 1_000
"""So many documents are asked for by id at once."""

PAGE_OF_IDS = 20_000
"""So many ids are listed at once."""

T = TypeVar("T")


class Solr:
    """An engine on a Solr server."""

    persistent: ClassVar[bool] = True

    def __init__(self, place: str, environ: Mapping[str, str] = os.environ, outage: float = inf) -> None:
        self._client = Client(address("solr", place, environ, outage))

    @cached_property
    def _admin(self) -> Admin:
        return admin(self._client)

    def create(self, index: str) -> None:
        self._admin.create(index)

    def drop(self, index: str) -> None:
        self._admin.drop(index)

    def indexes(self) -> list[str]:
        return self._admin.indexes()

    def publish(self, alias: str, index: str) -> None:
        self._admin.publish(alias, index)

    def published(self, alias: str) -> str | None:
        return self._admin.published(alias)

    def write(self, index: str, changes: Iterable[Change]) -> int:
        return write_batches(changes, partial(self._write, self._existing(index)))

    def commit(self, index: str) -> None:
        self._at(index, self._admin.commit)

    def search(self, index: str, queries: Sequence[Query], limit: int) -> list[list[Hit]]:
        asked = [wire.clauses(query) if limit > 0 else "" for query in queries]
        if not any(asked):
            self._existing(index)
            return [[] for _ in queries]
        return self._at(index, lambda target: self._search(target, asked, limit))

    def get(self, index: str, ids: Sequence[str]) -> list[Document | None]:
        target = self._existing(index)
        sendable = [id for id in dict.fromkeys(ids) if not unencodable([id])]
        found = {}
        for start in range(0, len(sendable), PAGE):
            answer = self._client.ask(target, "select", wire.by_id(sendable[start : start + PAGE]))
            found.update({document.id: document for document in wire.documents(answer)})
        return [found.get(id) for id in ids]

    def ids(self, index: str) -> Iterator[str]:
        return self._ids(self._existing(index))

    def count(self, index: str) -> int:
        return self._at(index, self._count)

    def damage(self, index: str) -> Iterable[str]:
        self._existing(index)
        return ()

    def ready(self) -> bool:
        try:
            self._client.probe()
        except EngineError:
            return False
        return True

    def version(self) -> str:
        system = self._client.admin("info/system", patience=0)
        name = "SolrCloud" if system["mode"] == "solrcloud" else "Solr"
        return f"{name} {system['lucene']['solr-spec-version']}"

    def close(self) -> None:
        self._client.close()

    def _at(self, name: str, ask: Callable[[str], T]) -> T:
        """What the index gives, or the one that the alias points at."""
        for target in self._admin.targets(name):
            try:
                return ask(target)
            except IndexMissing:
                continue
        raise IndexMissing(f"{name}: no such index, and nothing is published under this name")

    def _existing(self, name: str) -> str:
        """The index of this name, or the one that the alias of this name points at."""
        return self._at(name, lambda target: target if self._count(target) >= 0 else "")

    def _count(self, target: str) -> int:
        return wire.count(self._client.ask(target, "select", wire.COUNT))

    def _write(self, target: str, last: Mapping[str, Document | None]) -> dict[str, str]:
        """Bring the documents to this state; for each refused, why."""
        refused = {}
        puts, deletes = [], []
        for id, document in last.items():
            if document is None:
                deletes.append(id)
            elif reason := _unsendable(document):
                refused[id] = reason
            else:
                puts.append(document)
        refused |= self._add(target, puts) if puts else {}
        if deletes := [id for id in deletes if not unencodable([id])]:
            self._client.ask(target, "update", {"delete": deletes})  # pysolr's XML has no control characters
        return refused

    def _add(self, target: str, documents: Sequence[Document]) -> dict[str, str]:
        """Send documents; for each refused, why. Solr stops at the first, so the halves are sent by themselves."""
        try:
            Core(self._client, target).add([fields(document) for document in documents])
        except Refused as error:
            if len(documents) == 1:
                return {documents[0].id: error.reason}
            half = len(documents) // 2
            return self._add(target, documents[:half]) | self._add(target, documents[half:])
        return {}

    def _search(self, target: str, asked: Sequence[str], limit: int) -> list[list[Hit]]:
        return self._client.asking.many(partial(self._best, target, limit), asked, IN_FLIGHT)

    def _best(self, target: str, limit: int, asked: str) -> list[Hit]:
        if not asked:
            return []
        ask = partial(self._client.ask_once, target, "select")
        best = wire.hits(ask(wire.best_search(asked, limit)))
        cut = tied_score(best, limit)
        if cut is None:
            return ordered_hits(best, (), limit)
        message = wire.tied_search(asked, limit, lowest_score(cut, 1))
        return ordered_hits(best, wire.hits(ask(message)), limit)

    def _ids(self, target: str) -> Iterator[str]:
        mark, before = "*", ""
        while mark != before:
            before = mark
            ids, mark = wire.page_of_ids(self._client.ask(target, "select", wire.all_ids(PAGE_OF_IDS, mark)))
            yield from ids


def _unsendable(document: Document) -> str | None:
    if not document.id:
        return "the id is empty"
    try:
        msgspec.json.encode((document.id, document.terms, document.record))
    except UnicodeEncodeError as error:
        return f"not Unicode text: {error}"
    return None
