"""Describes how a run was made, with the command that repeats it."""

import shlex
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from bibfold.settings import SETTINGS
from evaluation.runs import EvaluationRun
from evaluation.tables import shown

_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def command(run: EvaluationRun) -> str:
    """The command line of a run, with every setting spelt out, since defaults may change."""
    words = ["bibfold", "evaluate", run.kind, *files(run)]
    for name, value in run.settings.items():
        words += _flag(name, value)
    return shlex.join(words)


def files(run: EvaluationRun) -> list[str]:
    """The files that a run was made from."""
    return [file["path"] for file in run.data.values() if isinstance(file, Mapping) and "path" in file]


def repeat_html(run: EvaluationRun) -> str:
    """Version, data and settings of a run, and its command."""
    facts = [("bibfold", run.version), *_flat("", run.data), *_flat("", run.settings)]
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f'<dl class="facts">{items}</dl><pre><code>{escape(command(run))}</code></pre>'


def _flag(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    if value is None or value == "" or (value is False and name not in _DEFAULTS):
        return []
    if isinstance(value, bool):
        return [f"--{flag}" if value else f"--no-{flag}"]
    if isinstance(value, list | tuple):
        joined = [",".join(value)] if isinstance(_DEFAULTS.get(name), tuple) and value else value
        return [word for element in joined for word in (f"--{flag}", str(element))]
    return [f"--{flag}", str(value)]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Nested values as a flat list of names and texts, without those that were not given."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name} {key}".strip().replace("_", " "), inner)
    elif isinstance(value, list | tuple):
        yield name, ", ".join(map(str, value)) or "none"
    elif value is not None and value != "":
        yield name, f"{value:g}" if isinstance(value, float) else shown(value)
