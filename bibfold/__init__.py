"""Folds duplicate bibliographic records into one canonical record each, as they arrive.

`read`, `compare`, `dedupe`, `link` and `open` do what the commands do; docs/python.md shows each. Everything is
loaded when it is first used, so that `import bibfold` costs next to nothing.
"""

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; `typing` alone takes longer to load than all of this

if TYPE_CHECKING:
    from bibfold.api import OpenCatalogue as OpenCatalogue
    from bibfold.api import compare as compare
    from bibfold.api import dedupe as dedupe
    from bibfold.api import link as link
    from bibfold.api import open as open
    from bibfold.api import read as read
    from bibfold.errors import BibfoldError as BibfoldError
    from bibfold.errors import CatalogueError as CatalogueError
    from bibfold.errors import EngineError as EngineError
    from bibfold.errors import InputError as InputError
    from bibfold.errors import NotFound as NotFound
    from bibfold.errors import RecordError as RecordError
    from bibfold.errors import SettingsError as SettingsError
    from bibfold.records.model import DeadLetter as DeadLetter
    from bibfold.records.model import Record as Record

_PLACES = {
    "bibfold.api": ("OpenCatalogue", "compare", "dedupe", "link", "open", "read"),
    "bibfold.errors": (
        "BibfoldError",
        "CatalogueError",
        "EngineError",
        "InputError",
        "NotFound",
        "RecordError",
        "SettingsError",
    ),
    "bibfold.records.model": ("DeadLetter", "Record"),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}


if not TYPE_CHECKING:  # else a misspelt name would pass the type checker

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
