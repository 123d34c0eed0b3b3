"""SolrCloud's commit: repeated until every shard's leader has surely had it."""

from typing import Any, cast

import msgspec
import pytest

from bibfold.engines.server_address import address
from bibfold.engines.solr_admin import Cloud
from bibfold.engines.solr_client import Client, Refused
from bibfold.errors import EngineUnavailable, IndexMissing


class Answers:
    """A client that answers from lists: who leads when it is asked, and who answers after a commit."""

    node = "http://a/solr"

    def __init__(self, leading: list[str], answering: list[str], patience: float = 5) -> None:
        self.address = address("solr", f"{self.node}?patience={patience}", {})
        self._leading, self._answering = leading, answering
        self.commits = 0

    def admin(self, path: str, **params: str) -> Any:
        if params["action"] == "LISTALIASES":
            return {"aliases": {"alias": "index"}}
        if params["collection"] != "index":
            raise Refused("Solr", "Collection: not found")
        core = self._leading.pop(0)
        replicas = {
            "1": {"base_url": core, "core": "one", "leader": "true"} if core else {"base_url": "b", "core": "one"},
            "2": {"base_url": "c", "core": "two"},
        }
        return {"cluster": {"collections": {"index": {"shards": {"shard1": {"replicas": replicas}}}}}}

    def ask(self, index: str, handler: str, message: Any) -> bytes:
        return msgspec.json.encode({"shards.info": {"shard1": {"shardAddress": f"{self._answering.pop(0)}/one"}}})

    def request(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> bytes:
        self.commits += path.endswith("/update/?commit=true")
        return b"{}"


def cloud(answers: Answers) -> Cloud:
    return Cloud(cast(Client, answers))


def test_a_commit_that_reaches_every_leader_is_enough() -> None:
    answers = Answers(["b"], ["b"])
    cloud(answers).commit("alias")
    assert answers.commits == 1


def test_a_commit_is_repeated_where_a_leader_was_away_or_changed() -> None:
    answers = Answers(["b", "", "c"], ["c", "c"])
    cloud(answers).commit("index")
    assert answers.commits == 2


def test_a_commit_that_never_reaches_a_leader_is_an_error() -> None:
    with pytest.raises(EngineUnavailable, match="went away during the commit"):
        cloud(Answers(["b"], ["c"], patience=0)).commit("index")
    with pytest.raises(EngineUnavailable, match="has no leader"):
        cloud(Answers([""], [], patience=0)).commit("index")


def test_a_commit_to_nothing_is_a_missing_index() -> None:
    with pytest.raises(IndexMissing, match="absent"):
        cloud(Answers([], [])).commit("absent")
