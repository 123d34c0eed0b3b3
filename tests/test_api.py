"""What `import bibfold` offers: it is all there, it is typed, it loads nothing before it is used, and it works."""

import ast
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bibfold
from bibfold import errors
from bibfold.settings import SETTINGS

Make = Callable[..., bibfold.Record]
Write = Callable[..., str]


def test_import_loads_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import bibfold; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "bibfold" in loaded
    assert {name.split(".")[0] for name in loaded} <= {"bibfold", "importlib", "warnings", "_warnings"}


def test_a_record_needs_no_engine_and_no_database() -> None:
    code = "import sys, bibfold; bibfold.Record(source='a', id='1'); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sqlalchemy", "numpy", "scipy", "tantivy", "click"} & set(ran.stdout.split())


def test_using_it_never_needs_click() -> None:
    code = "import sys, bibfold; bibfold.open, bibfold.dedupe; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "click" not in ran.stdout.split()


def test_what_is_loaded_lazily_is_what_type_checkers_see() -> None:
    tree = ast.parse(Path(bibfold.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name))
    typed = {name.asname: node.module for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert typed == bibfold._MODULES
    assert set(typed) <= set(dir(bibfold))
    assert all(getattr(bibfold, name) is not None for name in typed)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'bibfold' has no attribute 'opne'"):
        bibfold.opne  # noqa: B018


def test_the_errors_are_those_that_are_raised() -> None:
    assert bibfold.SettingsError is errors.SettingsError
    assert issubclass(bibfold.NotFound, bibfold.CatalogueError)


def test_compare_takes_records_and_json_objects(make: Make) -> None:
    same = bibfold.compare(make("1"), {"title": make("1").title, "authors": ["Doe, J.", "Roe, R."], "year": 2020})
    assert same.decision == "same"
    assert bibfold.compare(make("1"), make("2", 1)).decision == "different"


def test_compare_goes_by_a_profile_and_thresholds(make: Make) -> None:
    a, b = make("1"), make("2", title="Folding duplicate records")
    found = bibfold.compare(a, b, profile="mendeley")
    assert found.profile == "mendeley"
    assert 0 < found.score < 1
    assert bibfold.compare(a, b, profile="mendeley", same=found.score, unsure=0.1).decision == "same"
    assert bibfold.compare(a, b, profile="mendeley", same=1, unsure=found.score).decision == "unsure"
    with pytest.raises(bibfold.SettingsError, match="no such profile"):
        bibfold.compare(a, b, profile="nope")


def test_compare_refuses_what_is_no_record() -> None:
    with pytest.raises(bibfold.RecordError, match="title: expected a text, got list"):
        bibfold.compare({"title": ["a"]}, {"title": "a"})


def test_dedupe_of_files_and_of_records(make: Make, write: Write, tmp_path: Path) -> None:
    records = [make("1"), make("2"), make("3", 1)]
    by_file = bibfold.dedupe(write("a.jsonl", *records), tmp_path / "files")
    by_record = bibfold.dedupe(iter(records), str(tmp_path / "records"))
    assert (by_file.records, by_file.canonical) == (by_record.records, by_record.canonical) == (3, 2)
    for name in ("clusters.csv", "canonical.jsonl", "pairs.csv"):
        assert (tmp_path / "files" / name).read_bytes() == (tmp_path / "records" / name).read_bytes()


def test_settings_are_keywords(make: Make, tmp_path: Path) -> None:
    records = [make("1"), make("2", title="Folding duplicates as they arrive", authors=())]
    assert bibfold.dedupe(records, tmp_path, same=0.01, unsure=0.01).canonical == 1
    assert bibfold.dedupe(records, tmp_path, same=1, unsure=1).canonical == 2
    with pytest.raises(bibfold.SettingsError, match="bridge: 'burn' is not one of merge, join-best"):
        bibfold.dedupe(records, tmp_path, bridge="burn")  # type: ignore[arg-type]


def test_link(make: Make, write: Write, tmp_path: Path) -> None:
    left = write("left.jsonl", make("1", source="l"), make("2", 1, source="l"))
    right = [make("1", source="r"), make("2", 2, source="r")]
    assert bibfold.link(left, right, tmp_path / "out").links == 1
    text = (tmp_path / "out" / "links.csv").read_text(encoding="utf-8")
    assert "l:1,r:1" in text


def test_every_setting_is_a_keyword_of_dedupe(make: Make, tmp_path: Path) -> None:
    values = {setting.name: setting.default for setting in SETTINGS}
    assert bibfold.dedupe([make("1")], tmp_path, **values).records == 1
