"""Servers that are away, slow, busy or refuse: what the engines on servers make of it."""

from collections.abc import Callable, Iterator
from threading import Timer

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Document, Engine, Put, Query
from bibfold.engines.elasticsearch import Elasticsearch
from bibfold.engines.solr import Solr
from bibfold.errors import EngineError, EngineUnavailable, WriteRejected
from bibfold.records.model import Record
from tests.servers.proxy import CUT, Fault, FaultProxy

OPENED: dict[str, Callable[..., Engine]] = {"solr": Solr, "elasticsearch": Elasticsearch}
QUERY = Query({"title": ["x"]})


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
    engine = open_engine(f"{engine_name}:{proxy.url}?patience=0.3&timeout=0.5")
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


def test_a_server_that_was_never_there_is_unavailable(engine_name: str) -> None:
    engine = open_engine(f"{engine_name}:http://127.0.0.1:9?patience=0")
    assert not engine.ready()
    with pytest.raises(EngineUnavailable, match="start it, or mend the address"):
        engine.indexes()
    engine.close()


@pytest.mark.parametrize("status", [401, 403])
def test_wrong_credentials_are_said_but_not_told(engine_name: str, index: str, proxy: FaultProxy, status: int) -> None:
    name = engine_name.upper()
    environ = {f"BIBFOLD_{name}_USER": "reader", f"BIBFOLD_{name}_PASSWORD": "hunter2"}
    engine = OPENED[engine_name](proxy.url, environ)
    proxy.always = status
    proxy.requests = 0
    with pytest.raises(EngineError, match=f"BIBFOLD_{name}_PASSWORD") as refused:
        engine.indexes()
    assert not isinstance(refused.value, EngineUnavailable)
    assert proxy.requests == 1
    assert "hunter2" not in f"{refused.value} {refused.value!r} {vars(engine)}"
    engine.close()


def test_refused_documents_are_named_and_the_others_taken(through: Engine, index: str) -> None:
    changes = [Put(document("long", "é" * 20_000)), Put(document("b")), Put(document("half", "\ud800"))]
    with pytest.raises(WriteRejected) as rejected:
        through.write(index, changes)
    assert set(rejected.value.failures) == {"long", "half"}
    assert "not Unicode" in rejected.value.failures["half"]
    assert "immense term" in rejected.value.failures["long"].lower()
    through.commit(index)
    assert sorted(through.ids(index)) == ["a", "b"]


def test_an_index_that_may_not_be_written_says_what_to_do(elasticsearch_url: str) -> None:
    engine = Elasticsearch(elasticsearch_url, {})
    engine.create("test-read-only")
    blocks = engine._client.indices.put_settings
    try:
        blocks(index="test-read-only", settings={"index.blocks.read_only_allow_delete": True})
        with pytest.raises(EngineError, match="make room") as refused:
            engine.write("test-read-only", [Put(document("a"))])
        assert not isinstance(refused.value, (EngineUnavailable, WriteRejected))
        blocks(index="test-read-only", settings={"index.blocks.read_only_allow_delete": None})
        assert engine.write("test-read-only", [Put(document("a"))]) == 1
    finally:
        engine.drop("test-read-only")
        engine.close()


def test_a_wrong_path_is_no_solr(solr_url: str) -> None:
    engine = Solr(solr_url.removesuffix("/solr"), {})
    with pytest.raises(EngineError, match="end in /solr"):
        engine.indexes()
    engine.close()
