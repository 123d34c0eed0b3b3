"""The second process of a long run: reads files, makes their records ready, finds the pairs within each batch."""

import gc
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from bibfold.records.formats.files import Files
from ingest.batches import Batch, IsStored, batches
from ingest.incoming import Arrived
from ingest.neighbours import neighbours
from lookup.matcher import Matcher
from lookup.profile import Profile
from lookup.retrieve import Retrieval

LENGTH_BYTES: Final = 8
BATCH: Final = b"b"
PICKLED: Final = b"p"
DONE: Final = b"d"
FAILED: Final = b"f"

_encode = msgspec.msgpack.Encoder().encode


class Job(msgspec.Struct, frozen=True):
    """What to read and how to make it ready: by which profile, in batches of at most `most` records.

    `held` is how many records the catalogue holds; where there are any, `catalogue` is its folder.
    """

    files: Files
    retrieval: Retrieval
    profile: Profile
    held: int
    most: int
    catalogue: str | None = None


def main() -> None:
    """Read a job from standard input, and write its batches to standard output."""
    gc.disable()
    out = sys.stdout.buffer
    with suppress(BrokenPipeError):
        try:
            for batch in made(pickle.load(sys.stdin.buffer)):
                _send(out, _message(batch))
            _send(out, DONE)
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - raised again by the first process
            _send(out, FAILED + pickle.dumps(error))


def made(job: Job) -> Iterator[Batch]:
    """The job's batches, with the neighbours within each."""
    matcher = Matcher(job.profile, job.retrieval)
    with _stored_in(job.catalogue) as is_stored:
        for batch in batches(job.files, job.retrieval.keys, job.held, job.most, is_stored):
            ready = [arrived.forms for arrived in batch.arrived if arrived.forms is not None]
            yield msgspec.structs.replace(batch, neighbours=neighbours(ready, matcher))


def _message(batch: Batch) -> bytes:
    try:
        return BATCH + _encode(batch)
    except OverflowError:  # msgpack ends at 64 bits, a number in a record's `extra` need not
        return PICKLED + pickle.dumps(batch)


def _send(out: IO[bytes], message: bytes) -> None:
    out.write(len(message).to_bytes(LENGTH_BYTES))
    out.write(message)
    out.flush()


@contextmanager
def _stored_in(folder: str | None) -> Iterator[IsStored]:
    """Tells which records a catalogue has, as far as one who only reads it can know."""
    if folder is None:
        yield lambda arrived: set()
        return
    from bibfold.catalogue.store import open_catalogue

    with open_catalogue(Path(folder)) as catalogue:

        def is_stored(arrived: Sequence[Arrived]) -> set[str]:
            digests = {given.record.key: given.digest for given in arrived}
            with catalogue.reading() as read:
                return {key for key, stored in read.stored(digests).items() if stored.digest == digests[key]}

        yield is_stored


if __name__ == "__main__":
    main()
