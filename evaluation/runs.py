"""Run files: the settings, data and figures of an evaluation, so that it can be repeated and compared."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from bibfold.errors import InputError
from bibfold.settings import resolve
from bibfold.workspace import Layers
from evaluation.pairs import Pair
from evaluation.records import fingerprint
from lookup.matcher import profile_of


class EvaluationRun(msgspec.Struct, frozen=True):
    """One evaluation; `missed` are true pairs that were not found, `wrong` are found pairs that are not true."""

    kind: str
    version: str
    settings: dict[str, Any]
    data: dict[str, Any]
    figures: dict[str, Any]
    missed: list[Pair] = []
    wrong: list[Pair] = []


def this_version() -> str:
    """bibfold's version."""
    return version("bibfold")


def settings_data(layers: Layers, names: Sequence[str], **flags: Any) -> dict[str, Any]:
    """The effective values of these settings, the engine, the profile's thresholds, and a command's own flags."""
    settings = resolve(layers)
    profile = profile_of(settings)
    values = {name: getattr(settings, name) for name in names}
    return {**values, "engine": settings.engine or "memory", "same": profile.same, "unsure": profile.unsure, **flags}


def file_data(path: str, count: int) -> dict[str, Any]:
    """Identifies an input file of a run; `count` is the number of its records or pairs that counted."""
    return {"path": path, "fingerprint": fingerprint(path), "count": count}


def run_file(run: EvaluationRun) -> bytes:
    """The content of a run file."""
    return msgspec.json.format(msgspec.json.encode(run)) + b"\n"


def read_run(path: Path) -> EvaluationRun:
    """Read a run file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=EvaluationRun)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise InputError(
            f"{path}: is no run file: {error}; write one with `bibfold evaluate replay … --json` or --report"
        ) from error
