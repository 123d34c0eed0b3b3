"""The errors that bibfold raises; each message says what is wrong, where, and what to do.

BibfoldError
├── SettingsError          a setting, flag or profile that cannot be used
├── InputError             a file that cannot be read at all
├── RecordError            one record that cannot be read; the stream goes on
├── EngineError
│   ├── EngineUnavailable  the engine does not answer, or is not installed
│   ├── IndexMissing       no such index, or nothing published
│   ├── IndexOutdated      the index was built with keys of another version
│   ├── IndexDamaged       the index's files cannot be understood: run `bibfold reindex`
│   └── WriteRejected      the engine refused documents; says which and why
└── CatalogueError
    ├── CatalogueLocked    another process is writing
    ├── CatalogueNewer     made by a later version of bibfold
    └── NotFound           no such record or cluster
        └── Retired        a cluster id that leads nowhere any more
"""

from collections.abc import Mapping


class BibfoldError(Exception):
    """Any error that is the user's to read: shown as its message, without a traceback."""


class SettingsError(BibfoldError):
    """A setting, flag or profile that cannot be used; the message names the key."""


class InputError(BibfoldError):
    """A file that cannot be read at all: absent, unreadable, of no known format."""


class RecordError(BibfoldError):
    """One record that cannot be read; readers turn it into a dead letter."""

    def __init__(self, position: str, reason: str) -> None:
        super().__init__(f"{position}: {reason}")
        self.position = position
        self.reason = reason


class EngineError(BibfoldError):
    """A search engine failed."""


class EngineUnavailable(EngineError):
    """The engine does not answer, or the client for it is not installed; `since` when, by the monotonic clock."""

    since: float | None = None


class IndexMissing(EngineError):
    """There is no such index, or nothing is published under the alias."""


class IndexOutdated(EngineError):
    """The index was built with keys of another version: run `bibfold reindex`."""


class IndexDamaged(EngineError):
    """What the index holds cannot be read: run `bibfold reindex`, which builds it anew from the catalogue."""

    def __init__(self, where: object, reason: object) -> None:
        super().__init__(f"{where}: the index is damaged: run `bibfold reindex` ({' '.join(str(reason).split())})")


class WriteRejected(EngineError):
    """The engine refused documents; `failures` maps document id to reason."""

    def __init__(self, failures: Mapping[str, str]) -> None:
        first = "; ".join(f"{key}: {reason}" for key, reason in list(failures.items())[:3])
        super().__init__(f"{len(failures)} documents rejected ({first})")
        self.failures = dict(failures)


class CatalogueError(BibfoldError):
    """The catalogue cannot do what was asked."""


class CatalogueLocked(CatalogueError):
    """Another process holds the catalogue for writing."""


class CatalogueNewer(CatalogueError):
    """The catalogue was made by a later version of bibfold."""


class NotFound(CatalogueError):
    """No such record or cluster in the catalogue."""


class Retired(NotFound):
    """A cluster id that leads nowhere any more; the message says what became of the records that it held."""
