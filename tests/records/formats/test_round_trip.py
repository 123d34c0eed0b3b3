"""What is written and read again is the same record, in every format that can be written."""

import io
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bibfold.records.formats import FORMATS, Origin, reader, writer
from bibfold.records.formats.files import read_file
from bibfold.records.formats.remainder import loses
from bibfold.records.model import FIELD_NAMES, TEXT_FIELDS, Record
from bibfold.records.native import says_something

WRITABLE = ["jsonl", "ris", "bibtex", "csv", "endnote", "csl-json"]

ODD = [
    *("{", "}", "\\", "$", "$x_1$", "--", "---", "''", "``", '"', "%", "&", "#", "_", "^", "~", "@article{"),
    *(" and ", "others", "; ", ";", ", ", ",", "TY  - ", "ER  - ", "\nER  - \n", "\n", "\r\n", "\r", "\t"),
    *(
        "  ",
        "bibfold: {",
        "é",
        "e\u0301",
        "日本",
        "🙂",
        "\u2028",
        "\u00a0",
        "\x85",
        "\x00",
        "\ufeff",
        "\\textless",
        "\\'e",
    ),
    *("1234-5679", "978-0-306-40615-7", "12-34", "=", "sep=;", "<i>", "null"),
]
texts = st.lists(st.sampled_from(ODD) | st.text(max_size=8), max_size=4).map("".join)
names = st.text(min_size=1, max_size=8) | st.sampled_from(
    ["KW", "N1", "PY", "T1", "keywords", "url", "author", "bibfold", "bibtex:type", "Extra"]
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
records = st.builds(
    Record,
    source=texts.filter(bool),
    id=texts.filter(bool),
    authors=st.lists(texts, max_size=3).map(tuple),
    year=st.none() | st.integers(-(10**12), 10**12),
    identifiers=st.dictionaries(
        st.sampled_from(["doi", "isbn", "issn", "arxiv", "pmid", "pmcid", "oclc", "local"]),
        st.lists(texts, min_size=1, max_size=2).map(tuple),
        max_size=3,
    ),
    extra=st.dictionaries(names.filter(lambda name: name not in FIELD_NAMES), json_values | texts, max_size=3),
    **dict.fromkeys(TEXT_FIELDS, texts),
).filter(says_something)

PLAIN = Record(
    source="shelf",
    id="m1",
    title="Folding duplicates",
    subtitle="a study",
    authors=("Müller, Anna", "Library and Archive Group"),
    publication="Journal of Catalogue Studies",
    year=2019,
    identifiers={"doi": ("10.5555/a_b",), "issn": ("1234-5679", "2049-3630"), "arxiv": ("2101.00001",)},
    volume="12",
    issue="3",
    pages="101-117",
    type="journal-article",
    language="de",
    extra={"KW": ["a", "b"], "keywords": "a, b", "note": {"deep": [1, None]}},
)


def again(name: str, many: list[Record]) -> list[object]:
    written = io.BytesIO()
    writer(name)(many, written)
    return list(reader(name)(io.BytesIO(written.getvalue()), Origin("file", "elsewhere")))


def says_the_same(given: Record, back: object) -> bool:
    """Whether a record came back as it was, but for the form of names, types and white space."""
    return isinstance(back, Record) and (
        back == given or (back.key == given.key and not loses(given, back) and not loses(back, given))
    )


def test_every_writer_is_covered() -> None:
    assert {name for name, form in FORMATS.items() if form.writer} - {"marcxml"} == set(WRITABLE)


@pytest.mark.parametrize("name", WRITABLE)
@given(record=records)
@example(record=PLAIN)
@settings(max_examples=60, deadline=None)
def test_a_record_comes_back_the_same(name: str, record: Record) -> None:
    [back] = again(name, [record])
    assert says_the_same(record, back)


@pytest.mark.parametrize("name", WRITABLE)
@given(many=st.lists(records, max_size=4, unique_by=lambda record: record.key))
@settings(max_examples=10, deadline=None)
def test_records_come_back_in_order_from_a_file(
    name: str, many: list[Record], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / f"{name}{FORMATS[name].endings[0]}"
    with file.open("wb") as stream:
        writer(name)([PLAIN, *many], stream)
    back = list(read_file(str(file)))
    assert len(back) == 1 + len(many)
    assert all(map(says_the_same, [PLAIN, *many], back))


@pytest.mark.parametrize("name", WRITABLE)
def test_writers_leave_the_stream_open(name: str) -> None:
    stream = io.BytesIO()
    writer(name)([PLAIN], stream)
    assert not stream.closed


def test_other_software_sees_ordinary_ris() -> None:
    stream = io.BytesIO()
    writer("ris")([PLAIN], stream)
    lines = stream.getvalue().decode().splitlines()
    assert lines[:2] == ["TY  - JOUR", "ID  - m1"]
    for line in (
        "TI  - Folding duplicates: a study",
        "AU  - Müller, Anna",
        "T2  - Journal of Catalogue Studies",
        "PY  - 2019",
        "SP  - 101",
        "EP  - 117",
        "DO  - 10.5555/a_b",
        "SN  - 2049-3630",
        "KW  - b",
        "UR  - https://arxiv.org/abs/2101.00001",
    ):
        assert line in lines
    assert lines[-2:] == ["ER  - ", ""]


def test_other_software_sees_ordinary_bibtex() -> None:
    stream = io.BytesIO()
    writer("bibtex")([PLAIN, PLAIN], stream)
    text = stream.getvalue().decode()
    for line in (
        "@article{m1,",
        "@article{m1-2,",
        "  author = {Müller, Anna and {Library and Archive Group}},",
        "  journal = {Journal of Catalogue Studies},",
        "  issn = {1234-5679, 2049-3630},",
        "  eprint = {2101.00001},",
        "  keywords = {a, b},",
    ):
        assert line in text.splitlines()


def test_what_the_fields_say_is_not_said_twice(tmp_path: Path) -> None:
    stream = io.BytesIO()
    writer("csv")([Record(source="shelf", id="1", title="Plain", authors=("A", "B"), year=2000)], stream)
    assert stream.getvalue().decode().splitlines()[1].endswith(",,,")
    assert b"set" not in stream.getvalue()
