"""A file or identifier that is there already decides ahead of the metric, whichever record of a cluster carries it."""

from collections.abc import Callable
from itertools import count

import pytest

from bibfold.records.model import Record
from bibfold.workspace import throw_away
from evaluation.replay.replay import clusters_of
from ingest.link import assigned
from ingest.observer import Pair
from ingest.run import fold_stream
from lookup.answers import clusters, look_up
from lookup.evidence import Comparison
from lookup.matcher import matcher_of

Make = Callable[..., Record]

MENDELEY = {"profile": "mendeley", "canonical": "founder", "bridge": "join-best"}
FILE, OTHER_FILE = {"filehash": ("a" * 40,)}, {"filehash": ("b" * 40,)}


def homes(records: list[Record], **settings: object) -> list[str]:
    with throw_away([{**MENDELEY, **settings}]) as workspace:
        fold_stream(workspace, records)
        found = clusters_of(workspace)
    return [found[record.key] for record in records]


def test_a_file_that_is_there_decides_under_any_title(make: Make) -> None:
    records = [make("1", identifiers=FILE), make("2", title="scan0001.pdf", authors=(), year=None, identifiers=FILE)]
    assert homes(records) == ["c1", "c1"]
    assert homes(records, identifiers=False) == ["c1", "c2"]
    assert homes(records, batch_size=1) == ["c1", "c1"]


def test_a_file_comes_before_an_identifier_and_that_before_a_higher_score(make: Make) -> None:
    near = "Folding duplicate records as they come"
    records = [
        make("1", 1, identifiers=FILE),
        make("2", title=near, identifiers={"pmid": ("7",)}),
        make("3"),
        make("4", identifiers={"pmid": ("7",)}),
        make("5", identifiers={"pmid": ("7",), **FILE}),
        make("6"),
    ]
    assert homes(records, same=0.75, unsure=0.75, same_identifier=0.45, batch_size=1) == [
        "c1",
        "c2",
        "c3",
        "c2",
        "c1",
        "c3",
    ]


def test_an_identifier_alone_is_not_enough(make: Make) -> None:
    records = [make("1", identifiers={"pmid": ("7",)}), make("2", 1, identifiers={"pmid": ("7",)})]
    assert homes(records) == ["c1", "c2"]
    assert homes(records, same_identifier=0.0) == ["c1", "c1"]


@pytest.mark.parametrize("batch_size", [1, 100])
def test_a_founder_is_found_by_the_files_of_its_followers(make: Make, batch_size: int) -> None:
    records = [
        make("1", identifiers=FILE),
        make("2", identifiers=OTHER_FILE),
        make("3", title="scan0001.pdf", authors=(), year=None, identifiers=OTHER_FILE),
    ]
    assert homes(records, batch_size=batch_size) == ["c1", "c1", "c1"]


def test_a_file_of_many_titles_stops_to_bring_records_together(make: Make) -> None:
    names = ["alpha", "a longer one", "quite different", "zebra crossing", "north", "what else", "hello you", "ninth"]
    numbers = count(1)
    records = [make(str(next(numbers)), title=name, authors=(), year=None, identifiers=FILE) for name in names]
    apart = [f"c{at}" for at in range(1, 9)]
    assert homes(records, batch_size=1) == ["c1"] * 5 + ["c2"] * 3
    assert homes(records) == apart
    assert homes(records, profile="bibfold") == apart


def test_a_lookup_puts_what_is_proved_first(make: Make) -> None:
    with throw_away([MENDELEY]) as workspace:
        fold_stream(workspace, [make("1", 1, identifiers=FILE), make("2"), make("3", 2)])
        asked = [make("4", identifiers=FILE), make("5"), make("6", 4)]
        answers = list(look_up(workspace, asked))
        found = clusters(matcher_of(workspace.settings), workspace.engine, workspace.index(), asked)
    assert [answer.cluster for answer in answers] == found == ["c1", "c2", None]
    first, second = answers[0].candidates
    assert (first.comparison.evidence[0].field, first.score < second.score) == ("proof", True)


def test_links_prefer_what_is_proved() -> None:
    def pair(a: str, b: str, score: float, precedence: int = 0) -> Pair:
        return Pair(a, b, Comparison("same", score, "p", (), (), precedence))

    pairs = [pair("a1", "b1", 0.9), pair("a2", "b1", 0.2, 2), pair("a1", "b2", 0.5)]
    assert {(found.a, found.b) for found in assigned(pairs, one_to_one=True)} == {("a2", "b1"), ("a1", "b2")}
    assert {(found.a, found.b) for found in assigned(pairs, one_to_one=False)} == {("a2", "b1"), ("a1", "b2")}
