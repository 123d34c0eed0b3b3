"""Batches of a long stream, made ahead of the fold by a second process."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, Final, TypeGuard

import msgspec

from bibfold.errors import BibfoldError
from bibfold.records.formats.files import COMPRESSED, Files
from bibfold.records.model import Item
from ingest.batches import Batch
from ingest.reader import BATCH, DONE, FAILED, LENGTH_BYTES, PICKLED, Job

WORTH_A_PROCESS: Final = 2_000_000
"""Files of fewer bytes than this, compressed ones counted fourfold, are read before a second process has started."""

BATCHES_AHEAD: Final = 4


def is_long(stream: Iterable[Item]) -> TypeGuard[Files]:
    """Whether a stream is worth a second process: only what stands in files can be handed over, and no pipe."""
    if not isinstance(stream, Files) or (os.cpu_count() or 1) < 2:
        return False
    if not all(Path(path).is_file() for path in stream.paths):
        return False
    sizes = [Path(path).stat().st_size * (4 if path.endswith(COMPRESSED) else 1) for path in stream.paths]
    return sum(sizes) >= WORTH_A_PROCESS


def prefetched(job: Job) -> Iterator[Batch]:
    """The job's batches, made by a second process; its failure is raised here, and it ends when this does.

    It is a process group of its own: Ctrl-C is for this process alone.
    """
    command = [sys.executable, "-P", "-m", "ingest.reader"]
    decode = msgspec.msgpack.Decoder(Batch).decode
    messages: Queue[bytes] = Queue(BATCHES_AHEAD)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, process_group=0) as reader:
        assert reader.stdin
        assert reader.stdout
        with suppress(BrokenPipeError), reader.stdin as commands:
            commands.write(pickle.dumps(job))
        thread = Thread(target=_receive_all, args=(reader.stdout, messages), daemon=True)
        thread.start()
        try:
            while (message := messages.get()) != DONE:
                if message[:1] == FAILED:
                    raise pickle.loads(message[1:])
                if not message:
                    raise BibfoldError("the process that reads the input ended before its time; was it killed?")
                yield pickle.loads(message[1:]) if message[:1] == PICKLED else decode(memoryview(message)[1:])
        finally:
            reader.terminate()
            while thread.is_alive():
                with suppress(Empty):
                    messages.get(timeout=0.05)


def _receive_all(stream: IO[bytes], messages: "Queue[bytes]") -> None:
    message = BATCH
    while message[:1] in (BATCH, PICKLED):
        length = int.from_bytes(stream.read(LENGTH_BYTES))
        message = stream.read(length)
        if len(message) < length:
            message = b""
        messages.put(message)
