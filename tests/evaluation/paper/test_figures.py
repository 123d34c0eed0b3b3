"""The paper's figures beside ours, as means over seeds with intervals."""

import pytest
from scipy.stats import t

from evaluation.paper.figures import Column, Layout, beside, half_width

COLUMNS = (Column("F1"), Column("skipped", "percent"), Column("threshold", "threshold"), Column("pairs", "count"))
SEEDS = [
    {"a": {"noisy": (0.9, 1.0, 0.4, 1000.0)}, "b": {"noisy": (0.5, None, 0.5, 7.0), "Cora": (0.25, 0.0, 0.5, 7.0)}},
    {"a": {"noisy": (0.92, 1.0, 0.5, 1000.0)}, "b": {"noisy": (0.5, None, 0.5, 7.0), "Cora": (0.25, 0.0, 0.5, 7.0)}},
]
PUBLISHED = {"a": (0.99, 0.01, 0.4, 500_000.0)}


def test_a_long_table_has_the_paper_above_ours() -> None:
    table = beside(Layout("4", "T", "settings", COLUMNS, wide=False), PUBLISHED, SEEDS, "made")
    assert table.header == ("settings", "whose", "F1", "skipped", "threshold", "pairs")
    assert table.rows == [
        ("a", "paper", "0.9900", "0.01%", "0.4", "500,000"),
        ("a", "noisy", "0.9100 ±0.1271", "1.00%", "0.4 to 0.5", "1,000"),
        ("b", "paper", "–", "–", "–", "–"),
        ("b", "noisy", "0.5000", "–", "0.5", "7"),
        ("b", "Cora", "0.2500", "0.00%", "0.5", "7"),
    ]


def test_a_wide_table_has_the_paper_beside_ours_and_gaps_where_a_stand_in_has_no_row() -> None:
    table = beside(Layout("6", "T", "threshold", COLUMNS[:2]), {"a": (0.99, 0.01)}, _only(SEEDS, 2), "made")
    assert table.header == (
        "threshold",
        *(f"{name}: {whose}" for name in ("F1", "skipped") for whose in ("paper", "noisy", "Cora")),
    )
    assert table.rows[0] == ("a", "0.9900", "0.9100 ±0.1271", "–", "0.01%", "1.00%", "–")


def _only(seeds: list, size: int) -> list:
    return [
        {label: {name: values[:size] for name, values in row.items()} for label, row in rows.items()} for rows in seeds
    ]


def test_an_interval_is_students() -> None:
    assert half_width([0.9, 0.92]) == pytest.approx(t.ppf(0.975, 1) * 0.01)
    assert half_width([0.9]) == half_width([0.5, 0.5, 0.5]) == 0
