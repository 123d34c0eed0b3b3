"""The service's own writer: where nobody else holds the right to write, it carries out what waits in the queue."""

import asyncio
import logging
import time
from pathlib import Path
from threading import Event, Thread

from bibfold.catalogue.queue import Queued, count_waiting, ticket
from bibfold.catalogue.store import Catalogue
from bibfold.errors import BibfoldError, CatalogueLocked
from bibfold.workspace import Layers, opened
from ingest.commands import Command, carry_out_waiting, encode

_log = logging.getLogger("bibfold.service")

POLL = 0.5
"""Seconds between two looks at the queue: other processes leave commands there, too."""


class Writer:
    """A thread that takes the right to write when something waits, and gives it back when nothing does."""

    def __init__(self, folder: Path, layers: Layers, catalogue: Catalogue) -> None:
        self._folder = folder
        self._layers = layers
        self._catalogue = catalogue
        self._asked = Event()
        self._closing = False
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def enqueue(self, command: Command, who: str) -> int:
        """Leave a command in the catalogue's queue; its ticket. It is durable from here on."""
        with self._catalogue.asking() as asking:
            number = asking.enqueue(encode(command), who)
        self._asked.set()
        return number

    async def answered(self, number: int, seconds: float) -> Queued:
        """What became of a command, waited for so long at most."""
        until = time.monotonic() + seconds
        while True:
            queued = await asyncio.to_thread(self._ticket, number)
            if queued.answer is not None or time.monotonic() >= until:
                return queued
            await asyncio.sleep(0.02)

    def close(self) -> None:
        """Finish the command that is being carried out, and end; the others wait for the next writer."""
        self._closing = True
        self._asked.set()
        self._thread.join()

    def _ticket(self, number: int) -> Queued:
        with self._catalogue.reading() as read:
            return ticket(read, number)

    def _run(self) -> None:
        while not self._closing:
            try:
                with self._catalogue.reading() as read:
                    waits = count_waiting(read)
                if waits:
                    with opened(self._folder, self._layers, write=True) as workspace:
                        carry_out_waiting(workspace, _log.warning)
            except CatalogueLocked:
                time.sleep(POLL)
            except BibfoldError as error:
                _log.error("the queue's commands wait: %s", error)
                time.sleep(POLL)
            self._asked.wait(POLL)
            self._asked.clear()
