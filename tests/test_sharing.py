"""A catalogue is where its path says, a group may share it, and who may only read it can do so."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from bibfold.catalogue import store
from bibfold.errors import CatalogueError, CatalogueLocked
from bibfold.records.model import Record

Make = Callable[..., Record]
Write = Callable[..., str]

GROUP = 54_321
ANNE, BERT, CARL = 54_001, 54_002, 54_003
"""Anne and Bert are in the group, Carl is not."""

PROGRAM = """
import encodings.cp1252, json, os, sys
from bibfold.cli import main

def run(words):
    sys.argv = ["bibfold", *words]
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0

scratch, user, groups, *commands = json.loads(sys.argv[1])
null = os.open(os.devnull, os.O_WRONLY)
out, err = os.dup(1), os.dup(2)
os.dup2(null, 1), os.dup2(null, 2)
file = os.path.join(scratch, "a.jsonl")  # all is imported before rights are dropped
for words in ["ingest", file], ["lookup", file], ["check"], ["merge", "c1", "c2"]:
    run([*words, "-c", os.path.join(scratch, "warm")])
os.dup2(out, 1), os.dup2(err, 2)
os.umask(0o022)
os.setgroups(groups)
os.setgid(user)
os.setuid(user)
sys.exit(max(run(words) for words in commands))
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that everybody can reach; pytest's own are for one user."""
    with TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def as_user(place: Path, write: Write, make: Make) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Runs commands as another user."""
    (place / "a.jsonl").write_bytes(Path(write("a.jsonl", make("1"), make("2", 1))).read_bytes())
    (place / "b.jsonl").write_bytes(Path(write("b.jsonl", make("3", 2), make("4", 3))).read_bytes())

    def run(user: int, *commands: list[object]) -> "subprocess.CompletedProcess[str]":
        scratch = place / f"scratch-{user}"
        scratch.mkdir(exist_ok=True)
        (scratch / "a.jsonl").write_bytes((place / "a.jsonl").read_bytes())
        groups = [GROUP] if user != CARL else []
        given = json.dumps([str(scratch), user, groups, *([str(word) for word in words] for words in commands)])
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, given], capture_output=True, text=True, check=False, timeout=300
        )

    return run


@pytest.mark.parametrize("name", ["a?b", "50%", "%41", "a?mode=memory", "file:x?y", "#1", "ü b"])
def test_a_catalogue_lies_where_its_path_says(
    bibfold: Any, write: Write, make: Make, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / name
    assert bibfold("ingest", write("a.jsonl", make("1")), "-c", folder).status == 0
    assert (folder / "catalogue.sqlite").stat().st_size > 0
    assert {path.name for path in tmp_path.iterdir()} == {name, "a.jsonl"}
    assert bibfold("stats", "-c", folder, "--json").json()[0]["records"] == 1


@needs_root
def test_a_group_shares_a_catalogue(as_user: Any, place: Path) -> None:
    shared = place / "shared"
    shared.mkdir()
    os.chown(shared, ANNE, GROUP)
    shared.chmod(0o2770)
    kept, first, second = shared / "cat", place / "a.jsonl", place / "b.jsonl"
    ran = as_user(ANNE, ["ingest", first, "-c", kept])
    assert ran.stderr == ""
    assert ran.returncode == 0
    ran = as_user(
        BERT, ["ingest", second, "-c", kept], ["lookup", first, "-c", kept], ["merge", "c1", "c2", "-c", kept]
    )
    assert ran.stderr == ""
    assert ran.returncode == 0
    ran = as_user(ANNE, ["ingest", second, "-c", kept], ["check", "-c", kept], ["reindex", "-c", kept])
    assert ran.stderr == ""
    assert ran.returncode == 0
    ran = as_user(BERT, ["check", "-c", kept], ["lookup", first, "-c", kept])
    assert ran.stderr == ""
    assert ran.returncode == 0
    for path in kept.rglob("*"):
        status = path.stat()
        assert (status.st_gid, status.st_mode & 0o060) == (GROUP, 0o060), path
    assert as_user(CARL, ["stats", "-c", kept]).returncode == 1


@needs_root
def test_who_may_only_read_a_catalogue_can_read_it(as_user: Any, place: Path) -> None:
    kept = place / "cat"
    kept.mkdir()
    os.chown(kept, ANNE, ANNE)
    file = place / "a.jsonl"
    assert as_user(ANNE, ["ingest", file, "-c", kept]).returncode == 0
    ran = as_user(CARL, *([*words, "-c", kept] for words in (["stats"], ["lookup", file], ["check"], ["export"])))
    assert ran.stderr == ""
    assert ran.returncode == 0
    ran = as_user(CARL, ["ingest", file, "-c", kept])
    assert (ran.returncode, "Permission denied" in ran.stderr) == (1, True)
    with holding(kept):
        ran = as_user(CARL, ["stats", "-c", kept], ["lookup", file, "-c", kept])
        assert ran.stderr == ""
    assert ran.returncode == 0


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """A process that writes to the catalogue meanwhile."""
    code = """
