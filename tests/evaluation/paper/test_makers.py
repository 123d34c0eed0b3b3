"""A small run of each table has the paper's shape and figures that can be."""

from pathlib import Path

import pytest

from bibfold.errors import InputError
from evaluation.benchmark.sets import SHIPPED
from evaluation.paper.figures import Rows
from evaluation.paper.makers import TABLES
from evaluation.paper.stand_ins import DOCUMENTS_PER_ID, REJECTED, by_identifiers, carried
from evaluation.paper.study import Size, Study
from evaluation.sweeps.distributions import LABELS

DISTRIBUTED = ["1", "2", "3", "5", "18"]
DEDUPLICATED = ["4", "19", "20"]
SWEPT = [number for number in TABLES if number.isdigit() and 6 <= int(number) <= 14]
COUNTED = ["15", "16", "5.1"]


@pytest.fixture(scope="session")
def study(data: Path) -> Study:
    return Study(Size(records=100, pairs=60), data_folders=[data])


@pytest.fixture(scope="session")
def shipped() -> Study:
    return Study(Size(records=60, pairs=30), data_folders=[SHIPPED])


def made(study: Study, number: str) -> Rows:
    rows, made_from = TABLES[number].make(study)
    assert set(TABLES[number].published) <= set(rows)
    assert made_from
    return rows


@pytest.mark.parametrize("number", DISTRIBUTED)
def test_each_distribution_sums_to_a_hundred(study: Study, number: str) -> None:
    rows = made(study, number)
    assert list(rows) == list(LABELS)
    for name in rows[LABELS[0]]:
        for column in zip(*(rows[label][name] for label in LABELS), strict=True):
            assert sum(column) == pytest.approx(100)


def test_duplicates_are_more_alike_than_others(study: Study) -> None:
    same, different, *_ = zip(*(row["noisy arXiv"] for row in made(study, "3").values()), strict=True)
    assert sum(same[5:]) > 90
    assert sum(different[:3]) > 90


@pytest.mark.parametrize("number", DEDUPLICATED)
def test_each_run_is_scored_by_lookup_and_by_the_fold(study: Study, number: str) -> None:
    for label, row in made(study, number).items():
        for precision, recall, f1, by_fold, *_, same_skipped, different_skipped in row.values():
            assert 0.3 < f1 <= 1
            assert min(precision, recall) <= f1 <= max(precision, recall)
            assert (by_fold is None) == label.startswith("imported")
            assert 0 <= same_skipped <= 100
            assert 0 <= different_skipped <= 100


@pytest.mark.parametrize("number", SWEPT)
def test_recall_falls_as_the_threshold_rises(study: Study, number: str) -> None:
    rows = made(study, number)
    for name in rows["0.0"]:
        recalls = [rows[f"{at / 10:.1f}"][name][1] for at in range(11)]
        assert recalls == sorted(recalls, reverse=True)
        assert recalls[0] == 1


@pytest.mark.parametrize("number", COUNTED)
def test_no_more_pairs_than_asked_for(study: Study, number: str) -> None:
    for row in made(study, number).values():
        for _, _, duplicates, non_duplicates in row.values():
            assert max(duplicates, non_duplicates) <= study.size.pairs


@pytest.mark.parametrize("number", ["17", "21"])
def test_each_metric_has_its_best_on_the_informative_data(study: Study, number: str) -> None:
    for label, row in made(study, number).items():
        assert list(row) == (["noisy arXiv"] if "arXiv" in label else ["noisy ACL", "Cora"])
        assert all(0.3 < f1 <= 1 and 0 <= threshold <= 1 for f1, threshold in row.values())


def test_imported_records_are_counted(study: Study) -> None:
    for documents, canonical, lost in (row["ours"] for row in made(study, "4.1.1").values()):
        assert documents == 100
        assert lost == pytest.approx(documents - canonical)
    documents, untitled, titles, *_ = made(study, "4.1.1 titles")["arXiv"]["ours"]
    assert (documents, untitled) == (100, 0)
    assert titles <= 100


def test_a_newcomer_makes_every_table_with_the_shipped_sets(shipped: Study) -> None:
    assert shipped.arxiv.name == "noisy DBLP"
    assert [stand_in.name for stand_in in shipped.filehash] == ["noisy ACM", "Cora"]
    assert shipped.against_pubmed[0] == "stroke, known pairs"
    assert list(shipped.against_arxiv) == ["noisy DBLP", "ACM against DBLP"]


def test_originals_are_no_users_documents_and_wrong_identifiers_are_as_many_as_in_the_paper(data: Path) -> None:
    stand_in = Study(Size(records=150), data_folders=[data]).arxiv
    assert all("noise_of" in document.extra for document in stand_in.documents)
    assert {document.key for document in stand_in.documents}.isdisjoint(record.key for record in stand_in.imported)
    documents, originals = len(stand_in.documents), len(stand_in.imported)
    assert documents / originals == pytest.approx(DOCUMENTS_PER_ID, rel=0.25)
    valid = len(stand_in.valid.group_of)
    assert valid / documents == pytest.approx(1 - REJECTED, abs=0.07)
    assert len(carried(stand_in)) == documents


def test_noise_that_is_applied_twice_is_more(data: Path) -> None:
    once, twice = (Study(Size(60, noise=noise), data_folders=[data]).arxiv.documents for noise in (1, 2))
    kinds = [
        sum(len(document.extra["noise"]) for document in documents) / len(documents) for documents in (once, twice)
    ]
    assert kinds[1] > 1.2 * kinds[0]


def test_ones_own_documents_take_the_place_of_the_stand_ins(study: Study) -> None:
    made_documents, imported = study.arxiv.documents, study.arxiv.imported
    own = Study(study.size, own=lambda: by_identifiers("own", made_documents, imported, "arxiv"))
    assert own.against_pubmed[0] == "own"
    assert TABLES["3"].make(own)[0]["[0.0, 0.1)"].keys() == {"own"}
    assert made(own, "17")["“informative” filehash, default"] == {}


def test_the_same_seed_makes_the_same_table(data: Path, study: Study) -> None:
    assert made(Study(study.size, data_folders=[data]), "3") == made(study, "3")


def test_an_absent_set_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the sets diabetes, stroke is there"):
        TABLES["1"].make(Study(Size(), data_folders=[tmp_path]))
