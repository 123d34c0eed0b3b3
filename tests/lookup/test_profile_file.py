"""Profiles as files: what is written reads back, and a bad file is refused in one clear sentence."""

import math
from typing import Any

import msgspec
import pytest

from bibfold.errors import SettingsError
from lookup.fields import COMPARATORS_VERSION
from lookup.profile import Part, Profile
from lookup.profile_file import FILE_VERSION, check, from_text, to_text
from lookup.profiles import BIBFOLD, MENDELEY, PROFILES
from tests.lookup.examples import comparison, prepared


def _data(profile: Profile = MENDELEY) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(to_text(profile))
    return data


def _refused(text: str) -> str:
    with pytest.raises(SettingsError) as refused:
        from_text(text)
    message = str(refused.value)
    assert message.startswith("profile file")
    assert "\n" not in message
    return message


def _changed(**changes: Any) -> str:
    return msgspec.json.encode(_data() | changes).decode()


def _part(**changes: Any) -> str:
    """The file with another first part."""
    first, *rest = _data()["parts"]
    return _changed(parts=[first | changes, *rest])


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_profile_reads_back_as_it_was_written(profile: Profile) -> None:
    found = from_text(to_text(profile))
    assert msgspec.to_builtins(msgspec.structs.replace(found, name=profile.name)) == msgspec.to_builtins(profile)
    assert found.name.startswith(f"{profile.name}@")


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_from_a_file_compares_as_the_one_it_was_written_from(profile: Profile) -> None:
    ours = prepared("Folding proteins fast", authors=("Doe, Jane",), publication="Nature", year=2003)
    theirs = prepared("Folding proteins slowly", authors=("Doe, J",), publication="Nature Physics", year=2004)
    found, expected = comparison(ours, theirs, from_text(to_text(profile))), comparison(ours, theirs, profile)
    assert msgspec.structs.replace(found, profile=expected.profile) == expected


def test_every_field_reads_back() -> None:
    part = Part("year", "years.near", 2.5, missing=0.25, least=0.5, needed=0.125)
    profile = Profile("mine", "Mine", (part,), 0.9, 0.8, "mean", ("notice_differs",), ("untitled",), ("also",))
    found = from_text(to_text(profile))
    assert msgspec.structs.replace(found, name="mine") == profile


def test_the_name_changes_with_the_content() -> None:
    assert from_text(to_text(BIBFOLD)).name == from_text(to_text(BIBFOLD)).name
    other = msgspec.structs.replace(BIBFOLD, same=0.77)
    assert from_text(to_text(other)).name != from_text(to_text(BIBFOLD)).name


def test_what_has_a_default_may_be_left_out() -> None:
    parts = [{"field": "title", "comparator": "titles.letters", "weight": 1}]
    data = {"bibfold": FILE_VERSION, "comparators": COMPARATORS_VERSION, "name": "mine", "title": "Mine"}
    found = from_text(msgspec.json.encode({**data, "parts": parts, "same": 0.5, "unsure": 0.5}).decode())
    assert (found.combine, found.vetoes, found.searched) == ("mean", (), ("title",))
    assert found.parts == (Part("title", "titles.letters", 1.0),)


@pytest.mark.parametrize("text", ["", "{", "mine", '{"name": }', to_text(MENDELEY)[:-5], to_text(MENDELEY) + "}"])
def test_not_json(text: str) -> None:
    assert "is not JSON" in _refused(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have(number: str) -> None:
    assert "is not JSON" in _refused(to_text(MENDELEY).replace('"weight": 21', f'"weight": {number}'))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "Expected `object`"),
        (_part(weight="heavy"), "Expected `float`, got `str` - at `$.parts[0].weight`"),
        (_part(weight=None), "Expected `float`, got `null` - at `$.parts[0].weight`"),
        (_part(wight=1), "unknown field `wight` - at `$.parts[0]`"),
        (_part(text="raw"), "Invalid enum value 'raw' - at `$.parts[0].text`"),
        (_changed(missing_is_zero=True), "unknown field `missing_is_zero`"),
        (_changed(parts={}), "Expected `array`, got `object` - at `$.parts`"),
        (to_text(MENDELEY).replace('"weight": 21', '"weight": 1e999'), "out of range - at `$.parts[0].weight`"),
    ],
)
def test_another_form(text: str, complaint: str) -> None:
    message = _refused(text)
    assert complaint in message
    assert "`bibfold profiles NAME --json` prints one to start from" in message