import pathlib, sys
from bibfold.catalogue import store
with store.open_catalogue(pathlib.Path(sys.argv[1]), write=True) as catalogue, catalogue.writing() as write:
    write.begin_run("ingest")
    print("holding", flush=True)
    sys.stdin.read()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdin=pipe, stdout=pipe) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"holding\n"
        yield
        holder.communicate()


def read_only(line: str, kept: Path) -> "subprocess.CompletedProcess[str]":
    """A line of shell with the catalogue on a read-only mount at $ro."""
    mount = 'mkdir -p "$ro" && mount --bind "$kept" "$ro" && mount -o remount,bind,ro "$ro" || exit 99'
    place = kept.with_name("read-only")
    command = f'bibfold() {{ "{sys.executable}" -m bibfold.cli "$@"; }}; {mount}; {line}'
    environ = {**os.environ, "kept": str(kept), "ro": str(place)}
    ran = subprocess.run(
        ["unshare", "-m", "bash", "-c", command], capture_output=True, text=True, env=environ, timeout=300, check=False
    )
    if ran.returncode == 99 or "Operation not permitted" in ran.stderr:
        pytest.skip("nothing can be mounted here")
    return ran


@needs_root
def test_a_read_only_mount_can_be_read(bibfold: Any, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", make("1"), make("2", 1))
    bibfold("ingest", file, "-c", kept)
    ran = read_only(f'for c in stats "lookup {file}" check export "show c1"; do bibfold $c -c $ro || exit; done', kept)
    assert ran.stderr == ""
    assert ran.returncode == 0
    ran = read_only(f"bibfold ingest {file} -c $ro", kept)
    assert (ran.returncode, "Read-only file system" in ran.stderr) == (1, True)


def test_what_is_written_while_it_may_not_change_is_told(
    kept: Path, monkeypatch: pytest.MonkeyPatch, bibfold: Any, write: Write, make: Make
) -> None:
    bibfold("ingest", write("a.jsonl", make("1")), "-c", kept)

    def read_beside_a_writer() -> None:
        with monkeypatch.context() as patch:
            patch.setattr("bibfold.catalogue.sqlite.os.access", lambda *_: False)
            opened = store.open_catalogue(kept)
        with opened as catalogue, catalogue.reading():
            bibfold("ingest", write("b.jsonl", make("2", 1)), "-c", kept)

    with pytest.raises(CatalogueError, match="was written to while it was read; run the command again"):
        read_beside_a_writer()


def test_a_writer_is_waited_for(bibfold: Any, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", make("1"), make("2", 1))
    bibfold("ingest", file, "-c", kept)
    with holding(kept):
        ran = bibfold("merge", "c1", "c2", "-c", kept, "--wait", "0.2")
        assert (ran.status, "is being written by another process" in ran.err) == (1, True)
        command = [sys.executable, "-m", "bibfold.cli", "merge", "c1", "c2", "-c", str(kept), "--wait", "60"]
        waiting = subprocess.Popen(command, stdout=subprocess.PIPE)
    out, _ = waiting.communicate(timeout=300)
    assert (waiting.returncode, out) == (0, b"c1\n")


def test_without_patience_a_writer_is_not_waited_for(kept: Path) -> None:
    with store.create(kept), pytest.raises(CatalogueLocked, match="another process"):
        store.create(kept)
