"""Indexes and aliases in Solr: cores and a table of pointers by itself, collections and aliases in SolrCloud."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from bibfold.engines import solr_wire as wire
from bibfold.engines.base import Document
from bibfold.engines.retry import create_with_retry, with_retry
from bibfold.engines.server_hits import fields
from bibfold.engines.solr_client import Client, Core, Refused
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing
from bibfold.records.model import Record

CONFIGSET = "bibfold"
CONFIGSET_FOLDER = Path(__file__).parents[2] / "solr_conf"

POINTERS = "bibfold_aliases"
"""The core that holds, for each alias of a standalone Solr, the index it points at."""


class Admin(Protocol):
    """Makes, drops, lists and publishes indexes, as the engine contract says."""

    def create(self, index: str) -> None: ...
    def drop(self, index: str) -> None: ...
    def indexes(self) -> list[str]: ...
    def publish(self, alias: str, index: str) -> None: ...
    def published(self, alias: str) -> str | None: ...
    def commit(self, index: str) -> None: ...

    def targets(self, name: str) -> Iterator[str]:
        """What Solr may know an index or alias by, likeliest first."""


def admin(client: Client) -> Admin:
    """The way in which this Solr is run, as it says itself."""
    try:
        mode = client.admin("info/system")["mode"]
    except (IndexMissing, KeyError) as error:
        raise EngineError(f"{client.node}: there is no Solr here; does the address end in /solr?") from error
    return Cloud(client) if mode == "solrcloud" else Standalone(client)


class Standalone:
    """A Solr by itself: a core for each index.

    An alias is a document in a small core of its own. To point it elsewhere is to replace one document, which
    Solr does in one step and keeps through a crash. Solr's own SWAP would exchange the names of two cores, so that
    the name of a version no longer tells what it holds.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, index: str) -> None:
        if index in self._cores() or self.published(index) is not None:
            raise EngineError(f"{index}: there is an index or alias of this name already")
        self._create(index)

    def drop(self, index: str) -> None:
        if index in self.indexes():
            with _ignore_error_if(lambda: index not in self.indexes()):
                self._client.admin("cores", action="UNLOAD", core=index, deleteInstanceDir="true")

    def indexes(self) -> list[str]:
        return sorted(self._cores() - {POINTERS})

    def publish(self, alias: str, index: str) -> None:
        cores = self._cores()
        _check_publication(alias, index, cores)
        if POINTERS not in cores:
            self._create(POINTERS)
        pointer = Document(alias, {}, Record(source=index, id=alias))
        Core(self._client, POINTERS).add([fields(pointer)], commit=True)

    def published(self, alias: str) -> str | None:
        target = self._pointer(alias)
        return target if target is not None and target in self._cores() else None

    def commit(self, index: str) -> None:
        Core(self._client, index).commit()

    def targets(self, name: str) -> Iterator[str]:
        yield name
        for _ in range(2):  # it may have been moved, and what it pointed at dropped, since it was read
            if (target := self._pointer(name)) is not None:
                yield target

    def _create(self, core: str) -> None:
        create = partial(self._client.admin, "cores", patience=0, action="CREATE", name=core, configSet=CONFIGSET)
        try:
            create_with_retry(create, lambda: core in self._cores(), self._client.address.options.patience)
        except EngineError as error:
            if "configset" not in str(error).lower():
                raise
            raise EngineError(
                f"{self._client.node} does not know how to keep a bibfold index: copy the folder solr_conf to "
                f"configsets/{CONFIGSET}/conf in the server's home ({error})"
            ) from error

    def _cores(self) -> set[str]:
        return set(self._client.admin("cores", action="STATUS", indexInfo="false")["status"])

    def _pointer(self, alias: str) -> str | None:
        try:
            found = wire.documents(self._client.ask(POINTERS, "select", wire.by_id([alias])))
        except IndexMissing:
            return None
        return found[0].record.source if found else None


