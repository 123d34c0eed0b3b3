"""The sets are found where they are, and named where they are not."""

from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.benchmark.sets import SETS, SHIPPED, find, present


def test_those_that_ship_are_there():
    shipped = {name for name in SETS if (SHIPPED / name).is_dir()}
    assert shipped == {"dblp-acm", "stroke", "cora"}


def test_a_folder_that_is_named_is_the_only_place(sets: Path):
    assert find("stroke", [sets]) == sets / "stroke"
    assert find("cora", [sets]) is None
    assert set(present((), [sets])) == {"dblp-acm", "stroke", "acl", "acl-bare"}


def test_the_first_folder_that_holds_a_set_wins(sets: Path):
    assert find("stroke", [sets, SHIPPED]) == sets / "stroke"
    assert find("cora", [sets, SHIPPED]) == SHIPPED / "cora"


def test_nothing_at_all_is_told(tmp_path: Path):
    with pytest.raises(InputError, match=r"none of the sets stroke is in .*--data"):
        present(("stroke",), [tmp_path])
