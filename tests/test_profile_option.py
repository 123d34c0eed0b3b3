"""`--profile FILE`: a metric of one's own, kept with the catalogue, and what a bad file says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.model import Record

Run = Callable[..., Any]
Make = Callable[..., Record]


@pytest.fixture
def mine(tmp_path: Path, bibfold: Run) -> Path:
    """A profile file that compares titles alone, made from one that ships."""
    data = json.loads(bibfold("profiles", "mendeley-title", "--json").out)
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**data, "name": "mine", "same": 0.9, "unsure": 0.2}))
    return path


def test_a_catalogue_keeps_the_content_and_not_the_path(
    mine: Path, kept: Path, make: Make, write: Callable[..., str], bibfold: Run
) -> None:
    first, second = write("a.jsonl", make("1")), write("b.jsonl", make("2"), make("3", title="Folding duplicate cards"))
    assert bibfold("ingest", first, "-c", kept, "--profile", mine).status == 0
    mine.unlink()
    (totals,) = bibfold("ingest", second, "-c", kept, "--json").json()
    assert (totals["same"], totals["unsure"]) == (1, 1)
    joined = next(event for event in bibfold("events", "-c", kept, "--json").json() if event["kind"] == "joined")
    name, _, digest = joined["profile"].partition("@")
    assert (name, len(digest), joined["score"]) == ("mine", 6, 1.0)


def test_a_file_scores_as_the_profile_that_it_was_made_from(
    mine: Path, make: Make, write: Callable[..., str], bibfold: Run
) -> None:
    files = write("a.jsonl", make("1")), write("b.jsonl", make("2", title="Folding duplicate cards"))
    (shipped,) = bibfold("compare", *files, "--profile", "mendeley-title", "--json").json()
    (own,) = bibfold("compare", *files, "--profile", mine, "--json").json()
    assert own["score"] == shipped["score"]
    assert own["evidence"] == shipped["evidence"]
    assert (own["decision"], shipped["decision"]) == ("unsure", "different")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "mine.json cannot be read: No such file or directory"),
        ("title: 1", "mine.json is no profile file; `bibfold profiles NAME --json` prints one to start from"),
        ("{", "profile file: is not JSON"),
        ("{}", "missing required field"),
    ],
)
def test_a_bad_file_is_one_sentence(
    tmp_path: Path, make: Make, write: Callable[..., str], bibfold: Run, content: str | None, message: str
) -> None:
    path = tmp_path / "mine.json"
    if content is not None:
        path.write_text(content)
    ran = bibfold("compare", write("a.jsonl", make("1")), write("b.jsonl", make("2")), "--profile", path)
    assert ran.status == 1
    assert message in ran.err
    assert "Traceback" not in ran.err
