"""Two records of one name: kept both, told, and stable when the same file comes again."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.exports import memberships
from bibfold.catalogue.views import cluster_data
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from ingest.run import Watcher, fold_stream

Make = Callable[..., Record]


def keys(workspace: Workspace) -> list[str]:
    with workspace.catalogue.reading() as read:
        return sorted(f"{source}:{id}" for _, source, id in memberships(read))


def title(workspace: Workspace, key: str) -> str:
    with workspace.catalogue.reading() as read:
        shown = cluster_data(read, key)
    return next(str(one["title"]) for one in shown["records"] if f"{one['source']}:{one['id']}" == key)


@pytest.mark.parametrize("size", [1, 2, 50])
def test_a_second_record_of_one_name_is_kept_under_a_name_of_its_own(make: Make, size: int) -> None:
    remarks: list[str] = []
    stream = [make("1"), make("1", 1), make("1", 2), make("1", 1)]
    with throw_away([{"batch_size": size}]) as workspace:
        totals = fold_stream(workspace, stream, watcher=Watcher(remark=remarks.append))
        assert (totals.records, totals.unchanged) == (3, 1)
        assert keys(workspace) == ["x:1", "x:1~2", "x:1~3"]
        assert [title(workspace, key) for key in keys(workspace)] == [make("", work).title for work in range(3)]
    assert "x:1 stands twice in this run with different content; the later one is kept as x:1~2" in remarks


@pytest.mark.parametrize("size", [1, 2, 50])
def test_the_same_file_again_changes_none_of_them(make: Make, size: int) -> None:
    stream = [make("1"), make("2", 3), make("1", 1)]
    with throw_away([{"batch_size": size}]) as workspace:
        fold_stream(workspace, stream)
        totals = fold_stream(workspace, stream)
        assert (totals.records, totals.unchanged) == (0, 3)
        assert title(workspace, "x:1") == make("").title


@pytest.mark.parametrize("size", [1, 50])
def test_a_change_of_the_second_is_a_change_of_the_second(make: Make, size: int) -> None:
    with throw_away([{"batch_size": size}]) as workspace:
        fold_stream(workspace, [make("1"), make("1", 1)])
        fold_stream(workspace, [make("1"), make("1", 2)])
        assert keys(workspace) == ["x:1", "x:1~2"]
        assert title(workspace, "x:1") == make("").title
        assert title(workspace, "x:1~2") == make("", 2).title


def test_other_content_in_a_later_run_is_a_change(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1")])
    fold_stream(workspace, [make("1", 1)])
    assert keys(workspace) == ["x:1"]
    assert title(workspace, "x:1") == make("", 1).title


def test_names_that_only_look_alike_do_not_overwrite_each_other(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("b:c", source="a")])
    fold_stream(workspace, [make("c", 1, source="a:b")])
    fold_stream(workspace, [make("c", 1, source="a:b"), make("b:c", source="a")])
    assert keys(workspace) == ["a:b:c", "a:b:c~2"]
    assert title(workspace, "a:b:c") == make("").title


@pytest.mark.parametrize("year", [20022, -44, 0, 999])
def test_a_year_that_cannot_be_is_kept_told_and_not_compared(workspace: Workspace, make: Make, year: int) -> None:
    remarks: list[str] = []
    fold_stream(workspace, [make("1"), make("2", year=year)], watcher=Watcher(remark=remarks.append))
    assert remarks == [f"x:2: the year {year} is not plausible; it is kept but not compared"]
    with workspace.catalogue.reading() as read:
        shown = cluster_data(read, "x:2")
    assert [record["year"] for record in shown["records"]] == [2020, year]
