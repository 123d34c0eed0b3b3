"""Every engine under one fixture; each test has an index of its own, dropped afterwards."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Engine

NAMES = ("memory", "tantivy", "solr", "solrcloud", "elasticsearch", "opensearch")


@pytest.fixture
def memory_address() -> str:
    return "memory"


@pytest.fixture
def memory_engine(memory_address: str) -> Iterator[Engine]:
    engine = open_engine(memory_address)
    yield engine
    engine.close()


@pytest.fixture
def tantivy_address(tmp_path: Path) -> str:
    return f"tantivy:{tmp_path / 'indexes'}"


@pytest.fixture
def tantivy_engine(tantivy_address: str) -> Iterator[Engine]:
    engine = open_engine(tantivy_address)
    yield engine
    engine.close()


@pytest.fixture
def solr_address(solr_url: str) -> str:
    return f"solr:{solr_url}"


@pytest.fixture
def solrcloud_address(solrcloud_url: str) -> str:
    return f"solr:{solrcloud_url}"


@pytest.fixture
def elasticsearch_address(elasticsearch_url: str) -> str:
    return f"elasticsearch:{elasticsearch_url}"


@pytest.fixture
def opensearch_address(opensearch_url: str) -> str:
    return f"opensearch:{opensearch_url}"


@pytest.fixture
def solr_engine(solr_address: str) -> Iterator[Engine]:
    engine = open_engine(solr_address)
    yield engine
    engine.close()


@pytest.fixture
def solrcloud_engine(solrcloud_address: str) -> Iterator[Engine]:
    engine = open_engine(solrcloud_address)
    yield engine
    engine.close()


@pytest.fixture
def elasticsearch_engine(elasticsearch_address: str) -> Iterator[Engine]:
    engine = open_engine(elasticsearch_address)
    yield engine
    engine.close()


@pytest.fixture
def opensearch_engine(opensearch_address: str) -> Iterator[Engine]:
    engine = open_engine(opensearch_address)
    yield engine
    engine.close()


@pytest.fixture(params=NAMES)
def engine_name(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def engine(request: pytest.FixtureRequest, engine_name: str) -> Engine:
    found: Engine = request.getfixturevalue(f"{engine_name}_engine")
    return found


@pytest.fixture
def address(request: pytest.FixtureRequest, engine_name: str) -> str:
    found: str = request.getfixturevalue(f"{engine_name}_address")
    return found


@pytest.fixture
def index(engine: Engine) -> Iterator[str]:
    name = f"test-{token_hex(6)}"
    engine.create(name)
    yield name
    engine.drop(name)


@pytest.fixture
def alias() -> str:
    return f"alias-{token_hex(6)}"
