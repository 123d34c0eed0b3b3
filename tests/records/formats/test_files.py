"""Files as records: opening, naming, and what goes wrong."""

import gzip
import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from bibfold.errors import InputError, SettingsError
from bibfold.records.formats.files import content_hash, read_file, read_files, source_names
from bibfold.records.model import DeadLetter, Record

DATA = Path(__file__).parents[2] / "data" / "formats"
SHARED = Path(os.environ.get("BIBFOLD_DATA", Path(__file__).parents[4] / "shared" / "data"))

RIS = b"".join(b"TY  - JOUR\nTI  - Title %d\nID  - %d\nER  - \n\n" % (number, number) for number in range(300))


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, bytes], str]:
    def write(name: str, data: bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)

    return write


Put = Callable[[str, bytes], str]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["export.ris", "export.ris.gz", "export.csv", "export"])
def test_compression_encoding_and_name_make_no_difference(
    put: Put, pack: Callable[[bytes], bytes], encoding: str, name: str
) -> None:
    path = put(name, pack(RIS.decode().encode(encoding)))
    items = list(read_file(path))
    assert [item.title for item in items if isinstance(item, Record)] == [f"Title {n}" for n in range(300)]
    assert {item.source for item in items if isinstance(item, Record)} == {"export"}


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(RIS + b"TY  - X\nER  - \n"))))
    *records, letter = read_file("-")
    assert [record.source for record in records if isinstance(record, Record)] == ["stdin"] * 300
    assert isinstance(letter, DeadLetter)
    assert letter.file == "stdin"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["x/zotero.ris.gz"], ["zotero"]),
        (["my.file.v2.bib"], ["my.file.v2"]),
        (["data.json.zst", "-"], ["data", "stdin"]),
        (["a.ris", "a.bib", "b.ris"], ["a.ris", "a.bib", "b"]),
        (["x/a.ris", "y/a.ris", "b.ris"], ["x/a.ris", "y/a.ris", "b"]),
        (["1/x/a.ris", "2/x/a.ris"], ["1/x/a.ris", "2/x/a.ris"]),
        (["a.ris", "a.ris"], ["a"]),
    ],
)
def test_source_names(paths: list[str], names: list[str]) -> None:
    assert list(source_names(paths).values()) == names


def test_several_files(put: Put) -> None:
    paths = [
        put("a.jsonl", b'{"id": "1", "source": "own", "title": "A"}\n{"id": "2", "title": "B"}\n'),
        put("b.bib", b"@a{k, title={T}}"),
    ]
    assert [item.key for item in read_files(paths) if isinstance(item, Record)] == ["own:1", "a:2", "b:k"]
    given = read_files(paths, source="given")
    assert [item.key for item in given if isinstance(item, Record)] == ["own:1", "given:2", "given:k"]


@pytest.mark.parametrize("name", ["articles.ris", "pubmed.nbib", "records.jsonl", "articles.bib"])
def test_files_that_were_joined_with_their_marks(put: Put, name: str) -> None:
    data = (DATA / name).read_bytes().strip()
    once = list(read_file(put(name, data)))
    twice = list(read_file(put(name, b"\xef\xbb\xbf" + data + b"\n\xef\xbb\xbf" + data)))
    assert len(twice) == 2 * len(once)
    titles = [item.title for item in twice if isinstance(item, Record)]
    assert titles == [item.title for item in once if isinstance(item, Record)] * 2


def test_a_record_without_id_gets_a_hash_of_its_content(put: Put) -> None:
    path = put("a.csv", b"title,year\nA,2000\nA,2000\nB,2000\nA,2000\n")
    first, second, third, fourth = (item.id for item in read_file(path) if isinstance(item, Record))
    assert re.fullmatch("[0-9a-f]{12}", first)
    assert [second, fourth] == [f"{first}-2", f"{first}-3"]
    assert third != first
    record = Record(source="a", id="", title="A", year=2000)
    assert content_hash(record) == first
    assert content_hash(Record(source="a", id="x", title="A", year=2000)) == first


def test_ids_that_people_give_may_repeat(put: Put) -> None:
    path = put("a.bib", b"@a{k, title={A}}\n@a{k, title={B}}\n@a{k-2, title={C}}\n")
    assert [item.id for item in read_file(path) if isinstance(item, Record)] == ["k", "k-2", "k-2-2"]


def test_ids_that_programs_give_are_left_alone(put: Put) -> None:
    path = put("a.jsonl", b'{"id": "k", "title": "A"}\n{"id": "k", "title": "B"}\n')
    assert [item.id for item in read_file(path) if isinstance(item, Record)] == ["k", "k"]


