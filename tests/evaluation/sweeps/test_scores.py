"""Each pair is scored once by each metric, exactly as a comparison scores it."""

import pytest

from evaluation.sweeps import scores as scores_
from evaluation.sweeps.scores import FORBIDDEN, metrics, parted, scored, with_vetoes
from lookup.answers import compare_records
from lookup.profiles import PROFILES, profile

TRUTH = ("a,b,label", "x:a,x:b,same", "x:a,x:c,different", "x:b,x:d,different")


@pytest.fixture
def records(make):
    return [
        make("a", title="Proceedings of the 16th workshop on maps and charts"),
        make("b", title="Proceedings of the sixteenth workshop on maps, charts", year=2021),
        make("c", title="Proceedings of the 17th workshop on maps and charts"),
        make("d", 1),
    ]


def test_a_score_is_that_of_the_comparison(records, knows):
    known = knows(records, *TRUTH)
    made = scored(known, list(PROFILES.values()))
    by_key = {record.key: record for record in records}
    for name, found in made.items():
        for at, (one, other) in enumerate(zip(known.earlier, known.later, strict=True)):
            expected = compare_records(by_key[known.keys[one]], by_key[known.keys[other]], profile(name))
            assert found.score[at] == expected.score


def test_each_pair_is_compared_once_by_each_metric(records, knows, monkeypatch):
    seen = []

    def compare(ours, theirs, profile):
        seen.append((ours.title, theirs.title, profile.name))
        return original(ours, theirs, profile)

    original = scores_.compare
    monkeypatch.setattr(scores_, "compare", compare)
    scored(knows(records, *TRUTH), list(PROFILES.values()))
    assert len(seen) == len(set(seen)) == 3 * len(PROFILES)


def test_a_vetoed_pair_lies_below_every_threshold(records, knows):
    known = knows(records, *TRUTH)
    bibfold = scored(known, [profile("bibfold")])["bibfold"]
    assert parted(bibfold, known).different.max() > 0.8
    assert with_vetoes(bibfold, known).different[0] == FORBIDDEN


def test_a_metric_with_vetoes_stands_twice(records, knows):
    known = knows(records, *TRUTH)
    made = scored(known, [profile("bibfold"), profile("mendeley")])
    assert list(metrics(made, profile("mendeley"), known)) == ["mendeley"]
    found = metrics(made, profile("bibfold"), known)
    assert list(found) == ["bibfold, score alone", "bibfold, with vetoes"]
    assert [(len(one.same), len(one.different)) for one in found.values()] == [(1, 2)] * 2


def test_progress_is_told(records, knows, monkeypatch):
    monkeypatch.setattr(scores_, "TOLD_EVERY", 2)
    told = []
    scored(knows(records, *TRUTH), [profile("mendeley")], told.append)
    assert told == [2, 3]
