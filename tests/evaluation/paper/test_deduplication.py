"""Tables 4, 19 and 20: documents are folded, and the pairs scored by what lookups find."""

from collections.abc import Callable

import pytest

from bibfold.records.model import Record
from evaluation.paper.deduplication import canonical, deduplicated, imported, paper_settings, valid_documents
from evaluation.paper.stand_ins import by_identifiers
from evaluation.truth import Truth

Make = Callable[..., Record]

TITLES = (
    "alpha beta gamma delta",
    "alpha beta gamma epsilon",
    "alpha beta gamma epsilon zeta",
    "alpha beta gamma epsilon zeta",
)


@pytest.fixture
def documents(make: Make) -> list[Record]:
    ids = ("1", "1", "2", "2")
    return [
        make(f"{at}", title=title, authors=(), year=2001, identifiers={"pmid": (pmid,)})
        for at, (title, pmid) in enumerate(zip(TITLES, ids, strict=True))
    ]


def test_the_settings_are_the_papers() -> None:
    settings = paper_settings(0.4, "fingerprint", 40)
    assert (settings["profile"], settings["same"], settings["unsure"], settings["top_n"]) == ("mendeley", 0.4, 0.4, 40)
    assert (settings["identifiers"], settings["canonical"], settings["bridge"]) == (False, "founder", "join-best")


def test_a_pair_is_scored_by_the_clusters_that_lookups_find(documents: list[Record]) -> None:
    """x:1 joins x:0's cluster, and later finds the nearer one that x:2 founded."""
    stand_in = by_identifiers("own", documents, [], "pmid")
    truth = Truth({("x:0", "x:1"), ("x:2", "x:3")}, {("x:1", "x:2")}, whole=False)
    found = deduplicated(documents, stand_in.raw, truth, [paper_settings(0.48), {"batch_size": 1}])
    assert (found.by_fold.precision, found.by_fold.recall) == (1, 1)
    assert (found.by_lookup.precision, found.by_lookup.recall) == (0.5, 0.5)
    assert (found.documents, found.canonical, found.skipped) == (4, 2, (0, 0))
    assert (found.ids_per_cluster, found.clusters_per_id) == (1, 1)


def test_pairs_of_documents_that_are_not_found_are_skipped(make: Make) -> None:
    sources = [make(str(at), at, source="s", identifiers={"pmid": (str(at),)}) for at in (1, 2)]
    users = [
        make("1", 1, identifiers={"pmid": ("1",)}),
        make("2", 1, identifiers={"pmid": ("1",)}),
        make("3", title="nothing like it", authors=(), year=None, identifiers={"pmid": ("2",)}),
    ]
    stand_in = by_identifiers("own", users, sources, "pmid")
    truth = Truth({("x:1", "x:2")}, {("x:1", "x:3"), ("x:2", "x:3")}, whole=False)
    found = imported(stand_in, truth, [paper_settings(0.4)])
    assert (found.by_lookup.f1, found.by_fold, found.skipped) == (1, None, (0, 100))
    assert (found.documents, found.canonical) == (2, 2)
    assert [document.key for document in valid_documents(stand_in)] == ["x:1", "x:2"]


def test_canonical_documents_are_counted(documents: list[Record]) -> None:
    assert canonical(documents, [paper_settings(0.4)]) == (4, 1)
    assert canonical(documents, [paper_settings(0.75)]) == (4, 3)