def test_a_format_can_be_named(put: Put) -> None:
    path = put("a.txt", b"Nr,Titel\n1,A\n")
    [record] = read_file(path, format="csv", columns={"Titel": "title"})
    assert isinstance(record, Record)
    assert record.title == "A"
    with pytest.raises(SettingsError, match="unknown format 'cvs'"):
        list(read_file(path, format="cvs"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; was its export or download finished"),
        (b" \n\n", "is empty"),
        (gzip.compress(b"", mtime=0), "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (gzip.compress(RIS, mtime=0)[:12], "compressed data ends early"),
        (b"\x1f\x8b" + b"\xff" * 100, "compressed data is damaged"),
        (bytes(range(256)), "bytes that are not text"),
    ],
)
def test_files_that_cannot_be_read(put: Put, data: bytes, message: str) -> None:
    path = put("a.ris", data)
    with pytest.raises(InputError, match=message) as caught:
        list(read_file(path))
    assert str(caught.value).startswith(path)


def test_paths_that_cannot_be_opened(tmp_path: Path, put: Put) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_file(str(tmp_path / "absent.ris")))
    with pytest.raises(InputError, match="is a folder; name the files in it"):
        list(read_file(str(tmp_path)))
    path = Path(put("secret.ris", RIS))
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        list(read_file(str(path)))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("a.ris", "TY  - JOUR\nID  - {0}\nTI  - {1}\nER  - \n"),
        ("a.jsonl", '{{"id": "{0}", "title": "{1}"}}\n'),
        ("a.bib", "@a{{{0},\n title = {{{1}}}\n}}\n"),
        ("a.csv", '{0},"{1}"\n'),
        ("a.nbib", "PMID- {0}\nTI  - {1}\n\n"),
        ("a.json", '{{"DOI": "{0}", "title": ["{1}"]}}\n'),
    ],
)
def test_a_file_that_was_cut_off(put: Put, name: str, record: str, pack: Callable[[bytes], bytes]) -> None:
    titles = [os.urandom(20).hex() for _ in range(10_000)]
    text = "".join(record.format(number, title) for number, title in enumerate(titles, 10_000))
    packed = pack(("id,title\n" if name == "a.csv" else "").encode() + text.encode())
    items = list(read_file(put(name, packed[: len(packed) // 2])))
    letter = items[-1]
    assert isinstance(letter, DeadLetter)
    assert letter.reason.startswith("compressed data ends early")
    assert letter.position == f"after record {len(items) - 1}"
    read = [item.title for item in items if isinstance(item, Record)]
    assert 1000 < len(read) < 10_000
    assert read == titles[: len(read)]
    assert len(items) - len(read) <= 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ris", 'TY  - JOUR\nTI  - {title}\n{authors}ER  - \n'),
        ("bib", "@a{{k, title = {{{title}}}, author = {{{authors}}}}}"),
        ("csv", 'title,authors\n"{title}","{authors}"\n'),
        ("nbib", "PMID- 1\nTI  - {title}\n{authors}"),
        ("jsonl", '{{"title": "{title}", "authors": {authors}}}\n'),
        ("json", '{{"DOI": "1", "title": ["{title}"], "author": {authors}}}'),
    ],
)  # fmt: skip
def test_records_of_great_size(put: Put, name: str, text: str) -> None:
    title = "word é " * 300_000
    names = [f"Family{number}, Given" for number in range(10_000)]
    authors = {
        "ris": "".join(f"AU  - {name}\n" for name in names),
        "nbib": "".join(f"FAU - {name}\n" for name in names),
        "bib": " and ".join(names),
        "csv": "; ".join(names),
        "jsonl": json.dumps(names),
        "json": json.dumps([{"family": name} for name in names]),
    }[name]
    [record] = read_file(put(f"a.{name}", text.format(title=title, authors=authors).encode()))
    assert isinstance(record, Record)
    assert record.title.strip() == title.strip()
    assert record.authors == tuple(names)


@pytest.mark.parametrize(
    ("name", "count", "dead"),
    [
        ("articles.ris", 4, 0),
        ("articles.bib", 3, 2),
        ("scopus.csv", 2, 0),
        ("pubmed.csv", 1, 0),
        ("pubmed.nbib", 3, 0),
        ("crossref-page.json", 2, 0),
        ("records.jsonl", 3, 2),
    ],
)
def test_the_samples(name: str, count: int, dead: int) -> None:
    items = list(read_file(str(DATA / name)))
    assert sum(isinstance(item, DeadLetter) for item in items) == dead
    assert len(items) == count + dead
    assert all(item.id for item in items if isinstance(item, Record))


@pytest.mark.parametrize(
    ("name", "begin", "count"),
    [
        ("bibtex/zotero.bib", rb"^@\w+\{", 1000),
        ("csv/zotero.csv", rb'^"[A-Z0-9]{8}",', 1233),
        ("ris/lens-343.ris", rb"^ER  -", 343),
        ("ris/psycinfo-124.ris", rb"^ER  -", 124),
        ("ris/pubmed-46.ris", rb"^ER  -", 46),
        ("ris/scopus.ris", rb"^ER  -", 10),
        ("ris/wos.ris", rb"^ER  -", 50),
        ("ris/zotero.ris", rb"^ER  -", 1000),
    ],
)
def test_real_exports(name: str, begin: bytes, count: int) -> None:
    path = SHARED / "formats" / name
    if not path.exists():
        pytest.skip(f"the shared data is not here: set BIBFOLD_DATA to the folder that holds formats/{name}")
    assert len(re.findall(begin, path.read_bytes(), re.MULTILINE)) == count
    items = list(read_file(str(path)))
    assert len(items) == count
    records = [item for item in items if isinstance(item, Record)]
    assert len(records) == count
    assert sum(bool(record.title and record.type) for record in records) >= count - 1
    assert len({record.key for record in records}) == count
