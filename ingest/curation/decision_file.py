"""Reads decisions from a CSV file, as a person writes it or `bibfold decisions --csv` does, and acts on them."""

import csv
from collections.abc import Iterable, Iterator
from typing import Literal, cast

import msgspec

from bibfold.errors import BibfoldError, InputError
from bibfold.lines import whole_lines
from bibfold.workspace import Workspace
from ingest import curate
from ingest.curate import Tell

OPEN = ("", "unsure")
"""Verdicts that leave a pair undecided."""


class Row(msgspec.Struct, frozen=True):
    """A line of the file: what is decided of two records, or why it cannot be read."""

    line: int
    a: str = ""
    b: str = ""
    verdict: str = ""
    note: str = ""
    problem: str = ""


class Result(msgspec.Struct):
    """What became of the lines of a file."""

    same: int = 0
    different: int = 0
    left_open: int = 0
    problems: int = 0


def read_rows(path: str) -> Iterator[Row]:
    """The lines of a CSV file with the columns a, b, verdict and perhaps note; other columns are passed over."""
    lines = (line.decode(errors="surrogateescape") for line in whole_lines(path))
    reader = csv.DictReader(lines, skipinitialspace=True, strict=True)
    try:
        reader.fieldnames = [name.strip().removeprefix("\ufeff").lower() for name in reader.fieldnames or ()]
        missing = {"a", "b", "verdict"} - set(reader.fieldnames)
        if missing:
            raise InputError(
                f"{path}: expected the columns a, b, verdict and perhaps note; {', '.join(sorted(missing))} not found"
            )
        for values in reader:
            yield _row(reader.line_num, values)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: is not CSV: {error}") from error


def _row(line: int, values: dict[str | None, str | list[str] | None]) -> Row:
    if None in values:
        return Row(line, problem="more columns than the first line names; put text with commas in quotes")
    a, b, verdict, note = (str(values.get(name) or "").strip() for name in ("a", "b", "verdict", "note"))
    if any("\udc80" <= letter <= "\udcff" for letter in a + b + note):
        return Row(line, problem="not UTF-8")
    if verdict.lower() not in ("same", "different", *OPEN):
        return Row(line, problem=f"verdict {verdict!r}: write same, different, or nothing to leave the pair open")
    if not (a and b):
        return Row(line, problem="a or b is empty; name both records as source:id")
    return Row(line, a, b, verdict.lower(), note)


def decide_rows(workspace: Workspace, rows: Iterable[Row], tell: Tell, note: str = "") -> Result:
    """Act on each line in turn; one that cannot be acted on is told, and the others go on."""
    result = Result()
    for row in rows:
        if row.problem:
            result.problems += 1
            tell(f"line {row.line}: {row.problem}")
        elif row.verdict in OPEN:
            result.left_open += 1
        else:
            word = cast(Literal["same", "different"], row.verdict)
            try:
                curate.decide(workspace, row.a, row.b, word, row.note or note, tell)
            except BibfoldError as error:
                result.problems += 1
                tell(f"line {row.line}: {error}")
            else:
                setattr(result, word, getattr(result, word) + 1)
    return result
