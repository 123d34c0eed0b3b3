"""What the routes work with: the catalogue, the threads that look up and write, and what may be asked of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from bibfold.catalogue.store import Catalogue, open_catalogue
from bibfold.workspace import Layers, opened
from service.guard import LOOPBACK, Limits
from service.lookups import Lookups
from service.metrics import Metrics
from service.writer import Writer


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How the service is run."""

    hosts: tuple[str, ...] = LOOPBACK
    limits: Limits = Limits()
    waiting: int = 2_000
    """How many records may wait to be looked up."""
    reports: Path | None = None
    """The folder of evaluation reports."""


class Serving(msgspec.Struct, frozen=True):
    """A catalogue that is served."""

    folder: Path
    layers: Layers
    options: Options
    catalogue: Catalogue
    lookups: Lookups
    writer: Writer
    metrics: Metrics


@contextmanager
def serving(folder: Path, layers: Layers = (), options: Options = Options()) -> Iterator[Serving]:  # noqa: B008 - frozen
    """Open a catalogue to be served; its settings and its index are checked at once."""
    with opened(folder, layers) as workspace:
        workspace.index()
    with open_catalogue(folder) as catalogue:
        lookups = Lookups(folder, layers, options.waiting)
        writer = Writer(folder, layers, catalogue)
        try:
            yield Serving(folder, layers, options, catalogue, lookups, writer, Metrics())
        finally:
            writer.close()
            lookups.close()


Served = NamedDependency[SkipValidation[Serving]]
"""A route's parameter."""
