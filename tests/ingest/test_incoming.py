"""Records on their way into the catalogue: what is derived from them, and what is remarked upon."""

from collections.abc import Callable

import pytest

from bibfold.catalogue.views import cluster_data
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.native import decode
from bibfold.records.prepare import prepare
from bibfold.workspace import Workspace
from ingest.incoming import LONGEST_TITLE, arrive, forms, renamed
from ingest.observer import Observer
from ingest.run import fold_stream

Make = Callable[..., Record]

KEYS = KeySettings()


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


def test_under_another_id_a_record_is_the_same_but_for_that(make: Make) -> None:
    given = arrive(make("1"), 3, b"file")
    other = renamed(given, "1~2")
    assert other == arrive(make("1~2"), 3, b"file")
    assert forms(other.record, KEYS) == forms(given.record, KEYS)
    assert renamed(given, "1") is given


@pytest.mark.parametrize("year", [20022, -44, 0, 999])
def test_a_year_that_cannot_be_is_kept_told_and_not_compared(workspace: Workspace, make: Make, year: int) -> None:
    remarks: list[str] = []
    fold_stream(workspace, [make("1"), make("2", year=year)], observer=Observer(remark=remarks.append))
    assert remarks == [f"x:2: the year {year} is not plausible; it is kept but not compared"]
    with workspace.catalogue.reading() as read:
        shown = cluster_data(read, "x:2")
    assert [record["year"] for record in shown["records"]] == [2020, year]


def test_a_title_as_long_as_a_text_is_remarked_upon(workspace: Workspace, make: Make) -> None:
    remarks: list[str] = []
    stream = [make("1", title="a " * (LONGEST_TITLE // 2)), make("2", 1, title="b " * LONGEST_TITLE)]
    fold_stream(workspace, stream, observer=Observer(remark=remarks.append))
    assert remarks == ["x:2: the title has 10000 letters; was a whole text read as one?"]
