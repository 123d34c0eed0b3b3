"""RIS as other tools read it: its own tags, each value once, a note only where something would be lost."""

import io
from pathlib import Path
from typing import Any

import pytest

from bibfold.records.formats import DEFAULTS, Options, Origin
from bibfold.records.formats.files import read_file
from bibfold.records.formats.ris import read
from bibfold.records.formats.ris_export import write
from bibfold.records.model import Record

DATA = Path(__file__).parents[2] / "data" / "formats"
UNNAMED = Options(file_sources=frozenset({"s"}))


def lines(options: Options = UNNAMED, **fields: Any) -> list[str]:
    return written(Record(source="s", id="1", **fields), options).splitlines()


def written(record: Record, options: Options = UNNAMED) -> str:
    out = io.BytesIO()
    write([record], out, options)
    return out.getvalue().decode()


def test_tags_of_pubmed_do_not_leave_as_tags_of_ris() -> None:
    record = next(read_file(str(DATA / "pubmed.nbib")))
    assert isinstance(record, Record)
    text = written(record, Options(plain=True))
    assert [line for line in text.splitlines() if line.startswith("AU")] == [
        "AU  - Müller, Anna",
        "AU  - Øster, Bo",
        "AU  - Catalogue Study Group",
    ]
    assert "\nIS  - 3\n" in text
    assert text.count("IS  - ") == 1
    assert text.startswith("TY  - JOUR\n")
    assert "\nDB  - PubMed\nAN  - 12345\n" in text
    assert "\nKW  - Libraries\n" in text
    assert not {"DP", "TA", "PT", "MH"} & {line[:2] for line in text.splitlines()}


def test_names_are_written_family_first_without_a_note() -> None:
    found = lines(title="Cats", authors=("Anna Müller", "World Health Organization"), type="journal-article")
    assert found[:6] == [
        "TY  - JOUR",
        "ID  - 1",
        "TI  - Cats",
        "AU  - Müller, Anna",
        "AU  - World Health Organization",
        "ER  - ",
    ]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"authors": ("Roe, R.",), "extra": {"editor": "Anna Müller"}}, "A2  - Müller, Anna"),
        ({"extra": {"url": "https://example.org"}}, "UR  - https://example.org"),
        ({"extra": {"keywords": "cats, dogs"}}, "KW  - dogs"),
        ({"extra": {"note": "Seen."}}, "N1  - Seen."),
        ({"type": "book", "extra": {"series": "Handbooks"}}, "T2  - Handbooks"),
        ({"extra": {"series": "Handbooks"}}, "T3  - Handbooks"),
        ({"identifiers": {"pmcid": ("PMC7",)}}, "C2  - PMC7"),
        (
            {"identifiers": {"pmid": ("7",)}, "extra": {"DB": "Embase", "AN": "L1"}},
            "UR  - https://pubmed.ncbi.nlm.nih.gov/7/",
        ),
        ({"pages": "12-19"}, "EP  - 19"),
        ({"pages": "12-1-12-9"}, "SP  - 12-1-12-9"),
        ({"extra": {"M1": "kept"}}, "M1  - kept"),
    ],
)
def test_what_ris_has_a_tag_for_needs_no_note(fields: dict[str, Any], line: str) -> None:
    found = lines(title="Cats", **fields)
    assert line in found
    assert not [each for each in found if "bibfold: {" in each]


def test_what_ris_cannot_hold_stands_in_a_note_unless_it_is_to_be_plain() -> None:
    fields = {"title": "Cats", "identifiers": {"oclc": ("7",)}, "extra": {"deep": [1]}}
    noted = lines(**fields)
    assert noted[-3] == 'N1  - bibfold: {"set":{"source":"s","identifiers":{"oclc":"7"},"deep":[1]},"unset":["type"]}'
    assert "bibfold" not in "\n".join(lines(Options(plain=True), **fields))


def test_a_source_that_is_not_a_files_name_is_kept() -> None:
    record = Record(source="s", id="1", title="Cats")
    assert "bibfold: {" in written(record, DEFAULTS)
    [again] = read(io.BytesIO(written(record, DEFAULTS).encode()), Origin("", "elsewhere"))
    assert again == record


def test_a_tag_is_not_written_twice() -> None:
    found = lines(title="Cats", identifiers={"pmcid": ("PMC7",)}, extra={"C2": "PMC7"})
    assert found.count("C2  - PMC7") == 1
