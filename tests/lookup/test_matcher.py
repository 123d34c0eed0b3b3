"""The matcher: records become candidates, pairs become comparisons, by the settings."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from bibfold.engines.base import Document, Hit, Put
from bibfold.engines.memory import Memory
from bibfold.errors import SettingsError
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from bibfold.settings import Settings
from lookup.matcher import Matcher, matcher_of, profile_of
from lookup.profile_file import to_text
from lookup.profiles import BIBFOLD, MENDELEY
from lookup.retrieve import Retrieval

Make = Callable[..., Record]


@pytest.fixture
def matcher() -> Matcher:
    return matcher_of(Settings())


@pytest.fixture
def put() -> Iterator[Callable[[Sequence[Record]], Memory]]:
    """Puts records into an index `i` in memory."""
    engine = Memory()
    engine.create("i")

    def written(records: Sequence[Record]) -> Memory:
        rows = [(record, prepare(record)) for record in records]
        documents = [Document(record.id, keys(row, KeySettings()), record, row.marks) for record, row in rows]
        engine.write("i", map(Put, documents))
        engine.commit("i")
        return engine

    yield written
    engine.close()


Index = Callable[[Sequence[Record]], Memory]


def test_a_record_is_keyed_as_the_retrieval_asks(matcher: Matcher, make: Make) -> None:
    keyed = matcher.key(make("1"))
    assert keyed.record == make("1")
    assert keyed.prepared == prepare(make("1"))
    assert keyed.terms == keys(keyed.prepared, matcher.retrieval.keys)
    fingerprints = matcher_of(Settings(retriever="fingerprint"))
    assert fingerprints.key(make("1")).terms["block"]


def test_candidates_belong_to_the_records_that_they_are_for(matcher: Matcher, put: Index, make: Make) -> None:
    engine = put([make(str(work), work) for work in range(6)] + [make("again", 2)])
    asked = [matcher.key(make("q", work)) for work in (2, 5)] + [matcher.key(Record(source="x", id="none"))]
    owners, hits = matcher.candidates(engine, "i", asked)
    found = [(owner, hit.id) for owner, hit in zip(owners.tolist(), hits, strict=True)]
    assert {"2", "again"} <= {id for owner, id in found if owner == 0}
    assert "5" in {id for owner, id in found if owner == 1}
    assert {owner for owner, _ in found} == {0, 1}


def test_no_records_have_no_candidates(matcher: Matcher, put: Index, make: Make) -> None:
    owners, hits = matcher.candidates(put([make("1")]), "i", [])
    assert (owners.tolist(), hits) == ([], [])


def test_only_possible_candidates_lack_those_that_a_mark_tells_apart(put: Index, make: Make) -> None:
    engine = put([make("1", identifiers={"doi": ("10.1000/1",)}), make("2")])
    record = make("q", identifiers={"doi": ("10.1000/9",)})
    for profile, found in ((BIBFOLD, ["2"]), (MENDELEY, ["1", "2"])):
        matcher = Matcher(profile, Retrieval(searched=profile.searched))
        asked = [matcher.key(record)]
        assert sorted(hit.id for hit in matcher.candidates(engine, "i", asked).hits) == ["1", "2"]
        assert sorted(hit.id for hit in matcher.candidates(engine, "i", asked, possible=True).hits) == found


def test_the_record_of_a_hit_is_taken_in_once_and_anew_when_it_changed(matcher: Matcher, make: Make) -> None:
    record = make("1")
    first = matcher.add_hits([Hit("c1", 1.0, record), Hit("c2", 1.0, make("2", 1)), Hit("c1", 0.5, record)])
    assert first.tolist() == [0, 1, 0]
    assert matcher.add_hits([Hit("c1", 0.5, make("1")), Hit("c2", 0.5, make("2", 1))]).tolist() == [0, 1]
    changed = matcher.add_hits([Hit("c1", 0.5, make("1", 3)), Hit("c1", 0.5, make("1", 3))])
    assert changed.tolist() == [2, 2]
    assert matcher.columns.rows[2] == prepare(make("1", 3))
    assert matcher.add_hits([]).tolist() == []


def test_a_document_that_was_just_written_is_remembered(matcher: Matcher, make: Make) -> None:
    record = make("1")
    (place,) = matcher.add([prepare(record)])
    matcher.remember("c1", record, place)
    assert matcher.add_hits([Hit("c1", 1.0, record), Hit("c1", 1.0, make("1"))]).tolist() == [place, place]
    newer = make("1", 2)
    (other,) = matcher.add([prepare(newer)])
    matcher.remember("c1", newer, other)
    assert matcher.add_hits([Hit("c1", 1.0, newer)]).tolist() == [other]


def test_pairs_of_places_are_compared(matcher: Matcher, make: Make) -> None:
    places = matcher.add(map(prepare, [make("1"), make("2"), make("3", 1)]))
    left, right = places[[0, 0]], places[[1, 2]]
    assert matcher.compare(left, right, every=True).decision.tolist() == [2, 0]
    assert matcher.compare(left, right).kept.tolist() == [0]


def test_two_records_are_explained(matcher: Matcher, make: Make) -> None:
    found = matcher.explain(prepare(make("1")), prepare(make("2", year=2021)))
    assert found == matcher.explain(prepare(make("1")), prepare(make("2", year=2021)))
    assert (found.decision, found.summary) == ("unsure", "another edition: year differ")
    assert found.evidence[-1].reason == "year 2020 against 2021: 1 apart"


def test_places_are_forgotten_only_where_there_are_too_many(
    matcher: Matcher, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = [Hit("c1", 1.0, make("1")), Hit("c2", 1.0, make("2", 1))]
    matcher.add_hits(hits)
    matcher.tidy()
    assert len(matcher.columns.rows) == 2
    monkeypatch.setattr("lookup.matcher.MOST_ROWS", 1)
    matcher.tidy()
    assert matcher.columns.rows == []
    assert matcher.add_hits(hits[::-1]).tolist() == [0, 1]
    assert matcher.compare(np.array([0]), np.array([0])).decision.tolist() == [2]


def test_settings_describe_the_matcher() -> None:
    matcher = matcher_of(Settings(profile="mendeley", same=0.7, unsure=0.4, top_n=3, identifiers=False))
    assert (matcher.profile.name, matcher.profile.same, matcher.profile.unsure) == ("mendeley", 0.7, 0.4)
    assert (matcher.retrieval.searched, matcher.retrieval.top_n) == (MENDELEY.searched, 3)
    assert (matcher.retrieval.retriever, matcher.retrieval.identifiers) == ("bigrams", False)
    fingerprints = matcher_of(Settings(retriever="fingerprint", languages=("de",)))
    assert fingerprints.retrieval.retriever == "fingerprint"
    assert fingerprints.retrieval.keys.fingerprints


@pytest.mark.parametrize(
    ("same", "unsure", "thresholds"),
    [(None, None, (0.76, 0.6)), (0.9, None, (0.9, 0.6)), (0.5, None, (0.5, 0.5)), (None, 0.7, (0.76, 0.7))],
)
def test_thresholds_stand_in_for_the_profiles_own(
    same: float | None, unsure: float | None, thresholds: tuple[float, float]
) -> None:
    profile = profile_of(Settings(same=same, unsure=unsure))
    assert (profile.same, profile.unsure) == thresholds
    assert profile.parts == BIBFOLD.parts


def test_unsure_above_same_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"unsure: 0\.8 is above same: 0\.76"):
        profile_of(Settings(unsure=0.8))


def test_the_text_of_a_profile_file_is_a_profile() -> None:
    profile = profile_of(Settings(profile=to_text(MENDELEY), same=0.9))
    assert (profile.parts, profile.same, profile.unsure) == (MENDELEY.parts, 0.9, 0.4)


@pytest.mark.parametrize(("profile", "written"), [("mendeley", True), ("mendeley-citation", True), ("bibfold", False)])
def test_texts_as_written_come_along_only_for_profiles_that_read_them(profile: str, written: bool) -> None:
    assert matcher_of(Settings(profile=profile)).retrieval.keys.written is written


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(SettingsError, match="no such profile"):
        matcher_of(Settings(profile="nope"))
