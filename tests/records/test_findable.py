"""No titled record is unsearchable: looked up in an index that holds it, it comes back first."""

import os
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from bibfold.engines.base import Document, Put, Query
from bibfold.engines.memory import Memory
from bibfold.records.formats.files import read_files
from bibfold.records.keys import KeySettings, keys
from bibfold.records.model import Record
from bibfold.records.prepare import prepare

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "evaluation" / "data"
LARGE = Path(os.environ.get("BIBFOLD_DATA", ROOT.parent / "shared" / "data"))
WANTED = 50_000
SETTINGS = KeySettings()

ODD_TITLES = [
    "It", "1984", "To be or not to be", "紅樓夢", "紅", "源氏物語", "Ὀδύσσεια", "Война и мир", "हिन्दी", "C++", "?",
    "...", "$\\alpha$", "A", "The The", "<i>E. coli</i>", "&amp;", "한국어", "ภาษาไทย", "It is", "e", "π", "½",
    "¡!", "😀",
]  # fmt: skip


def _lookup(records):
    engine = Memory()
    engine.create("titles")
    terms = [{"title": keys(prepare(record), SETTINGS)["title"]} for record in records]
    engine.write("titles", (Put(Document(str(at), terms[at], record)) for at, record in enumerate(records)))
    engine.commit("titles")
    return terms, engine.search("titles", [Query(one) for one in terms], 1)


def _not_first(records):
    """The records whose first hit has another title (by its folded words), or that have no hit."""
    terms, found = _lookup(records)
    return [
        record.title
        for record, keys_, hits in zip(records, terms, found, strict=True)
        if not hits or set(keys(prepare(hits[0].record), SETTINGS)["title"]) != set(keys_["title"])
    ]


def test_odd_titles_come_back_first():
    records = [Record(source="odd", id=str(at), title=title) for at, title in enumerate(ODD_TITLES)]
    _, found = _lookup(records)
    assert [hits[0].id if hits else None for hits in found] == [record.id for record in records]


def test_shipped_titles_come_back_first():
    records = list(read_files([str(SHIPPED / "dblp-acm" / "records.jsonl.gz")]))
    assert len(records) == 4_910
    assert _not_first(records) == []


@pytest.mark.parametrize("name", ["arxiv", "dblp-scholar", "acl"])
def test_fifty_thousand_real_titles_come_back_first(name):
    path = LARGE / name / "records.jsonl.gz"
    if not path.exists():
        pytest.skip(f"the {name} set is not here; set BIBFOLD_DATA to the folder of the large sets")
    stream = (record for record in read_files([str(path)]) if record.title.strip())
    records = [msgspec.structs.replace(record, abstract="") for record in islice(stream, WANTED)]
    assert len(records) == WANTED
    assert _not_first(records) == []
