"""Bad input, as it comes: each a clear message, nothing lost, no traceback."""

import errno
import gzip
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bibfold.catalogue import schema, store
from bibfold.catalogue.sqlite import DATABASE
from bibfold.records.model import Record

Make = Callable[..., Record]
Write = Callable[..., str]
Run = Callable[..., Any]


def listed(out: Path) -> list[str]:
    """The lines of a run's clusters.csv, without the header."""
    return (out / "clusters.csv").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; was its export or download finished?"),
        (b" \n\n \t\n", "is empty; was its export or download finished?"),
        (gzip.compress(b"", mtime=0), "is empty; was its export or download finished?"),
        (random.Random(1).randbytes(5_000), "of no known format"),
        (b"\x00" * 5_000, "of no known format"),
        (b"%PDF-1.7 ...", "is a PDF file: export the references themselves"),
        (b"PK\x03\x04" + bytes(100), "is a ZIP archive or an office document"),
        (b"<!DOCTYPE html><html><body>Please log in</body></html>", "is an HTML page"),
        (b"Dear colleague,\nplease find attached\n", "of no known format; if you know it, name it with --format"),
    ],
)
def test_what_holds_no_records_is_told(
    bibfold: Run, write: Write, make: Make, tmp_path: Path, kept: Path, content: bytes, message: str
) -> None:
    good, bad = write("good.jsonl", make("1"), make("2", 1)), write("bad.dat", content)
    for words in ([bad], [good, bad, "--strict"]):
        ran = bibfold("dedupe", *words, "--out", tmp_path / "out")
        assert ran.status == 1
        assert ran.err.startswith(f"Error: {bad}: ")
        assert message in ran.err
        assert list((tmp_path / "out").iterdir()) == []
    ran = bibfold("dedupe", bad, good, "--out", tmp_path / "out")
    assert (ran.status, len(listed(tmp_path / "out"))) == (3, 2)
    ran = bibfold("ingest", bad, good, "-c", kept)
    assert ran.status == 3
    assert ran.err.startswith(f"note: {bad}, whole file: ")
    assert message in ran.err
    (counted,) = bibfold("stats", "-c", kept, "--json").json()
    assert (counted["records"], counted["dead_letters"]) == (2, 1)
    assert bibfold("check", "-c", kept).status == 0


def test_a_wrong_ending_does_not_matter(bibfold: Run, write: Write, tmp_path: Path) -> None:
    file = write("export.bib", b"TY  - JOUR\nTI  - Folding duplicate records\nER  - \n")
    assert bibfold("dedupe", file, "--out", tmp_path / "out").status == 0
    assert len(listed(tmp_path / "out")) == 1


