"""What is measured is read as the flags say, and a run tells from what it was made."""

import pytest

from bibfold.errors import InputError
from bibfold.records.formats.files import read_files
from evaluation.sweeps.data import Data


@pytest.fixture
def data(make, write, truth):
    """Records with identifiers and a truth about them."""
    ids = {"doi": ("10.1000/1",)}
    records = write("r.jsonl", make("a", identifiers=ids), b"broken\n", make("b"), make("c", 1))

    def make_data(*lines, **options):
        return Data(records, truth(*lines), read_files, letters=[], **options)

    return make_data


def test_a_labelled_truth_needs_only_the_records_that_it_names(data):
    data_set = data("a,b,label", "x:a,x:b,same")
    assert data_set.labelled_pairs().keys == ["x:a", "x:b"]
    assert data_set.labelled_pairs(every=True).keys == ["x:a", "x:b", "x:c"]
    assert data("a,b", "x:a,x:b").labelled_pairs().keys == ["x:a", "x:b", "x:c"]


def test_what_could_not_be_read_is_gathered(data):
    data_set = data("a,b", "x:a,x:b")
    data_set.labelled_pairs()
    assert [letter.position for letter in data_set.letters] == ["line 2"]


def test_identifiers_can_be_left_out(data):
    assert data("a,b", "x:a,x:b").fetch({"x:a"})["x:a"].identifiers
    assert not data("a,b", "x:a,x:b", strip_identifiers=True).fetch({"x:a"})["x:a"].identifiers


def test_a_run_counts_and_names_its_files(data, truth):
    data_set = data("a,b,label", "x:a,x:b,same", "x:a,x:c,different", judged=truth("x:b", name="judged.txt"))
    run = data_set.run("sweep", data_set.labelled_pairs(), {"step": 0.5}, {"best": 1})
    assert run.settings == {
        "step": 0.5, "judged": data_set.judged, "skip_unknown": False, "strip_identifiers": False,
    }  # fmt: skip
    assert (run.data["records"]["count"], run.data["truth"]["count"]) == (2, 1)
    assert len(run.data["judged"]["fingerprint"]) == 16
    assert run.figures["pairs"] == {
        "same": 1, "different": 0, "proposed": False, "unknown_records": 0, "dead_letters": 1,
    }  # fmt: skip
    assert run.figures["best"] == 1


def test_standard_input_is_refused_since_it_cannot_be_read_again(truth):
    with pytest.raises(InputError, match="only once"):
        Data("-", truth("a,b", "x:a,x:b"), read_files).labelled_pairs()


@pytest.mark.parametrize(
    ("lines", "different", "message"),
    [
        (("a,b,label", "x:a,x:b,different"), False, "no pairs that are the same"),
        (("a,b,label", "x:a,x:b,same"), True, "no pairs that are different"),
    ],
)
def test_a_missing_class_is_refused(data, lines, different, message):
    data_set = data(*lines)
    pairs = data_set.labelled_pairs()
    with pytest.raises(InputError, match=message):
        data_set.need(pairs, different=different)
