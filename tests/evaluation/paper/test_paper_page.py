"""docs/papers/mendeley.md shows every table, with the paper's figures, as the command makes it."""

from pathlib import Path

import pytest

import evaluation
from evaluation.paper.published import DISTRIBUTIONS, RESULTS
from evaluation.paper.study import NEEDS
from evaluation.sweeps.distributions import LABELS
from evaluation.tables import shown

PAGE = (Path(evaluation.__file__).parent.parent / "docs" / "papers" / "mendeley.md").read_text(encoding="utf-8")


def table(number: int) -> list[str]:
    """The lines of a table on the page."""
    _, _, after = PAGE.partition(f"**Table {number}. ")
    return [line for line in after.split("\n\n")[1].splitlines() if line.startswith("|")]


def test_every_table_is_there() -> None:
    assert [number for number in NEEDS if f"**Table {number}. " not in PAGE] == []


@pytest.mark.parametrize("number", sorted({number for number, _, _ in DISTRIBUTIONS}))
def test_a_distribution_is_beside_the_papers(number: int) -> None:
    lines = table(number)[2:]
    assert [line.split(" | ")[0] for line in lines] == [f"| {label}" for label in LABELS]
    for (of, _, _), values in DISTRIBUTIONS.items():
        if of == number:
            assert [f"| {value:.2f}% |" in line for line, value in zip(lines, values, strict=True)] == [True] * 10


@pytest.mark.parametrize("number", RESULTS)
def test_a_result_is_beside_the_papers(number: int) -> None:
    lines = table(number)
    for name, values in RESULTS[number].items():
        assert f"| {' | '.join([name, 'paper', *map(shown, values)])} |" in lines
        assert sum(line.startswith(f"| {name} |") for line in lines) > 1
