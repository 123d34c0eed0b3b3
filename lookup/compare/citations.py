"""Two records compared as whole citations, word by word."""

from rapidfuzz.distance import Levenshtein

from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


def words(ours: Prepared, theirs: Prepared) -> Finding | None:
    """One minus the edit distance, in words, of title, sorted authors, publication and year over the maximum."""
    mine, yours = _words(ours), _words(theirs)
    if not mine or not yours:
        return None
    apart = Levenshtein.distance(mine, yours)
    longest = max(len(mine), len(yours))
    return Finding(1 - apart / longest, f"citation: {apart} of {longest} words differ")


def _words(record: Prepared) -> list[str]:
    authors = sorted(f"{family} {given}" for family, given in record.people)
    year = "" if record.year is None else str(record.year)
    return " ".join((record.title, *authors, record.publication, year)).split()
