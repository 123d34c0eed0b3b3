"""Writes what commands print into the pages, between the marks that name them: `make figures`.

The commands of a page run in order in a temporary folder in which `evaluation/data` is that of the source tree, so that
one may use what another wrote. An argument, a regular expression, runs only the commands that match it.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
PAGES = ("evaluation.md",)
MARK = re.compile(
    r"<!-- run: bibfold (?P<silent>[^\n]*?) -->|<!-- begin: bibfold (?P<shown>[^\n]*?) -->\n.*?<!-- end -->", re.DOTALL
)
"""A command whose output is not shown, and one with its output."""

MARKDOWN = ("|", "**")
"""How output begins that is markdown already; other output becomes a code block."""


def filled(text: str, only: str = "") -> str:
    """A page with the current output of its commands; `only` is a regular expression that selects commands."""
    with TemporaryDirectory(prefix="bibfold-") as folder:
        (Path(folder) / "evaluation").symlink_to((HERE.parent / "evaluation").resolve())

        def block(mark: re.Match[str]) -> str:
            words = mark["silent"] or mark["shown"]
            if not re.search(only, words):
                return mark[0]
            printed = _run(words, folder)
            return marked(words, printed) if mark["shown"] else mark[0]

        return MARK.sub(block, text)


def marked(words: str, printed: str) -> str:
    """What a command printed, between its marks; below the command, unless it is markdown."""
    printed = printed.strip("\n")
    block = printed if printed.startswith(MARKDOWN) else f"```\n$ bibfold {words}\n{printed}\n```"
    return f"<!-- begin: bibfold {words} -->\n{block}\n<!-- end -->"


def _run(words: str, folder: str) -> str:
    command = [sys.executable, "-m", "bibfold.cli", *shlex.split(words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=folder).stdout


if __name__ == "__main__":
    for name in PAGES:
        page = HERE / name
        page.write_text(filled(page.read_text(encoding="utf-8"), *sys.argv[1:2]), encoding="utf-8")
