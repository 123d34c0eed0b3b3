"""BibTeX as other tools read it: no field twice, organisations in braces."""

import io
from typing import Any

import pytest

from bibfold.records.formats import Options
from bibfold.records.formats.bibtex_export import write
from bibfold.records.model import Record


def written(*records: Record, plain: bool = False) -> str:
    out = io.BytesIO()
    write(records, out, Options(plain=plain, file_sources=frozenset({"s"})))
    return out.getvalue().decode()


def entry(plain: bool = False, **fields: Any) -> str:
    return written(Record(source="s", id="a", **fields), plain=plain)


def test_an_entry_in_the_usual_order() -> None:
    text = entry(
        title="Cats & dogs",
        authors=("Anna Müller", "World Health Organization", "John Smith Jr."),
        publication="Nature",
        year=2020,
        pages="1-9",
        type="Journal Article",
        identifiers={"doi": ("10.1/a_b",)},
        extra={"KW": ["cats", "dogs"], "UR": "https://example.org/a_b"},
    )
    assert text == (
        "@article{a,\n"
        "  author = {Müller, Anna and {World Health Organization} and Smith, Jr., John},\n"
        "  title = {Cats \\& dogs},\n"
        "  journal = {Nature},\n"
        "  pages = {1--9},\n"
        "  year = {2020},\n"
        "  doi = {10.1/a_b},\n"
        "  url = {https://example.org/a_b},\n"
        "  keywords = {cats, dogs},\n"
        "}\n\n"
    )


@pytest.mark.parametrize(
    "extra",
    [
        {"bibtex:year": "2019", "date": "2019-05"},
        {"title": "x", "keywords": "a", "KW": "b", "keyword": "c"},
        {"url": ["https://a.org", "https://b.org"], "URL": "https://c.org"},
        {"doi": "10.1/2", "eprint": "x", "archiveprefix": "y"},
    ],
)
def test_no_field_stands_twice(extra: dict[str, Any]) -> None:
    text = entry(title="Cats", year=2020, identifiers={"doi": ("10.1/1",), "arxiv": ("2101.00001",)}, extra=extra)
    names = [line.split(" = ")[0] for line in text.splitlines() if line.startswith("  ")]
    assert len(names) == len(set(names))


def test_fields_of_other_formats_stay_out_and_those_of_bibtex_stay() -> None:
    extra = {"month": "may", "mendeley-groups": "x", "physical": "9 p.", "accession-num": "7", "nbib:AU": "Doe J"}
    assert entry(plain=True, title="Cats", year=2020, extra=extra) == (
        "@misc{a,\n  title = {Cats},\n  year = {2020},\n  month = {may},\n  mendeley-groups = {x},\n}\n\n"
    )
    assert '"physical":"9 p."' in entry(title="Cats", extra=extra)


def test_keys_are_plain_and_unique() -> None:
    text = written(Record(source="s", id="a b,{é}", title="A"), Record(source="s", id="ab", title="B"), plain=True)
    assert [line for line in text.splitlines() if line.startswith("@")] == ["@misc{ab,", "@misc{ab-2,"]


def test_where_a_record_was_found() -> None:
    extra = {"databases": ["x", "y"], "records": ["x:1", "y:2"]}
    assert "note = {Found in: x, y; Records folded: 2 (x:1, y:2)}" in entry(plain=True, title="A", extra=extra)


def test_a_month_and_a_day_have_fields_of_their_own() -> None:
    assert "month = {may}" in entry(title="A", year=2019, extra={"nbib:DP": "2019 May"})
    assert "date = {2019-05-01}" in entry(title="A", year=2019, extra={"DA": "2019/05/01/"})
