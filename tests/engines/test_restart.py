"""What a Solr by itself keeps when it is killed: indexes, aliases, and every acknowledged write."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bibfold.engines.base import Document, Put, Query
from bibfold.engines.solr import Solr
from bibfold.records.model import Record
from tests.servers import java, launch


@contextmanager
def running(command: java.Command, log: Path) -> Iterator[Solr]:
    """The server until it is killed, without a chance to put anything in order."""
    with log.open("wb") as output, subprocess.Popen(command.line, stdout=output, stderr=output) as process:
        engine = Solr(command.url, {})
        try:
            launch.wait_until_healthy("solr", command.health, process, log)
            yield engine
        finally:
            engine.close()
            process.kill()


def put(id: str) -> Put:
    return Put(Document(id, {"title": ["x"]}, Record(source="s", id=id)))


def found(engine: Solr) -> list[str]:
    (hits,) = engine.search("alias", [Query({"title": ["x"]})], 10)
    return [hit.id for hit in hits]


def test_a_killed_solr_loses_neither_alias_nor_write(tmp_path: Path) -> None:
    try:
        command = java.solr(tmp_path)
    except java.CannotStart as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no solr of our own to kill: {error}")
    log = tmp_path / "log"
    with running(command, log) as engine:
        for name in ("old", "new"):
            engine.create(name)
            engine.publish("alias", name)
        engine.write("alias", [put("a")])
        engine.commit("alias")
        engine.write("alias", [put("b")])
    with running(command, log) as engine:
        assert engine.published("alias") == "new"
        assert engine.indexes() == ["new", "old"]
        assert found(engine)[:1] == ["a"]
        for _ in range(200):  # Solr replays its log beside its other work, and shows what was in it when done
            if found(engine) == ["a", "b"]:
                break
            time.sleep(0.05)
        engine.commit("alias")
        assert found(engine) == ["a", "b"]
