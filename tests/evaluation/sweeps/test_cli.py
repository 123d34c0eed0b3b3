"""The commands `evaluate sweep`, `distributions` and `retrieval`, as from the shell."""

import shlex
from pathlib import Path

import pytest

from bibfold.records.formats.files import read_files
from evaluation.report.repeat import command as command_of
from evaluation.runs import read_run
from evaluation.truth import read_pairs

DBLP_ACM = Path(__file__).parents[3] / "evaluation" / "data" / "dblp-acm"
RECORDS, GOLD = DBLP_ACM / "records.jsonl.gz", DBLP_ACM / "gold.csv.gz"
PAIRS = ("a,b,label", "x:a,x:b,same", "x:a,x:c,different", "x:b,x:d,different", "x:c,x:e,same")


@pytest.fixture
def records(make, write):
    return write("r.jsonl", make("a"), make("b"), make("c", 1), make("d", 2), make("e", 1, year=1911))


def test_a_sweep_shows_a_table_for_each_metric_and_the_best_of_each(bibfold, records, truth):
    ran = bibfold("evaluate", "sweep", records, truth(*PAIRS))
    assert ran.status == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "2 pairs of the same work, 2 of different ones"
    best = {line.split("  ")[0]: line.split()[-8:] for line in lines[-7:]}
    assert best["mendeley"][:4] == ["0.4", "1.0000", "0.7", "1.0000"]
    assert best["bibfold, score alone"][3] == "1.0000"
    assert best["bibfold, with vetoes"][3] == "0.6667"  # a book of another year is at most unsure
    assert sum(line.startswith("threshold") for line in lines) == 7


def test_a_sweep_as_json_is_a_run(bibfold, records, truth):
    (run,) = bibfold(
        "evaluate", "sweep", records, truth(*PAIRS), "--profile", "mendeley", "--step", 0.5, "--json"
    ).json()
    assert run["kind"] == "sweep"
    assert run["settings"]["profile"] == ["mendeley"]
    assert run["figures"]["pairs"] == {
        "same": 2, "different": 2, "proposed": False, "unknown_records": 0, "dead_letters": 0,
    }  # fmt: skip
    spots = run["figures"]["metrics"]["mendeley"]["spots"]
    assert [(spot["threshold"], spot["precision"], spot["recall"]) for spot in spots] == [
        (0.0, 0.5, 1.0), (0.5, 1.0, 1.0), (1.0, 1.0, 0.0),
    ]  # fmt: skip
    assert len(run["data"]["records"]["fingerprint"]) == 16


@pytest.mark.parametrize(
    ("command", "part"), [("sweep", "Best thresholds"), ("distributions", "Overlap"), ("retrieval", "")]
)
def test_each_command_writes_a_report(bibfold, records, truth, tmp_path, command, part):
    ran = bibfold("evaluate", command, records, truth(*PAIRS), "--report", tmp_path / "report")
    assert ran.status == 0, ran.err
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert f"<h1>{command.capitalize()}</h1>" in page
    assert part in page
    assert "<svg" in page
    assert (tmp_path / "report" / "run.json").exists()


