"""Reads and prepares a long stream ahead of the fold, in a process of its own."""

import os
import pickle
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Empty, Queue
from threading import Thread
from typing import Final

import msgspec

from bibfold.errors import BibfoldError
from bibfold.records.keys import KeySettings
from bibfold.records.model import DeadLetter, Record
from ingest.incoming import Incoming, ready

SHORT: Final = 20_000
"""Streams of fewer records than this are read in the same process."""

CHUNK: Final = 1_000
CHUNKS_AHEAD: Final = 60

Item = Incoming | DeadLetter
_Chunk = list[Incoming | DeadLetter]

_DONE = b"done"
_FAILED = b"failed"


class _Wire(msgspec.Struct, array_like=True, gc=False):
    """A chunk on its way between the processes."""

    incoming: list[Incoming]
    letters: list[tuple[int, DeadLetter]]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Wire).decode


def prepared(stream: Iterable[Record | DeadLetter], settings: KeySettings) -> Iterator[Item]:
    """The stream with every record made ready; a long one is read by a second process, ahead of the caller."""
    rest = iter(stream)
    yield from _ready(islice(rest, SHORT), settings)
    more = next(rest, None)
    if more is not None:
        remaining = chain([more], rest)
        parallel = hasattr(os, "fork") and (os.cpu_count() or 1) > 1
        yield from _from_child(remaining, settings) if parallel else _ready(remaining, settings)


def _ready(stream: Iterable[Record | DeadLetter], settings: KeySettings) -> Iterator[Item]:
    for item in stream:
        yield item if isinstance(item, DeadLetter) else ready(item, settings)


def _from_child(stream: Iterable[Record | DeadLetter], settings: KeySettings) -> Iterator[Item]:
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send_all, args=(stream, settings, sender, receiver), daemon=True)
    child.start()
    sender.close()
    arrived: Queue[bytes | None] = Queue(CHUNKS_AHEAD)
    thread = Thread(target=_receive_all, args=(receiver, arrived), daemon=True)
    thread.start()
    try:
        while (message := arrived.get()) != _DONE:
            if message is None:
                raise BibfoldError("the process that reads the input ended before its time; was it killed?")
            if message.startswith(_FAILED):
                raise pickle.loads(message[len(_FAILED) :])
            yield from _items(_decode(message))
    finally:
        child.terminate()
        child.join()
        while thread.is_alive():
            with suppress(Empty):
                arrived.get(timeout=0.05)
        receiver.close()


def _items(wire: _Wire) -> _Chunk:
    items: _Chunk = list(wire.incoming)
    for place, letter in wire.letters:
        items.insert(place, letter)
    return items


def _receive_all(receiver: Connection, arrived: "Queue[bytes | None]") -> None:
    try:
        while True:
            message = receiver.recv_bytes()
            arrived.put(message)
            if message == _DONE:
                return
    except (EOFError, OSError):
        arrived.put(None)


def _send_all(
    stream: Iterable[Record | DeadLetter], settings: KeySettings, sender: Connection, receiver: Connection
) -> None:
    """What the second process does; a failure travels to the first, whose end, however it comes, ends this one."""
    receiver.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rest = iter(stream)
    try:
        while chunk := list(islice(rest, CHUNK)):
            letters = [(at, item) for at, item in enumerate(chunk) if isinstance(item, DeadLetter)]
            incoming = [ready(item, settings) for item in chunk if isinstance(item, Record)]
            sender.send_bytes(_encode(_Wire(incoming, letters)))
        sender.send_bytes(_DONE)
    except BrokenPipeError:
        return
    except Exception as error:  # noqa: BLE001 - raised again by the first process
        sender.send_bytes(_FAILED + pickle.dumps(error))
