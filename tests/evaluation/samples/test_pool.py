"""Records are grouped by identifiers or by a truth, and only what is known of two of them is said."""

from msgspec.structs import replace

from bibfold.records.model import Record
from evaluation.samples.pool import by_clusters, by_identifier, kept
from evaluation.samples.validation import Verdict
from evaluation.truth import Truth
from lookup.generic import GENERIC

WORDS = "maps terns noise mosaics proteins folding detectors catalogues".split()


def record(id, title="Folding records", **identifiers):
    return Record(source="x", id=id, title=title, identifiers={kind: (value,) for kind, value in identifiers.items()})


def keys(pool):
    return sorted(sorted(pool.members[place].key for place in group) for group in pool.groups)


def places(pool):
    return {member.key: place for place, member in enumerate(pool.members)}


def test_records_that_share_an_identifier_are_one_work_however_it_is_written():
    pool = by_identifier(
        [record("1", doi="10.1000/A"), record("2", doi="https://doi.org/10.1000/a"), record("3", doi="10.1000/b")],
        {"doi"},
    )
    assert keys(pool) == [["x:1", "x:2"], ["x:3"]]


def test_identifiers_of_several_kinds_chain_records_together():
    pool = by_identifier(
        [record("1", doi="10.1000/a"), record("2", doi="10.1000/a", pmid="7"), record("3", pmid="7")], {"doi", "pmid"}
    )
    assert keys(pool) == [["x:1", "x:2", "x:3"]]


def test_records_without_an_identifier_of_the_kind_are_left_out():
    pool = by_identifier([record("1", doi="10.1000/a"), record("2", pmid="7"), record("3")], {"doi"})
    assert keys(pool) == [["x:1"]]
    assert pool.counts["records"] == 3
    assert pool.counts["with an identifier"] == 1


def test_a_generic_identifier_makes_no_work():
    shared = [record(str(at), f"{word} {at}", doi="10.1000/all") for at, word in enumerate(WORDS[: GENERIC + 1])]
    pool = by_identifier([*shared, record("a", doi="10.1000/a"), record("b", doi="10.1000/a")], {"doi"})
    assert keys(pool) == [["x:a", "x:b"]]
    assert pool.counts["generic identifiers"] == 1


def test_two_records_are_known_to_differ_only_by_identifiers_of_one_kind():
    pool = by_identifier(
        [record("1", doi="10.1000/a"), record("2", doi="10.1000/b"), record("3", pmid="7")], {"doi", "pmid"}
    )
    at = places(pool)
    assert pool.different(at["x:1"], at["x:2"])
    assert not pool.different(at["x:1"], at["x:3"])
    assert not pool.same(at["x:1"], at["x:3"])


def test_two_files_with_one_title_are_not_called_different_works():
    hashes = [letter * 32 for letter in "abc"]
    pool = by_identifier(
        [record("1", filehash=hashes[0]), record("2", filehash=hashes[1]), record("3", "Maps", filehash=hashes[2])],
        {"filehash"},
    )
    at = places(pool)
    assert not pool.different(at["x:1"], at["x:2"])
    assert pool.different(at["x:1"], at["x:3"])


def test_a_truth_groups_all_records_and_those_it_does_not_name_stand_alone():
    truth = Truth({("x:1", "x:2"), ("x:2", "x:3")}, set(), whole=True)
    pool = by_clusters([record(id) for id in "1234"], truth)
    at = places(pool)
    assert keys(pool) == [["x:1", "x:2", "x:3"], ["x:4"]]
    assert pool.different(at["x:1"], at["x:4"])


def test_only_pairs_with_a_judged_record_are_known():
    truth = Truth({("x:1", "x:2")}, set(), whole=True, judged={"x:1"})
    pool = by_clusters([record(id) for id in "1234"], truth)
    at = places(pool)
    assert pool.same(at["x:1"], at["x:2"])
    assert pool.different(at["x:1"], at["x:4"])
    assert not pool.different(at["x:3"], at["x:4"])


def test_what_a_rule_does_not_keep_is_gone_and_counted():
    pool = by_clusters([record(id) for id in "123"], Truth({("x:1", "x:2")}, set(), whole=True))
    likeness = {"x:1": 0.7, "x:2": 0.9, "x:3": 0.85}
    left = kept(
        pool,
        lambda group: [Verdict(likeness[m.key] > 0.8, likeness[m.key], m.title, "reference") for m in group],
        "bad",
    )
    assert keys(left) == [["x:2"], ["x:3"]]
    assert left.counts["bad"] == 1
    assert places(pool)["x:1"] not in left.group_of
    assert [(near.key, near.similarity) for near in left.rejected] == [("x:1", 0.7)]
    assert [near.key for near in left.accepted] == ["x:3", "x:2"]


def test_two_files_with_one_title_may_be_called_different_as_in_the_paper_unless_all_is_equal():
    hashes = [letter * 32 for letter in "abc"]
    found = by_identifier(
        [record("1", filehash=hashes[0]), record("2", filehash=hashes[1]), record("3", "Folding!", filehash=hashes[2])],
        {"filehash"},
    )
    pool = replace(found, equal_titles=True)
    at = places(pool)
    assert pool.different(at["x:1"], at["x:2"])
    assert not pool.different_and_not_identical(at["x:1"], at["x:2"])
    assert pool.different_and_not_identical(at["x:1"], at["x:3"])
