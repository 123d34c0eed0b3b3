"""Candidates: by identifier first, then by bigrams or fingerprint; a generic identifier proposes nothing."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from bibfold.engines.base import Document, Hit, Put
from bibfold.engines.memory import Memory
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from lookup.retrieve import GENERIC, Retrieval, found_by, retrieve

Make = Callable[..., Record]

BIGRAMS = Retrieval()
FINGERPRINTS = Retrieval(retriever="fingerprint", identifiers=False, keys=KeySettings(fingerprints=True))


class Index:
    """An index in memory and a way to ask it."""

    def __init__(self) -> None:
        self.engine = Memory()
        self.engine.create("i")

    def put(self, records: Sequence[Record], settings: KeySettings = BIGRAMS.keys) -> None:
        rows = [(record, prepare(record)) for record in records]
        documents = [Document(record.id, keys(row, settings), record, row.marks) for record, row in rows]
        self.engine.write("i", map(Put, documents))
        self.engine.commit("i")

    def ask(self, record: Record, retrieval: Retrieval = BIGRAMS, *, marks: bool = False) -> list[str]:
        row = prepare(record)
        queries, given = [keys(row, retrieval.keys)], [row.marks] if marks else None
        return [hit.id for hit in retrieve(self.engine, "i", queries, retrieval, prepared_of, given)[0]]


def prepared_of(hit: Hit) -> Prepared:
    return prepare(hit.record)


@pytest.fixture
def index() -> Iterator[Index]:
    made = Index()
    yield made
    made.engine.close()


def test_a_shared_identifier_comes_first_and_nobody_comes_twice(index: Index, make: Make) -> None:
    doi = {"doi": ("10.1000/7",)}
    index.put([make("a"), make("b", 1, identifiers=doi), make("c", identifiers=doi)])
    found = index.ask(make("q", identifiers={"doi": ("https://doi.org/10.1000/7",)}))
    assert set(found[:2]) == {"b", "c"}
    assert sorted(found) == ["a", "b", "c"]
    assert index.ask(make("q", identifiers=doi), Retrieval(identifiers=False)) == ["a", "c"]


def test_records_without_keys_find_nothing(index: Index, make: Make) -> None:
    index.put([make("a")])
    assert index.ask(Record(source="x", id="q")) == []
    assert retrieve(index.engine, "i", [], Retrieval(), prepared_of) == []


def test_no_more_than_asked_for(index: Index, make: Make) -> None:
    index.put([make(str(at)) for at in range(9)])
    assert index.ask(make("q"), Retrieval(top_n=3)) == ["0", "1", "2"]


@pytest.mark.parametrize(("number", "proposed"), [(GENERIC, True), (GENERIC + 1, False), (40, False)])
def test_an_identifier_of_many_different_titles_proposes_nothing(
    index: Index, make: Make, number: int, proposed: bool
) -> None:
    isbn = {"isbn": ("9780306406157",)}
    index.put([make(f"{at:02}", title=f"word{at} other{at}", identifiers=isbn) for at in range(number)])
    assert bool(index.ask(make("q", identifiers=isbn))) == proposed


def test_an_identifier_of_many_records_of_one_title_is_not_generic(index: Index, make: Make) -> None:
    doi = {"doi": ("10.1000/7",)}
    index.put([make(f"{at:02}", 1, identifiers=doi) for at in range(3 * GENERIC)])
    assert len(index.ask(make("q", identifiers=doi))) == 3 * GENERIC


def test_a_generic_identifier_does_not_hide_a_good_one(index: Index, make: Make) -> None:
    isbn = {"isbn": ("9780306406157",)}
    index.put([make(f"{at:02}", title=f"word{at} other{at}", identifiers=isbn) for at in range(4 * GENERIC)])
    index.put([make("good", 1, identifiers={"doi": ("10.1000/7",), **isbn})])
    assert index.ask(make("q", identifiers={"doi": ("10.1000/7",), **isbn})) == ["good"]


def test_fingerprints_find_what_differs_little(index: Index, make: Make) -> None:
    settings = FINGERPRINTS.keys
    title = "Thermal noise in interferometric gravitational wave detectors with large circulating power"
    index.put([make("a", title=title), make("b", 1), make("c", title="")], settings)
    assert index.ask(make("q", title=title.upper()), FINGERPRINTS) == ["a"]
    assert index.ask(make("q", 5), FINGERPRINTS) == []
    assert index.ask(make("q", title=""), FINGERPRINTS) == []


def test_marks_leave_out_what_they_tell_apart_but_for_a_shared_identifier(index: Index, make: Make) -> None:
    index.put(
        [make("a", identifiers={"doi": ("10.1000/1",)}), make("b"), make("c", identifiers={"doi": ("10.1000/7",)})]
    )
    query = make("q", identifiers={"doi": ("10.1000/7",)})
    assert index.ask(query) == ["c", "a", "b"]
    assert index.ask(query, marks=True) == ["c", "b"]


def test_many_queries_are_answered_in_order(index: Index, make: Make) -> None:
    index.put([make(str(work), work) for work in range(6)])
    queries = [keys(prepare(make("q", work)), BIGRAMS.keys) for work in (4, 1, 4, 0)]
    found = retrieve(index.engine, "i", queries, BIGRAMS, prepared_of)
    assert [hits[0].id for hits in found] == ["4", "1", "4", "0"]


def test_how_a_candidate_was_found(make: Make) -> None:
    both = {"doi": ("10.1000/7",), "pmid": ("7",)}
    record = make("1", identifiers=both, volume="7", pages="1-9")
    other = make("2", identifiers=both, volume="7", pages="1")
    settings = KeySettings(fingerprints=True)

    def found(ours: Record, theirs: Record) -> tuple[str, ...]:
        return found_by(keys(prepare(ours), settings), keys(prepare(theirs), settings))

    assert found(record, other) == ("doi", "pmid", "bigrams", "authors", "volume-page", "author-year", "fingerprint")
    assert found(make("1"), make("2", title="Folding duplicate cards", authors=())) == ("bigrams",)
    assert found(make("1"), make("2", 1)) == ()
