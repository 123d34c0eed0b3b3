"""A replay of a benchmark that ships with bibfold: its figures agree with what `dedupe` and `score` say."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluation

DATA = Path(evaluation.__file__).parent / "data" / "dblp-acm"


def test_replay_and_score_agree(bibfold: Callable[..., Any], tmp_path: Path) -> None:
    records, gold = DATA / "records.jsonl.gz", DATA / "gold.csv.gz"
    (run,) = bibfold("evaluate", "replay", records, gold, "--json").json()
    assert bibfold("dedupe", records, "--no-settle", "--out", tmp_path / "out").status == 0
    (scored,) = bibfold("evaluate", "score", tmp_path / "out" / "clusters.csv", gold, "--json").json()
    names = (
        "precision",
        "recall",
        "f1",
        "true_positives",
        "false_positives",
        "false_negatives",
        "intervals",
        "clusters",
    )
    assert {name: run["figures"][name] for name in names} == scored
    assert run["figures"]["pairs"]["same"] == 2224
    assert run["figures"]["recall"] > 0.98
    assert run["figures"]["skipped"]["same"] <= run["figures"]["false_negatives"]
