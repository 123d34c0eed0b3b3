"""Says how a run was made and gives the command that makes it again."""

import shlex
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from bibfold.settings import SETTINGS
from evaluation.runs import Run
from evaluation.tables import shown

_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}


def command(run: Run) -> str:
    """The command line of a run, with every setting, since defaults may change."""
    words = ["bibfold", "evaluate", run.kind, *files(run)]
    for name, value in run.settings.items():
        words += _flag(name, value)
    return shlex.join(words)


def files(run: Run) -> list[str]:
    """The files that a run was made from."""
    return [one["path"] for one in run.data.values() if isinstance(one, Mapping) and "path" in one]


def repeat_html(run: Run) -> str:
    """Version, data and settings of a run, and its command."""
    facts = [("bibfold", run.version), *_flat("", run.data), *_flat("", run.settings)]
    told = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)
    return f'<dl class="facts">{told}</dl><pre><code>{escape(command(run))}</code></pre>'


def _flag(name: str, value: Any) -> list[str]:
    flag = name.replace("_", "-")
    if value is None or value == "" or (value is False and name not in _DEFAULTS):
        return []
    if isinstance(value, bool):
        return [f"--{flag}" if value else f"--no-{flag}"]
    if isinstance(value, list | tuple):
        joined = [",".join(value)] if isinstance(_DEFAULTS.get(name), tuple) and value else value
        return [word for one in joined for word in (f"--{flag}", str(one))]
    return [f"--{flag}", str(value)]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """Nested values as lines: the names that lead to each, and the value in words; what was not given is left out."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(f"{name} {key}".strip().replace("_", " "), inner)
    elif isinstance(value, list | tuple):
        yield name, ", ".join(map(str, value)) or "none"
    elif value is not None and value != "":
        yield name, f"{value:g}" if isinstance(value, float) else shown(value)
