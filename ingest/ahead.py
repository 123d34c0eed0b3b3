"""Makes the batches of a long stream ahead of the fold, in a process of its own."""

import gc
import os
import pickle
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import c_long
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawValue
from queue import Empty, Queue
from threading import Thread
from typing import Final

import msgspec

from bibfold.errors import BibfoldError
from ingest.arriving import Batch, Plan, paired

SHORT: Final = 10_000
"""Streams of fewer records than this are read in the same process."""

BATCHES_AHEAD: Final = 4

_DONE = b"done"
_FAILED = b"failed"

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Batch).decode


def ahead(batches: Iterator[Batch], plan: Plan) -> Iterator[Batch]:
    """The same batches with their pairs; those of a long stream are made by a second process, ahead of the caller.

    The second process looks for the pairs, too, unless the first waits for a batch: then it does so itself.
    """
    seen = 0
    for batch in batches:
        yield paired(batch, plan)
        seen += len(batch.incoming)
        if seen >= SHORT and hasattr(os, "fork") and (os.cpu_count() or 1) > 1:
            for made in _from_child(batches, plan):
                yield paired(made, plan)
            return


def _from_child(batches: Iterator[Batch], plan: Plan) -> Iterator[Batch]:
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    taken = RawValue(c_long, 0)
    child = context.Process(target=_send_all, args=(batches, plan, taken, sender, receiver), daemon=True)
    with _stdin_left_open():
        child.start()
    sender.close()
    arrived: Queue[bytes | None] = Queue(BATCHES_AHEAD)
    thread = Thread(target=_receive_all, args=(receiver, arrived), daemon=True)
    thread.start()
    try:
        while (message := arrived.get()) != _DONE:
            if message is None:
                raise BibfoldError("the process that reads the input ended before its time; was it killed?")
            if message.startswith(_FAILED):
                raise pickle.loads(message[len(_FAILED) :])
            taken.value += 1
            yield _decode(message)
    finally:
        child.terminate()
        child.join()
        while thread.is_alive():
            with suppress(Empty):
                arrived.get(timeout=0.05)
        receiver.close()


@contextmanager
def _stdin_left_open() -> Iterator[None]:
    """Hide standard input from multiprocessing, which would close it: it may be what the stream is read from."""
    stdin = sys.stdin
    sys.stdin = None
    try:
        yield
    finally:
        sys.stdin = stdin


def _receive_all(receiver: Connection, arrived: "Queue[bytes | None]") -> None:
    try:
        while True:
            message = receiver.recv_bytes()
            arrived.put(message)
            if message == _DONE:
                return
    except (EOFError, OSError):
        arrived.put(None)


def _send_all(batches: Iterator[Batch], plan: Plan, taken: c_long, sender: Connection, receiver: Connection) -> None:
    """What the second process does; a failure travels to the first, whose end, however it comes, ends this one."""
    receiver.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    try:
        for sent, batch in enumerate(batches):
            sender.send_bytes(_encode(paired(batch, plan) if taken.value < sent else batch))
        sender.send_bytes(_DONE)
    except BrokenPipeError:
        return
    except Exception as error:  # noqa: BLE001 - raised again by the first process
        sender.send_bytes(_FAILED + pickle.dumps(error))
