"""What people look at can do no harm: no control characters, no formulas, no passwords."""

import msgspec
import pytest

from bibfold.display import spreadsheet_safe, visible, visible_json, without_password


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe, 图书馆, می‌خواهم, 👩‍💻", "Größe, 图书馆, می‌خواهم, 👩‍💻"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("two\nlines\r\tand a tab", "two\\nlines\\r\\tand a tab"),
        ("\x00\x7f", "\\x00\\x7f"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_json_says_the_same_without_control_characters() -> None:
    value = {"title": "".join(map(chr, [*range(0x100), 0x61C, *range(0x2000, 0x2070)]))}
    safe = visible_json(msgspec.json.encode(value))
    assert msgspec.json.decode(safe) == value
    assert visible(safe.decode()) == safe.decode()


@pytest.mark.parametrize("cell", ["=1+1", "+a", "-1+cmd|x", "-", "@x", "\t=1", "\r=1", "＝1"])
def test_a_formula_becomes_text(cell: str) -> None:
    assert spreadsheet_safe(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "A title = a title", "1999", "-400", "+1.5", "'quoted'"])
def test_other_cells_stay(cell: str) -> None:
    assert spreadsheet_safe(cell) == cell


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("solr:http://me:secret@host:8983/solr", "solr:http://me:***@host:8983/solr"),
        ("solr:http://me:se@cr:et@host/solr", "solr:http://me:***@host/solr"),
        ("solr:http://:secret@host/solr", "solr:http://:***@host/solr"),
        ("elasticsearch:https://a:x@one:9200,https://b:y@two:9200", "elasticsearch:https://a:***@one:9200,https://b:***@two:9200"),
        ("solr:http://host:8983/solr", "solr:http://host:8983/solr"),
        ("tantivy:/srv/a@b", "tantivy:/srv/a@b"),
    ],
)  # fmt: skip
def test_a_password_is_never_shown(address: str, shown: str) -> None:
    assert without_password(address) == shown
