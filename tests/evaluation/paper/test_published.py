"""The paper's figures were copied rightly, as far as they can be checked by themselves."""

import pytest

from evaluation.paper.published import BEST, DISTRIBUTIONS, IMPORTED, RANKS, RESULTS, SWEEPS, TITLES, WITHIN_BITS

SLIPS = {(6, 0.7), (8, 0.7), (11, 0.9), (14, 0.6)}
"""Rows whose printed F1 is not that of their precision and recall."""


@pytest.mark.parametrize("key", DISTRIBUTIONS, ids=str)
def test_shares_sum_to_a_hundred(key: tuple[int, str, str]) -> None:
    assert len(DISTRIBUTIONS[key]) == 10
    assert sum(DISTRIBUTIONS[key]) == pytest.approx(100, abs=0.05)


@pytest.mark.parametrize("number", RESULTS)
def test_f1_is_that_of_precision_and_recall(number: int) -> None:
    for precision, recall, f1, *_ in RESULTS[number].values():
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=0.001 if number > 4 else 0.01)


@pytest.mark.parametrize("number", SWEEPS)
def test_sweeps_fall_in_recall_and_have_the_f1_that_follows_but_for_known_slips(number: int) -> None:
    rows = SWEEPS[number]
    assert (len(rows), rows[0]) == (11, (0.5, 1.0, 0.6667))
    assert [recall for _, recall, _ in rows] == sorted((recall for _, recall, _ in rows), reverse=True)
    wrong = {
        (number, at / 10)
        for at, (precision, recall, f1) in enumerate(rows)
        if abs(2 * precision * recall / (precision + recall) - f1) > 6e-4
    }
    assert wrong == {slip for slip in SLIPS if slip[0] == number}


def test_what_the_text_counts_fits_together() -> None:
    documents, untitled, titles, shared, sharing, one_in = TITLES
    assert documents == titles - shared + sharing + untitled
    assert one_in == round(titles / shared)
    for imported, canonical, lost in IMPORTED.values():
        assert 100 * (imported - canonical) / imported == pytest.approx(lost, abs=0.005)
    assert WITHIN_BITS["sampled, window 250"][0] == max(f1 for _, _, f1 in SWEEPS[13])


def test_harder_ranks_make_harder_pairs_and_every_metric_has_a_best_threshold() -> None:
    for rows in RANKS.values():
        best = [row[0] for row in rows.values()]
        assert best == sorted(best)
    assert [set(rows) for rows in BEST.values()] == [
        {("arxiv", "mendeley"), ("filehash", "mendeley")},
        {(role, f"mendeley-{name}") for role in ("arxiv", "filehash") for name in ("levenshtein", "authors")},
    ]
