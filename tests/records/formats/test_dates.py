"""Dates as formats write them."""

from typing import Any

import pytest

from bibfold.records.formats.dates import iso_date


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2019/05/01/", "2019-05-01"),
        ("2019/05//", "2019-05"),
        ("2019///", "2019"),
        ("2019-5-1", "2019-05-01"),
        ("20190501", "2019-05-01"),
        ("201905", "2019-05"),
        ("2019 May 1", "2019-05-01"),
        ("2019 Sept", "2019-09"),
        ("May 2019", "2019-05"),
        ("1 May 2019", "2019-05-01"),
        ("May 1, 2019", "2019-05-01"),
        ("2019", "2019"),
        ("2019 May-Jun", ""),
        ("2019/13/01/", ""),
        ("in press", ""),
        ("Sep 18", ""),
        ({"date-parts": [[2019, 5, 1]]}, "2019-05-01"),
        ({"date-parts": [[2019]]}, "2019"),
        ({"date-parts": [[2019], [2020]]}, ""),
        ({"date-parts": [[None]]}, ""),
        ({"date-parts": [[2019]], "season": 1}, ""),
        (None, ""),
    ],
)
def test_dates(given: Any, expected: str) -> None:
    assert iso_date(given) == expected
