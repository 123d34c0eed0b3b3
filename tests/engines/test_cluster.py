"""Clusters of two nodes, one of them killed under load: lookups go on, and nothing acknowledged is lost."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any
from urllib.request import urlopen

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.errors import BibfoldError
from bibfold.records.model import Record
from tests.servers import java, launch

PAIRS: dict[str, Callable[[Path], tuple[java.Command, java.Command]]] = {
    "elasticsearch": partial(java.node_pair, java.ELASTICSEARCH),
    "opensearch": partial(java.node_pair, java.OPENSEARCH),
    "solr": java.solrcloud_pair,
}
TRIED = os.environ.get("BIBFOLD_PAIRS", "elasticsearch,solr").split(",")
"""OpenSearch, whose engine is Elasticsearch's, is tried on request: each pair takes half a minute to start and die."""

PIECE = 20
"""So many documents are written at once."""

ENOUGH = 25
"""So many pieces must be acknowledged after the node was killed."""


class Node:
    """A server of the pair, which can be killed with all its processes and started again."""

    def __init__(self, command: java.Command, log: Path) -> None:
        self.command = command
        self._log = log
        self.start()

    def start(self) -> None:
        user = self.command.user
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self.command.line,
                stdout=output,
                stderr=output,
                env={**os.environ, **self.command.environ},
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )

    def wait(self) -> None:
        launch.wait_until_healthy("node", self.command.health, self._process, self._log)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Load:
    """A reader and a writer that go on until they are stopped, and what became of their requests."""

    def __init__(self, engine: Engine, index: str) -> None:
        self._engine, self._index = engine, index
        self._stopped = Event()
        self.acknowledged: list[str] = []
        self.answers = 0
        self.failures: list[object] = []
        self._threads = [Thread(target=self._run, args=(work,)) for work in (self._read, self._write)]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            while not self._stopped.is_set():
                work()
        except BibfoldError as error:
            self.failures.append(error)

    def _read(self) -> None:
        (hits,) = self._engine.search(self._index, [Query({"title": ["first 0"]})], 10)
        if [hit.id for hit in hits] != ["first-0"]:
            self.failures.append(hits)
        self.answers += 1

    def _write(self) -> None:
        piece = [f"load-{len(self.acknowledged) + number}" for number in range(PIECE)]
        self._engine.write(self._index, map(put, piece))
        self.acknowledged += piece


def put(id: str) -> Put:
    return Put(Document(id, {"title": [id.replace("-", " ")]}, Record(source="s", id=id)))


@contextmanager
def running(name: str, folder: Path) -> Iterator[tuple[Node, Node]]:
    try:
        commands = PAIRS[name](folder)
    except java.CannotStart as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no nodes of our own to kill: {error}")
    with ExitStack() as nodes:
        pair = []
        for number, command in enumerate(commands):
            pair.append(Node(command, folder / f"log-{number}"))
            nodes.callback(pair[-1].kill)
            if number == 0 and name == "solr":
                pair[0].wait()  # the second one looks for its ZooKeeper at once
        for node in pair:
            node.wait()
        yield pair[0], pair[1]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may enter, unlike pytest's own."""
    with TemporaryDirectory(prefix="bibfold-pair-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.1)


def nodes_are_whole(url: str) -> bool:
    health = ask(f"{url}/_cluster/health")
    return bool(health["number_of_nodes"] == 2 and health["status"] == "green")


def solr_is_whole(url: str) -> bool:
    cluster = ask(f"{url}/admin/collections?action=CLUSTERSTATUS")["cluster"]
    shards = [shard for collection in cluster["collections"].values() for shard in collection["shards"].values()]
    states = {replica["state"] for shard in shards for replica in shard["replicas"].values()}
    return len(cluster["live_nodes"]) == 2 and states <= {"active"}


def ask(url: str) -> Any:
    with urlopen(url, timeout=10) as answer:
        return json.load(answer)


WHOLE = {"elasticsearch": nodes_are_whole, "opensearch": nodes_are_whole, "solr": solr_is_whole}


@pytest.mark.parametrize("name", TRIED)
def test_a_killed_node_stops_no_lookup_and_loses_no_write(name: str, folder: Path) -> None:
    with running(name, folder) as (first, second):
        wait_for(lambda: WHOLE[name](first.command.url))
        both = f"{name}:{second.command.url},{first.command.url}?shards=2&replicas=1&timeout=10"
        with closing(open_engine(both)) as engine:
            load = killing_under_load(engine, second, lambda: WHOLE[name](first.command.url))
            check_whole(engine, load)
        second.start()
        second.wait()
        wait_for(lambda: WHOLE[name](first.command.url))
        with closing(open_engine(f"{name}:{second.command.url}")) as alone:
            check_whole(alone, load)


def killing_under_load(engine: Engine, second: Node, whole: Callable[[], bool]) -> Load:
    """Kill the node while records are looked up and written; what became of the load."""
    engine.create("pair")
    wait_for(whole)
    engine.write("pair", [put(f"first-{number}") for number in range(100)])
    engine.commit("pair")
    load = Load(engine, "pair")
    try:
        wait_for(lambda: load.answers > 50 and len(load.acknowledged) > 5 * PIECE)
        second.kill()
        killed_at, answered = len(load.acknowledged), load.answers
        wait_for(lambda: bool(load.failures) or len(load.acknowledged) > killed_at + ENOUGH * PIECE)
    finally:
        load.stop()
    assert load.failures == []
    assert load.answers > answered + ENOUGH
    return load


def check_whole(engine: Engine, load: Load) -> None:
    engine.commit("pair")
    assert engine.count("pair") >= 100 + len(load.acknowledged)
    assert None not in engine.get("pair", load.acknowledged)
