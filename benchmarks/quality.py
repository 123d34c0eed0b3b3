"""Prints the quality of the real commands on the public data sets, and what the candidates hold."""

import subprocess
import sys

from evaluation.benchmark.sets import find

COMMAND = [sys.executable, "-m", "bibfold.cli", "evaluate"]


def main() -> None:
    """Every set that is there, and the recall of the candidates on one that ships."""
    _run("benchmark")
    if folder := find("dblp-acm"):
        print("\nCandidates, dblp-acm", flush=True)
        _run("retrieval", str(folder / "records.jsonl.gz"), str(folder / "gold.csv.gz"), "--retriever", "bigrams")


def _run(*words: str) -> None:
    subprocess.run([*COMMAND, *words], check=True)


if __name__ == "__main__":
    main()
