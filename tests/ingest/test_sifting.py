"""What arrives against what is there: units of input, updates, several records of one name, labels."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

import ingest.prefetch
from bibfold.catalogue import schema, store
from bibfold.catalogue.rows import NEW, PlacedRecord
from bibfold.catalogue.store import Catalogue
from bibfold.records.formats.files import Files
from bibfold.records.keys import KeySettings
from bibfold.records.model import Record
from bibfold.records.native import decode, encode
from bibfold.workspace import Workspace, throw_away
from ingest.incoming import Arrived, arrive, forms
from ingest.observer import Observer
from ingest.run import fold_stream
from ingest.sifting import Run, Sifted, sift

Make = Callable[..., Record]
Write = Callable[..., str]

KEYS = KeySettings()


def contents(given: Workspace | Catalogue) -> dict[str, Record]:
    catalogue = given.catalogue if isinstance(given, Workspace) else given
    with catalogue.reading() as read:
        query = select(schema.records.c.key, schema.records.c.content).order_by(schema.records.c.key)
        return {row.key: decode(row.content) for row in read.execute(query)}


def titles(workspace: Workspace) -> dict[str, str]:
    return {key: record.title for key, record in contents(workspace).items()}


def one(id: str, title: str) -> Record:
    return Record(source="x", id=id, title=title)


SIZES = pytest.mark.parametrize("size", [1, 2, 50])


class TestSeveralRecordsOfOneName:
    @SIZES
    def test_each_is_kept_under_a_name_of_its_own(self, make: Make, size: int) -> None:
        remarks: list[str] = []
        stream = [make("1"), make("1", 1), make("1", 2), make("1", 1)]
        with throw_away([{"batch_size": size}]) as workspace:
            totals = fold_stream(workspace, stream, observer=Observer(remark=remarks.append))
            assert (totals.records, totals.unchanged) == (3, 1)
            expected = {"x:1": make("").title, "x:1~2": make("", 1).title, "x:1~3": make("", 2).title}
            assert titles(workspace) == expected
        assert "x:1 stands twice in this input with different content; the later one is kept as x:1~2" in remarks

    @SIZES
    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
    def test_in_any_order_they_are_unchanged(self, make: Make, size: int, order: Sequence[int]) -> None:
        stream = [make("1"), make("1", 1), make("1", 2)]
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, stream)
            before = contents(workspace)
            fold_stream(workspace, [stream[place] for place in order])
            assert contents(workspace) == before

    @SIZES
    @pytest.mark.parametrize("turned", [False, True])
    def test_a_change_of_the_second_is_a_change_of_the_second(self, make: Make, size: int, turned: bool) -> None:
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, [make("1"), make("1", 1)])
            again = [make("1"), make("1", 2)]
            fold_stream(workspace, again[::-1] if turned else again)
            assert titles(workspace) == {"x:1": make("").title, "x:1~2": make("", 2).title}

    @SIZES
    def test_a_record_gets_company_and_keeps_its_name(self, make: Make, size: int) -> None:
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, [make("1")])
            fold_stream(workspace, [make("1", 1), make("1")])
            assert titles(workspace) == {"x:1": make("").title, "x:1~2": make("", 1).title}

    def test_of_hundreds_each_is_found_again(self) -> None:
        stream = [one("1", f"Number {number} of many") for number in range(300)]
        with throw_away([{"batch_size": 90}]) as workspace:
            fold_stream(workspace, stream)
            totals = fold_stream(workspace, stream[::-1])
            assert (totals.records, totals.unchanged) == (0, 300)
            assert len(contents(workspace)) == 300

    def test_a_name_that_another_record_has_is_passed_over(self, workspace: Workspace, make: Make) -> None:
        fold_stream(workspace, [make("1~2"), make("1", 1), make("1", 2)])
        assert titles(workspace) == {
            "x:1~2": make("").title,
            "x:1": make("", 1).title,
            "x:1~3": make("", 2).title,
        }

    @SIZES
    def test_names_that_only_look_alike_do_not_overwrite_each_other(self, make: Make, size: int) -> None:
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, [make("b:c", source="a")])
            fold_stream(workspace, [make("c", 1, source="a:b")])
            fold_stream(workspace, [make("c", 1, source="a:b"), make("b:c", source="a")])
            assert titles(workspace) == {"a:b:c": make("").title, "a:b:c~2": make("", 1).title}


class TestUnits:
    @SIZES
    def test_the_last_file_counts(self, make: Make, write: Write, size: int) -> None:
        old, new = write("old.jsonl", make("a")), write("new.jsonl", make("a", pages="7"))
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, Files((old,)))
            fold_stream(workspace, Files((new, old)))
            assert contents(workspace) == {"x:a": make("a")}
            fold_stream(workspace, Files((old, new)))
            assert contents(workspace) == {"x:a": make("a", pages="7")}

    @SIZES
    def test_a_later_file_changes_what_an_earlier_one_brought_in_the_same_run(
        self, make: Make, write: Write, size: int
    ) -> None:
        files = Files((write("1.jsonl", make("a"), make("b", 1)), write("2.jsonl", make("a", 2))))
        with throw_away([{"batch_size": size}]) as workspace:
            totals = fold_stream(workspace, files)
            assert titles(workspace) == {"x:a": make("", 2).title, "x:b": make("", 1).title}
            assert totals.records == 3

    def test_a_run_of_its_own_is_a_unit_of_its_own(self, workspace: Workspace, make: Make) -> None:
        fold_stream(workspace, [make("1")])
        fold_stream(workspace, [make("1", 1)])
        assert titles(workspace) == {"x:1": make("", 1).title}


BIB = b"@article{%s, title = {%s}, year = {2001}}\n"


class TestLabels:
    """Ids that mean something within a file only."""

    @SIZES
    def test_records_of_two_files_are_kept_apart(self, tmp_path: Path, write: Write, size: int) -> None:
        first = write("a.bib", BIB % (b"doe", b"On maps"), BIB % (b"roe", b"On terns"))
        second = write("b.bib", BIB % (b"doe", b"On mosaics"), BIB % (b"roe", b"On terns"))
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, Files((first, second), source="s"))
            expected = {"s:doe": "On maps", "s:doe-2": "On mosaics", "s:roe": "On terns"}
            assert titles(workspace) == expected
            for files in ((first, second), (second, first), (second,), (first,)):
                totals = fold_stream(workspace, Files(files, source="s"))
                assert totals.records == 0
            assert titles(workspace) == expected

    @SIZES
    def test_a_file_changes_its_own_records_only(self, write: Write, size: int) -> None:
        with throw_away([{"batch_size": size}]) as workspace:
            fold_stream(workspace, Files((write("a.bib", BIB % (b"doe", b"On maps")),), source="s"))
            fold_stream(workspace, Files((write("b.bib", BIB % (b"doe", b"On mosaics")),), source="s"))
            fold_stream(workspace, Files((write("b.bib", BIB % (b"doe", b"On Byzantine mosaics")),), source="s"))
            fold_stream(workspace, Files((write("a.bib", BIB % (b"doe", b"On nautical maps")),), source="s"))
            assert titles(workspace) == {"s:doe": "On nautical maps", "s:doe-2": "On Byzantine mosaics"}

    def test_a_file_under_another_name_changes_nothing(self, workspace: Workspace, write: Write) -> None:
        entries = BIB % (b"doe", b"On maps"), BIB % (b"doe", b"On terns")
        fold_stream(workspace, Files((write("a.bib", *entries),), source="s"))
        totals = fold_stream(workspace, Files((write("copy.bib", *entries[::-1]),), source="s"))
        assert (totals.records, totals.unchanged) == (0, 2)

    @SIZES
    def test_every_entry_of_a_file_is_a_record(self, write: Write, size: int) -> None:
        entries = [BIB % (b"doe", b"On maps")] * 2 + [BIB % (b"doe", b"On terns")]
        with throw_away([{"batch_size": size}]) as workspace:
            for order in (entries, entries[::-1]):
                fold_stream(workspace, Files((write("a.bib", *order),), source="s"))
                assert titles(workspace) == {"s:doe": "On maps", "s:doe-2": "On maps", "s:doe-3": "On terns"}

    def test_row_numbers_of_two_tables_are_labels(self, workspace: Workspace, write: Write) -> None:
        one = write("one.csv", b"id,title\n1,On maps\n2,On terns\n")
        two = write("two.csv", b"id,title\n1,On mosaics\n2,On noise\n")
        fold_stream(workspace, Files((one,), source="s"))
        fold_stream(workspace, Files((two,), source="s"))
        assert sorted(titles(workspace).values()) == ["On maps", "On mosaics", "On noise", "On terns"]

    def test_rows_that_name_their_source_have_real_names(self, workspace: Workspace, write: Write) -> None:
        fold_stream(workspace, Files((write("one.csv", b"source,id,title\nlib,1,On maps\n"),)))
        fold_stream(workspace, Files((write("two.csv", b"source,id,title\nlib,1,On nautical maps\n"),)))
        assert titles(workspace) == {"lib:1": "On nautical maps"}


pool = st.builds(one, st.sampled_from(["a", "a", "b", "a~2"]), st.sampled_from("PQRS"))
inputs = st.lists(st.lists(pool, min_size=1, max_size=6), min_size=1, max_size=4)


def kept_of(runs: Sequence[Sequence[Sequence[Record]]], size: int) -> dict[str, Record]:
    """The records that a catalogue holds after runs of some units each, sifted by the batch and put away unmatched."""
    with store.throw_away() as catalogue:
        for no, units in enumerate(runs, start=1):
            run = Run(no, empty=no == 1)
            arrived = [arrive(record, unit) for unit, records in enumerate(units) for record in records]
            for start in range(0, len(arrived), size):
                with catalogue.writing() as write:
                    found = sift(write, arrived[start : start + size], run, KEYS)
                    write.join(
                        (PlacedRecord(one.no, one.key, "x", one.content, one.digest, 1) for one in found.incoming), no
                    )
        return contents(catalogue)


@settings(max_examples=30, deadline=None)
@given(runs=st.lists(inputs, min_size=1, max_size=3))
def test_what_is_kept_does_not_depend_on_the_batches(runs: list[list[list[Record]]]) -> None:
    kept = [kept_of(runs, size) for size in (1, 2, 3, 100)]
    assert kept == [kept[0]] * 4
    last: dict[str, set[str]] = {}
    for unit in (unit for run in runs for unit in run):
        for id in {record.id for record in unit}:
            last[id] = {record.title for record in unit if record.id == id}
    if "a~2" not in last:
        assert {record.title for record in kept[0].values()} >= set().union(*last.values())


@settings(max_examples=30, deadline=None)
@given(unit=st.lists(pool, min_size=1, max_size=7), size=st.sampled_from([1, 2, 100]), data=st.data())
def test_a_unit_that_comes_again_in_another_order_changes_nothing(
    unit: list[Record], size: int, data: st.DataObject
) -> None:
    unit = [record for record in unit if "~" not in record.id] or [one("a", "P")]
    assert kept_of([[unit], [data.draw(st.permutations(unit))]], size) == kept_of([[unit]], 1)


@settings(max_examples=3, deadline=None)
@given(runs=st.lists(inputs, min_size=2, max_size=2))
def test_nor_does_it_in_a_real_fold(runs: list[list[list[Record]]]) -> None:
    with TemporaryDirectory() as folder:
        found = []
        for size in (1, 100):
            with throw_away([{"batch_size": size}]) as workspace:
                for run in runs:
                    paths = [Path(folder, f"{number}.jsonl") for number in range(len(run))]
                    for path, unit in zip(paths, run, strict=True):
                        path.write_bytes(b"".join(encode(record) + b"\n" for record in unit))
                    fold_stream(workspace, Files(tuple(map(str, paths))))
                found.append(contents(workspace))
    assert found[0] == found[1] == kept_of(runs, 1)


@pytest.mark.parametrize("worth", [0, 10**9], ids=["a second process reads", "one process"])
def test_who_reads_the_files_makes_no_difference(
    make: Make, write: Write, monkeypatch: pytest.MonkeyPatch, kept: Path, worth: int
) -> None:
    from bibfold.workspace import opened

    monkeypatch.setattr(ingest.prefetch, "WORTH_A_PROCESS", worth)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    old = write("old.jsonl", make("a"), make("b", 1), make("b", 2))
    new = write("new.jsonl", make("a", pages="7"), make("b", 2), make("b", 1))
    with opened(kept, [{"batch_size": 2}], create=True) as workspace:
        fold_stream(workspace, Files((old,)))
        totals = fold_stream(workspace, Files((new, old)))
        assert contents(workspace) == {"x:a": make("a"), "x:b": make("b", 1), "x:b~2": make("b~2", 2)}
        assert (totals.records, totals.unchanged) == (2, 4)


def ready(*records: Record) -> list[Arrived]:
    return [Arrived(*_as_read(record), forms(record, KEYS)) for record in records]


def _as_read(record: Record) -> tuple[Record, bytes, bytes]:
    arrived = arrive(record)
    return arrived.record, arrived.content, arrived.digest


def sifted(workspace: Workspace, batch: list[Arrived], run: Run | None = None) -> Sifted:
    with workspace.catalogue.reading() as read:
        return sift(read, batch, run or Run(99), KEYS)


def test_what_is_new_is_numbered_in_order_and_what_changed_keeps_its_number(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    batch = ready(make("3"), make("2", 1), make("1", pages="7"), make("4"))
    found = sifted(workspace, batch)
    assert (found.records, found.unchanged, found.remarks) == (3, 1, [])
    assert [(given.record.id, given.place, given.no) for given in found.incoming] == [
        ("3", 0, NEW),
        ("1", 2, 1),
        ("4", 3, NEW + 1),
    ]
    assert [given.stored and given.stored.cluster for given in found.incoming] == [None, 1, None]
    assert [(given.prepared, given.terms) for given in found.incoming] == [
        (made.prepared, made.terms) for place in (0, 2, 3) if (made := batch[place].forms)
    ]
    assert found.superseded == [("x:1", arrive(make("1")).digest)]


def test_forms_that_are_absent_are_made_where_they_are_needed(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1)])
    found = sifted(workspace, [arrive(make("1")), arrive(make("2", 1, pages="7"))])
    (given,) = found.incoming
    made = forms(make("2", 1, pages="7"), KEYS)
    assert (found.unchanged, given.prepared, given.terms) == (1, made.prepared, made.terms)


def test_records_are_folded_in_the_order_in_which_they_arrive(workspace: Workspace, make: Make) -> None:
    found = sifted(workspace, ready(make("1"), make("1", 1), make("2", 2), make("1")))
    assert [(given.record.id, given.place) for given in found.incoming] == [("1", 0), ("1~2", 1), ("2", 2)]
    assert (found.unchanged, len(found.remarks)) == (1, 1)
    assert [decode(given.content) for given in found.incoming] == [given.record for given in found.incoming]


def test_a_run_into_an_empty_catalogue_asks_only_for_names_that_it_has_written(
    workspace: Workspace, make: Make
) -> None:
    run = Run(1, empty=True)
    assert len(sifted(workspace, ready(make("1")), run).incoming) == 1
    with workspace.catalogue.reading() as read:
        assert run.stored(read, ["x:1", "x:2"]) == {}
    fold_stream(workspace, [make("1"), make("2")])
    with workspace.catalogue.reading() as read:
        assert list(run.stored(read, ["x:1", "x:2"])) == ["x:1"]
        assert list(Run(2).stored(read, ["x:1", "x:2"])) == ["x:1", "x:2"]


def test_what_a_unit_brought_is_forgotten_with_it(workspace: Workspace, make: Make) -> None:
    run = Run(99)
    sifted(workspace, [arrive(make("1"), 0), arrive(make("1", 1), 0)], run)
    assert run.seen.claimed.among(["x:1", "x:1~2", "x:2"]) == ["x:1", "x:1~2"]
    assert list(run.seen.namesakes) == [("x", "1")]
    sifted(workspace, [arrive(make("2"), 1)], run)
    assert run.seen.claimed.among(["x:1", "x:1~2", "x:2"]) == ["x:2"]
    assert run.seen.namesakes == {}
