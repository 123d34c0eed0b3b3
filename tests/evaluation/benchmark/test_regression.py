"""Quality on the sets that ship, compared with the committed baseline: a change of any pair's decision fails here.

Where a change is meant, the baseline is written anew; docs/evaluation.md says how.
"""

from itertools import product
from pathlib import Path

import pytest

import evaluation.benchmark
from evaluation.benchmark.gate import Name, change_lines, compare_to_baseline, losses, read_baseline
from evaluation.benchmark.measure import VARIANTS, items, measure
from evaluation.benchmark.sets import SETS, SHIPPED
from evaluation.records import by_key, read_records
from lookup.profiles import PROFILES

BASELINE = read_baseline(Path(evaluation.benchmark.__file__).parent / "baseline.jsonl.gz")


def test_the_baseline_holds_every_profile_on_every_set_that_ships():
    assert set(BASELINE) == set(product(("dblp-acm", "stroke", "cora"), VARIANTS))
    assert {variant.profile for variant in VARIANTS.values()} == set(PROFILES)


@pytest.mark.parametrize("name", BASELINE, ids=" with ".join)
def test_quality_is_held(name: Name):
    data_set, folder = SETS[name[0]], SHIPPED / SETS[name[0]].folder
    run = measure(data_set, folder, VARIANTS[name[1]])
    change = compare_to_baseline(BASELINE[name], run)
    lines = change_lines([change], lambda _, keys: by_key(read_records(items(data_set, folder)), keys), tolerance=0)
    assert not losses([change], tolerance=0), "\n".join(lines)
    assert run.missed == BASELINE[name].missed
    assert run.wrong == BASELINE[name].wrong
    assert run.figures["unsure"] == BASELINE[name].figures["unsure"]
