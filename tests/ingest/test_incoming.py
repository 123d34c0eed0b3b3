"""What arrives against what is there: new, changed, unchanged; two records of one name are kept and remarked upon."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.exports import memberships
from bibfold.catalogue.rows import NEW
from bibfold.catalogue.views import cluster_data
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import decode
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace, throw_away
from ingest.incoming import LONGEST_TITLE, Arrived, Run, Sifted, arrive, forms, sift
from ingest.observer import Observer
from ingest.run import fold_stream

Make = Callable[..., Record]

KEYS = KeySettings()


def names(workspace: Workspace) -> list[str]:
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
        totals = fold_stream(workspace, stream, observer=Observer(remark=remarks.append))
        assert (totals.records, totals.unchanged) == (3, 1)
        assert names(workspace) == ["x:1", "x:1~2", "x:1~3"]
        assert [title(workspace, key) for key in names(workspace)] == [make("", work).title for work in range(3)]
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
        assert names(workspace) == ["x:1", "x:1~2"]
        assert title(workspace, "x:1") == make("").title
        assert title(workspace, "x:1~2") == make("", 2).title


def test_other_content_in_a_later_run_is_a_change(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1")])
    fold_stream(workspace, [make("1", 1)])
    assert names(workspace) == ["x:1"]
    assert title(workspace, "x:1") == make("", 1).title


def test_names_that_only_look_alike_do_not_overwrite_each_other(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("b:c", source="a")])
    fold_stream(workspace, [make("c", 1, source="a:b")])
    fold_stream(workspace, [make("c", 1, source="a:b"), make("b:c", source="a")])
    assert names(workspace) == ["a:b:c", "a:b:c~2"]
    assert title(workspace, "a:b:c") == make("").title


@pytest.mark.parametrize("year", [20022, -44, 0, 999])
def test_a_year_that_cannot_be_is_kept_told_and_not_compared(workspace: Workspace, make: Make, year: int) -> None:
    remarks: list[str] = []
    fold_stream(workspace, [make("1"), make("2", year=year)], observer=Observer(remark=remarks.append))
    assert remarks == [f"x:2: the year {year} is not plausible; it is kept but not compared"]
    with workspace.catalogue.reading() as read:
        shown = cluster_data(read, "x:2")
    assert [record["year"] for record in shown["records"]] == [2020, year]


def ready(*records: Record) -> list[Arrived]:
    return [Arrived(*_as_read(record), forms(record, KEYS)) for record in records]


def _as_read(record: Record) -> tuple[Record, bytes, bytes]:
    arrived = arrive(record)
    return arrived.record, arrived.content, arrived.digest


def sifted(workspace: Workspace, batch: list[Arrived], run: Run | None = None) -> Sifted:
    with workspace.catalogue.reading() as read:
        return sift(read, batch, run or Run(99), KEYS)


def test_a_digest_stands_for_the_content(make: Make) -> None:
    one, same, other = arrive(make("1")), arrive(make("1")), arrive(make("1", pages="7"))
    assert decode(one.content) == make("1")
    assert one.digest == same.digest != other.digest
    assert one.forms is None


def test_forms_are_what_a_record_is_compared_and_searched_by(make: Make) -> None:
    record = make("1", identifiers={"doi": ("10.1000/1",)})
    made = forms(record, KEYS)
    assert made.prepared == prepare(record)
    assert made.terms == keys(made.prepared, KEYS)
    bare = forms(record, KeySettings(written=False))
    assert (bare.prepared.title, bare.prepared.written_title) == (made.prepared.title, "")
    assert bare.terms == made.terms


def test_what_is_new_is_numbered_in_order_and_what_changed_keeps_its_number(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    batch = ready(make("3"), make("2", 1), make("1", pages="7"), make("4"))
    found = sifted(workspace, batch)
    assert (found.unchanged, found.remarks) == (1, [])
    assert [(given.record.id, given.place, given.no) for given in found.incoming] == [
        ("3", 0, NEW),
        ("1", 2, 1),
        ("4", 3, NEW + 1),
    ]
    assert [given.stored and given.stored.cluster for given in found.incoming] == [None, 1, None]
    assert [(given.prepared, given.terms) for given in found.incoming] == [
        (made.prepared, made.terms) for place in (0, 2, 3) if (made := batch[place].forms)
    ]


def test_forms_that_are_absent_are_made_where_they_are_needed(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    found = sifted(workspace, [arrive(make("1")), arrive(make("2", 1, pages="7"))])
    (given,) = found.incoming
    made = forms(make("2", 1, pages="7"), KEYS)
    assert (found.unchanged, given.prepared, given.terms) == (1, made.prepared, made.terms)


def test_a_second_one_of_a_name_stands_behind_the_others_of_its_batch(workspace: Workspace, make: Make) -> None:
    found = sifted(workspace, ready(make("1"), make("1", 1), make("2", 2), make("1")))
    assert [(given.record.id, given.place) for given in found.incoming] == [("1", 0), ("2", 2), ("1~2", 1)]
    assert (found.unchanged, len(found.remarks)) == (1, 1)
    assert decode(found.incoming[-1].content) == found.incoming[-1].record


def test_a_run_into_an_empty_catalogue_asks_only_for_names_that_it_has_seen(workspace: Workspace, make: Make) -> None:
    run = Run(1, seen=set())
    assert len(sifted(workspace, ready(make("1")), run).incoming) == 1
    assert run.seen == {"x:1"}
    with workspace.catalogue.reading() as read:
        assert run.stored(read, ["x:1", "x:2"]) == {}
    fold_stream(workspace, [make("1"), make("2")])
    with workspace.catalogue.reading() as read:
        assert list(run.stored(read, ["x:1", "x:2"])) == ["x:1"]
        assert list(Run(2).stored(read, ["x:1", "x:2"])) == ["x:1", "x:2"]


def test_a_title_as_long_as_a_text_is_remarked_upon(workspace: Workspace, make: Make) -> None:
    remarks: list[str] = []
    stream = [make("1", title="a " * (LONGEST_TITLE // 2)), make("2", 1, title="b " * LONGEST_TITLE)]
    fold_stream(workspace, stream, observer=Observer(remark=remarks.append))
    assert remarks == ["x:2: the title has 10000 letters; was a whole text read as one?"]
