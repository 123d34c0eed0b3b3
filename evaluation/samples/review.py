"""Labels the pairs of a truth by hand: selects pairs, asks for each, and saves every answer at once."""

import csv
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from bibfold.errors import InputError
from bibfold.files import replaced_text
from bibfold.lines import whole_lines
from evaluation.pairs import Pair
from evaluation.truth import DIFFERENT, OPEN, SAME
from lookup.evidence import Comparison

Answer = Literal["same", "different", "unsure"]
ANSWERS: Final[Mapping[str, Answer]] = {"s": "same", "d": "different", "u": "unsure"}
BACK, QUIT = "b", "q"
KEYS: Final = frozenset({*ANSWERS, BACK, QUIT})
REVIEWED = "reviewed"
"""The column for the labels that a person gave."""


class Selection(msgspec.Struct, frozen=True):
    """Which pairs to ask for: all, those in a range of scores, or by default the doubtful ones."""

    every: bool = False
    low: float | None = None
    high: float | None = None

    def __call__(self, label: str, comparison: Comparison) -> bool:
        """Whether to ask for a pair.

        A pair is doubtful without a label, if the profile is unsure of it, or if its decision contradicts the label.
        """
        if self.every:
            return True
        if self.low is not None or self.high is not None:
            return (self.low or 0.0) <= comparison.score <= (1.0 if self.high is None else self.high)
        word = label.strip().lower()
        if word in OPEN or comparison.decision == "unsure":
            return True
        return (word in SAME) != (comparison.decision == "same")


class Sheet:
    """A truth file that is being labelled; every answer rewrites the file atomically."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.rows, self.header = _read(path)

    def pair(self, place: int) -> Pair:
        """The keys of a pair's records."""
        return self.rows[place]["a"].strip(), self.rows[place]["b"].strip()

    def label(self, place: int) -> str:
        """The current label of a pair."""
        return self.rows[place]["label"]

    def answered(self) -> int:
        """The number of pairs that a person has labelled."""
        return sum(bool(row[REVIEWED]) for row in self.rows)

    def answer(self, place: int, answer: Answer) -> None:
        """Save an answer: it is on disk when this returns."""
        self.rows[place] = {**self.rows[place], "label": answer, REVIEWED: answer}
        self._write()

    def _write(self) -> None:
        try:
            with replaced_text(self.path) as file:
                rows = csv.DictWriter(file, self.header, lineterminator="\n")
                rows.writeheader()
                rows.writerows(self.rows)
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error.strerror or error}; the answer is lost") from error


def doubtful(sheet: Sheet, comparisons: Mapping[Pair, Comparison], selection: Selection) -> list[int]:
    """The selected pairs without an answer; a pair that was not compared, since a record is absent, is left out."""
    return [
        place
        for place, row in enumerate(sheet.rows)
        if not row[REVIEWED]
        and (comparison := comparisons.get(sheet.pair(place))) is not None
        and selection(sheet.label(place), comparison)
    ]


def ask_all(sheet: Sheet, places: list[int], ask: Callable[[int, int], str]) -> Counter[str]:
    """Ask for each pair in turn, until all are answered or the person quits; returns the counts of the answers.

    `ask` gets the pair's position in the sheet and in the list, and returns a key of `KEYS`.
    """
    answers: dict[int, Answer] = {}
    at = 0
    while at < len(places) and (key := ask(places[at], at)) != QUIT:
        if key == BACK:
            at = max(0, at - 1)
            continue
        answers[at] = ANSWERS[key]
        sheet.answer(places[at], answers[at])
        at += 1
    return Counter(answers.values())


def _read(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    lines = list(whole_lines(str(path)))
    try:
        texts = [line.decode() for line in lines]
        rows = csv.DictReader(texts, skipinitialspace=True)
        header = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = header
        read = list(rows)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: is not CSV text: {error}") from error
    if not {"a", "b"} <= set(header):
        raise InputError(
            f"{path}: expected the columns a,b, found {', '.join(header)}; pairs are labelled, not clusters"
        )
    if any(None in row or None in row.values() for row in read):
        raise InputError(f"{path}: a line has more or fewer than {len(header)} columns")
    _check_plain(path)
    return [_labelled(row, path) for row in read], list(dict.fromkeys([*header, "label", REVIEWED]))


def _labelled(row: Mapping[str, str], path: Path) -> dict[str, str]:
    """The row with a label: its own, else a profile's decision, else `same` as in a file of pairs alone."""
    label = row.get("label", row.get("decision", "same")).strip()
    if label.lower() not in SAME | DIFFERENT | OPEN:
        raise InputError(
            f"{path}: {row['a']}, {row['b']}: the label {label!r} means nothing here; write same, different or nothing"
        )
    return {**row, "label": label, REVIEWED: row.get(REVIEWED, "")}


def _check_plain(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(2) == b"\x1f\x8b":
            raise InputError(f"{path}: is compressed; unpack it first, answers are written into it")
