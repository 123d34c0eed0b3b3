"""Canonical records: the founder, or field by field what most agree on, with provenance."""

from bibfold.catalogue.canonical import WEIGHED_MEMBERS, aggregate, founder
from bibfold.records.model import Record


def record(id: str, source: str = "x", **fields: object) -> Record:
    return Record(**{"source": source, "id": id, "title": "T", **fields})  # type: ignore[arg-type]


def test_the_founder_is_the_first_as_it_is() -> None:
    first = record("1", pages="7", identifiers={"doi": ("10.1/a",)}, extra={"note": "n"})
    shown = founder([first, record("2", year=2000)])
    assert shown.record == first
    assert shown.provenance == dict.fromkeys(["title", "pages", "identifiers.doi", "note"], "x:1")


def test_a_founder_has_the_identifiers_and_files_of_all_members() -> None:
    first = record("1", identifiers={"doi": ("10.1/a",)})
    second = record("2", title="U", identifiers={"doi": ("10.1/a", "10.1/b"), "filehash": ("a" * 32,)})
    shown = founder([first, second])
    assert shown.record.title == "T"
    assert shown.record.identifiers == {"doi": ("10.1/a", "10.1/b"), "filehash": ("a" * 32,)}
    assert shown.provenance == {"title": "x:1", "identifiers.doi": "x:1", "identifiers.filehash": "x:2"}


def test_most_members_win_whatever_the_spelling() -> None:
    members = [record("1", title="A tilte"), record("2", title="A Title"), record("3", title="A title")]
    shown = aggregate(members)
    assert (shown.record.title, shown.provenance["title"]) == ("A Title", "x:2")


def test_then_the_most_trusted_source_then_the_fullest_then_the_first() -> None:
    short, long = record("1", source="b", publisher="Press"), record("2", source="a", publisher="The Press Ltd")
    assert aggregate([short, long]).record.publisher == "The Press Ltd"
    assert aggregate([short, long], trust=("b", "a")).record.publisher == "Press"
    assert aggregate([record("1", pages="1"), record("2", pages="2")]).record.pages == "1"


def test_a_field_that_one_member_has_is_kept() -> None:
    shown = aggregate([record("1"), record("2", year=2000, authors=("Doe",), extra={"note": "n"})])
    assert (shown.record.year, shown.record.authors, shown.record.extra) == (2000, ("Doe",), {"note": "n"})
    assert (shown.record.source, shown.record.id) == ("x", "1")
    assert shown.provenance["year"] == shown.provenance["note"] == "x:2"


def test_all_identifiers_are_kept_once() -> None:
    members = [
        record("1", identifiers={"doi": ("10.1000/A",)}),
        record("2", identifiers={"doi": ("https://doi.org/10.1000/a", "10.1000/b"), "pmid": ("7",)}),
    ]
    shown = aggregate(members)
    assert shown.record.identifiers == {"doi": ("10.1000/A", "10.1000/b"), "pmid": ("7",)}
    assert shown.provenance["identifiers.pmid"] == "x:2"


def test_a_huge_cluster_is_made_of_its_earliest_members() -> None:
    members = [record(str(at)) for at in range(WEIGHED_MEMBERS)] + [record("late", year=2000)]
    assert aggregate(members).record.year is None
