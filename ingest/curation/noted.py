"""Notes what a person's change does to clusters and decisions, so that it can be undone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from bibfold.catalogue import curations
from bibfold.catalogue.store import Catalogue
from bibfold.catalogue.writing import Writing
from bibfold.errors import NotFound


@contextmanager
def curating(catalogue: Catalogue, command: str, names: Sequence[str], note: str) -> Iterator[Writing]:
    """A transaction in which a person changes the clusters that are named, each by its id or a record.

    What it changes is kept with it. A name that nothing has is for the change itself to tell.
    """
    with catalogue.writing() as write:
        numbers: set[int] = set()
        with suppress(NotFound):
            numbers.update(write.resolve_all(names))
        keys = list(curations.members(write, numbers))
        before = curations.state(write, keys)
        yield write
        after = curations.state(write, keys)
        if write.history and after != before:
            curations.keep(write, command, note, before, after)
