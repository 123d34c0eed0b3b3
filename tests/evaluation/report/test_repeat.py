"""A report says how to make it again."""

import pytest

from evaluation.report.repeat import command, files, repeat_html
from evaluation.runs import EvaluationRun


def _run(**settings):
    data = {"records": {"path": "my records.ris", "fingerprint": "f", "count": 2}, "truth": {"path": "t.csv"}}
    return EvaluationRun("sweep", "1.0", settings, data, {})


@pytest.mark.parametrize(
    ("settings", "flags"),
    [
        ({}, ""),
        ({"step": 0.1, "top_n": 20}, " --step 0.1 --top-n 20"),
        ({"profile": ["bibfold", "mendeley"]}, " --profile bibfold --profile mendeley"),
        ({"languages": ["en", "de"], "trust": []}, " --languages en,de"),
        ({"identifiers": False, "skip_unknown": False}, " --no-identifiers"),
        ({"identifiers": True, "skip_unknown": True}, " --identifiers --skip-unknown"),
        ({"same": None, "engine": ""}, ""),
    ],
)
def test_the_command_names_every_setting(settings, flags):
    assert command(_run(**settings)) == f"bibfold evaluate sweep 'my records.ris' t.csv{flags}"


def test_the_files_of_a_run():
    assert files(_run()) == ["my records.ris", "t.csv"]


def test_facts_are_told_in_words():
    shown = repeat_html(_run(top_n=20, step=0.25, identifiers=False, judged=None, trust=[]))
    for fact in ("records path", "my records.ris", "top n", "20", "0.25", "no", "none"):
        assert f">{fact}<" in shown
    assert "judged" not in shown
