"""Works in JSON as Crossref gives them, in its API and its data files."""

from collections.abc import Iterator
from typing import IO

from bibfold.errors import RecordError
from bibfold.records.formats import Origin
from bibfold.records.formats.csl import to_record
from bibfold.records.formats.json_shapes import looks_like
from bibfold.records.formats.json_works import Work, text_of, works
from bibfold.records.model import DeadLetter, Record


def read(stream: IO[bytes], origin: Origin) -> Iterator[Record | DeadLetter]:
    """The works, from JSON Lines, an array, pages of the API, or one work alone; the id is the DOI."""
    return works(stream, origin, _work)


def _work(work: Work, origin: Origin) -> Record:
    if not work.keys() & {"DOI", "title"}:
        raise RecordError("work", f"neither DOI nor title: not a work of Crossref; {looks_like(work)}")
    return to_record(work, origin.source, "" if work.get("DOI") else text_of(work.get("id")), "crossref")
