"""What all tests may ask for: the addresses of real search servers, hand-made records, catalogues, the command.

Fixture strategy: take the smallest thing that shows the point. Records come from `make`, a few words each.
`workspace` is a catalogue and an index in memory, for what the fold decides; `kept` is the folder of a catalogue
on disk with tantivy, for what outlives a run; `bibfold` runs a command in this process. A process of its own is
for what cannot be seen otherwise: signals, imports, locks.
"""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import hypothesis
import msgspec
import pytest

from bibfold.cli import main
from bibfold.records.model import Record
from bibfold.records.native import encode
from bibfold.workspace import Workspace, throw_away

hypothesis.settings.register_profile("bibfold", deadline=None)
hypothesis.settings.load_profile("bibfold")

pytest_plugins = ["tests.servers.fixtures"]

WORKS = (
    ("Folding duplicate records as they arrive", ("Doe, Jane", "Roe, Richard"), 2020),
    ("A union catalogue of nautical maps", ("Poe, Edgar",), 2011),
    ("Thermal noise in gravitational wave detectors", ("Levin, Yuri", "Saulson, Peter"), 1998),
    ("On the migration of arctic terns", ("Egevang, Carsten", "Stenhouse, Iain"), 2010),
    ("Protein folding and misfolding", ("Dobson, Christopher",), 2003),
    ("Byzantine mosaics of Ravenna", ("Deichmann, Friedrich",), 1974),
)
"""Works that no profile takes for one another."""


class Ran(msgspec.Struct, frozen=True):
    """What a command left behind."""

    status: int
    out: str
    err: str

    def json(self) -> list[Any]:
        """The JSON object of each line."""
        return [msgspec.json.decode(line) for line in self.out.splitlines()]


@pytest.fixture
def make() -> Callable[..., Record]:
    """A record: of one of `WORKS` by number, with fields in place of the work's own."""

    def record(id: str, work: int = 0, source: str = "x", **fields: Any) -> Record:
        title, authors, year = WORKS[work]
        return Record(**{"source": source, "id": id, "title": title, "authors": authors, "year": year, **fields})

    return record


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """A catalogue and an index in memory."""
    with throw_away() as opened:
        yield opened


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of a catalogue that is to be made."""
    return tmp_path / "catalogue"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes records, or bytes as they are, into a file; its path."""

    def file(name: str, *items: Record | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(b"".join(encode(one) + b"\n" if isinstance(one, Record) else one for one in items))
        return str(path)

    return file


@pytest.fixture
def bibfold(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command in this process, as from the shell."""

    def run(*words: object, stdin: bytes = b"") -> Ran:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with monkeypatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["bibfold", *map(str, words)])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            status = _status(main)
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return Ran(status, *texts)

    return run


def _status(run: Callable[[], None]) -> int:
    try:
        run()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0
