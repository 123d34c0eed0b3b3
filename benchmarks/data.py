"""Finds the public data sets: those that ship with bibfold, and larger ones in a folder of their own."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = (
    Path(os.environ.get("BIBFOLD_DATA", ROOT.parent / "shared" / "data")),
    ROOT / "evaluation" / "data",
)


def find(name: str) -> Path | None:
    """The folder of a data set, or None where it is not there."""
    return next((place / name for place in PLACES if (place / name).is_dir()), None)
