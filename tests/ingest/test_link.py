"""`link`: one to one by the best assignment, or one to many."""

import csv
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bibfold.records.model import DeadLetter, Record
from bibfold.workspace import Workspace
from ingest.link import assigned, compared, link
from ingest.observer import Pair
from lookup.evidence import Comparison, Decision, Evidence

Make = Callable[..., Record]


def pair(a: str, b: str, score: float, decision: Decision = "same") -> Pair:
    return Pair(a, b, Comparison(decision, score, "p", (), ()))


def ends(pairs: list[Pair]) -> set[str]:
    return {one.a + one.b for one in pairs}


def test_one_to_one_is_the_assignment_with_the_greatest_sum() -> None:
    pairs = [pair("a", "x", 0.9), pair("a", "y", 0.85), pair("b", "x", 0.88), pair("c", "z", 0.8)]
    assert ends(assigned(pairs, one_to_one=True)) == {"ay", "bx", "cz"}


def test_one_to_many_gives_each_right_record_to_the_left_one_it_is_most_like() -> None:
    pairs = [pair("a", "x", 0.9), pair("a", "y", 0.85), pair("b", "x", 0.88), pair("b", "y", 0.85)]
    assert ends(assigned(pairs, one_to_one=False)) == {"ax", "ay"}


def test_an_unsure_pair_never_takes_the_place_of_a_sure_one() -> None:
    pairs = [pair("a", "x", 0.8), pair("a", "y", 0.99, "unsure"), pair("b", "x", 0.99, "unsure")]
    assert ends(assigned(pairs, one_to_one=True)) == {"ax"}
    assert ends(assigned(pairs, one_to_one=False)) == {"ax", "ay"}


@pytest.mark.parametrize("one_to_one", [True, False])
def test_no_pairs_no_links(one_to_one: bool) -> None:
    assert assigned([], one_to_one=one_to_one) == []


@pytest.mark.parametrize(
    ("one_to_one", "expected"),
    [(True, [("l:1", "r:1"), ("l:2", "r:3")]), (False, [("l:1", "r:1"), ("l:1", "r:2"), ("l:2", "r:3")])],
)
def test_the_files(tmp_path: Path, make: Make, one_to_one: bool, expected: list[tuple[str, str]]) -> None:
    left = [make("1", source="l"), make("2", 1, source="l"), make("3", 2, source="l")]
    right = [make("1", source="r"), make("2", source="r"), make("3", 1, source="r"), make("4", 3, source="r")]
    letter = DeadLetter(file="f", position="line 1", reason="r")
    out = tmp_path / "out"
    linked = link([*left, letter], right, out, one_to_one=one_to_one)
    assert sorted(path.name for path in out.iterdir()) == [
        ".bibfold.json",
        "dead-letters.jsonl",
        "links.csv",
        "summary.json",
    ]
    with (out / "links.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["a", "b", "score", "decision", "reason"]
    assert sorted((row[0], row[1]) for row in rows) == expected
    told = msgspec.json.decode((out / "summary.json").read_bytes())
    assert told == msgspec.to_builtins(linked)
    assert (told["left"], told["right"], told["links"], told["dead_letters"]) == (3, 4, len(expected), 1)


def test_sources_without_a_record_in_common(tmp_path: Path, make: Make) -> None:
    assert link([make("1")], [make("2", 1)], tmp_path / "out").links == 0
    assert link([], [], tmp_path / "out").links == 0


def by_authors(a: str, b: str, *, decision: Decision = "unsure", vetoes: tuple[str, ...] = ()) -> Pair:
    evidence = (Evidence("title", 0.4, 14, "title"), Evidence("authors", 1.0, 6, "authors"))
    return Pair(a, b, Comparison(decision, 0.65, "bibfold", vetoes, evidence))


def test_between_sources_that_overlap_an_only_candidate_with_the_same_authors_is_the_partner() -> None:
    sure = [by_authors("a", "x", decision="same")]
    links = assigned([*sure, by_authors("b", "y")], one_to_one=True, smaller=3)
    assert [pair.comparison.decision for pair in links] == ["same", "same"]
    assert links[1].comparison.evidence[-1].reason == "each is the other's only candidate"


@pytest.mark.parametrize(
    ("others", "smaller"),
    [
        ([by_authors("b", "y")], 30),
        ([by_authors("b", "y"), by_authors("b", "z")], 3),
        ([by_authors("b", "y", vetoes=("doi",))], 3),
    ],
    ids=["the sources hardly overlap", "there is another candidate", "something forbids it"],
)
def test_else_it_stays_unsure(others: list[Pair], smaller: int) -> None:
    links = assigned([by_authors("a", "x", decision="same"), *others], one_to_one=True, smaller=smaller)
    assert [pair.comparison.decision for pair in links] == ["same", "unsure"]


def test_every_pair_that_may_be_the_same_is_compared_however_the_right_side_is_cut(
    workspace: Workspace, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [make(str(at), at % 3, source="l") for at in range(6)]
    right = [make(str(at), at % 4, source="r") for at in range(8)]
    expected = {(a.key, b.key) for a in left for b in right if a.title == b.title}
    monkeypatch.setattr("ingest.link.BATCH", 3)
    found = compared(workspace, left, right)
    assert {(pair.a, pair.b) for pair in found} == expected
    assert len(found) == len(expected)
    assert {pair.comparison.decision for pair in found} == {"same"}


def test_records_that_a_veto_parts_are_no_pair(workspace: Workspace, make: Make) -> None:
    left, right = ([make("1", source=source, identifiers={"doi": (f"10.1000/{source}",)})] for source in "lr")
    assert compared(workspace, left, right) == []
