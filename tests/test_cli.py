"""The commands from outside: exit statuses, fixed outputs, precedence of settings, mistakes told in words."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from bibfold.cli import COMMANDS
from bibfold.engines.base import Delete
from bibfold.records.formats.files import read_file
from bibfold.records.model import Record
from bibfold.workspace import opened
from evaluation.cli import COMMANDS as EVALUATE

Make = Callable[..., Record]
Write = Callable[..., str]
Run = Callable[..., Any]
"""Runs a command: what the `bibfold` fixture gives."""


@pytest.fixture
def catalogue(bibfold: Run, write: Write, make: Make, kept: Path) -> Path:
    """A catalogue of two works: one of two records, and one alone."""
    file = write("first.jsonl", make("1"), make("2", publisher="Press"), make("3", 1))
    assert bibfold("ingest", file, "-c", kept).status == 0
    return kept


def rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("words", "row"),
    [([name], row) for name, row in COMMANDS.items()] + [(["evaluate", name], row) for name, row in EVALUATE.items()],
)
def test_every_command_is_there_and_says_what_the_table_says(
    words: list[str], row: tuple[str, str], bibfold: Run
) -> None:
    place, text = row
    module, attribute = place.split(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.help is not None
    assert command.help.split("\n")[0] == text
    ran = bibfold(*words, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert text in " ".join(ran.out.split())


def test_the_root_lists_the_commands(bibfold: Run) -> None:
    for words in ([], ["--help"], ["-h"]):
        ran = bibfold(*words)
        assert ran.status == 0
        assert all(f"  {name} " in ran.out for name in COMMANDS)
    assert bibfold("--version").out.startswith("bibfold, version ")


def imported(*words: object) -> set[str]:
    """The packages that a command imports, in a process of its own."""
    code = f"""
import sys
sys.argv = ["bibfold", *{[str(word) for word in words]}]
import bibfold.cli
try:
    bibfold.cli.main()
except SystemExit as ended:
    assert not ended.code
print(*sys.modules, file=sys.stderr)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout
    return set(ran.stderr.split())


HEAVY = {"numpy", "scipy", "sqlalchemy", "lxml", "tantivy", "rapidfuzz", "sparse_dot_topn", "pymarc"}
OTHER_ENGINES = {"pysolr", "requests", "elasticsearch", "elastic_transport"}


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "--help"]])
def test_the_list_of_commands_imports_nothing_heavy(words: list[str]) -> None:
    assert not (HEAVY | {"msgspec"}) & imported(*words)


@pytest.mark.parametrize("command", ["dedupe", "link", "ingest", "lookup", "compare", "merge", "reindex", "check"])
def test_the_help_of_a_command_imports_nothing_heavy(command: str) -> None:
    assert not HEAVY & imported(command, "--help")


