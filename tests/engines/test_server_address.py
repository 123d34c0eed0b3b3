"""Addresses of servers: what they may say, and what they must not."""

import pytest

from bibfold.engines.server_address import Options, address
from bibfold.errors import SettingsError


def test_a_plain_address_has_the_usual_options() -> None:
    found = address("solr", "http://127.0.0.1:8983/solr/", {})
    assert found.nodes == ("http://127.0.0.1:8983/solr",)
    assert found.options == Options(shards=1, replicas=0, timeout=30.0, patience=60.0)


def test_a_node_without_a_port_has_the_usual_one() -> None:
    found = address("elasticsearch", "http://a,https://b/path,http://[::1]", {})
    assert found.nodes == ("http://a:80", "https://b:443/path", "http://[::1]:80")


def test_options_and_several_nodes() -> None:
    found = address("elasticsearch", "http://a:9200,https://b:9200?shards=3&replicas=1&timeout=2.5&patience=0", {})
    assert found.nodes == ("http://a:9200", "https://b:9200")
    assert found.options == Options(shards=3, replicas=1, timeout=2.5, patience=0.0)
    assert str(found) == "http://a:9200, https://b:9200"


def test_secrets_come_from_the_environment_and_are_not_shown() -> None:
    environ = {"BIBFOLD_SOLR_USER": "u", "BIBFOLD_SOLR_PASSWORD": "hunter2", "BIBFOLD_ELASTICSEARCH_API_KEY": "key9"}
    solr = address("solr", "http://a/solr", environ)
    assert (solr.secrets.user, solr.secrets.password) == ("u", "hunter2")
    assert address("elasticsearch", "http://a", environ).secrets.api_key == "key9"
    assert "hunter2" not in f"{solr} {solr!r}"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("http://reader:hunter2@a:9200", "BIBFOLD_SOLR_PASSWORD"),
        ("reader:hunter2@a:9200", "BIBFOLD_SOLR_PASSWORD"),
        ("a:9200", "not an address"),
        ("ftp://a", "not an address"),
        ("ftp://a:21", "not an address"),
        ("http://a:9x", "not an address"),
        ("http://:9200", "not an address"),
        ("//a:9200", "not an address"),
        ("?shards=3", "write a node"),
        ("http://a?shards=0", "at least 1"),
        ("http://a?shards=many", "shards"),
        ("http://a?sharps=3", "options are shards, replicas, timeout, patience"),
    ],
)
def test_what_is_no_address_is_explained(place: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said) as refused:
        address("solr", place, {})
    assert "hunter2" not in str(refused.value)