def test_a_sweep_report_shows_the_worst_pairs(bibfold, records, truth, tmp_path):
    bibfold("evaluate", "sweep", records, truth(*PAIRS), "--report", tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index("Duplicates that look least alike") < page.index("A union catalogue of nautical maps")


def test_distributions_have_a_column_for_each_kind_of_pairs(bibfold, records, truth):
    ran = bibfold("evaluate", "distributions", records, truth(*PAIRS), "--profile", "mendeley-title")
    assert "[0.9, 1.0]  2 (100.00%)    0 (0.00%)\n" in ran.out
    only = truth("a,b,label", "x:a,x:b,same", name="only.csv")
    ran = bibfold("evaluate", "distributions", records, only, "--profile", "mendeley-title")
    assert ran.status == 0, ran.err
    assert "duplicates" in ran.out
    assert "non-duplicates" not in ran.out


def test_retrieval_tells_recall_by_engine_and_way(bibfold, records, truth):
    words = ("evaluate", "retrieval", records, truth(*PAIRS), "--json")
    (run,) = bibfold(*words, "--engine", "memory", "--engine", "tantivy").json()
    found = {(recall["engine"], recall["found_by"]): recall for recall in run["figures"]["recall"]}
    assert list(found) == [
        (engine, method)
        for engine in ("memory", "tantivy")
        for method in ("title", "title + other keys", "fingerprint")
    ]
    assert all(recall["either"] == {str(cut): 1.0 for cut in (1, 2, 5, 10, 20, 50, 100)} for recall in found.values())
    (run,) = bibfold(*words, "--retriever", "bigrams", "--identifiers").json()
    assert [recall["found_by"] for recall in run["figures"]["recall"]] == [
        "title + identifiers",
        "title + other keys + identifiers",
    ]


def test_the_engine_of_the_settings_is_asked_where_none_is_named(bibfold, records, truth, monkeypatch):
    monkeypatch.setenv("BIBFOLD_ENGINE", "tantivy")
    (run,) = bibfold("evaluate", "retrieval", records, truth(*PAIRS), "--json").json()
    assert run["settings"]["engine"] == ["tantivy"]


def test_records_can_be_measured_without_their_identifiers(bibfold, make, write, truth):
    ids = {"doi": ("10.1000/1",)}
    records = write("ids.jsonl", make("a", identifiers=ids), make("b", 1, identifiers=ids))
    words = ("evaluate", "retrieval", records, truth("a,b", "x:a,x:b"), "--json")
    (run,) = bibfold(*words).json()
    assert len(run["figures"]["recall"]) == 6
    (run,) = bibfold(*words, "--strip-identifiers").json()
    assert len(run["figures"]["recall"]) == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("a,b,label", "x:a,x:b,same"), "holds no pairs that are different; precision cannot be measured"),
        (("a,b,label", "x:a,x:c,different"), "holds no pairs that are the same; recall cannot be measured"),
        (("a,b,label", "x:a,x:c,different", "x:a,x:c,same"), "both same and different"),
        (("a,b,label", "x:a,x:c,perhaps"), "'perhaps' is unknown"),
        (("a,b,label", "x:a,x:a,same"), "paired with itself"),
        (("a,b", "x:a,x:gone"), "x:gone"),
        (("one,two", "x:a,x:b"), "expected the columns"),
        (("a,b",), "holds no pairs"),
    ],
)
def test_a_truth_that_cannot_be_used_is_a_clear_error(bibfold, records, truth, lines, message):
    ran = bibfold("evaluate", "sweep", records, truth(*lines))
    assert ran.status == 1
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_a_gold_standard_to_which_nothing_can_be_opposed_is_a_clear_error(bibfold, records, truth):
    ran = bibfold("evaluate", "sweep", records, truth("a,b", "x:a,x:b"), "--across-sources")
    assert ran.status == 1
    assert "proposes no pair that the truth does not hold" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--profile", "nonsense"), "no such profile"),
        (("--step", "0"), "--step"),
        (("--judged", "absent.txt"), "absent.txt"),
    ],
)
def test_a_bad_flag_is_a_clear_error(bibfold, records, truth, words, message):
    ran = bibfold("evaluate", "sweep", records, truth(*PAIRS), *words)
    assert ran.status == 1
    assert message in ran.err


def test_unknown_records_are_counted_where_they_may_be_skipped(bibfold, records, truth):
    path = truth(*PAIRS, "x:a,x:gone,same")
    ran = bibfold("evaluate", "sweep", records, path, "--skip-unknown", "--profile", "mendeley")
    assert ran.status == 0
    assert ran.out.startswith("2 pairs of the same work, 2 of different ones; 1 records of the truth are not there")


def test_what_could_not_be_read_is_told_and_shows_in_the_status(bibfold, make, write, truth):
    records = write("r.jsonl", make("a"), b"{broken\n", make("b"), make("c", 1), make("d", 2), make("e", 1))
    ran = bibfold("evaluate", "distributions", records, truth(*PAIRS), "--profile", "mendeley")
    assert ran.status == 3
    assert "line 2" in ran.err


