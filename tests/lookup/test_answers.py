"""Lookups: a decision, its candidates best first, each with reasons, in a form that programs rely on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bibfold.errors import IndexMissing
from bibfold.records.model import Record
from bibfold.workspace import Workspace, opened
from indexer.build import reindex
from ingest.run import fold_stream
from lookup.answers import answer_data, compare_records, comparison_data, look_up

Make = Callable[..., Record]


def test_the_best_candidate_decides(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1", 1), make("2"), make("3", title="Folding duplicate cards", authors=())])
    same, none = look_up(workspace, [make("q"), make("r", 5)])
    assert (same.decision, same.cluster) == ("same", "c2")
    assert [candidate.cluster for candidate in same.candidates] == ["c2", "c3"]
    assert [candidate.rank for candidate in same.candidates] == [1, 2]
    assert (none.decision, none.cluster, none.candidates) == ("different", None, ())


def test_a_doubtful_answer_names_no_cluster(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1", identifiers={"doi": ("10.1000/1",)})])
    (answer,) = look_up(workspace, [make("q", identifiers={"doi": ("10.1000/2",)})])
    assert (answer.decision, answer.cluster) == ("different", None)
    assert answer.candidates[0].comparison.vetoes


def test_the_form_that_programs_read(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2")])
    (answer,) = look_up(workspace, [make("q")])
    data = answer_data(answer)
    assert list(data) == ["record", "decision", "cluster", "candidates"]
    (candidate,) = data["candidates"]
    assert list(candidate) == ["cluster", "rank", "found_by", "decision", "score", "vetoes", "evidence", "record"]
    assert candidate["found_by"][0] == "bigrams"
    assert candidate["record"]["title"] == data["record"]["title"]
    assert all(list(part) == ["field", "score", "weight", "reason"] for part in candidate["evidence"])


def test_a_candidate_as_programs_read_it(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1", pages="7-9")])
    (answer,) = look_up(workspace, [make("q", year=2021, pages="7")])
    (candidate,) = answer_data(answer)["candidates"]
    record = candidate.pop("record")
    assert candidate == {
        "cluster": "c1",
        "rank": 1,
        "found_by": ["bigrams", "authors"],
        "decision": "unsure",
        "score": 0.882353,
        "vetoes": ["another edition: year differ"],
        "evidence": [
            {"field": "title", "score": 1.0, "weight": 12.0, "reason": "title: equal"},
            {"field": "authors", "score": 1.0, "weight": pytest.approx(4.8), "reason": "authors: the same 2"},
            {"field": "year", "score": 0.3, "weight": 4.0, "reason": "year 2021 against 2020: 1 apart"},
            {"field": "pages", "score": 1.0, "weight": 3.0, "reason": "first page 7: equal"},
        ],
    }
    assert (record["id"], record["year"], record["pages"]) == ("1", 2020, "7-9")


def test_many_questions_are_answered_in_order(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make(str(work), work) for work in range(6)])
    answers = list(look_up(workspace, (make(str(at), at % 6) for at in range(1100))))
    assert [answer.cluster for answer in answers] == [f"c{at % 6 + 1}" for at in range(1100)]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lookup.answers.BATCH", 1)


def between(make: Make, work: Callable[[], object]) -> Iterator[Record]:
    """A question before and two behind some work."""
    yield make("q")
    work()
    yield from (make("r", 1), make("s"))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("changed", ["nothing", "languages", "retriever", "engine"])
def test_lookups_go_on_while_the_index_is_built_anew(kept: Path, tmp_path: Path, make: Make, changed: str) -> None:
    values = {"languages": ("de",), "retriever": "fingerprint", "engine": f"tantivy:{tmp_path / 'new'}"}
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1"), make("2", 1)])

    def rebuild() -> None:
        with opened(kept, [{changed: values[changed]}] if changed in values else [], rebuild=True) as other:
            reindex(other)

    with opened(kept) as workspace:
        assert [answer.cluster for answer in look_up(workspace, between(make, rebuild))] == ["c1", "c2", "c1"]


@pytest.mark.usefixtures("small_batches")
def test_an_index_that_is_lost_in_the_middle_is_reported(kept: Path, make: Make) -> None:
    with opened(kept, create=True) as workspace:
        fold_stream(workspace, [make("1")])
        answers = look_up(workspace, between(make, lambda: workspace.engine.drop(workspace.index())))
        assert next(answers).cluster == "c1"
        with pytest.raises(IndexMissing, match="run `bibfold reindex`"):
            next(answers)


def test_two_records_compared_without_an_index(make: Make) -> None:
    data = comparison_data(compare_records(make("1"), make("2", year=2021)))
    assert list(data) == ["decision", "score", "profile", "vetoes", "evidence"]
    assert data["decision"] in ("same", "unsure")
    assert any(part["reason"] == "year 2020 against 2021: 1 apart" for part in data["evidence"])
