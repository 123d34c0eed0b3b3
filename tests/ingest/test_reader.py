"""The second process of a long run: a job by standard input, batches with their neighbours by standard output."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec

from bibfold.errors import CatalogueError, InputError
from bibfold.records.formats.files import Files
from bibfold.records.model import Record
from bibfold.workspace import opened
from ingest.batches import Batch, batches
from ingest.incoming import Forms
from ingest.neighbours import neighbours
from ingest.reader import BATCH, DONE, FAILED, LENGTH_BYTES, PICKLED, Job, made
from ingest.run import fold_stream
from lookup.matcher import Matcher
from lookup.profiles import BIBFOLD
from lookup.retrieve import Retrieval

Make = Callable[..., Record]
Write = Callable[..., str]

COMMAND = [sys.executable, "-P", "-m", "ingest.reader"]


def job(*paths: str, most: int = 5, catalogue: Path | None = None, held: int = 0, strict: bool = False) -> Job:
    retrieval = Retrieval(BIBFOLD.searched)
    return Job(Files(paths, strict=strict), retrieval, BIBFOLD, held, most, str(catalogue) if catalogue else None)


def frames(stream: IO[bytes]) -> Iterator[bytes]:
    while length := stream.read(LENGTH_BYTES):
        yield stream.read(int.from_bytes(length))


def answers(asked: Job) -> list[bytes]:
    """All that a reader process writes, frame by frame."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as reader:
        assert reader.stdin
        assert reader.stdout
        assert reader.stderr
        with reader.stdin as commands:
            commands.write(pickle.dumps(asked))
        found = list(frames(reader.stdout))
        assert reader.stderr.read() == b""
    assert reader.returncode == 0
    return found


def decoded(frame: bytes) -> Batch:
    assert frame[:1] == BATCH
    return msgspec.msgpack.decode(frame[1:], type=Batch)


def fresh(batch: Batch) -> list[Forms]:
    return [given.forms for given in batch.arrived if given.forms is not None]


def test_batches_have_their_neighbours(make: Make, write: Write) -> None:
    asked = job(write("a.jsonl", *(make(str(at), at % 3) for at in range(13))))
    found = list(made(asked))
    plain = batches(asked.files, asked.retrieval.keys, 0, asked.most)
    assert [msgspec.structs.replace(batch, neighbours=None) for batch in found] == list(plain)
    matcher = Matcher(BIBFOLD, asked.retrieval)
    assert [batch.neighbours for batch in found] == [neighbours(fresh(batch), matcher) for batch in found]
    assert [batch.neighbours and batch.neighbours.possible for batch in found] == [2, 2, 0]


def test_a_process_of_its_own_makes_the_same_batches(make: Make, write: Write) -> None:
    broken = b'{"source": "x",\n'
    doi = {"doi": ("10.1000/1",)}
    rich = make("a", 1, identifiers=doi, pages="1-9", extra={"note": [1, 2.5, None, {"é": "ü"}]})
    asked = job(write("a.jsonl", *(make(str(at), at % 3) for at in range(12)), broken, rich))
    *found, end = answers(asked)
    assert end == DONE
    assert [decoded(frame) for frame in found] == list(made(asked))
    assert [len(decoded(frame).letters) for frame in found] == [0, 0, 1]


def test_what_cannot_be_read_is_reported_after_what_came_before_it(make: Make, write: Write) -> None:
    asked = job(write("a.jsonl", *(make(str(at)) for at in range(7))), write("b.ris", b"%PDF-1.4\n"), strict=True)
    *found, end = answers(asked)
    assert [len(decoded(frame).arrived) for frame in found] == [5, 2]
    assert end[:1] == FAILED
    error = pickle.loads(end[1:])
    assert isinstance(error, InputError)
    assert "b.ris" in str(error)


def test_nobody_listens_any_more(make: Make, write: Write) -> None:
    asked = job(write("a.jsonl", *(make(str(at), abstract="long " * 500) for at in range(500))))
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as reader:
        assert reader.stdin
        assert reader.stdout
        assert reader.stderr
        with reader.stdin as commands:
            commands.write(pickle.dumps(asked))
        assert len(decoded(next(frames(reader.stdout))).arrived) == 5
        reader.stdout.close()
        reader.wait(timeout=20)
        assert reader.stderr.read() == b""


def test_what_the_catalogue_has_unchanged_travels_without_forms(make: Make, write: Write, kept: Path) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1"), make("2", 1)])
    file = write("a.jsonl", make("1"), make("2", 1, pages="7"), make("3"), make("4", 1))
    (batch,) = made(job(file, catalogue=kept, held=2))
    assert [given.forms is None for given in batch.arrived] == [True, False, False, False]
    assert batch.neighbours == neighbours(fresh(batch), Matcher(BIBFOLD, Retrieval(BIBFOLD.searched)))
    assert batch.neighbours.possible == 1
    frame, end = answers(job(file, catalogue=kept, held=2))
    assert (decoded(frame), end) == (batch, DONE)


def test_a_catalogue_is_only_read(make: Make, write: Write, kept: Path) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
        asked = job(write("a.jsonl", make("1"), make("2")), catalogue=kept, held=1)
        _, end = answers(asked)  # though this process has the right to write
        assert end == DONE


def test_a_catalogue_that_is_gone_is_reported(make: Make, write: Write, kept: Path) -> None:
    (end,) = answers(job(write("a.jsonl", make("1")), catalogue=kept, held=1))
    error = pickle.loads(end[1:])
    assert isinstance(error, CatalogueError)
    assert "is no catalogue" in str(error)


def test_numbers_too_great_for_the_pipe_arrive_all_the_same(make: Make, write: Write) -> None:
    asked = job(write("a.jsonl", make("1", extra={"n": 10**30})))
    frame, end = answers(asked)
    assert (frame[:1], end) == (PICKLED, DONE)
    assert [pickle.loads(frame[1:])] == list(made(asked))
