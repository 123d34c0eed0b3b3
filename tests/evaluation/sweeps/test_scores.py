"""Each pair is scored once by each metric, exactly as a comparison scores it."""

import pytest

from evaluation.sweeps import scores as scores_
from evaluation.sweeps.scores import FORBIDDEN, by_class, metrics, score_pairs, with_vetoes
from lookup.answers import compare_records
from lookup.profiles import PROFILES, profile_named

TRUTH = ("a,b,label", "x:a,x:b,same", "x:a,x:c,different", "x:b,x:d,different")


@pytest.fixture
def records(make):
    return [
        make("a", title="Proceedings of the 16th workshop on maps and charts"),
        make("b", title="Proceedings of the sixteenth workshop on maps, charts", year=2021),
        make("c", title="Proceedings of the 17th workshop on maps and charts"),
        make("d", 1),
    ]


def test_a_score_is_that_of_the_comparison(records, label):
    pairs = label(records, *TRUTH)
    made = score_pairs(pairs, list(PROFILES.values()))
    by_key = {record.key: record for record in records}
    for name, found in made.items():
        for at, (earlier, later) in enumerate(zip(pairs.earlier, pairs.later, strict=True)):
            expected = compare_records(by_key[pairs.keys[earlier]], by_key[pairs.keys[later]], profile_named(name))
            assert found.score[at] == expected.score


def test_each_pair_is_compared_once_by_each_metric(records, label, monkeypatch):
    seen = []

    def compare(pairs, profile, *, every):
        seen.extend((*pair, profile.name) for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
        return original(pairs, profile, every=every)

    original = scores_.compare
    monkeypatch.setattr(scores_, "compare", compare)
    monkeypatch.setattr(scores_, "CHUNK", 2)
    score_pairs(label(records, *TRUTH), list(PROFILES.values()))
    assert len(seen) == len(set(seen)) == 3 * len(PROFILES)


def test_a_vetoed_pair_lies_below_every_threshold(records, label):
    pairs = label(records, *TRUTH)
    bibfold = score_pairs(pairs, [profile_named("bibfold")])["bibfold"]
    assert by_class(bibfold, pairs).different.max() > 0.8
    assert with_vetoes(bibfold, pairs).different[0] == FORBIDDEN


def test_a_metric_with_vetoes_stands_twice(records, label):
    pairs = label(records, *TRUTH)
    made = score_pairs(pairs, [profile_named("bibfold"), profile_named("mendeley")])
    assert list(metrics(made, profile_named("mendeley"), pairs)) == ["mendeley"]
    found = metrics(made, profile_named("bibfold"), pairs)
    assert list(found) == ["bibfold, score alone", "bibfold, with vetoes"]
    assert [(len(scores.same), len(scores.different)) for scores in found.values()] == [(1, 2)] * 2


def test_progress_is_told(records, label, monkeypatch):
    monkeypatch.setattr(scores_, "CHUNK", 2)
    calls = []
    score_pairs(label(records, *TRUTH), [profile_named("mendeley")], calls.append)
    assert calls == [2, 3]