class Cloud:
    """SolrCloud: a collection for each index, and its own aliases.

    The configset is named for its content, so that a newer bibfold never changes what older indexes are kept by.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, index: str) -> None:
        if index in self.indexes() or index in self._aliases():
            raise EngineError(f"{index}: there is an index or alias of this name already")
        options = self._client.address.options
        params: dict[str, Any] = {
            "name": index,
            "numShards": options.shards,
            "replicationFactor": options.replicas + 1,
            "collection.configName": self._configset(),
            "waitForFinalState": "true",
        }
        create = partial(self._client.admin, "collections", patience=0, action="CREATE", **params)
        create_with_retry(create, lambda: self._whole(index), options.patience)

    def drop(self, index: str) -> None:
        for alias, target in self._aliases().items():
            if target == index:
                self._client.admin("collections", action="DELETEALIAS", name=alias)
        if index in self.indexes():
            with _ignore_error_if(lambda: index not in self.indexes()):
                self._client.admin("collections", action="DELETE", name=index)

    def indexes(self) -> list[str]:
        return sorted(self._client.admin("collections", action="LIST")["collections"])

    def publish(self, alias: str, index: str) -> None:
        _check_publication(alias, index, self.indexes())
        self._client.admin("collections", action="CREATEALIAS", name=alias, collections=index)

    def published(self, alias: str) -> str | None:
        return self._aliases().get(alias)

    def commit(self, index: str) -> None:
        """Commit, until it has reached every shard: Solr does not tell where the leader of one was away."""
        with_retry(lambda: self._commit(index), self._client.address.options.patience)

    def targets(self, name: str) -> Iterator[str]:
        yield name

    def _commit(self, index: str) -> None:
        leaders = self._leaders(index)
        Core(self._client, index).commit()
        if wire.answering_cores(self._client.ask(index, "select", wire.LEADERS)) != leaders:
            raise EngineUnavailable(f"{index} at {self._client.address}: a node went away during the commit; try again")

    def _leaders(self, index: str) -> set[str]:
        """The addresses of the cores that lead the collection's shards."""
        leaders = set()
        for shard in self._shards(index):
            found = [replica for replica in shard if replica.get("leader") == "true"]
            if not found:
                raise EngineUnavailable(f"{index} at {self._client.address}: a shard has no leader; start its nodes")
            leaders.add(f"{found[0]['base_url']}/{found[0]['core']}")
        return leaders

    def _whole(self, index: str) -> bool:
        """Whether the collection is there; while it is being made, it is waited for."""
        if index not in self.indexes():
            return False
        states = {replica["state"] for shard in self._shards(index) for replica in shard}
        if states != {"active"}:
            raise EngineUnavailable(f"{index} at {self._client.node} is still being made")
        return True

    def _shards(self, name: str) -> list[list[dict[str, str]]]:
        """The replicas of each shard of a collection, or of the one that the alias points at."""
        index = self._aliases().get(name, name)
        try:
            found = self._client.admin("collections", action="CLUSTERSTATUS", collection=index)
        except Refused as error:
            raise IndexMissing(f"{name}: no such index, and nothing is published under this name") from error
        shards = found["cluster"]["collections"][index]["shards"].values()
        return [list(shard["replicas"].values()) for shard in shards]

    def _aliases(self) -> dict[str, str]:
        aliases: dict[str, str] = self._client.admin("collections", action="LISTALIASES")["aliases"]
        return aliases

    def _configset(self) -> str:
        """The name of the configset, which is brought there first where it is not yet."""
        files = sorted(CONFIGSET_FOLDER.glob("*.xml"))
        digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        name = f"{CONFIGSET}-{digest[:12]}"
        if name not in self._client.admin("configs", action="LIST")["configSets"]:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for file in files:
                    archive.write(file, file.name)
            self._client.admin("configs", packed.getvalue(), action="UPLOAD", name=name)
        return name


@contextmanager
def _ignore_error_if(done: Callable[[], bool]) -> Iterator[None]:
    """Pass over an error where all is done: a request may have been carried out whose answer was lost."""
    try:
        yield
    except EngineError:
        if not done():
            raise


def _check_publication(alias: str, index: str, indexes: list[str] | set[str]) -> None:
    if index not in indexes:
        raise IndexMissing(f"{index}: no such index, cannot publish it as {alias}")
    if alias in indexes:
        raise EngineError(f"{alias}: is the name of an index, cannot be an alias")
