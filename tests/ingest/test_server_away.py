"""A server that goes away while records are folded: they wait for it, none is lost, and patience has an end."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bibfold.catalogue.views import statistics
from bibfold.engines.base import Change, Put
from bibfold.errors import EngineUnavailable, WriteRejected
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened, throw_away
from indexer import build
from indexer.build import reindex
from indexer.check import check, repair
from indexer.leftovers import drop_all_but
from ingest import curate
from ingest.observer import Observer
from ingest.run import fold_stream
from tests.servers import java, launch
from tests.servers.proxy import FaultProxy

Make = Callable[..., Record]


@pytest.fixture
def proxy(solr_url: str) -> Iterator[FaultProxy]:
    made = FaultProxy(solr_url)
    yield made
    made.close()


@pytest.fixture
def workspace(kept: Path, proxy: FaultProxy) -> Iterator[Workspace]:
    """A catalogue whose index is behind the proxy; no request is repeated by the engine itself."""
    settings = {"engine": f"solr:{proxy.url}?patience=0", "batch_size": 2}
    with opened(kept, [settings], create=True) as made:
        yield made
        drop_all_but(made.engine, made.alias, ())


def held(workspace: Workspace) -> tuple[int, int]:
    """How many records the catalogue has, and how many changes wait for the index."""
    with workspace.catalogue.reading() as read:
        return int(statistics(read)["records"]), read.count_outbox()


class Told(list[str]):
    """Notices; at the first, things happen."""

    def __init__(self, *work: Callable[[], object]) -> None:
        self.work = list(reversed(work))

    def __call__(self, text: str) -> None:
        self.append(text)
        while self.work:
            self.work.pop()()


def test_away_while_candidates_are_looked_for(workspace: Workspace, make: Make, proxy: FaultProxy) -> None:
    def stream() -> Iterator[Record]:
        for at in range(6):
            if at == 3:
                proxy.away()
            yield make(str(at), at)

    seen: list[tuple[int, int]] = []
    told = Told(lambda: seen.append(held(workspace)), proxy.back)
    assert fold_stream(workspace, stream(), observer=Observer(notice=told)).records == 6
    assert seen == [(2, 0)]
    assert "does not answer" in told[0]
    assert told[0].endswith("waiting for it, 300 s at most")
    assert told[1:] == ["the engine is back, going on"]
    assert check(workspace).agree


def test_away_when_a_batch_is_written_but_not_delivered(
    workspace: Workspace, make: Make, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, pending = workspace.engine.write, [proxy.away]

    def cut(index: str, changes: Iterable[Change]) -> int:
        if held(workspace)[0] == 4 and pending:
            pending.pop()()
        return write(index, changes)

    monkeypatch.setattr(workspace.engine, "write", cut)
    seen: list[tuple[int, int]] = []
    told = Told(lambda: seen.append(held(workspace)), proxy.back)
    totals = fold_stream(workspace, [make(str(at), at % 5) for at in range(6)], observer=Observer(notice=told))
    assert (totals.records, totals.clusters) == (6, 5)
    assert seen == [(4, 2)]
    assert held(workspace) == (6, 0)
    assert check(workspace).agree


def test_an_index_is_published_while_a_delivery_waits(
    workspace: Workspace, make: Make, kept: Path, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold_stream(workspace, [make("0"), make("1", 1)])

    def switch() -> None:
        proxy.back()
        with opened(kept, rebuild=True) as other:
            reindex(other)

    def cut(*_: object) -> int:
        monkeypatch.undo()
        proxy.away()
        raise EngineUnavailable("cut")

    monkeypatch.setattr(workspace.engine, "write", cut)
    fold_stream(workspace, [make("2", 2)], observer=Observer(notice=Told(switch)))
    found = check(workspace)
    assert (found.agree, found.documents) == (True, 3)
    assert workspace.index().endswith("-2")


def test_away_at_the_start(workspace: Workspace, make: Make, proxy: FaultProxy) -> None:
    proxy.away()
    told = Told(proxy.back)
    assert fold_stream(workspace, [make("1")], observer=Observer(notice=told)).records == 1
    assert "is not ready; asking it again" in told[0]
    assert check(workspace).agree


def test_patience_ends_and_the_next_run_goes_on(kept: Path, make: Make, proxy: FaultProxy) -> None:
    settings = {"engine": f"solr:{proxy.url}?patience=0", "batch_size": 1, "outage": 0.3}
    with opened(kept, [settings], create=True) as workspace:

        def stream() -> Iterator[Record]:
            yield make("1")
            yield make("2", 1)
            proxy.away()
            yield make("3", 2)

        with pytest.raises(EngineUnavailable, match="nothing is lost, the same command goes on"):
            fold_stream(workspace, stream())
        proxy.back()
        totals = fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)])
        assert (totals.records, totals.unchanged) in ((1, 2), (2, 1))
        assert check(workspace).agree
        drop_all_but(workspace.engine, workspace.alias, ())


def test_a_run_that_keeps_nothing_waits_too(make: Make, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    with throw_away([{"engine": f"solr:{proxy.url}?patience=0"}], history=False) as workspace:
        commit, pending = workspace.engine.commit, [proxy.away]

        def cut(index: str) -> None:
            while pending:
                pending.pop()()
            commit(index)

        monkeypatch.setattr(workspace.engine, "commit", cut)
        fold_stream(workspace, [make("1"), make("2", 1)], observer=Observer(notice=Told(proxy.back)))
        assert workspace.engine.count(workspace.index()) == 2


def test_a_build_outlasts_the_server(workspace: Workspace, make: Make, proxy: FaultProxy) -> None:
    fold_stream(workspace, [make(str(at), at) for at in range(4)])
    told = Told(proxy.back)
    pending = [proxy.away]

    def cut(done: int, total: int) -> None:
        while pending:
            pending.pop()()

    reindex(workspace, build.Observer(cut, told))
    assert told[-1] == "the engine is back, going on"
    assert check(workspace).agree


@pytest.mark.parametrize(
    ("change", "documents"),
    [
        (lambda workspace, tell: curate.merge(workspace, ["c1", "c2"], tell=tell), 1),
        (lambda workspace, tell: curate.decide(workspace, "x:1", "x:2", "same", tell=tell), 1),
        (lambda workspace, tell: curate.split(workspace, "c1", ["x:3"], tell=tell), 3),
    ],
    ids=["merge", "decide", "split"],
)
def test_what_a_person_changes_waits_in_the_outbox(
    workspace: Workspace, make: Make, proxy: FaultProxy, change: Callable[..., Any], documents: int
) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3")])
    proxy.away()
    told: list[str] = []
    change(workspace, told.append)
    assert len(told) == 1
    assert told[0].startswith("the change is kept, and waits for the next command that writes to come into the index: ")
    assert held(workspace)[1] > 0
    proxy.back()
    fold_stream(workspace, [])
    found = check(workspace)
    assert (found.agree, found.documents) == (True, documents)


def test_a_lookup_says_that_the_server_is_away(
    workspace: Workspace, make: Make, write: Callable[..., str], proxy: FaultProxy, bibfold: Callable[..., Any]
) -> None:
    fold_stream(workspace, [make("1")])
    proxy.away()
    ran = bibfold("lookup", write("a.jsonl", make("2")), "-c", workspace.catalogue.folder)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("Error: Solr at http://127.0.0.1:")
    assert "does not answer" in ran.err
    proxy.back()


def test_a_refused_document_holds_nothing_back_and_is_told(
    make: Make, kept: Path, monkeypatch: pytest.MonkeyPatch, bibfold: Callable[..., Any]
) -> None:
    def refuse(index: str, changes: Iterable[Change]) -> int:
        refused = [one for one in changes if isinstance(one, Put) and one.document.record.id == "2"]
        taken = write(index, [one for one in changes if one not in refused])
        if refused:
            raise WriteRejected({one.document.id: "too long" for one in refused})
        return taken

    with opened(kept, create=True) as workspace:
        write = workspace.engine.write
        monkeypatch.setattr(workspace.engine, "write", refuse)
        told: list[str] = []
        fold_stream(workspace, [make("1"), make("2", 1), make("3", 2)], observer=Observer(remark=told.append))
        assert told == ["c2 is kept, but the engine refused its document, no lookup will find it: too long"]
        assert held(workspace) == (3, 0)
        assert check(workspace).missing == ["c2"]
        assert repair(workspace).refused == {"c2": "too long"}
        monkeypatch.undo()
        assert fold_stream(workspace, [make("4", 3)]).records == 1
    assert bibfold("check", "-c", kept).status == 1
    assert bibfold("check", "-c", kept, "--repair").status == 0
    assert bibfold("check", "-c", kept).status == 0


def test_ctrl_c_ends_the_waiting_at_once(make: Make, kept: Path, write: Callable[..., str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "from bibfold.cli import main; main()"
    words = [
        "ingest",
        write("a.jsonl", make("1")),
        "-c",
        str(kept),
        "--engine",
        f"solr:http://127.0.0.1:{port}/solr?patience=0",
    ]
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        assert "is not ready; asking it again" in running.stderr.readline()
        assert "waiting for it, 300 s at most" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in err


@pytest.mark.parametrize("engine", ["solr", "elasticsearch", "opensearch"])
def test_an_outage_of_one_second_is_one_second(
    make: Make, kept: Path, write: Callable[..., str], engine: str, bibfold: Callable[..., Any]
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"{engine}:http://127.0.0.1:{unused.getsockname()[1]}"
    started = time.monotonic()
    ran = bibfold("ingest", write("a.jsonl", make("1")), "-c", kept, "--engine", address, "--outage", 1)
    assert 1 <= time.monotonic() - started < 4
    assert ran.status == 1
    assert "does not answer" in ran.err
    assert "nothing is lost, the same command goes on from here" in ran.err


def test_a_solr_that_is_killed_and_started_again(
    kept: Path, tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.outage.LONGEST_PAUSE", 0.5)
    try:
        command = java.solr(tmp_path / "solr")
    except java.CannotStart as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no solr of our own to kill: {error}")
    log = tmp_path / "log"
    servers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        with log.open("ab") as output:
            servers.append(subprocess.Popen(command.line, stdout=output, stderr=output))

    def stream() -> Iterator[Record]:
        for at in range(12):
            if at == 5:
                servers[-1].kill()
                servers[-1].wait()
            yield make(str(at), at % 6, source=f"s{at // 6}")

    try:
        start()
        launch.wait_until_healthy("solr", command.health, servers[-1], log)
        settings = {"engine": f"solr:{command.url}?patience=0", "batch_size": 2}
        told = Told(lambda: Thread(target=start).start())
        with opened(kept, [settings], create=True) as workspace:
            totals = fold_stream(workspace, stream(), observer=Observer(notice=told))
            assert (totals.records, totals.clusters) == (12, 6)
            assert told[-1] == "the engine is back, going on"
            for _ in range(100):  # Solr replays its log beside its other work
                if check(workspace).agree:
                    break
                time.sleep(0.1)
            assert check(workspace).agree
    finally:
        for server in servers:
            server.kill()
            server.wait()
