"""Servers that are away, slow, busy or refuse: what the engines on servers make of it."""

import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from threading import Timer

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.engines.elasticsearch import Elasticsearch
from bibfold.engines.elasticsearch_engine import ClusterEngine
from bibfold.engines.names import check_current
from bibfold.engines.solr import Solr
from bibfold.engines.solr_client import error_for
from bibfold.errors import EngineError, EngineUnavailable, IndexMissing, IndexOutdated, WriteRejected
from bibfold.records.model import Record
from tests.servers.proxy import CUT, Fault, FaultProxy

OPENED = ("solr", "elasticsearch", "opensearch")
QUERY = Query({"title": ["x"]})
SLACK = 3.0
"""Seconds that a busy machine may take on top."""


@pytest.fixture(params=OPENED)
def engine_name(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def proxy(request: pytest.FixtureRequest, engine_name: str) -> Iterator[FaultProxy]:
    proxy = FaultProxy(request.getfixturevalue(f"{engine_name}_url"))
    yield proxy
    proxy.close()


@pytest.fixture
def through(engine_name: str, index: str, proxy: FaultProxy) -> Iterator[Engine]:
    """The engine, patient, with a document in the index, by way of the proxy."""
    engine = open_engine(f"{engine_name}:{proxy.url}?patience=20&timeout=5")
    engine.write(index, [Put(document("a"))])
    engine.commit(index)
    proxy.requests = 0
    yield engine
    engine.close()


@pytest.fixture
def impatient(engine_name: str, proxy: FaultProxy, through: Engine) -> Iterator[Engine]:
    engine = open_engine(f"{engine_name}:{proxy.url}?patience=1&timeout=0.5")
    engine.indexes()
    yield engine
    engine.close()


def document(id: str, *terms: str) -> Document:
    return Document(id, {"title": ["x", *terms]}, Record(source="s", id=id))


@pytest.mark.parametrize("fault", [429, 502, 503, 504, CUT])
def test_what_passes_is_waited_for(through: Engine, index: str, proxy: FaultProxy, fault: Fault) -> None:
    proxy.faults.extend([fault, fault])
    assert [hit.id for hit in through.search(index, [QUERY], 10)[0]] == ["a"]
    assert not proxy.faults
    proxy.faults.extend([fault, fault, fault])
    assert through.write(index, [Put(document("b"))]) == 1
    proxy.faults.append(fault)
    through.commit(index)
    assert through.count(index) == 2


def test_a_slow_answer_is_asked_for_again(impatient: Engine, index: str, proxy: FaultProxy) -> None:
    proxy.faults.append(("slow", 0.8))
    assert impatient.ready() is False
    proxy.always = ("slow", 0.8)
    with pytest.raises(EngineUnavailable, match="does not answer"):
        impatient.count(index)


@pytest.mark.parametrize("fault", [429, 503])
def test_a_server_that_stays_busy_is_unavailable(impatient: Engine, index: str, proxy: FaultProxy, fault: int) -> None:
    proxy.always = fault
    proxy.requests = 0
    with pytest.raises(EngineUnavailable, match=f"busy or not ready .{fault}"):
        impatient.search(index, [QUERY], 10)
    assert proxy.requests > 1


def test_a_server_that_is_away_is_unavailable_until_it_is_back(
    impatient: Engine, through: Engine, index: str, proxy: FaultProxy
) -> None:
    proxy.away()
    assert not impatient.ready()
    for ask in (impatient.indexes, lambda: impatient.write(index, [Put(document("b"))])):
        with pytest.raises(EngineUnavailable, match=f"{proxy.url} does not answer"):
            ask()
    back = Timer(0.5, proxy.back)
    back.start()
    assert through.write(index, [Put(document("b"))]) == 1
    through.commit(index)
    back.join()
    assert impatient.ready()
    assert sorted(impatient.ids(index)) == ["a", "b"]


@pytest.fixture
def second_proxy(proxy: FaultProxy) -> Iterator[FaultProxy]:
    """Another way to the same server, as if it were another node."""
    with closing(FaultProxy(proxy.target + proxy.path)) as second:
        yield second


def test_another_node_is_asked_where_one_is_away(
    through: Engine, engine_name: str, index: str, proxy: FaultProxy, second_proxy: FaultProxy
) -> None:
    nodes = f"{proxy.url},{second_proxy.url}"
    with closing(open_engine(f"{engine_name}:{nodes}?patience=20&timeout=5")) as engine:
        for gone, left in ((proxy, second_proxy), (second_proxy, proxy)):
            gone.away()
            left.requests = 0
            assert [hit.id for hit in engine.search(index, [QUERY], 10)[0]] == ["a"]
            assert engine.write(index, [Put(document("a"))]) == 1
            assert left.requests > 0
            gone.back()


def test_a_server_that_was_never_there_is_unavailable(engine_name: str) -> None:
    engine = open_engine(f"{engine_name}:http://127.0.0.1:9?patience=0")
    assert not engine.ready()
    with pytest.raises(EngineUnavailable, match="start it, or correct the address"):
        engine.indexes()
    engine.close()


def test_a_list_of_ids_goes_on_after_a_fault(
    through: Engine, index: str, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("solr", "elasticsearch_engine"):
        monkeypatch.setattr(f"bibfold.engines.{module}.PAGE_OF_IDS", 3)
    through.write(index, [Put(document(f"b{number}")) for number in range(9)])
    through.commit(index)
    ids = iter(through.ids(index))
    first = next(ids)
    proxy.faults.extend([503, CUT])
    assert sorted([first, *ids]) == ["a", *(f"b{number}" for number in range(9))]
    assert not proxy.faults


CREATES = {"solr": "action=CREATE", "elasticsearch": "PUT /", "opensearch": "PUT /"}
DROPS = {"solr": "action=UNLOAD", "elasticsearch": "DELETE /", "opensearch": "DELETE /"}


def test_an_index_is_ours_though_the_answer_to_its_making_was_lost(
    through: Engine, alias: str, engine_name: str, proxy: FaultProxy
) -> None:
    proxy.where = CREATES[engine_name]
    proxy.faults.append(CUT)
    through.create(alias)
    assert not proxy.faults
    assert alias in through.indexes()
    proxy.faults.append(503)
    with pytest.raises(EngineError, match="already"):
        through.create(alias)
    proxy.where = DROPS[engine_name]
    proxy.faults = deque([CUT])
    through.drop(alias)
    assert not proxy.faults
    assert alias not in through.indexes()


def test_an_alias_of_nothing_and_keys_of_another_version_say_what_to_do(engine: Engine, alias: str) -> None:
    with pytest.raises(IndexMissing, match="run `bibfold reindex`"):
        check_current(alias, engine.published(alias))
    with pytest.raises(IndexMissing, match="nothing is published"):
        engine.search(alias, [QUERY], 10)
    old = f"{alias}-k0-1"
    engine.create(old)
    engine.publish(alias, old)
    with pytest.raises(IndexOutdated, match=r"holds keys of version 0.*run `bibfold reindex`"):
        check_current(alias, engine.published(alias))
    engine.drop(old)


def test_refused_documents_are_named_and_the_others_taken(through: Engine, index: str) -> None:
    changes = [Put(document("long", "é" * 20_000)), Put(document("b")), Put(document("half", "\ud800"))]
    with pytest.raises(WriteRejected) as rejected:
        through.write(index, changes)
    assert set(rejected.value.failures) == {"long", "half"}
    assert "not Unicode" in rejected.value.failures["half"]
    assert "32766" in rejected.value.failures["long"]  # the most bytes that a term may have
    through.commit(index)
    assert sorted(through.ids(index)) == ["a", "b"]


@pytest.mark.parametrize("engine_name", ["elasticsearch", "opensearch"])
def test_an_index_that_may_not_be_written_says_what_to_do(engine: ClusterEngine, index: str) -> None:
    block = engine._client.api.indices.put_settings
    block(index=index, body={"index.blocks.read_only_allow_delete": True})
    with pytest.raises(EngineError, match="make room") as refused:
        engine.write(index, [Put(document("a"))])
    assert not isinstance(refused.value, (EngineUnavailable, WriteRejected))
    block(index=index, body={"index.blocks.read_only_allow_delete": None})
    assert engine.write(index, [Put(document("a"))]) == 1


def test_a_read_only_collection_says_what_to_do(solrcloud_engine: Solr, alias: str) -> None:
    solrcloud_engine.create(alias)
    change = partial(solrcloud_engine._client.admin, "collections", action="MODIFYCOLLECTION", collection=alias)
    try:
        change(readOnly="true")
        with pytest.raises(
            EngineError, match=r"may not be written to.*set the collection's property readOnly"
        ) as refused:
            solrcloud_engine.write(alias, [Put(document("a"))])
        assert not isinstance(refused.value, (EngineUnavailable, WriteRejected))
        change(readOnly="")
        assert solrcloud_engine.write(alias, [Put(document("a"))]) == 1
    finally:
        solrcloud_engine.drop(alias)


def test_what_solr_says_of_its_disk_and_its_other_nodes() -> None:
    full = error_for("http://a", "i", 500, b'{"error":{"msg":"IOException: No space left on device"}}')
    assert "make room" in str(full)
    assert not isinstance(full, EngineUnavailable)
    gone = b'{"error":{"msg":"Async exception during distributed update: Server refused connection at: http://b"}}'
    assert isinstance(error_for("http://a", "i", 500, gone), EngineUnavailable)


@pytest.mark.parametrize("status", [200, 406])
def test_another_product_is_no_elasticsearch(elasticsearch_url: str, status: int) -> None:
    with closing(FaultProxy(elasticsearch_url)) as proxy, closing(Elasticsearch(proxy.url, {})) as engine:
        proxy.always = status
        assert not engine.ready()
        with pytest.raises(EngineError, match="there is no Elasticsearch here") as refused:
            engine.indexes()
        assert not isinstance(refused.value, EngineUnavailable)


def test_a_wrong_path_is_no_solr(solr_url: str) -> None:
    engine = Solr(solr_url.removesuffix("/solr"), {})
    with pytest.raises(EngineError, match="end in /solr"):
        engine.indexes()
    engine.close()


SEARCHES = {"solr": "/select", "elasticsearch": "_msearch", "opensearch": "_msearch"}
STOPPED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from contextlib import closing
from bibfold.engines import open_engine
from bibfold.engines.base import Query
with closing(open_engine(sys.argv[1])) as engine:
    engine.search(sys.argv[2], [Query({"title": ["x"]})] * 1000, 10)
"""


def test_ctrl_c_in_the_middle_of_a_batched_search(
    through: Engine, engine_name: str, index: str, proxy: FaultProxy
) -> None:
    """The server is there and takes its time, and nobody waits for it."""
    proxy.where = SEARCHES[engine_name]
    proxy.faults.extend([("slow", 20.0)] * 1000)
    command = [sys.executable, "-c", STOPPED, f"{engine_name}:{proxy.url}", index]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        while len(proxy.faults) == 1000:
            assert running.poll() is None
            time.sleep(0.05)
        time.sleep(1.5)
        started = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        assert time.monotonic() - started < 2 + SLACK
    assert b"KeyboardInterrupt" in err


def test_a_server_that_falls_silent_in_a_batched_search_is_noticed(
    through: Engine, engine_name: str, index: str, proxy: FaultProxy
) -> None:
    with closing(open_engine(f"{engine_name}:{proxy.url}", outage=1)) as engine:
        assert len(engine.search(index, [QUERY] * 300, 10)) == 300
        proxy.always = ("slow", 20.0)
        started = time.monotonic()
        with pytest.raises(EngineUnavailable, match="does not answer"):
            engine.search(index, [QUERY] * 300, 10)
        assert time.monotonic() - started < 2 + SLACK
        proxy.always = None


def test_a_slow_server_that_is_there_is_waited_for(
    through: Engine, engine_name: str, index: str, proxy: FaultProxy
) -> None:
    with closing(open_engine(f"{engine_name}:{proxy.url}", outage=1)) as engine:
        engine.count(index)
        proxy.where = SEARCHES[engine_name]
        proxy.faults.append(("slow", 3.0))
        assert len(engine.search(index, [QUERY] * 300, 10)) == 300
        assert not proxy.faults
