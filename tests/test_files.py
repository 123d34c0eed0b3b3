"""Files are written whole or not at all, under a name that nobody can prepare, with the rights that fit their place."""

import os
import stat
from pathlib import Path

import pytest

from bibfold.files import replaced, replaced_text, replaced_together, share


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"before")
    with replaced(path) as file:
        file.write(b"after")
        assert path.read_bytes() == b"before"
    assert path.read_bytes() == b"after"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_what_was_there_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    (tmp_path / "a").write_bytes(b"before")

    def fail(path: Path) -> None:
        with replaced(path) as file:
            file.write(b"half")
            raise error

    def fail_together(folder: Path) -> None:
        with replaced_together(folder) as unfinished:
            (unfinished / "a").write_bytes(b"half")
            raise error

    with pytest.raises(error):
        fail(tmp_path / "a")
    with pytest.raises(error):
        fail_together(tmp_path)
    assert (tmp_path / "a").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_link_at_a_temporary_name_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr("bibfold.files.token_hex", lambda _: "guessed")
    (tmp_path / ".unfinished-guessed").symlink_to(victim)
    with pytest.raises(FileExistsError), replaced(tmp_path / "a"):
        pass
    with pytest.raises(FileExistsError), replaced_together(tmp_path):
        pass
    assert victim.read_bytes() == b"precious"
    assert (tmp_path / ".unfinished-guessed").is_symlink()


def test_temporary_names_differ_each_time(tmp_path: Path) -> None:
    with replaced(tmp_path / "a"), replaced(tmp_path / "a"), replaced_together(tmp_path):
        assert len(set(tmp_path.iterdir())) == 3


def test_text_keeps_its_line_ends(tmp_path: Path) -> None:
    with replaced_text(tmp_path / "a", errors="backslashreplace") as file:
        file.write("ü\r\n\n\ud800")
    assert (tmp_path / "a").read_bytes() == "ü\r\n\n\\ud800".encode()


def test_new_files_follow_the_umask_and_replaced_ones_keep_their_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replaced(tmp_path / "new"), replaced_together(tmp_path) as folder:
            (folder / "other").touch()
        (tmp_path / "new").chmod(0o664)
        (tmp_path / "other").chmod(0o600)
        with replaced(tmp_path / "fresh"), replaced(tmp_path / "new"), replaced_together(tmp_path) as folder:
            (folder / "other").touch()
    finally:
        os.umask(before)
    assert [mode(tmp_path / name) for name in ("fresh", "new", "other")] == [0o640, 0o664, 0o600]


def test_files_of_a_shared_folder_are_shared(tmp_path: Path) -> None:
    (tmp_path / "file").touch(0o600)
    (tmp_path / "folder").mkdir(0o700)
    tmp_path.chmod(0o2775)
    share(tmp_path / "file")
    share(tmp_path / "folder")
    share(tmp_path / "absent")
    assert (mode(tmp_path / "file"), mode(tmp_path / "folder")) == (0o664, 0o2775)
    tmp_path.chmod(0o700)
    share(tmp_path / "file")
    assert mode(tmp_path / "file") == 0o600
