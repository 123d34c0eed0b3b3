"""The launcher itself: where a server is looked for, and that none is left running."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import docker, fixtures, java, keeper, launch
from tests.servers.java import CannotStart

HERE = Path(__file__).parent
SERVER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]


@pytest.fixture
def owner() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(SERVER, stdout=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def keeping(owner: "subprocess.Popen[bytes]", tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    folder = tmp_path / "scratch"
    folder.mkdir()
    command = [sys.executable, str(HERE / "keeper.py"), str(owner.pid), str(folder), "", *SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        yield process
        process.kill()


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


def wait_for(happened: Callable[[], bool]) -> None:
    for _ in range(200):
        if happened():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen")


@pytest.mark.parametrize("cause", ["owner killed", "told to stop"])
def test_a_server_ends_with_its_owner_or_when_told(
    keeping: "subprocess.Popen[bytes]", owner: "subprocess.Popen[bytes]", tmp_path: Path, cause: str
) -> None:
    (server,) = children(keeping.pid)
    if cause == "owner killed":
        owner.kill()
        owner.wait()
    else:
        os.kill(keeping.pid, signal.SIGTERM)
    wait_for(lambda: keeping.poll() is not None)
    assert not keeper.alive(server)
    assert not (tmp_path / "scratch").exists()


def test_a_server_that_dies_tells_its_status_and_leaves_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    died = [sys.executable, "-c", "raise SystemExit(3)"]
    command = [sys.executable, str(HERE / "keeper.py"), str(os.getpid()), str(folder), "", *died]
    assert subprocess.run(command, check=False).returncode == 3
    assert not folder.exists()


def test_an_address_in_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBFOLD_SOLR_URL", "http://127.0.0.1:1/solr")
    assert fixtures.find("solr") == "http://127.0.0.1:1/solr"


def no_java(name: str, owner: int) -> str:
    raise CannotStart("no java on the path")


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_a_server_that_cannot_start_is_skipped_but_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.delenv("BIBFOLD_SOLR_URL", raising=False)
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(docker, "answers", lambda: False)
    monkeypatch.setattr(launch, "url_of", no_java)
    with pytest.raises(outcome, match=r"solr.*no java on the path"):
        fixtures.find("solr")


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotStart, match="no java on the path"):
        java.solr(tmp_path)


def test_a_server_that_dies_at_start_shows_the_end_of_its_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = java.Command(
        ["sh", "-c", "echo out of luck; exit 1"], {}, None, "http://127.0.0.1:9", "http://127.0.0.1:9"
    )
    monkeypatch.setattr(launch, "SERVERS", {"broken": lambda folder, tuning: broken})
    with pytest.raises(CannotStart, match="out of luck"):
        launch.url_of("broken", os.getpid())
    assert launch.running(os.getpid()) == {}


def test_downloads_that_fail_leave_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def fetch(folder: Path) -> None:
        (folder / "half").touch()
        raise CannotStart("Maven failed")

    with pytest.raises(CannotStart, match="Maven failed"):
        java._cached("jars", b"1", fetch)
    assert list((tmp_path / "bibfold").iterdir()) == []


def test_no_file_names_a_host() -> None:
    texts = {file: file.read_text() for file in HERE.rglob("*") if file.suffix in (".py", ".xml", ".java", ".cfg")}
    hosts = {host for text in texts.values() for host in re.findall(r"https?://([\w.-]+)", text)}
    assert hosts <= {"127.0.0.1"}
