"""A cluster as a picture: its records on a circle, and a line for each pair that is the same or unsure."""

from collections.abc import Sequence
from itertools import combinations
from math import cos, pi, sin
from typing import Any, Final

import numpy as np

from bibfold.records.native import from_native
from bibfold.records.prepare import prepare
from bibfold.settings import resolve
from bibfold.workspace import Layers
from lookup.evidence import DECISIONS
from lookup.matcher import matcher_of

MOST_RECORDS: Final = 40
"""A larger cluster would be a knot."""


def graph(records: Sequence[dict[str, Any]], layers: Layers) -> dict[str, Any] | None:
    """Where to draw points and lines, in a field of 400 by 400; nothing for one record or too many."""
    if not 2 <= len(records) <= MOST_RECORDS:
        return None
    matcher = matcher_of(resolve(layers))
    places = matcher.add(prepare(from_native(record, "", "")) for record in records)
    pairs = list(combinations(range(len(records)), 2))
    left, right = (places[np.array(side)] for side in zip(*pairs, strict=True))
    compared = matcher.compare(left, right, every=True)
    points = [_point(number, len(records)) for number in range(len(records))]
    edges = [
        {
            "decision": DECISIONS[decision],
            "label": f"{_key(records[a])} and {_key(records[b])}: {DECISIONS[decision]}, {score:.3f}",
            **dict(zip(("x1", "y1", "x2", "y2"), (*points[a], *points[b]), strict=True)),
        }
        for (a, b), decision, score in zip(pairs, compared.decision.tolist(), compared.score.tolist(), strict=True)
        if DECISIONS[decision] != "different"
    ]
    nodes = [{"x": x, "y": y, "label": _key(record)} for record, (x, y) in zip(records, points, strict=True)]
    return {"nodes": nodes, "edges": edges}


def _key(record: dict[str, Any]) -> str:
    return f"{record['source']}:{record['id']}"


def _point(number: int, count: int) -> tuple[float, float]:
    angle = 2 * pi * number / count
    return round(200 + 170 * sin(angle), 1), round(200 - 170 * cos(angle), 1)
