"""Every engine proposes the same candidates: agreement of the first ten on real records."""

import gzip
import os
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from bibfold.engines.base import FIELDS, Document, Engine, Put, Query
from bibfold.engines.memory import Memory
from bibfold.records.keys import KeySettings, keys
from bibfold.records.native import decode
from bibfold.records.prepare import prepare
from tests.engines.conftest import NAMES

ROOT = Path(__file__).parents[2]
PLACES = (Path(os.environ.get("BIBFOLD_DATA", ROOT.parent / "shared" / "data")), ROOT / "evaluation" / "data")
SIZE = 50_000
QUERIES = 2_000
LIMIT = 10


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    sets = ("arxiv", "dblp-acm")
    files = [place / name / "records.jsonl.gz" for name in sets for place in PLACES]
    file = next((file for file in files if file.exists()), None)
    if file is None:
        pytest.skip("no records: set BIBFOLD_DATA to a folder that holds arxiv or dblp-acm")
    return list(islice(read(file), SIZE))


def read(file: Path) -> Iterator[Document]:
    settings = KeySettings(fingerprints=True)
    with gzip.open(file, "rb") as lines:
        for number, line in enumerate(lines):
            record = decode(line)
            yield Document(f"c{number}", keys(prepare(record), settings), record)


@pytest.fixture(scope="module")
def reference(documents: list[Document]) -> Memory:
    """The engine that the others are measured against."""
    memory = Memory()
    memory.create("parity")
    memory.write("parity", map(Put, documents))
    memory.commit("parity")
    return memory


@pytest.mark.parametrize("engine_name", [name for name in NAMES if name != "memory"])
def test_engines_agree_on_the_first_ten(
    engine: Engine, index: str, documents: list[Document], reference: Memory
) -> None:
    engine.write(index, map(Put, documents))
    engine.commit(index)
    asking = random.Random(1).sample(documents, min(QUERIES, len(documents)))
    for fields, some in ((("title",), asking), (FIELDS, asking[: QUERIES // 4])):
        queries = [Query({field: one.terms.get(field, ()) for field in fields}) for one in some]
        expected = reference.search("parity", queries, LIMIT)
        pairs = list(zip(engine.search(index, queries, LIMIT), expected, strict=True))
        same = sum([hit.id for hit in ours] == [hit.id for hit in theirs] for ours, theirs in pairs)
        assert same / len(pairs) >= 0.995
        assert sum(len(theirs) for _, theirs in pairs) > 3 * len(pairs)
