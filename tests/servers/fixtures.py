"""The servers' addresses as fixtures: each is started when the first test asks for it, once for a run."""

import os

import pytest

from tests.servers import docker, launch
from tests.servers.java import CannotStart


def find(name: str) -> str:
    """The server's address: from the environment, else from Docker, else from Java and Maven."""
    if url := os.environ.get(f"BIBFOLD_{name.upper()}_URL"):
        return url
    if docker.answers():
        return docker.url_of(name)
    try:
        return launch.url_of(name, _run())
    except CannotStart as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} cannot be started: {error}", pytrace=False)
        pytest.skip(f"no {name}: no BIBFOLD_{name.upper()}_URL, no Docker engine answers, and {error}")


def _run() -> int:
    """The process that all workers of this run belong to."""
    return os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


@pytest.fixture(scope="session")
def solr_url() -> str:
    return find("solr")


@pytest.fixture(scope="session")
def solrcloud_url() -> str:
    return find("solrcloud")


@pytest.fixture(scope="session")
def elasticsearch_url() -> str:
    return find("elasticsearch")


@pytest.fixture(scope="session")
def opensearch_url() -> str:
    return find("opensearch")
