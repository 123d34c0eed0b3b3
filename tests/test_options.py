"""Options that commands share: their types show in the helps, and their values reach the commands."""

from collections.abc import Callable
from typing import Any

import click
import pytest
from click.testing import CliRunner

from bibfold.errors import SettingsError
from bibfold.options import Remarks, columns, input_options, setting_options
from bibfold.records.model import Record
from bibfold.settings import DEDUPING, SETTINGS, resolve

Run = Callable[..., Any]
Write = Callable[..., str]


def given(*words: str) -> dict[str, Any]:
    """The settings that a command gets for these flags."""
    found: list[Any] = []

    @click.command()
    @setting_options(*DEDUPING)
    def command(layers: Any) -> None:
        found.append(layers)

    ran = CliRunner().invoke(command, list(words), catch_exceptions=False, standalone_mode=False)
    assert ran.exit_code == 0
    return dict(found[0][-1])


@pytest.mark.parametrize(
    "shown",
    [
        "--engine ADDRESS",
        "--profile NAME|FILE",
        "--same FLOAT RANGE",
        "[0<=x<=1]",
        "--top-n INTEGER RANGE",
        "[1<=x<=1000000]",
        "--retriever [bigrams|fingerprint]",
        "--identifiers / --no-identifiers",
        "--languages LANGUAGE,...",
        "--bridge [merge|join-best]",
        "--canonical [aggregate|founder]",
        "--trust SOURCE,...",
        "--batch-size INTEGER RANGE",
        "--outage FLOAT RANGE",
        "--format [jsonl|marc21|marcxml|",
        "--map COLUMN=FIELD",
        "--config FILE",
        "--out DIR",
    ],
)
def test_a_help_shows_types_bounds_and_choices(bibfold: Run, shown: str) -> None:
    assert shown in bibfold("dedupe", "--help").out


def test_no_flag_of_a_setting_is_a_bare_text(bibfold: Run) -> None:
    assert " TEXT" not in bibfold("dedupe", "--help").out
    assert " TEXT" not in bibfold("lookup", "--help").out


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ((), {}),
        (("--top-n", "20", "--same", "1"), {"top_n": 20, "same": 1.0}),
        (("--languages", "en, de", "--trust", "a,b"), {"languages": ("en", "de"), "trust": ("a", "b")}),
        (("--no-identifiers",), {"identifiers": False}),
        (("--bridge", "join-best", "--outage", "0"), {"bridge": "join-best", "outage": 0.0}),
    ],
)
def test_flags_become_values(words: tuple[str, ...], values: dict[str, Any]) -> None:
    assert given(*words) == values
    assert resolve([given(*words)]) == resolve([values])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--same", "2"), "2.0 is not in the range 0<=x<=1"),
        (("--top-n", "0"), "0 is not in the range 1<=x<=1000000"),
        (("--retriever", "magic"), "'magic' is not one of 'bigrams', 'fingerprint'"),
    ],
)
def test_click_refuses_what_is_out_of_bounds(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(click.BadParameter, match=reason):
        given(*words)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--languages", "xx"), "--languages: languages: ('xx',) is not a list of en, de, fr, es, pt, it"),
        (("--unsure", "nan"), "--unsure: unsure: nan is not a number from 0 to 1"),
    ],
)
def test_the_table_refuses_what_click_lets_pass(words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(SettingsError) as error:
        given(*words)
    assert str(error.value) == reason


def test_every_setting_with_bounds_or_choices_has_a_flag_that_shows_them() -> None:
    @click.command()
    @input_options
    @setting_options(*DEDUPING, "wait")
    def command(layers: Any, read: Any) -> None:
        pass

    flags = {parameter.name: parameter for parameter in command.params}
    for setting in SETTINGS:
        kind = flags[setting.name].type
        assert (isinstance(kind, click.FloatRange | click.IntRange)) == (setting.bounds is not None)
        assert (isinstance(kind, click.Choice)) == (bool(setting.choices) and setting.kind != "names")


def test_input_options_say_how_files_are_read(write: Write) -> None:
    file = write("a.txt", b"Titel,id\nFaust,1\n")
    found: list[Any] = []

    @click.command()
    @input_options
    def command(read: Any) -> None:
        found.extend(read([file]))

    words = ["--format", "csv", "--source", "me", "--map", "Titel=title"]
    assert CliRunner().invoke(command, words, catch_exceptions=False).exit_code == 0
    assert found == [Record(source="me", id="1", title="Faust")]


def test_a_column_map() -> None:
    assert columns(["Titel=title", "A=B=C"]) == {"Titel": "title", "A": "B=C"}
    for wrong in ("x", "=x", "x="):
        with pytest.raises(SettingsError, match="expected COLUMN=FIELD"):
            columns([wrong])


def test_the_first_remarks_are_shown_and_the_rest_counted(capsys: pytest.CaptureFixture[str]) -> None:
    remarks = Remarks()
    for number in range(12):
        remarks(f"remark {number}")
    remarks.close()
    lines = capsys.readouterr().err.splitlines()
    assert (lines[0], lines[-2], lines[-1]) == ("note: remark 0", "note: remark 9", "note: 2 more notes like these")
