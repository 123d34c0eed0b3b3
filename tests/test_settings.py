"""Settings: one table, read from file, environment and flags, checked wherever they come from."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bibfold.errors import SettingsError
from bibfold.settings import (
    DEDUPING,
    READING,
    SETTINGS,
    Settings,
    SettingValues,
    checked,
    from_environment,
    from_file,
    from_keywords,
    kept,
    layers,
    resolve,
)


def test_the_table_and_the_values_name_the_same_settings() -> None:
    assert [setting.name for setting in SETTINGS] == list(Settings.__struct_fields__)
    assert [*SettingValues.__annotations__] == [*DEDUPING[:-1], "wait", DEDUPING[-1]]
    assert [*DEDUPING[:-1], "wait", DEDUPING[-1], *READING] == list(Settings.__struct_fields__)
    assert {setting.name: setting.default for setting in SETTINGS} == msgspec.structs.asdict(Settings())
    assert all(setting.default is None or setting.allows(setting.default) for setting in SETTINGS)
    assert all(setting.help.endswith(".") for setting in SETTINGS)


def test_the_last_layer_is_the_strongest_and_what_is_not_given_does_not_count() -> None:
    found = resolve([{"top_n": 1, "profile": "a", "same": 0.5}, {"top_n": 2, "profile": None}, {"top_n": 3}])
    assert (found.top_n, found.profile, found.same, found.bridge) == (3, "a", 0.5, "merge")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("top_n", "20", 20),
        ("same", "0.5", 0.5),
        ("same", "1", 1.0),
        ("identifiers", "no", False),
        ("identifiers", "TRUE", True),
        ("languages", "en, de", ("en", "de")),
        ("trust", "", ()),
        ("bridge", "join-best", "join-best"),
        ("engine", "memory", "memory"),
        ("engine", "tantivy:index", f"tantivy:{Path('index').absolute()}"),
        ("engine", "tantivy:/index", "tantivy:/index"),
    ],
)
def test_texts_become_values(name: str, text: str, value: Any) -> None:
    assert checked({name: text}) == {name: value}
    assert from_environment({f"BIBFOLD_{name.upper()}": text}) == {name: value}


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("top_n", "ten", "'ten' is not a whole number"),
        ("top_n", "1.5", "'1.5' is not a whole number"),
        ("top_n", "0", "0 is not a whole number from 1 to 1000000"),
        ("batch_size", "-1", "-1 is not a whole number from 1 to 1000000"),
        ("same", "much", "'much' is not a number"),
        ("same", "1.1", "1.1 is not a number from 0 to 1"),
        ("unsure", "nan", "nan is not a number from 0 to 1"),
        ("identifiers", "perhaps", "'perhaps' is not true or false"),
        ("languages", "en,xx", "('en', 'xx') is not a list of en, de, fr, es, pt, it"),
        ("languages", "", "() is not a list of en, de, fr, es, pt, it"),
        ("bridge", "burn", "'burn' is not one of merge, join-best"),
        ("retriever", "magic", "'magic' is not one of bigrams, fingerprint"),
        ("canonical", "best", "'best' is not one of aggregate, founder"),
    ],
)
def test_bad_values_are_told_with_their_place(name: str, text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "bibfold.toml"
    file.write_text(f'{name} = "{text}"\n')
    with pytest.raises(SettingsError) as error:
        checked({name: text})
    assert str(error.value) == f"--{name.replace('_', '-')}: {name}: {reason}"
    with pytest.raises(SettingsError) as error:
        from_environment({f"BIBFOLD_{name.upper()}": text})
    assert str(error.value) == f"BIBFOLD_{name.upper()}: {name}: {reason}"
    with pytest.raises(SettingsError) as error:
        from_file(file)
    assert str(error.value) == f"{file}: {name}: {reason}"


def test_a_file_of_settings(tmp_path: Path) -> None:
    file = tmp_path / "bibfold.toml"
    file.write_text('top_n = 20\nsame = 1\nlanguages = ["en", "de"]\nidentifiers = false\ntrust = "a,b"\n')
    assert from_file(file) == {
        "top_n": 20,
        "same": 1.0,
        "languages": ("en", "de"),
        "identifiers": False,
        "trust": ("a", "b"),
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"topn = 20", r"unknown setting 'topn'; known: engine, profile, "),
        (b"[lookup]\ntop_n = 20", r"unknown setting 'lookup'"),
        (b"top_n = ", r"is not valid TOML: "),
        (b"profile = \xff", r"cannot be read: "),
        (b"top_n = true", r"top_n: Expected `int`, got `bool`"),
        (b"profile = 7", r"profile: Expected `str`, got `int`"),
    ],
)
def test_a_file_with_a_mistake(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "bibfold.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=f"{file}.*{reason}"):
        from_file(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file or directory"):
        from_file(tmp_path / "absent.toml")
    with pytest.raises(SettingsError, match="cannot be read: Is a directory"):
        from_file(tmp_path)


def test_other_variables_are_not_ours() -> None:
    assert from_environment({"BIBFOLD_DATA": "/data", "TOP_N": "7", "HOME": "/"}) == {}


def test_a_catalogue_keeps_all_but_what_belongs_to_a_run() -> None:
    values = msgspec.structs.asdict(Settings())
    assert values.keys() - kept(values).keys() == {"batch_size", "outage", "wait", "settle", "largest_record"}


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("profile", "a text"),
        ("same", "a number from 0 to 1"),
        ("top_n", "a whole number from 1 to 1000000"),
        ("identifiers", "true or false"),
        ("languages", "a list of en, de, fr, es, pt, it"),
        ("trust", "names separated by commas"),
        ("bridge", "one of merge, join-best"),
    ],
)
def test_a_setting_says_which_values_it_allows(name: str, allowed: str) -> None:
    assert next(setting for setting in SETTINGS if setting.name == name).allowed == allowed


def test_keywords_of_a_python_call() -> None:
    assert from_keywords({"top_n": 20, "languages": ["de"], "same": None}) == {"top_n": 20, "languages": ("de",)}
    with pytest.raises(SettingsError, match=r"^keyword: top_n: 0 is not a whole number from 1 to 1000000$"):
        from_keywords({"top_n": 0})
    with pytest.raises(SettingsError, match=r"^keyword: unknown setting 'topn'; known: engine, "):
        from_keywords({"topn": 5})  # type: ignore[typeddict-unknown-key]


def test_a_command_goes_by_its_flags_before_the_environment_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bibfold.toml"
    file.write_text("top_n = 1\nsame = 0.5\nunsure = 0.1\n")
    monkeypatch.setenv("BIBFOLD_TOP_N", "2")
    monkeypatch.setenv("BIBFOLD_SAME", "0.6")
    found = resolve(layers(file, {"top_n": 3, "same": None}))
    assert (found.top_n, found.same, found.unsure) == (3, 0.6, 0.1)


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbftop_n = 3\n")
    assert from_file(tmp_path / "a.toml") == {"top_n": 3}


def test_variables_that_mean_nothing_are_remarked_upon(bibfold: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBFOLD_TOPN", "5")
    monkeypatch.setenv("BIBFOLD_SOLR_PASSWORD", "secret")
    monkeypatch.setenv("BIBFOLD_DATA", "/data")
    for words in (["settings"], ["engines"]):
        ran = bibfold(*words)
        assert ran.status == 0
        assert "note: BIBFOLD_TOPN in the environment is no setting of bibfold's" in ran.err
        assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_password_is_never_printed(
    bibfold: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: list[str]
) -> None:
    config = tmp_path / "a.toml"
    config.write_text('engine = "solr:http://me:s3cret@host:8983/solr"')
    ran = bibfold("settings", "--config", config, *more)
    assert ("me:***@host" in ran.out, "s3cret" in ran.out + ran.err) == (True, False)
    monkeypatch.setenv("BIBFOLD_ENGINE", "elasticsearch:https://me:s3cret@host:9200")
    ran = bibfold("settings", *more)
    assert ("me:***@host" in ran.out, "s3cret" in ran.out + ran.err) == (True, False)
    ran = bibfold("engines", "--engine", "solr:http://me:s3cret@host/solr")
    assert (ran.status, "s3cret" in ran.out + ran.err) == (1, False)