def test_a_report_tells_how_the_records_were_read(bibfold, write, truth, tmp_path):
    rows = b"nr,Titel\na,Maps of the northern sea\nb,Maps of the northern sea\nc,Byzantine mosaics\n"
    records = write("r.csv", rows)
    labels = truth("a,b,label", "x:a,x:b,same", "x:a,x:c,different")
    flags = ("--format", "csv", "--source", "x", "--map", "nr=id", "--map", "Titel=title")
    ran = bibfold("evaluate", "sweep", records, labels, "--profile", "mendeley", *flags, "--report", tmp_path / "out")
    assert ran.status == 0, ran.err
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "--format csv --source x --map nr=id --map Titel=title" in page


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("sweep", ("--profile", "mendeley", "--step", "0.25", "--top-n", "3")),
        ("distributions", ("--strip-identifiers", "--no-identifiers", "--retriever", "fingerprint")),
        ("retrieval", ("--engine", "memory", "--retriever", "bigrams", "--identifiers", "--languages", "en,de")),
    ],
)
def test_the_command_in_a_report_makes_the_same_run(bibfold, records, truth, tmp_path, command, flags):
    labels = truth("a,b", "x:a,x:b")
    bibfold("evaluate", command, records, labels, *flags, "--report", tmp_path / "out")
    run = read_run(tmp_path / "out" / "run.json")
    (repeated,) = bibfold(*shlex.split(command_of(run))[1:], "--json").json()
    assert repeated["settings"] == run.settings
    assert repeated["data"] == run.data
    for recall in (*repeated["figures"].get("recall", ()), *run.figures.get("recall", ())):
        del recall["milliseconds"]
    assert repeated["figures"] == run.figures


def test_a_gold_standard_is_set_against_what_the_index_proposes(bibfold):
    words = ("evaluate", "sweep", RECORDS, GOLD, "--profile", "mendeley", "--across-sources", "--json")
    (run,) = bibfold(*words).json()
    pairs = run["figures"]["pairs"]
    assert pairs["proposed"]
    assert pairs["same"] == 2224
    assert pairs["different"] > 10_000
    spots = {spot["threshold"]: spot for spot in run["figures"]["metrics"]["mendeley"]["spots"]}
    scores = _scores_by_the_papers_formula()
    for threshold in (0.3, 0.5, 0.8):
        found = sum(score >= threshold for score in scores) / len(scores)
        assert spots[threshold]["recall"] == pytest.approx(found, abs=1e-6)


def _scores_by_the_papers_formula():
    """S = (21 T + 7 P + 2 Y) / 30 of the gold pairs, of words that are cleaned as the paper says."""
    records = {record.key: record for record in read_files([str(RECORDS)])}

    def words(text):
        return set("".join(letter for letter in text if letter.isalnum() or letter.isspace()).lower().split())

    def shared(first, second):
        mine, yours = words(first), words(second)
        return len(mine & yours) / len(mine | yours) if mine and yours else 0.0

    return [
        (21 * shared(a.title, b.title) + 7 * shared(a.publication, b.publication) + 2 / (1 + abs(a.year - b.year) / 4))
        / 30
        for a, b in ((records[first], records[second]) for first, second in read_pairs(str(GOLD)))
    ]


def test_the_documented_sweep_is_current(bibfold):
    ran = bibfold("evaluate", "sweep", RECORDS, GOLD, "--across-sources")
    table = "\n".join(ran.out.splitlines()[-8:])
    assert table in (DBLP_ACM.parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_nearly_all_pairs_of_a_gold_standard_are_among_ten_candidates(bibfold):
    words = ("evaluate", "retrieval", RECORDS, GOLD, "--json")
    (run,) = bibfold(*words).json()
    found = {recall["found_by"]: recall["either"]["10"] for recall in run["figures"]["recall"]}
    assert found["title"] > 0.995
    assert found["title + other keys"] > found["title"] > found["fingerprint"] > 0.9
