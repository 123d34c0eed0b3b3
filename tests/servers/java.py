"""Servers from Maven artefacts: fetched by their coordinates, once, and kept in the user's cache."""

import hashlib
import os
import shutil
import socket
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

HERE = Path(__file__).parent
CONFIGSET = HERE.parents[1] / "solr_conf"

HEAP = "512m"
CLUSTER_HEAP = "768m"
"""Elasticsearch takes its limit of terms in a query from its heap: 10,000 terms need more than 512 MB."""

MAX_CLAUSES = "indices.query.bool.max_clause_count"
MOST_CLAUSES = 16_384
"""OpenSearch takes 1,024 terms in a query unless this setting allows more."""

Tuning = tuple[str, ...]
"""Options for Java."""

QUICK: Tuning = ("-XX:TieredStopAtLevel=1",)
"""Start soon rather than run fast: a test's server ends before the better compiler has paid for itself."""

FAST: Tuning = ()
"""Run as fast as Java can, after a while: to measure."""

ZOOKEEPER = 1_000
"""So far above Solr's port is that of the ZooKeeper which it runs itself."""

NOBODY = 65534
"""Elasticsearch and OpenSearch refuse to run as root."""


class CannotStart(Exception):
    """A server cannot be had this way; says why."""


class Command(NamedTuple):
    """How to run a server: the command, what it finds in its environment, its user, and where it answers."""

    line: list[str]
    environ: dict[str, str]
    user: int | None
    url: str
    health: str


class Distribution(NamedTuple):
    """A server that comes as one archive: its name, its version, what its variables begin with, its settings."""

    name: str
    version: str
    variables: str
    leader: str
    settings: str

    @property
    def artefact(self) -> str:
        return f"org.{self.name}.distribution.integ-test-zip:{self.name}:{self.version}:zip"


ELASTICSEARCH = Distribution("elasticsearch", "8.19.21", "ES", "master", "xpack.security.enabled: false")
OPENSEARCH = Distribution("opensearch", "2.19.6", "OPENSEARCH", "cluster_manager", f"{MAX_CLAUSES}: {MOST_CLAUSES}")


def cache() -> Path:
    """The folder that outlives a run."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bibfold"


def solr(folder: Path, tuning: Tuning = QUICK) -> Command:
    """A Solr server by itself, with bibfold's configset in its home."""
    shutil.copytree(CONFIGSET, folder / "configsets" / "bibfold" / "conf")
    return _solr(folder, free_port(), [*tuning])


def solrcloud(folder: Path, tuning: Tuning = QUICK) -> Command:
    """One node of SolrCloud, with a ZooKeeper of its own; the configset is for bibfold to bring."""
    port = free_port()
    while not _free(port + ZOOKEEPER):
        port = free_port()
    shutil.copy(HERE / "solr" / "zoo.cfg", folder)
    return _solr(folder, port, [*tuning, "-DzkRun"])


def solrcloud_pair(folder: Path) -> tuple[Command, Command]:
    """Two nodes of SolrCloud; the first has the ZooKeeper, which misses a node after five seconds."""
    noticing = (*QUICK, "-DzkClientTimeout=5000")
    homes = [folder / name for name in ("first", "second")]
    for home in homes:
        home.mkdir()
    first = solrcloud(homes[0], noticing)
    zookeeper = f"127.0.0.1:{(urlsplit(first.url).port or 0) + ZOOKEEPER}"
    return first, _solr(homes[1], free_port(), [*noticing, f"-DzkHost={zookeeper}"])


def _solr(folder: Path, port: int, options: list[str]) -> Command:
    java = _tool("java")
    jars = _cached("solr", (HERE / "solr" / "pom.xml").read_bytes(), _fetch_solr)
    shutil.copy(HERE / "solr" / "solr.xml", folder)
    logging = f"-Dlog4j2.configurationFile={HERE / 'solr' / 'log4j2.xml'}"
    line = [java, f"-Xms{HEAP}", f"-Xmx{HEAP}", logging, f"-Dsolr.log.dir={folder}", *options]
    line += ["-cp", f"{jars}/*", str(HERE / "solr" / "SolrMain.java"), str(port), str(folder)]
    url = f"http://127.0.0.1:{port}/solr"
    cloud = any(option.startswith("-Dzk") for option in options)
    ready = "/admin/collections?action=CLUSTERSTATUS" if cloud else "/admin/info/system"
    return Command(line, {}, None, url, url + ready)


