"""Writes what commands print into docs/evaluation.md, between the marks that name them: `make figures`."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PLACE = re.compile(r"<!-- begin: bibfold (.*?) -->\n.*?<!-- end -->", re.DOTALL)
MARKDOWN = ("|", "**")
"""How a text begins that is markdown already; others are set as they are."""


def filled(text: str, only: str = "") -> str:
    """A page with what its commands print now; `only` leaves those alone that do not hold this word."""

    def printed(place: re.Match[str]) -> str:
        return marked(place[1], _run(place[1])) if only in place[1] else place[0]

    return PLACE.sub(printed, text)


def marked(words: str, printed: str) -> str:
    """What a command printed, between its marks."""
    printed = printed.strip("\n")
    block = printed if printed.startswith(MARKDOWN) else f"```\n{printed}\n```"
    return f"<!-- begin: bibfold {words} -->\n{block}\n<!-- end -->"


def _run(words: str) -> str:
    command = [sys.executable, "-m", "bibfold.cli", *shlex.split(words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=HERE.parent).stdout


if __name__ == "__main__":
    page = HERE / "evaluation.md"
    page.write_text(filled(page.read_text(encoding="utf-8"), *sys.argv[1:2]), encoding="utf-8")
