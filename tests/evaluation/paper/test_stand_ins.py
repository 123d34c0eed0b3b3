"""Users' documents that are made, or one's own: how they are grouped, validated and set beside their sources."""

from collections.abc import Callable

import pytest

from bibfold.records.model import Record
from evaluation.benchmark.sets import SHIPPED
from evaluation.paper.stand_ins import by_identifiers, by_truth, carried, noisy, records_of, sharing, title_counts

Make = Callable[..., Record]
HASHES = [letter * 40 for letter in "abc"]


@pytest.fixture(scope="module")
def clean() -> list[Record]:
    return records_of(SHIPPED / "dblp-acm", 40, "dblp")


def test_the_first_records_of_a_source(clean: list[Record]) -> None:
    assert (len(clean), {record.source for record in clean}) == (40, {"dblp"})


def test_copies_carry_the_identifier_of_their_record_and_few_that_of_another(clean: list[Record]) -> None:
    stand_in = noisy("noisy", clean, "arxiv", seed=3)
    identifiers = {record.key: record.identifiers for record in stand_in.imported}
    assert len({values["arxiv"] for values in identifiers.values()}) == len(clean)
    right = [document.identifiers == identifiers[document.extra["noise_of"]] for document in stand_in.documents]
    assert 0.75 < sum(right) / len(right) < 1
    accepted = {stand_in.valid.members[at].key for at in stand_in.valid.group_of}
    kept = [good for good, document in zip(right, stand_in.documents, strict=True) if document.key in accepted]
    assert sum(kept) / len(kept) > sum(right) / len(right)


def test_the_same_seed_makes_the_same_documents_and_another_makes_others(clean: list[Record]) -> None:
    first, again, other = (noisy("noisy", clean, "filehash", seed).documents for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_files_are_invented_by_record_and_their_titles_may_be_equal(clean: list[Record]) -> None:
    stand_in = noisy("noisy", clean, "filehash", seed=0)
    assert all(len(document.identifiers["filehash"][0]) == 40 for document in stand_in.documents)
    assert stand_in.valid.probable
    assert stand_in.valid.equal_titles


def test_documents_without_sources_are_validated_by_each_other(make: Make) -> None:
    documents = [
        make(str(at), work, identifiers={"pmid": (str(pmid),)})
        for at, (work, pmid) in enumerate([(0, 1), (0, 1), (0, 1), (1, 1), (1, 2), (1, 2)])
    ]
    stand_in = by_identifiers("own", documents, [], "pmid")
    assert sorted(len(group) for group in stand_in.valid.groups) == [2, 3]
    assert sorted(len(group) for group in stand_in.raw.groups) == [2, 4]
    assert carried(stand_in) == []


def test_each_document_is_set_beside_the_sources_record(make: Make) -> None:
    sources = [make(str(at), at, source="s", identifiers={"pmid": (str(at),)}) for at in (1, 2)]
    users = [
        make(str(at), 1, source="u", identifiers={"pmid": (pmid,)}) for at, pmid in enumerate(["1", "01", "2", "9"])
    ]
    stand_in = by_identifiers("own", users, sources, "pmid")
    assert carried(stand_in) == [("s:1", "u:0"), ("s:1", "u:1"), ("s:2", "u:2")]
    assert stand_in.valid.counts["not like the source's record, or without one"] == 2


def test_successive_records_with_one_identifier(make: Make) -> None:
    records = [make(str(at), identifiers={"doi": ("10.1000/1",)}) for at in range(3)]
    assert sharing(records, "doi") == [("x:0", "x:1"), ("x:1", "x:2")]


def test_a_truth_groups_the_records_of_a_set() -> None:
    cora = by_truth("Cora", SHIPPED / "cora")
    assert (len(cora.documents), len(cora.valid.groups)) == (1879, 182)
    assert cora.raw is cora.valid


def test_titles_are_counted_as_they_are_written(make: Make) -> None:
    records = [make("1", title="A"), make("2", title="A"), make("3", title="a"), make("4", title="")]
    assert title_counts(records) == {"A": 2, "a": 1, "": 1}
