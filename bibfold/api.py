"""What `import bibfold` offers: each function does what the command of its name does."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Unpack

from bibfold.open_catalogue import LOGGED, OpenCatalogue
from bibfold.open_catalogue import open_catalogue as open
from bibfold.outputs import Output
from bibfold.records.formats.files import Files
from bibfold.records.inputs import Input, RecordLike, as_record, read
from bibfold.records.model import Item
from bibfold.settings import SettingValues, from_keywords, resolve
from ingest.dedupe import Summary
from ingest.dedupe import dedupe as dedupe_stream
from ingest.link import Linked
from ingest.link import link as link_streams
from lookup.answers import compare_records
from lookup.evidence import Comparison
from lookup.matcher import profile_of

__all__ = ["OpenCatalogue", "compare", "dedupe", "link", "open", "read"]


def dedupe(
    given: Input,
    out: str | os.PathLike[str],
    *,
    format: str | None = None,
    source: str | None = None,
    columns: Mapping[str, str] = {},
    force: bool = False,
    **settings: Unpack[SettingValues],
) -> Summary:
    """Fold files or records once and write the result into a folder; `read` explains the arguments.

    `force` replaces files in the folder that no earlier `dedupe` wrote.
    """
    stream = read(given, format=format, source=source, columns=columns)
    output = Output(Path(out), "bibfold dedupe", _paths(stream), force)
    return dedupe_stream(stream, output, [from_keywords(settings)], LOGGED)


def link(
    left: Input,
    right: Input,
    out: str | os.PathLike[str],
    *,
    one_to_one: bool = True,
    format: str | None = None,
    columns: Mapping[str, str] = {},
    force: bool = False,
    **settings: Unpack[SettingValues],
) -> Linked:
    """Match the records of one source to those of another and write the links into a folder (see `dedupe`)."""
    ours, theirs = (read(given, format=format, columns=columns) for given in (left, right))
    output = Output(Path(out), "bibfold link", _paths(ours) + _paths(theirs), force)
    return link_streams(ours, theirs, output, [from_keywords(settings)], one_to_one=one_to_one)


def _paths(stream: Iterable[Item]) -> tuple[str, ...]:
    return stream.paths if isinstance(stream, Files) else ()


def compare(
    a: RecordLike,
    b: RecordLike,
    *,
    profile: str = "bibfold",
    same: float | None = None,
    unsure: float | None = None,
) -> Comparison:
    """Compare two records, without an index: the decision, the score and the evidence."""
    settings = resolve([from_keywords({"profile": profile, "same": same, "unsure": unsure})])
    return compare_records(as_record(a, "a", "1"), as_record(b, "b", "1"), profile_of(settings))
