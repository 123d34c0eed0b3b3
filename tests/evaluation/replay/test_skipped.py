"""What the observer says was never compared, against what the fold compares when nothing is ruled out at once."""

from itertools import combinations
from random import Random

import pytest

from bibfold.records.model import Record
from evaluation.pairs import Pair, make_pair
from evaluation.replay.replay import replay_records
from evaluation.truth import Truth
from ingest.decide import Choice, Deciding
from ingest.groups import Group
from ingest.incoming import Incoming
from lookup.evidence import Comparison

WORDS = "folding duplicate records arctic terns protein noise waves mosaics union maps harbour".split()


def noisy(seed: int, count: int) -> list[Record]:
    """Records of a few words each, many of them alike, every fourth with the title of one before."""
    rng = Random(seed)
    titles: list[str] = []
    for at in range(count):
        fresh = " ".join(rng.choices(WORDS, k=rng.randint(2, 5)))
        titles.append(fresh if at % 4 or not titles else rng.choice(titles))
    return [Record(source="x", id=f"{at:03}", title=title, year=1999 + at % 3) for at, title in enumerate(titles)]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> set[Pair]:
    """Every two records of which the later was compared with a group that held the earlier."""
    found: set[Pair] = set()
    choose = Deciding._choice

    def choice(self: Deciding, incoming: Incoming, group: Group, comparison: Comparison) -> Choice:
        found.update(make_pair(incoming.record.key, member.key) for member in group.members)
        return choose(self, incoming, group, comparison)

    monkeypatch.setattr(Deciding, "_choice", choice)
    return found


@pytest.mark.parametrize("retriever", ["bigrams", "fingerprint"])
@pytest.mark.parametrize("batch_size", [1, 7, 100])
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_not_compared_was_skipped(seen: set[Pair], retriever: str, batch_size: int, seed: int) -> None:
    records = noisy(seed, 80)
    every = {make_pair(a.key, b.key) for a, b in combinations(records, 2)}
    settings = {"batch_size": batch_size, "top_n": 3, "retriever": retriever, "profile": "mendeley", "same": 0.7}
    settings["unsure"] = 0.0  # so that no candidate is ruled out
    with replay_records(lambda: iter(records), Truth(every, set(), whole=True), [settings]) as result:
        together = {pair for pair in every if result.clusters[pair[0]] == result.clusters[pair[1]]}
    apart = every - seen
    assert result.skipped <= apart
    assert apart - result.skipped <= (together if batch_size > 1 else set())
    assert seen
    assert seen != every


@pytest.mark.parametrize("batch_size", [1, 100])
@pytest.mark.parametrize(("profile", "decided"), [("bibfold", True), ("mendeley", False)])
def test_what_a_mark_tells_apart_was_decided(profile: str, decided: bool, batch_size: int) -> None:
    titles = {"1": "Arctic terns", "2": "Protein folding", "3": "Harbour mosaics", "4": "Union maps"}
    numbers = {"1": ("10.1000/1",), "2": ("10.1000/2",), "3": ("10.1000/3", "10.1000/4"), "4": ()}
    records = [Record(source="x", id=id, title=titles[id], identifiers={"doi": numbers[id]}) for id in titles]
    every = {make_pair(a.key, b.key) for a, b in combinations(records, 2)}
    settings = {"batch_size": batch_size, "profile": profile}
    with replay_records(lambda: iter(records), Truth(every, set(), whole=True), [settings]) as result:
        assert result.skipped == (every - {("x:1", "x:2")} if decided else every)