def test_a_truncated_gzip_file_gives_what_it_has_and_says_so(
    bibfold: Run, write: Write, make: Make, tmp_path: Path
) -> None:
    lines = b"".join(b'{"source": "x", "id": "%d", "title": "Title %d of %d"}\n' % (n, n, n * 7) for n in range(2_000))
    whole = gzip.compress(lines)
    file = write("cut.jsonl.gz", whole[: len(whole) // 2])
    ran = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert ran.status == 3
    assert "compressed data ends early: the file was cut off; fetch or copy it again" in ran.err
    assert 500 < len(listed(tmp_path / "out")) < 2_000


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_byte_order_mark_is_no_part_of_the_data(bibfold: Run, write: Write, tmp_path: Path, mark: bytes) -> None:
    files = [
        write("a.jsonl", mark + b'{"source": "x", "id": "1", "title": "T"}\n'),
        write("b.ris", mark + b"TY  - JOUR\nID  - 2\nTI  - U\nER  - \n"),
        write("c.csv", mark + b"id,title\n3,V\n"),
    ]
    assert bibfold("dedupe", *files, "--out", tmp_path / "out").status == 0
    assert listed(tmp_path / "out") == ["c1,x,1", "c2,b,2", "c3,c,3"]


def test_latin_1_in_a_utf_8_file_is_read(bibfold: Run, write: Write, tmp_path: Path) -> None:
    lines = ['{"source": "x", "id": "1", "title": "Über"}\n', '{"source": "x", "id": "2", "title": "Größe"}\n']
    file = write("a.jsonl", lines[0].encode(), lines[1].encode("latin-1"))
    assert bibfold("dedupe", file, "--out", tmp_path / "out").status == 0
    text = (tmp_path / "out" / "canonical.jsonl").read_text(encoding="utf-8")
    assert "Über" in text
    assert "Größe" in text


def test_a_title_of_50_megabytes_is_kept_and_told(bibfold: Run, write: Write, tmp_path: Path) -> None:
    title = "Lorem ipsum " + "x" * 50_000_000
    file = write(
        "a.jsonl", b'{"source": "x", "id": "1", "title": "%s"}\n' % title.encode(), b'{"id": "2", "title": "T"}\n'
    )
    refused = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert refused.status == 3
    assert "line 1: larger than 16 MB, the largest size of a record (setting largest_record)" in refused.err
    ran = bibfold("dedupe", file, "--out", tmp_path / "out", "--largest-record", "60")
    assert ran.status == 0
    assert "x:1: the title has 50000012 letters; was a whole text read as one?" in ran.err
    assert len(listed(tmp_path / "out")) == 2
    assert (tmp_path / "out" / "canonical.jsonl").stat().st_size > 50_000_000


def test_two_whole_books_taken_for_titles_are_compared_by_their_beginning(
    bibfold: Run, write: Write, make: Make, tmp_path: Path
) -> None:
    words = [f"word{at}" for at in range(500_000)]
    file = write("a.jsonl", make("1", title=" ".join(words)), make("2", title=" ".join([*words, "end"])))
    assert bibfold("dedupe", file, "--out", tmp_path / "out").status == 0
    assert listed(tmp_path / "out") == ["c1,x,1", "c1,x,2"]


def test_ten_thousand_authors(bibfold: Run, write: Write, make: Make, tmp_path: Path, kept: Path) -> None:
    authors = tuple(f"Family{at}, Given" for at in range(10_000))
    file = write("a.jsonl", make("1", authors=authors), make("2", authors=authors[1:]), make("3", authors=authors[:3]))
    assert bibfold("dedupe", file, "--out", tmp_path / "out").status == 0
    assert listed(tmp_path / "out") == ["c1,x,1", "c1,x,2", "c1,x,3"]
    assert bibfold("ingest", file, "-c", kept).status == 0
    (shown,) = bibfold("show", "c1", "-c", kept, "--json").json()
    assert len(shown["records"][0]["authors"]) == 10_000


def test_a_year_of_20022_is_kept_and_told(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    file = write("a.jsonl", make("1", year=20022), make("2"))
    ran = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert ran.status == 0
    assert "note: x:1: the year 20022 is not plausible; it is kept but not compared" in ran.err
    assert len(listed(tmp_path / "out")) == 2


def test_two_records_of_one_name_are_both_kept_and_told(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    ran = bibfold("dedupe", write("a.jsonl", make("1"), make("1", 1)), "--out", tmp_path / "out")
    assert ran.status == 0
    assert "note: x:1 stands twice in this input with different content; the later one is kept as x:1~2" in ran.err
    assert listed(tmp_path / "out") == ["c1,x,1", "c2,x,1~2"]


def test_odd_names_and_texts_survive(bibfold: Run, write: Write, make: Make, tmp_path: Path, kept: Path) -> None:
    odd = ['a"b,c\nd', "ü:~2", " ", "c1", "'; DROP TABLE records; --", "\u200b", "💥"]
    file = write("a.jsonl", *(make(id, at % 6, source=id, title=f"T {id} \x00 {at}") for at, id in enumerate(odd)))
    assert bibfold("dedupe", file, "--out", tmp_path / "out").status == 0
    assert bibfold("ingest", file, "-c", kept).status == 0
    (counted,) = bibfold("stats", "-c", kept, "--json").json()
    assert counted["records"] == len(odd)
    assert bibfold("ingest", file, "-c", kept, "--json").json()[0]["unchanged"] == len(odd)
    assert bibfold("check", "-c", kept).status == 0


def test_lone_surrogates_are_told_or_kept(bibfold: Run, write: Write, make: Make, tmp_path: Path) -> None:
    file = write("a.jsonl", b'{"id": "1", "title": "a \\ud800 b"}\n', make("2"))
    ran = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert ran.status in (0, 3)
    assert "Traceback" not in ran.err
    assert len(listed(tmp_path / "out")) + ran.err.count("note:") == 2


def test_a_catalogue_of_a_newer_schema(bibfold: Run, write: Write, make: Make, kept: Path) -> None:
    file = write("a.jsonl", make("1"))
    bibfold("ingest", file, "-c", kept)
    with store.open_catalogue(kept, write=True) as catalogue, catalogue.writing() as writing:
        writing.execute(update(schema.meta).where(schema.meta.c.name == "schema").values(value="99"))
    before = (kept / DATABASE).read_bytes()
    for words in (["stats"], ["ingest", file], ["lookup", file], ["reindex"], ["export"]):
        ran = bibfold(*words, "-c", kept)
        assert ran.status == 1
        assert (
            f"{kept} has schema 99, this bibfold knows {schema.SCHEMA_VERSION}: it was made by a later version"
            in ran.err
        )
    assert (kept / DATABASE).read_bytes() == before


def test_a_locked_catalogue_is_told_to_writers_while_readers_go_on(
    bibfold: Run, write: Write, make: Make, kept: Path
) -> None:
    file = write("a.jsonl", make("1"), make("2", 1))
    bibfold("ingest", file, "-c", kept)
    code = """
import pathlib, sys
from bibfold.catalogue import store
with store.open_catalogue(pathlib.Path(sys.argv[1]), write=True) as catalogue, catalogue.writing() as write:
    write.begin_run("ingest")
    print("holding", flush=True)
    sys.stdin.read()
"""
    command = [sys.executable, "-c", code, str(kept)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"holding\n"
        for words in (
            ["ingest", file],
            ["merge", "c1", "c2"],
            ["split", "c1", "x:1"],
            ["decide", "x:1", "x:2", "same"],
            ["reindex", "--languages", "de"],
            ["check", "--repair"],
        ):
            ran = bibfold(*words, "-c", kept)
            assert ran.status == 1
            assert f"{kept} is being written by another process (pid {holder.pid}); wait for it to end" in ran.err
        for words in (["stats"], ["lookup", file], ["show", "c1"], ["export"], ["events"], ["check"], ["engines"]):
            ran = bibfold(*words, "-c", kept)
            assert (ran.status, ran.err) == (0, "")
        holder.communicate()
    assert bibfold("ingest", file, "-c", kept).status == 0


@pytest.mark.parametrize("place", ["/proc/self/x", "/dev/null/x"])
def test_a_place_where_nothing_can_be_made(bibfold: Run, write: Write, make: Make, place: str) -> None:
    file = write("a.jsonl", make("1"))
    ran = bibfold("ingest", file, "-c", place)
    assert ran.status == 1
    assert f"{place} cannot be used: " in ran.err
    ran = bibfold("dedupe", file, "--out", place)
    assert ran.status == 1
    assert f"{place} cannot be written: " in ran.err


def test_a_disk_that_fills_up_is_told_and_the_earlier_export_is_kept(
    bibfold: Run, write: Write, make: Make, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Iterator[bytes]:
        yield b"{}"
        raise OSError(errno.ENOSPC, "No space left on device")

    bibfold("ingest", write("a.jsonl", make("1")), "-c", kept)
    out = tmp_path / "export.jsonl"
    assert bibfold("export", "-c", kept, "--out", out).status == 0
    before = out.read_bytes()
    monkeypatch.setattr("bibfold.catalogue.export_file.canonical_lines", full)
    ran = bibfold("export", "-c", kept, "--out", out)
    assert ran.status == 1
    assert f"{out} cannot be written: No space left on device; name another place" in ran.err
    assert out.read_bytes() == before
    assert not list(tmp_path.glob(".unfinished-*"))


def test_an_export_goes_through_a_link_and_into_a_pipe(
    bibfold: Run, write: Write, make: Make, kept: Path, tmp_path: Path
) -> None:
    bibfold("ingest", write("a.jsonl", make("1")), "-c", kept)
    link, target, pipe = tmp_path / "link", tmp_path / "target", tmp_path / "pipe"
    link.symlink_to(target)
    assert bibfold("export", "-c", kept, "--out", link).status == 0
    assert link.is_symlink()
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert bibfold("export", "-c", kept, "--out", pipe).status == 0
        assert reader.communicate()[0] == target.read_bytes()
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("numbers.jsonl", '{"title": "A fine title", "year": NUMBER}\n{"title": "Another title"}\n'),
        (
            "numbers.json",
            '[{"DOI": "10.1/1", "title": ["T"], "volume": NUMBER}, {"DOI": "10.1/2", "title": ["U"]}]',
        ),
    ],
)
def test_a_number_of_thousands_of_digits_costs_its_own_record_only(
    bibfold: Run, tmp_path: Path, name: str, text: str
) -> None:
    file = tmp_path / name
    file.write_text(text.replace("NUMBER", "9" * 5_000))
    done = bibfold("dedupe", file, "--out", tmp_path / "out")
    assert done.status == 3
    assert len(listed(tmp_path / "out")) == 1
    assert "1 dead letters" in done.out
