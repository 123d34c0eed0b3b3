"""The table of how bibfold reads other projects' files: it names every format and agrees with the other readers."""

import importlib.util
import re
from pathlib import Path

import pytest

from bibfold.records.formats import FORMATS

ROOT = Path(__file__).parent.parent


def test_the_examples_are_read_as_other_readers_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("formats_table", ROOT / "docs" / "formats_table.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main([ROOT / "tests" / "data" / "formats"])
    rows = re.findall(
        r"^\| ([a-z0-9-]+) \| (\d+) \| ([\d,]+) \|.*?\| ([\d.]+) % of", capsys.readouterr().out, re.MULTILINE
    )
    assert {name for name, *_ in rows} == FORMATS.keys()
    assert module.READERS.keys() == FORMATS.keys()
    assert all(int(records.replace(",", "")) > 0 for _, _, records, _ in rows)
    differing = {name for name, _, _, share in rows if float(share) < 100}
    assert differing <= {
        "jsonl",
        "marc21",
        "marcxml",
        "bibtex",
    }  # whose examples hold records that are meant to be broken
