"""Scores and decisions of every profile as they were recorded, on pairs of the shipped sets.

`data/scores.jsonl.gz` holds a line a pair: the set, the keys of the two records, and for each profile the score, to 12
digits, and the decision. It is what a change of structure or speed must not change. Only where a metric is changed on
purpose is it made anew, for the same pairs, with `python -m tests.lookup.baseline [PROFILE …]`; say in the commit how
many decisions that changed.
"""

import gzip
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from bibfold.records.columns import Columns, Places
from bibfold.records.native import decode
from bibfold.records.prepare import Prepared, prepare
from lookup.comparing import compare
from lookup.evidence import DECISIONS
from lookup.pairs import Pairs
from lookup.profiles import PROFILES

FILE: Final = Path(__file__).parent / "data" / "scores.jsonl.gz"
SETS: Final = Path(__file__).parents[2] / "evaluation" / "data"


class Baseline(NamedTuple):
    """The lines of the file, the records that they name, and the places of each pair's two records."""

    lines: list[dict[str, Any]]
    records: list[Prepared]
    left: Places
    right: Places

    def pairs(self) -> Pairs:
        """All pairs, in columns of their own."""
        columns = Columns()
        columns.add(self.records)
        return Pairs(columns, self.left, self.right)


@cache
def baseline() -> Baseline:
    """The stored baseline."""
    lines = [msgspec.json.decode(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]
    sides = [[(line["set"], line[side]) for line in lines] for side in ("a", "b")]
    records: dict[tuple[str, str], Prepared] = {}
    for name in dict.fromkeys(line["set"] for line in lines):
        records |= {(name, key): record for key, record in _records(name, {key for side in sides for _, key in side})}
    place = {key: number for number, key in enumerate(records)}
    left, right = (np.array([place[key] for key in side]) for side in sides)
    return Baseline(lines, [*records.values()], left, right)


def _records(name: str, keys: set[str]) -> Iterator[tuple[str, Prepared]]:
    with gzip.open(SETS / name / "records.jsonl.gz", "rb") as lines:
        for line in lines:
            record = decode(line)
            if record.key in keys:
                yield record.key, prepare(record)


def rewrite(names: Sequence[str]) -> dict[str, int]:
    """Write the file anew, for the same pairs, with what these profiles find now; how many decisions changed."""
    stored = baseline()
    lines = [dict(line) for line in stored.lines]
    for name in names:
        compared = compare(stored.pairs(), PROFILES[name], every=True)
        for line, score, decision in zip(lines, compared.score.tolist(), compared.decision.tolist(), strict=True):
            line[name] = [round(score, 12), DECISIONS[decision]]
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    FILE.write_bytes(gzip.compress(text, mtime=0))
    return {
        name: sum(old.get(name, [None, None])[1] != new[name][1] for old, new in zip(stored.lines, lines, strict=True))
        for name in names
    }


if __name__ == "__main__":
    print("decisions changed:", rewrite(sys.argv[1:] or list(PROFILES)))  # noqa: T201
