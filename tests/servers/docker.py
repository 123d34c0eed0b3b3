"""Servers from the official images, where a Docker engine answers."""

import atexit
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.servers.java import CLUSTER_HEAP, CONFIGSET, ELASTICSEARCH, MAX_CLAUSES, MOST_CLAUSES, OPENSEARCH

SOLR_IMAGE = "solr:9.10.1"
ELASTICSEARCH_IMAGE = f"elasticsearch:{ELASTICSEARCH.version}"
OPENSEARCH_IMAGE = f"opensearchproject/opensearch:{OPENSEARCH.version}"
HEAP = f"-Xms{CLUSTER_HEAP} -Xmx{CLUSTER_HEAP}"

ENVIRONMENTS: Mapping[str, tuple[str, dict[str, str]]] = {
    "elasticsearch": (ELASTICSEARCH_IMAGE, {"xpack.security.enabled": "false", "ES_JAVA_OPTS": HEAP}),
    "opensearch": (
        OPENSEARCH_IMAGE,
        {
            "DISABLE_SECURITY_PLUGIN": "true",
            "DISABLE_INSTALL_DEMO_CONFIG": "true",
            "OPENSEARCH_JAVA_OPTS": HEAP,
            MAX_CLAUSES: str(MOST_CLAUSES),
        },
    ),
}
"""For each server of this kind its image, and what its container finds in its environment."""

CONFIGSET_PLACE = "/var/solr/data/configsets/bibfold/conf"


@cache
def answers() -> bool:
    """Whether there is a Docker engine to ask."""
    if not (docker := shutil.which("docker")):
        return False
    return subprocess.run([docker, "info"], capture_output=True, timeout=20, check=False).returncode == 0


def url_of(name: str) -> str:
    """Start the server's container, which ends with this process, and tell its address."""
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import HttpWaitStrategy

    if name in ENVIRONMENTS:
        image, environ = ENVIRONMENTS[name]
        container: Any = DockerContainer(image).with_exposed_ports(9200)
        container.with_env("discovery.type", "single-node")
        for variable, value in environ.items():
            container.with_env(variable, value)
        container.waiting_for(HttpWaitStrategy(9200, "/_cluster/health"))
        port, path = 9200, ""
    else:
        container = DockerContainer(SOLR_IMAGE).with_exposed_ports(8983)
        container.with_env("SOLR_OPTS", "-Dsolr.max.booleanClauses=16384")
        container.with_volume_mapping(str(CONFIGSET), CONFIGSET_PLACE, "ro")
        container.with_command("solr-foreground -c" if name == "solrcloud" else "solr-foreground")
        container.waiting_for(HttpWaitStrategy(8983, "/solr/admin/info/system"))
        port, path = 8983, "/solr"
    container.start()
    atexit.register(container.stop)
    return f"http://{container.get_container_host_ip()}:{container.get_exposed_port(port)}{path}"
