"""Starts servers, each once for all who ask in the same run, and finds those that run."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.servers.java import QUICK, CannotStart, Command, Tuning, cache, elasticsearch, opensearch, solr, solrcloud
from tests.servers.keeper import alive

SERVERS: Mapping[str, Callable[[Path, Tuning], Command]] = {
    "solr": solr,
    "solrcloud": solrcloud,
    "elasticsearch": elasticsearch,
    "opensearch": opensearch,
}

PATIENCE = 120.0
"""Seconds that a server has to become healthy."""

UNTIL_STOPPED = 0
"""The owner of servers that run until they are stopped."""


def url_of(name: str, owner: int, tuning: Tuning = QUICK) -> str:
    """The address of the server that this owner's run shares; started where it does not run yet."""
    with _locked(owner, name):
        server = running(owner).get(name)
        return server["url"] if server else _start(name, owner, tuning)


def running(owner: int) -> dict[str, dict[str, str]]:
    """The owner's servers that run, by name: `url`, `pid`, `log`."""
    found = {path.stem: json.loads(path.read_text()) for path in _state(owner).glob("*.json")}
    return {name: server for name, server in found.items() if alive(int(server["pid"]))}


def stop(owner: int) -> list[str]:
    """Stop the owner's servers, and wait until they have ended."""
    found = running(owner)
    for server in found.values():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(server["pid"]), signal.SIGTERM)
    for server in found.values():
        while alive(int(server["pid"])):
            time.sleep(0.1)
    for path in _state(owner).glob("*.json"):
        path.unlink()
    return sorted(found)


def _state(owner: int) -> Path:
    folder = cache() / "servers" / str(owner)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _locked(owner: int, name: str) -> Iterator[None]:
    """Alone with this server, among the processes of one run."""
    with (_state(owner) / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _start(name: str, owner: int, tuning: Tuning) -> str:
    _remove_stale_state()
    folder = Path(tempfile.mkdtemp(prefix=f"bibfold-{name}-"))
    try:
        command = SERVERS[name](folder, tuning)
    except CannotStart:
        shutil.rmtree(folder)
        raise
    log = _state(owner) / f"{name}.log"
    user = "" if command.user is None else str(command.user)
    keeper = [sys.executable, str(Path(__file__).with_name("keeper.py")), str(owner), str(folder), user]
    with log.open("wb") as output:
        kept = subprocess.Popen(
            [*keeper, *command.line],
            stdout=output,
            stderr=output,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **command.environ},
            cwd=folder,
            start_new_session=True,
        )
    server = {"url": command.url, "pid": str(kept.pid), "log": str(log)}
    (_state(owner) / f"{name}.json").write_text(json.dumps(server))
    wait_until_healthy(name, command.health, kept, log)
    kept.returncode = 0  # it outlives this object, on purpose
    return command.url


def wait_until_healthy(name: str, health: str, kept: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return when the server answers; where it ends or takes too long, show the end of its log."""
    end = time.monotonic() + PATIENCE
    while kept.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError, urllib.error.URLError):
            if urllib.request.urlopen(health, timeout=5).status == 200:
                return
        time.sleep(0.2)
    kept.terminate()
    tail = log.read_text(errors="replace")[-3000:]
    raise CannotStart(f"{name} did not become healthy; its log {log} ends so:\n{tail}")


def _remove_stale_state() -> None:
    """Remove the state of servers whose owner is gone; their keepers have stopped them."""
    for folder in (cache() / "servers").iterdir():
        if int(folder.name) != UNTIL_STOPPED and not alive(int(folder.name)):
            shutil.rmtree(folder, ignore_errors=True)
