"""`convert`: every format into every other, streaming, with dead letters named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bibfold.cli import root
from bibfold.conversion.convert import convert
from bibfold.errors import InputError
from bibfold.options import WRITABLE
from bibfold.records.formats import FORMATS, Options
from bibfold.records.formats.files import Files, read_file
from bibfold.records.formats.remainder import loses
from bibfold.records.model import DeadLetter, Record

Make = Callable[..., Record]

DATA = Path(__file__).parents[1] / "data" / "formats"
EXAMPLES = [
    "articles.bib",
    "articles.ris",
    "crossref-page.json",
    "endnote.xml",
    "marcxml-linked.xml",
    "marcxml-oai.xml",
]
EXAMPLES += ["oai-dc.xml", "pubmed.csv", "pubmed.nbib", "records.jsonl", "scopus.csv", "marc-charsets.mrc"]


@pytest.mark.parametrize("to", WRITABLE)
@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_converted_says_the_same(name: str, to: str, tmp_path: Path) -> None:
    given = [item for item in read_file(str(DATA / name)) if isinstance(item, Record)]
    letters: list[DeadLetter] = []
    out = tmp_path / f"out{FORMATS[to].endings[0]}"
    counts = convert(Files((str(DATA / name),)), to, out, letter=letters.append)
    assert (counts.records, counts.dead_letters) == (len(given), len(letters))
    back = list(read_file(str(out), format=to))
    assert len(back) == len(given)
    for record, again in zip(given, back, strict=True):
        assert isinstance(again, Record)
        assert not loses(record, again)


@pytest.mark.parametrize("to", WRITABLE)
def test_what_is_plain_has_nothing_of_ours(to: str, tmp_path: Path, make: Make) -> None:
    record = make("1", extra={"odd": {"deep": [1]}})
    convert([record], to, tmp_path / "plain", Options(plain=True))
    convert([record], to, tmp_path / "noted")
    assert b"deep" in (tmp_path / "noted").read_bytes()
    assert (b"deep" in (tmp_path / "plain").read_bytes()) is (to == "jsonl")
    (again,) = read_file(str(tmp_path / "plain"), format=to)
    assert isinstance(again, Record)
    assert again.title == record.title


def run(*words: str) -> tuple[int, str, str]:
    ran = CliRunner().invoke(root, ["convert", *words])
    return ran.exit_code, ran.stdout, ran.stderr


def test_the_command_says_what_it_did(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.ris"
    code, said, _ = run(str(DATA / "pubmed.nbib"), "--to", "ris", "--out", str(out), "--json")
    assert (code, json.loads(said)) == (0, {"to": "ris", "records": 3, "dead_letters": 0})
    assert out.read_text(encoding="utf-8").count("ER  - ") == 3


def test_dead_letters_are_named_and_the_rest_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.ris"
    code, said, notes = run(str(DATA / "articles.bib"), "--to", "ris", "--plain", "--out", str(out))
    assert code == 3
    assert said == "3 records written as ris, 2 dead letters\n"
    assert "articles.bib, line 30: no closing brace" in notes
    assert "bibfold" not in out.read_text(encoding="utf-8")


def test_without_a_file_records_go_to_standard_output_alone() -> None:
    code, said, notes = run(str(DATA / "articles.ris"), "--to", "csl-json", "--json")
    assert code == 0
    assert len(json.loads(said)) == 4
    assert json.loads(notes)["records"] == 4


def test_columns_are_for_tables(tmp_path: Path) -> None:
    file = str(DATA / "articles.ris")
    code, said, _ = run("--columns", "zotero", file, "--to", "csv")
    assert (code, said.partition(",")[0]) == (0, "\ufeffKey")
    ran = CliRunner().invoke(root, ["convert", file, "--to", "ris", "--columns", "zotero"])
    assert "--columns zotero: only a table has columns; add --to csv" in str(ran.exception)


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "a.ris"
    file.write_bytes((DATA / "articles.ris").read_bytes())
    ran = CliRunner().invoke(root, ["convert", str(file), "--to", "ris", "--out", str(file)])
    assert isinstance(ran.exception, InputError)
    assert file.read_bytes() == (DATA / "articles.ris").read_bytes()
