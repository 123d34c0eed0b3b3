"""No decision and no score differs from what was recorded: see `baseline` for the file and when it is made anew."""

import numpy as np
import pytest

from lookup.comparing import compare
from lookup.evidence import RANK
from lookup.profiles import PROFILES
from tests.lookup.baseline import Baseline, baseline


@pytest.fixture(scope="module")
def stored() -> Baseline:
    return baseline()


def test_the_baseline_has_pairs_of_every_set_and_every_decision(stored: Baseline) -> None:
    assert len(stored.lines) == 4_500
    assert {line["set"] for line in stored.lines} == {"stroke", "cora", "dblp-acm"}
    assert {line["bibfold"][1] for line in stored.lines} == {"same", "unsure", "different"}


@pytest.mark.parametrize("name", PROFILES)
def test_scores_and_decisions_are_as_recorded(stored: Baseline, name: str) -> None:
    scores = np.array([line[name][0] for line in stored.lines])
    decisions = np.array([RANK[line[name][1]] for line in stored.lines])
    every = compare(stored.pairs(), PROFILES[name], every=True)
    assert np.flatnonzero(every.decision != decisions).tolist() == []
    assert np.flatnonzero(~(np.abs(every.score - scores) <= 1e-9)).tolist() == []
    early = compare(stored.pairs(), PROFILES[name])
    assert early.kept.tolist() == np.flatnonzero(decisions > RANK["different"]).tolist()
    assert (early.decision == decisions[early.kept]).all()
    assert (np.abs(early.score - scores[early.kept]) <= 1e-9).all()