def elasticsearch(folder: Path, tuning: Tuning = QUICK) -> Command:
    """One Elasticsearch node by itself."""
    return _node(ELASTICSEARCH, folder, tuning, free_port(), "discovery.type: single-node")


def opensearch(folder: Path, tuning: Tuning = QUICK) -> Command:
    """One OpenSearch node by itself."""
    return _node(OPENSEARCH, folder, tuning, free_port(), "discovery.type: single-node")


def node_pair(distribution: Distribution, folder: Path) -> tuple[Command, Command]:
    """Two nodes of Elasticsearch or OpenSearch; both hold documents, only the first may lead the cluster."""
    ports = [free_port(), free_port()]
    both = f"discovery.seed_hosts: ['127.0.0.1:{ports[0]}']\n"
    role = distribution.leader
    leader = f"node.name: first\nnode.roles: [{role}, data]\ncluster.initial_{role}_nodes: [first]"
    homes = [folder / name for name in ("first", "second")]
    first = _node(distribution, homes[0], QUICK, ports[0], both + leader)
    return first, _node(distribution, homes[1], QUICK, ports[1], both + "node.name: second\nnode.roles: [data]")


def _node(distribution: Distribution, folder: Path, tuning: Tuning, transport: int, settings: str) -> Command:
    """A node, unpacked into its folder, since it may run as a user who cannot read the cache."""
    java = Path(_tool("java")).resolve()
    name, artefact = distribution.name, distribution.artefact
    archives = _cached(name, artefact.encode(), partial(_fetch_archive, artefact))
    with zipfile.ZipFile(next(archives.glob("*.zip"))) as archive:
        archive.extractall(folder)
    home = folder / f"{name}-{distribution.version}"
    port = free_port()
    (home / "config" / f"{name}.yml").write_text(
        f"{settings}\n{distribution.settings}\nhttp.port: {port}\ntransport.port: {transport}\n"
        "network.host: 127.0.0.1\ncluster.routing.allocation.disk.threshold_enabled: false\n"
    )
    for needed in ("plugins", "logs", "data", "tmp"):
        (home / needed).mkdir(exist_ok=True)
    environ = {
        f"{distribution.variables}_JAVA_HOME": str(java.parents[1]),
        f"{distribution.variables}_JAVA_OPTS": f"{' '.join(tuning)} -Xms{CLUSTER_HEAP} -Xmx{CLUSTER_HEAP}",
        f"{distribution.variables}_TMPDIR": str(home / "tmp"),
    }
    url = f"http://127.0.0.1:{port}"
    user = NOBODY if os.geteuid() == 0 else None
    if user is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user)
    return Command(["bash", str(home / "bin" / name)], environ, user, url, f"{url}/_cluster/health")


def free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _free(port: int) -> bool:
    with socket.socket() as tried:
        return port < 65536 and tried.connect_ex(("127.0.0.1", port)) != 0


def _tool(name: str) -> str:
    if found := shutil.which(name):
        return found
    raise CannotStart(f"no {name} on the path")


def _cached(name: str, made_from: bytes, fetch: Callable[[Path], None]) -> Path:
    """The folder that `fetch` filled, in this run or an earlier one; half a folder is never left in its place."""
    place = cache() / f"{name}-{hashlib.sha256(made_from).hexdigest()[:12]}"
    if not place.is_dir():
        cache().mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=cache()))
        try:
            fetch(unfinished)
            unfinished.rename(place)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return place


def _fetch_solr(folder: Path) -> None:
    pom = HERE / "solr" / "pom.xml"
    _maven("-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={folder}", "-DincludeScope=runtime")


def _fetch_archive(artefact: str, folder: Path) -> None:
    _maven("dependency:get", "-Dtransitive=false", f"-Dartifact={artefact}")
    _maven("dependency:copy", f"-Dartifact={artefact}", f"-DoutputDirectory={folder}")


def _maven(*arguments: str) -> None:
    done = subprocess.run([_tool("mvn"), "-q", "-B", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotStart(f"Maven failed: {(done.stdout + done.stderr).strip()[-2000:]}")
