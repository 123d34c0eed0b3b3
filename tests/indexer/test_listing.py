"""What `bibfold engines` tells: engines, one that is asked, and its indexes."""

from collections.abc import Callable
from contextlib import closing

import pytest

from bibfold.engines import open_engine
from bibfold.engines.base import Document, Put
from bibfold.engines.memory import Memory
from bibfold.records.model import Record
from indexer import listing
from tests.conftest import Ran


def test_indexes_are_published_half_built_or_left_over() -> None:
    engine = Memory()
    for name in ("cat-k1-1", "cat-k1-2", "cat-k1-3", "new-k1-1", "somebody-elses"):
        engine.create(name)
    engine.publish("cat", "cat-k1-2")
    engine.write("cat", [Put(Document("a", {"title": ["x"]}, Record(source="s", id="1")))])
    engine.commit("cat")
    assert list(listing.indexes(engine)) == [
        listing.Index("cat-k1-1", "cat", "left over", 0, 1),
        listing.Index("cat-k1-2", "cat", "published", 1, 1),
        listing.Index("cat-k1-3", "cat", "half built", 0, 1),
        listing.Index("new-k1-1", "new", "half built", 0, 1),
    ]


def test_an_embedded_engine_is_ready_and_has_no_version_of_its_own() -> None:
    assert listing.place("memory", Memory()) == listing.Place("memory", True)


@pytest.mark.parametrize("name", ["solr", "solrcloud", "elasticsearch", "opensearch"])
def test_a_server_tells_its_version_and_indexes(
    request: pytest.FixtureRequest, bibfold: Callable[..., Ran], name: str
) -> None:
    products = ("Solr ", "SolrCloud ", "Elasticsearch ", "OpenSearch ")
    address = f"{name.removesuffix('cloud')}:{request.getfixturevalue(f'{name}_url')}"
    with closing(open_engine(address)) as engine:
        engine.create("listed-k1-1")
        try:
            told = bibfold("engines", "--engine", address, "--json").json()
        finally:
            engine.drop("listed-k1-1")
    (place,) = (row for row in told if "address" in row)
    assert (place["address"], place["ready"], place["problem"]) == (address, True, "")
    assert place["version"].startswith(next(product for product in products if product.lower().strip() == name))
    made = {"index": "listed-k1-1", "alias": "listed", "state": "half built", "documents": 0, "key_version": 1}
    assert made in told


@pytest.mark.parametrize("name", ["solr", "elasticsearch", "opensearch"])
def test_a_server_that_is_away_is_not_waited_for_and_says_why(bibfold: Callable[..., Ran], name: str) -> None:
    ran = bibfold("engines", "--engine", f"{name}:http://127.0.0.1:9")
    assert ran.status == 0
    assert "ready: False" in ran.out
    assert "start it, or correct the address" in ran.out
