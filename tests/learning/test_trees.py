"""`bibfold learn trees`: a profile file from a truth, and what it says of itself."""

import gzip
import itertools
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from bibfold.cli import root
from bibfold.records.model import Record
from learning.trees import quality
from lookup.answers import compare_records
from lookup.profile_file import from_text

pytest.importorskip("sklearn")

SHIPPED = Path(__file__).parents[2] / "evaluation" / "data" / "stroke"


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    """What the command says of the shipped set, and the file that it writes."""
    out = tmp_path_factory.mktemp("learn") / "mine.json"
    command = ["learn", "trees", str(SHIPPED / "records.jsonl.gz"), str(SHIPPED / "gold.csv.gz"), "--out", str(out)]
    result = CliRunner().invoke(root, [*command, "--trees", "10", "--folds", "2", "--json"])
    assert result.exit_code == 0, result.output
    return msgspec.json.decode(result.stdout), out


def test_it_says_how_good_it_is_on_works_that_it_has_not_seen(learned: tuple[dict[str, object], Path]) -> None:
    said, _ = learned
    works = msgspec.convert(said["by_works"], dict[str, float])
    assert works["precision"] > 0.97
    assert works["recall"] > 0.95
    assert sum(msgspec.convert(said["importance"], dict[str, float]).values()) == pytest.approx(1, abs=0.01)


def test_the_file_is_a_profile_that_compares(learned: tuple[dict[str, object], Path]) -> None:
    profile = from_text(learned[1].read_text())
    record = Record(
        source="a", id="1", title="Acupuncture for dysphagia after acute stroke", authors=("Xie, Y.", "Wang, L."),
        year=2008, publication="Cochrane Database", volume="3", pages="1-20",
    )  # fmt: skip
    other = msgspec.structs.replace(record, id="2", title="Nothing of the kind", authors=("Roe, J.",), pages="7-9")
    found = compare_records(record, msgspec.structs.replace(record, id="3"), profile)
    assert (found.decision, compare_records(record, other, profile).decision) == ("same", "different")
    assert {"title", "authors", "year"} <= {evidence.field for evidence in found.evidence}


def test_too_few_pairs_are_one_sentence(tmp_path: Path) -> None:
    truth = tmp_path / "few.csv"
    with gzip.open(SHIPPED / "gold.csv.gz", "rt") as rows:
        truth.write_text("".join(itertools.islice(rows, 4)))
    out = str(tmp_path / "mine.json")
    result = CliRunner().invoke(root, ["learn", "trees", str(SHIPPED / "records.jsonl.gz"), str(truth), "--out", out])
    assert "3 pairs of the same work to learn from; 10 are needed" in str(result.exception)


def test_quality_counts_both_kinds() -> None:
    found = quality(np.array([True, True, False, False]), np.array([True, False, True, False]))
    assert msgspec.structs.astuple(found) == (0.5, 0.5, 0.5, 0.5, 0.5)
