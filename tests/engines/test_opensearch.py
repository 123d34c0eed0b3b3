"""What OpenSearch is asked that Elasticsearch is not: its version, by which it scores."""

from contextlib import closing
from typing import Any

import pytest

from bibfold.engines import elasticsearch_wire as wire
from bibfold.engines.base import Query
from bibfold.engines.opensearch import OpenSearch, OpenSearchClient
from bibfold.engines.server_address import address
from bibfold.errors import EngineError, EngineUnavailable
from tests.servers.proxy import FaultProxy


@pytest.mark.parametrize(
    ("number", "scoring"), [("2.19.6", wire.LEGACY), ("3.0.0", wire.OPENSEARCH_3), ("10.1.0", wire.OPENSEARCH_3)]
)
def test_the_version_tells_how_it_scores(monkeypatch: pytest.MonkeyPatch, number: str, scoring: wire.Scoring) -> None:
    client = OpenSearchClient(address("opensearch", "http://a", {}))
    answers: list[Any] = [{"version": {"distribution": "opensearch", "number": number}}]
    monkeypatch.setattr(client.api, "info", answers.pop)
    assert [client.scoring(), client.scoring()] == [scoring, scoring]
    assert answers == []


def test_opensearch_3_scores_keywords_only_where_told_to() -> None:
    title = [
        wire.index_body(1, 0, scoring)["mappings"]["properties"]["title"]
        for scoring in (wire.LEGACY, wire.OPENSEARCH_3)
    ]
    assert title[1] == {**title[0], "use_similarity": True}


def test_another_product_is_no_opensearch(opensearch_url: str) -> None:
    with closing(FaultProxy(opensearch_url)) as proxy, closing(OpenSearch(proxy.url, {})) as engine:
        proxy.always = 200
        for ask in (lambda: engine.search("any", [Query({"title": ["x"]})], 10), lambda: engine.create("any")):
            with pytest.raises(EngineError, match="there is no OpenSearch here") as refused:
                ask()
            assert not isinstance(refused.value, EngineUnavailable)