def test_a_command_imports_only_what_it_needs(catalogue: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "first.jsonl", tmp_path / "out"
    assert not {"scipy.optimize", "tantivy", *OTHER_ENGINES} & imported("dedupe", file, "--out", out)
    assert not {"tantivy", *OTHER_ENGINES} & imported("link", file, file, "--out", tmp_path / "linked")
    assert not {"scipy.optimize", *OTHER_ENGINES} & imported("ingest", file, "-c", catalogue, "--json")
    assert not {"scipy", "sparse_dot_topn", *OTHER_ENGINES} & imported("lookup", file, "-c", catalogue)
    assert not {"scipy", "tantivy", "rapidfuzz", *OTHER_ENGINES} & imported("show", "c1", "-c", catalogue)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such"], "No such command 'no-such'"),
        (["show"], "Missing argument"),
        (["show", "c1"], "Missing option '--catalogue'"),
        (["show", "c1", "-c", "{absent}"], "is no catalogue; make one with `bibfold ingest FILE --catalogue"),
        (["show", "c9", "-c", "{cat}"], "no cluster or record 'c9' here"),
        (["stats", "-c", "{file}"], "is a file"),
        (["stats", "-c", "{cat}", "-c", "{absent}"], "given 2 times; a command works on one catalogue at a time"),
        (["ingest", "{absent}", "-c", "{cat}"], "absent: no such file"),
        (["ingest", "{file}", "-c", "{cat}", "--profile", "nope"], "profile 'nope': no such profile; choose one of"),
        (["ingest", "{file}", "-c", "{cat}", "--top-n", "ten"], "'--top-n': 'ten' is not a valid integer"),
        (["ingest", "{file}", "-c", "{cat}", "--engine", "nope"], "engine"),
        (["ingest", "{file}", "-c", "{cat}", "--format", "nope"], "'--format': 'nope' is not one of 'jsonl', "),
        (["ingest", "{file}", "-c", "{cat}", "--config", "{absent}"], "cannot be read: No such file"),
        (["dedupe", "{file}", "--out", "{file}"], "cannot be written: File exists; name another place"),
        (["dedupe", "{file}", "--out", "{absent}", "--engine", "nope"], "engine 'nope' is not known"),
        (["dedupe", "{file}", "{absent}", "--out", "{absent}"], "absent: no such file"),
        (["dedupe", "{file}", "--out", "{absent}", "--map", "x"], "--map x: expected COLUMN=FIELD"),
        (["link", "{file}", "{absent}", "--out", "{absent}"], "absent: no such file"),
        (["lookup", "{absent}", "-c", "{cat}"], "absent: no such file"),
        (["lookup", "{file}", "-c", "{cat}", "--retriever", "fingerprint"], "run `bibfold reindex --retriever"),
        (["compare", "{file}", "{file}", "{file}"], "one file of pairs or two files of one record, not 3"),
        (["compare", "{file}", "{file}"], "holds 3 records; to compare two files each must hold one"),
        (["compare", "{absent}"], "absent: no such file"),
        (["merge", "c1", "-c", "{cat}"], "one cluster already"),
        (["split", "c1", "x:9", "-c", "{cat}"], "c1 does not hold x:9"),
        (["decide", "x:1", "x:9", "same", "-c", "{cat}"], "no record 'x:9' here"),
        (["decide", "x:1", "x:2", "maybe", "-c", "{cat}"], "'maybe' is not one of 'same', 'different'"),
        (["export", "-c", "{cat}", "--to", "nope"], "'nope' is not one of"),
        (["export", "-c", "{cat}", "--out", "{file}/below/x.ris"], "cannot be written: Not a directory"),
        (["evaluate", "score", "{absent}", "{file}"], "expected the columns"),
        (["reindex", "-c", "{absent}"], "is no catalogue"),
        (["check", "-c", "{absent}"], "is no catalogue"),
        (["engines", "-c", "{absent}"], "is no catalogue"),
        (["settings", "--config", "{file}"], "is not valid TOML"),
    ],
)
def test_a_mistake_is_a_message_and_status_1(
    bibfold: Run, catalogue: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    names = {"cat": catalogue, "absent": tmp_path / "absent", "file": tmp_path / "first.jsonl"}
    ran = bibfold(*(word.format(**names) for word in words))
    assert ran.status == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_nothing_is_made_for_a_file_that_is_not_there(bibfold: Run, tmp_path: Path, kept: Path) -> None:
    assert bibfold("ingest", tmp_path / "absent.ris", "-c", kept).status == 1
    assert not kept.exists()


def test_dedupe(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    one, two = write("one.jsonl", make("1"), make("2", 1)), write("two.jsonl", make("1", source="y"))
    ran = bibfold("dedupe", one, two, "--out", tmp_path / "out")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("3 records are 2 works: 1 duplicates folded, 0 pairs unsure, 0 dead letters; ")
    assert rows(tmp_path / "out" / "clusters.csv")[0] == ["cluster", "source", "id"]
    ran = bibfold("dedupe", one, two, "--out", tmp_path / "out", "--json")
    (summary,) = ran.json()
    assert (summary["records"], summary["canonical"]) == (3, 2)
    assert summary == json.loads((tmp_path / "out" / "summary.json").read_text())


def test_dead_letters_are_status_3_and_told(bibfold: Run, write: Write, make: Make, tmp_path: Path, kept: Path) -> None:
    file = write("a.jsonl", make("1"), b"nonsense\n", make("2"))
    for words in (["dedupe", file, "--out", tmp_path / "out"], ["ingest", file, "-c", kept]):
        ran = bibfold(*words)
        assert ran.status == 3
        assert "1 dead letters" in ran.out
        assert f"note: {file}, line 2: not JSON" in ran.err
    assert bibfold("link", file, file, "--out", tmp_path / "linked").status == 3
    assert bibfold("lookup", file, "-c", kept).status == 3
    letters = (tmp_path / "out" / "dead-letters.jsonl").read_text().splitlines()
    assert [json.loads(letter)["raw"] for letter in letters] == ["nonsense"]


def test_many_remarks_are_counted_not_shown(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    file = write("a.jsonl", make("0", 1), *(b"nonsense\n" for _ in range(25)))
    ran = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert len(ran.err.splitlines()) == 11
    assert ran.err.splitlines()[-1] == "note: 15 more notes like these"


def test_link(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    left = write("left.jsonl", make("1", source="l"), make("2", 1, source="l"))
    right = write("right.jsonl", make("1", source="r"), make("2", source="r"))
    out = tmp_path / "out"
    assert bibfold("link", left, right, "--out", out).out.startswith("2 left and 2 right records: 1 links, 0 unsure")
    header, *links = rows(out / "links.csv")
    assert header == ["a", "b", "score", "decision", "reason"]
    assert [link[:2] for link in links] == [["l:1", "r:1"]]
    (summary,) = bibfold("link", left, right, "--out", out, "--one-to-many", "--json").json()
    assert summary["links"] == 2
    assert {link[1] for link in rows(out / "links.csv")[1:]} == {"r:1", "r:2"}


def test_ingest_again_and_more(bibfold: Run, catalogue: Path, write: Write, make: Make, tmp_path: Path) -> None:
    ran = bibfold("ingest", tmp_path / "first.jsonl", "-c", catalogue)
    assert ran.out.startswith("0 records folded, 0 of them new works; 3 unchanged")
    (totals,) = bibfold("ingest", write("m.jsonl", make("4", 1)), "--catalogue", catalogue, "--json").json()
    counted = {"records": 1, "unchanged": 0, "clusters": 0, "deleted": 0, "same": 1, "unsure": 0, "dead_letters": 0}
    assert totals == counted


def test_delete_by_hand(bibfold: Run, catalogue: Path, tmp_path: Path) -> None:
    first = bibfold("delete", "x:1", "-c", catalogue, "--note", "withdrawn", "--json")
    (removed,) = first.json()
    assert (first.status, removed["record"], removed["cluster"]) == (0, "x:1", "c1")
    again = bibfold("ingest", tmp_path / "first.jsonl", "-c", catalogue)
    assert "x:1 was deleted and is read again with that content; it stays deleted" in again.err
    assert "withdrawn" in bibfold("events", "x:1", "-c", catalogue).out
    absent = bibfold("delete", "x:99", "-c", catalogue)
    assert (absent.status, absent.err) == (1, "Error: no record 'x:99' here; name it as source:id\n")
    purged = bibfold("delete", "x:1", "--purge", "-c", catalogue)
    assert purged.out == "x:1: purged\n"
    assert bibfold("events", "x:1", "-c", catalogue).status == 1


def test_a_retired_id_says_so(bibfold: Run, write: Write, make: Make, kept: Path) -> None:
    bibfold("ingest", write("a.jsonl", make("1"), make("2", 1)), "-c", kept)
    assert bibfold("delete", "x:2", "-c", kept).out == "x:2: deleted; c2 is retired\n"
    assert bibfold("show", "c2", "-c", kept).out == "c2 is retired: x:2 was deleted\n"
    (shown,) = bibfold("show", "c2", "-c", kept, "--json").json()
    assert (shown["retired"], shown["held"]) == (True, {"x:2": None})
    (line,) = bibfold("export", "--former-ids", "-c", kept).json()
    assert line == {"cluster": "c2", "leads_to": None, "retired": True, "held": {"x:2": None}}
    refused = bibfold("merge", "c1", "c2", "-c", kept)
    assert (refused.status, refused.err) == (1, "Error: c2 is retired: x:2 was deleted\n")


def test_contradictions_are_overruled_by_a_flag(bibfold: Run, write: Write, make: Make, kept: Path) -> None:
    bibfold("ingest", write("a.jsonl", make("1"), make("2", 1), make("3", 2)), "-c", kept)
    bibfold("decide", "x:1", "x:2", "same", "-c", kept)
    bibfold("decide", "x:2", "x:3", "same", "-c", kept)
    refused = bibfold("decide", "x:1", "x:3", "different", "-c", kept)
    assert (refused.status, "x:1 = x:2 = x:3" in refused.err) == (1, True)
    taken = bibfold("decide", "x:1", "x:3", "different", "--overrule", "-c", kept)
    assert (taken.status, taken.err) == (0, "note: the decision x:2 = x:3 falls\n")
    assert taken.out == "x:1 is in c1, x:3 in c3\n"


def test_lookup_from_standard_input(bibfold: Run, catalogue: Path) -> None:
    question = b'{"title": "Folding duplicate records as they arrive", "authors": ["Jane Doe"], "year": 2020}'
    ran = bibfold("lookup", "-", "-c", catalogue, "--json", stdin=question)
    (answer,) = ran.json()
    assert ran.status == 0
    assert list(answer) == ["record", "decision", "cluster", "candidates"]
    assert answer["cluster"] in ("c1", None)
    candidate = answer["candidates"][0]
    assert candidate["cluster"] == "c1"
    assert {"cluster", "score", "decision", "rank", "found_by", "evidence", "record"} <= candidate.keys()
    assert "bigrams" in candidate["found_by"]
    assert {"field", "score", "weight", "reason"} == candidate["evidence"][0].keys()
    assert "1. c1" in bibfold("lookup", "-", "-c", catalogue, stdin=question).out


def test_compare_pairs(bibfold: Run, write: Write) -> None:
    pair = b'{"a": {"title": "Union catalogues", "year": 2001}, "b": {"title": "Union catalogues", "year": 2001}}\n'
    other = b'{"a": {"title": "Union catalogues"}, "b": {"title": "Arctic terns"}}\n\n'
    ran = bibfold("compare", write("pairs.jsonl", pair, other), "--json", "--profile", "mendeley-title")
    assert ran.status == 0
    assert [list(one) for one in ran.json()] == [["decision", "score", "profile", "vetoes", "evidence"]] * 2
    assert [one["decision"] for one in ran.json()] == ["same", "different"]
    assert ran.json()[0]["profile"] == "mendeley-title"
    table = bibfold("compare", "-", "--profile", "mendeley-title", stdin=pair).out
    assert "same, score 1.000" in table
    assert "title: 2 of 2 words shared" in table


def test_compare_two_files_of_any_format(bibfold: Run, write: Write) -> None:
    ris = write("one.ris", b"TY  - JOUR\nTI  - Folding duplicate records\nAU  - Doe, Jane\nPY  - 2020\nER  - \n")
    bib = write("two.bib", b"@article{d, title={Folding duplicate records}, author={Jane Doe}, year=2020}\n")
    (found,) = bibfold("compare", ris, bib, "--json", "--same", "0.5", "--unsure", "0.4").json()
    assert found["score"] > 0.9


def test_a_line_that_is_no_pair_is_told_and_the_rest_goes_on(bibfold: Run, write: Write) -> None:
    good = b'{"a": {"title": "T"}, "b": {"title": "T"}}\n'
    bad = (
        b"nonsense\n",
        b'{"a": {"title": "T"}}\n',
        b'{"a": 1, "b": {}}\n',
        b'{"a": {"title": [1]}, "b": {}}\n',
        b"\xff\n",
    )
    ran = bibfold("compare", write("pairs.jsonl", good, *bad, good), "--json")
    assert ran.status == 3
    assert len(ran.json()) == 2
    assert [f"line {number}" in ran.err for number in range(1, 8)] == [False, *[True] * 5, False]
    assert bibfold("compare", write("empty.jsonl", b"")).err.endswith("was its export or download finished?\n")


def test_columns_are_mapped(bibfold: Run, write: Write, tmp_path: Path) -> None:
    file = write("a.csv", b"Werk;Wer;Wann\nDie Verwandlung;Kafka, Franz;1915\n")
    ran = bibfold(
        "dedupe",
        file,
        "--out",
        tmp_path / "out",
        "--format",
        "csv",
        *("--map", "Werk=title", "--map", "Wer=authors", "--map", "Wann=year"),
    )
    assert ran.status == 0
    (line,) = (tmp_path / "out" / "canonical.jsonl").read_text().splitlines()
    record = json.loads(line)
    assert (record["title"], record["authors"], record["year"]) == ("Die Verwandlung", ["Kafka, Franz"], 1915)


def test_the_source_is_named(bibfold: Run, write: Write, tmp_path: Path) -> None:
    file = write("a.jsonl", b'{"id": "7", "title": "T"}\n')
    bibfold("dedupe", file, "--out", tmp_path / "out", "--source", "mine")
    assert rows(tmp_path / "out" / "clusters.csv")[1] == ["c1", "mine", "7"]


def test_show_stats_events_reviews(bibfold: Run, catalogue: Path) -> None:
    (shown,) = bibfold("show", "x:2", "-c", catalogue, "--json").json()
    assert (shown["cluster"], len(shown["records"])) == ("c1", 2)
    text = bibfold("show", "c1", "-c", catalogue).out
    assert text.startswith("c1: 2 records\n")
    assert "publisher    Press  (from x:2)" in text
    (counted,) = bibfold("stats", "-c", catalogue, "--json").json()
    assert (counted["records"], counted["clusters"], counted["outbox"]) == (3, 2, 0)
    assert "records          3\n" in bibfold("stats", "-c", catalogue).out
    events = bibfold("events", "-c", catalogue, "--json").json()
    assert [event["kind"] for event in events] == ["founded", "joined", "founded"]
    assert len(bibfold("events", "c1", "-c", catalogue, "--limit", "1").out.splitlines()) == 1
    assert bibfold("reviews", "-c", catalogue).out == ""


def test_dead_letters_are_listed(bibfold: Run, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", b"{broken\n", make("1"))
    assert bibfold("ingest", file, "-c", kept).status == 3
    (letter,) = bibfold("dead-letters", "-c", kept, "--json").json()
    assert (letter["file"], letter["position"], letter["raw"]) == (file, "line 1", "{broken")
    assert f"{file}, line 1: {letter['reason']}" in bibfold("dead-letters", "-c", kept).out
    assert bibfold("dead-letters", "-c", kept, "--limit", "0").out == ""


def test_a_doubtful_pair_is_reviewed_and_decided(bibfold: Run, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", make("1"), make("2", title="Folding duplicate cards"))
    bibfold("ingest", file, "-c", kept, "--profile", "mendeley-title", "--same", "0.9", "--unsure", "0.2")
    (pair,) = bibfold("reviews", "-c", kept, "--json").json()
    assert (pair["a"], pair["b"], pair["decision"]) == ("x:2", "x:1", "unsure")
    assert "x:2 ~ x:1" in bibfold("reviews", "-c", kept).out
    assert bibfold("decide", "x:1", "x:2", "same", "-c", kept, "--note", "seen").out == "x:1 is in c1, x:2 in c1\n"
    assert bibfold("reviews", "-c", kept).out == ""
    assert "seen" in bibfold("events", "-c", kept, "--limit", "1").out


def test_merge_and_split(bibfold: Run, catalogue: Path) -> None:
    assert bibfold("merge", "c2", "c1", "-c", catalogue).out == "c1\n"
    assert bibfold("show", "c2", "-c", catalogue).out.startswith("c1: 3 records\n  merged into it: c2\n")
    assert bibfold("split", "c1", "x:1", "-c", catalogue).out == "c3\n"
    assert bibfold("check", "-c", catalogue).status == 0


@pytest.mark.parametrize("form", ["ris", "bibtex", "csv", "jsonl", "marcxml"])
def test_export_to_a_file_and_to_standard_output(bibfold: Run, catalogue: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"canonical.{form}"
    ran = bibfold("export", "-c", catalogue, "--to", form)
    assert (ran.status, ran.err) == (0, "")
    assert bibfold("export", "-c", catalogue, "--to", form, "--out", out).out == ""
    assert out.read_bytes().decode() == ran.out
    records = list(read_file(str(out), format=form))
    assert [type(record) for record in records] == [Record, Record]
    assert [path.name for path in tmp_path.glob(".unfinished*")] == []


def test_check_finds_and_mends(bibfold: Run, catalogue: Path) -> None:
    assert "they agree" in bibfold("check", "-c", catalogue).out
    with opened(catalogue, write=True) as workspace:
        workspace.engine.write(workspace.index(), [Delete("c2")])
        workspace.engine.commit(workspace.index())
    ran = bibfold("check", "-c", catalogue)
    assert ran.status == 1
    assert "1 missing: c2" in ran.out
    assert "they differ" in ran.out
    (found,) = bibfold("check", "-c", catalogue, "--json").json()
    assert (found["agree"], found["missing"]) == (False, ["c2"])
    ran = bibfold("check", "-c", catalogue, "--repair")
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "repaired")
    assert bibfold("check", "-c", catalogue).status == 0


def test_reindex_changes_what_the_index_is_built_by(bibfold: Run, catalogue: Path) -> None:
    (made,) = bibfold("reindex", "-c", catalogue, "--languages", "en,de", "--json").json()
    assert made["documents"] == 2
    assert made["index"].endswith("-2")
    (counted,) = bibfold("stats", "-c", catalogue, "--json").json()
    assert counted["options"]["languages"] == ["en", "de"]
    assert bibfold("check", "-c", catalogue).status == 0
    assert "is published: 2 documents" in bibfold("reindex", "-c", catalogue).out


def test_a_reindex_that_fails_changes_no_setting(
    bibfold: Run, catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("indexer.build.puts", fail)
        assert bibfold("reindex", "-c", catalogue, "--languages", "de").status == 130
    (counted,) = bibfold("stats", "-c", catalogue, "--json").json()
    assert counted["options"]["languages"] == ["en"]
    assert bibfold("check", "-c", catalogue).status == 0


def test_lists_of_what_there_is(bibfold: Run, catalogue: Path) -> None:
    assert [one["name"] for one in bibfold("profiles", "--json").json()][:2] == ["bibfold", "mendeley"]
    assert "never the same" in bibfold("profiles").out
    engines = bibfold("engines", "--json").json()
    assert {"tantivy", "memory"} <= {one["engine"] for one in engines}
    *_, place, index = bibfold("engines", "--json", "-c", catalogue).json()
    assert place["ready"] is True
    assert (index["documents"], index["state"]) == (2, "published")
    formats = {one["name"]: one["ways"] for one in bibfold("formats", "--json").json()}
    assert (formats["ris"], formats["marc21"]) == (["read", "write"], ["read"])
    assert "ris" in bibfold("formats").out


def test_where_settings_come_from(bibfold: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "bibfold.toml"
    config.write_text("top_n = 5\nbatch_size = 7\n")
    monkeypatch.setenv("BIBFOLD_TOP_N", "6")
    listed = {
        one["name"]: (one["value"], one["from"]) for one in bibfold("settings", "--config", config, "--json").json()
    }
    assert listed["top_n"] == (6, "BIBFOLD_TOP_N")
    assert listed["batch_size"] == (7, str(config))
    assert listed["profile"] == ("bibfold", "default")
    assert "(BIBFOLD_TOP_N)" in bibfold("settings").out


def test_flag_goes_before_environment_before_file_before_catalogue_before_default(
    bibfold: Run, write: Write, make: Make, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = write("q.jsonl", make("q"))
    file = write("a.jsonl", *(make(str(at), title=f"Folding duplicate records number{at}") for at in range(6)))
    bibfold("ingest", file, "-c", kept, "--top-n", "5", "--profile", "mendeley-title", "--same", "1", "--unsure", "1")
    config = tmp_path / "bibfold.toml"
    config.write_text("top_n = 4\n")

    def candidates(*words: object) -> int:
        (answer,) = bibfold("lookup", question, "-c", kept, "--json", *words).json()
        return len(answer["candidates"])

    assert candidates() == 5
    assert candidates("--config", config) == 4
    monkeypatch.setenv("BIBFOLD_TOP_N", "3")
    assert candidates("--config", config) == 3
    assert candidates("--config", config, "--top-n", "2") == 2
    monkeypatch.delenv("BIBFOLD_TOP_N")
    assert candidates() == 5


def test_a_bad_variable_is_told(bibfold: Run, catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBFOLD_SAME", "very")
    ran = bibfold("reindex", "-c", catalogue)
    assert (ran.status, ran.err) == (1, "Error: BIBFOLD_SAME: same: 'very' is not a number\n")


def test_evaluate(bibfold: Run, write: Write) -> None:
    truth = write("truth.csv", b"a,b\nx:1,x:2\nx:3,x:4\n")
    found = write("links.csv", b"a,b,score,decision,reason\nx:2,x:1,1,same,r\nx:1,x:3,1,same,r\nx:3,x:4,0.7,unsure,r\n")
    (measured,) = bibfold("evaluate", "score", found, truth, "--json").json()
    assert [measured[name] for name in ("precision", "recall", "f1")] == [0.5, 0.5, 0.5]
    assert [measured[f"{name}s"] for name in ("true_positive", "false_positive", "false_negative")] == [1, 1, 1]
    text = bibfold("evaluate", "score", found, truth).out
    assert "missed: x:3 ~ x:4" in text
    assert "wrong: x:1 ~ x:3" in text
    assert "holds no pairs" in bibfold("evaluate", "score", found, write("none.csv", b"a,b\n")).err


def program(*words: object, **settings: Any) -> "subprocess.CompletedProcess[bytes]":
    """Run the command in a process of its own."""
    command = [sys.executable, "-m", "bibfold.cli", *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, **settings)


def test_from_the_shell(write: Write, make: Make, tmp_path: Path, kept: Path) -> None:
    file = write("a.jsonl", make("1"), b"nonsense\n")
    assert program("ingest", file, "-c", kept).returncode == 3
    question = Path(file).read_bytes().splitlines()[0]
    ran = program("lookup", "-", "-c", kept, "--json", input=question)
    assert (ran.returncode, json.loads(ran.stdout)["cluster"]) == (0, "c1")
    ran = program("stats", "-c", tmp_path)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("words", [["export"], ["export", "--to", "ris"], ["events", "--limit", "9999"]])
def test_a_reader_that_has_enough_is_no_error(
    write: Write, make: Make, kept: Path, bibfold: Run, words: list[str]
) -> None:
    title = "word" * 50
    file = write("a.jsonl", *(make(str(at), title=f"{title} a{at} b{at}", abstract=title * 20) for at in range(99)))
    bibfold("ingest", file, "-c", kept)
    command = [sys.executable, "-m", "bibfold.cli", *words, "-c", str(kept)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""


def test_letters_that_the_terminal_cannot_show_are_no_error(write: Write, make: Make, kept: Path, bibfold: Run) -> None:
    bibfold("ingest", write("a.jsonl", make("1", title="紅樓夢")), "-c", kept)
    ran = program("show", "c1", "-c", kept, env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"})
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"c1: 1 records" in ran.stdout