@pytest.mark.parametrize("name", ["bibfold", "comparators", "name", "title", "parts", "same", "unsure"])
def test_a_field_is_missing(name: str) -> None:
    data = _data()
    del data[name]
    assert f"missing required field `{name}`" in _refused(msgspec.json.encode(data).decode())


@pytest.mark.parametrize("name", ["field", "comparator", "weight"])
def test_a_field_of_a_part_is_missing(name: str) -> None:
    data = _data()
    del data["parts"][1][name]
    assert f"missing required field `{name}` - at `$.parts[1]`" in _refused(msgspec.json.encode(data).decode())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (_changed(bibfold=FILE_VERSION + 1), "was written for version 2 with comparators 1"),
        (_changed(comparators=COMPARATORS_VERSION + 1), "was written for version 1 with comparators 2"),
        (_part(comparator="titles.nope"), "comparator 'titles.nope' is not known; choose from titles.similar, "),
        (_changed(combine="nope"), "combination 'nope' is not known; choose from mean"),
        (_changed(vetoes=["nope"]), "veto 'nope' is not known; choose from identifiers_differ, "),
        (_changed(cautions=["nope"]), "caution 'nope' is not known; choose from untitled, "),
        (_changed(searched=["nope"]), "index field 'nope' is not known; choose from title, also"),
        (_changed(proofs=[{"kinds": ["isn"]}]), "kind of identifier 'isn' is not known; choose from arxiv, doi, "),
        (_changed(proofs=[{"kinds": []}]), "a proof names no kind of identifier"),
        (_changed(proofs=[{"kinds": ["doi"], "score": 2}]), "a proof's score is from 0 to 1"),
        (
            _part(comparator="titles.similar"),
            "comparator of cleaned text 'titles.similar' is not known; choose from titles.words_shared, ",
        ),
        (_changed(parts=[]), "it has no parts"),
        (_part(field="year"), "two parts are named year"),
        (_part(weight=-1), "title: weight -1.0 is no weight"),
        (_changed(parts=[part | {"weight": 0} for part in _data()["parts"]]), "all weights are 0"),
        (_part(missing=1.5), "title: missing, least and needed are scores from 0 to 1"),
        (_part(least=-0.1), "title: missing, least and needed are scores from 0 to 1"),
        (_part(needed=2), "title: missing, least and needed are scores from 0 to 1"),
        (_changed(same=1.5), "same and unsure are scores from 0 to 1"),
        (_changed(unsure=-0.5), "same and unsure are scores from 0 to 1"),
        (_changed(unsure=0.6), "unsure: 0.6 is above same: 0.4"),
    ],
)
def test_what_does_not_exist_or_makes_no_sense(text: str, complaint: str) -> None:
    message = _refused(text)
    assert message.startswith("profile file mendeley: ")
    assert complaint in message


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_in_a_profile_from_python(number: float) -> None:
    part = Part("title", "titles.letters", 1)
    for changed in (
        {"weight": number},
        {"missing": number},
        {"least": number},
        {"needed": number},
    ):
        parts = (msgspec.structs.replace(part, **changed),)
        with pytest.raises(SettingsError, match="title: "):
            check(msgspec.structs.replace(MENDELEY, parts=parts))
    with pytest.raises(SettingsError, match="same and unsure are scores from 0 to 1"):
        check(msgspec.structs.replace(MENDELEY, same=number))
