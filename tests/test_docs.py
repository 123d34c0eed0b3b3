"""The documentation says what the code does: generated pages are current, examples run, names are complete."""

import gzip
import importlib.util
import json
import re
import shlex
from pathlib import Path

import click
import pytest

import bibfold
from bibfold.cli import COMMANDS, root
from bibfold.settings import SETTINGS
from evaluation.cli import COMMANDS as EVALUATE
from evaluation.cli import evaluate
from lookup.profiles import PROFILES

ROOT = Path(__file__).parent.parent


def _generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["cli.md", "settings.md"])
def test_a_generated_page_is_current(page):
    made = _generator().PAGES[page]()
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == made, "run `make docs`"


def test_the_readme_names_every_command():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"bibfold {name}" not in text] == []


def test_every_help_has_an_example_of_options_that_there_are():
    for group, path in ((root, ""), (evaluate, "evaluate ")):
        context = click.Context(group)
        assert list(group.examples) == group.list_commands(context)
        for name, example in group.examples.items():
            command = group.get_command(context, name)
            assert f"Example:\n    bibfold {example}" in command.get_help(context)
            assert example.startswith(f"{path}{name}")
            words = shlex.split(example.removeprefix(f"{path}{name}"))
            if not isinstance(command, click.Group):
                flags = {flag for parameter in command.params for flag in parameter.opts}
                assert {word for word in words if word.startswith("-")} <= flags


def test_the_page_on_evaluation_names_every_command_of_it():
    text = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    assert [name for name in EVALUATE if f"bibfold evaluate {name}" not in text] == []


def test_the_lookup_in_the_readme_is_what_a_lookup_says():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    question = json.loads(re.search(r"^\{.*\}$", text, re.MULTILINE)[0])
    shown = re.findall(r"^  \d\. c\d+ ([\d.]+) (\w+) \(found by .*?\): (.*) \((\d+)\)$", text, re.MULTILINE)
    assert [decision for _, decision, _, _ in shown] == ["same", "different", "different"]
    with gzip.open(ROOT / "evaluation" / "data" / "dblp-acm" / "records.jsonl.gz") as lines:
        records = [record for record in map(json.loads, lines) if record["source"] == "dblp"]
    for score, decision, title, year in shown:
        (found,) = (one for one in records if (one["title"][:100], str(one["year"])) == (title, year))
        compared = bibfold.compare(question, found)
        assert (f"{compared.score:.3f}", compared.decision) == (score, decision)
        if decision == "same":
            assert all(evidence.reason in text for evidence in compared.evidence)


def test_the_readme_names_every_folder():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    folders = [path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()]
    assert folders
    assert [name for name in folders if f"`{name}/`" not in text] == []


def test_every_setting_is_documented():
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [setting.name for setting in SETTINGS if f"`{setting.name}`" not in text] == []


def test_every_part_of_a_profile_has_a_docstring():
    functions = [part.comparator for one in PROFILES.values() for part in one.parts]
    functions += [rule for one in PROFILES.values() for rule in one.vetoes]
    assert [function.__name__ for function in functions if not function.__doc__] == []


def test_links_between_pages_lead_somewhere():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        if not target.startswith("http") and not (page.parent / target).exists()
    ]
    assert broken == []


def test_the_python_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 8
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
