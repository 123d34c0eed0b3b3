"""The named metrics: bibfold's default, and those of the Mendeley paper.

Formulas, weights, text form and the order of the two steps are the paper's. So is the threshold of `mendeley`; those
of its alternatives are where the paper finds its best F1. Where the paper is silent is said beside each;
docs/papers/mendeley.md has the whole.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bibfold.errors import SettingsError
from lookup.profile import Part, Profile, Proof
from lookup.profile_file import from_text, named_as

BIBFOLD: Final = Profile(
    name="bibfold",
    title="Missing-aware mean of title, authors, publication, year, volume, issue and pages, with vetoes",
    parts=(
        Part("title", "titles.similar", 14),
        Part("authors", "people.similar", 6),
        Part("publication", "publications.similar", 3),
        Part("year", "years.close", 8),
        Part("volume", "numbering.volume", 2),
        Part("issue", "numbering.issue", 0.5),
        Part("pages", "numbering.pages", 3),
        Part("identifier", "identifiers.shared", 10),
    ),
    same=0.76,
    unsure=0.60,
    vetoes=("identifiers_differ", "numerals_differ", "notice_differs"),
    cautions=(
        "untitled",
        "title_alone",
        "short_title",
        "recurring",
        "elsewhere",
        "another_edition",
    ),
    searched=("title", "also"),
)

BIBFOLD_1: Final = named_as("bibfold-1", (Path(__file__).parent / "data" / "bibfold.json").read_text(encoding="utf-8"))
"""Learnt trees, made by `make profile`: to be the default once they are as quick as the weighed mean."""

FILE: Final = Proof(("filehash",))
IDENTIFIERS: Final = ("arxiv", "doi", "isbn", "lccn", "oclc", "pmcid", "pmid")


def _mendeley(name: str, title: str, parts: tuple[Part, ...], same: float) -> Profile:
    """One of the paper's profiles: a file that is there already makes a record the same, an identifier from a
    threshold on that is higher than the metric's own; the paper does not say by how much, here it is 0.1.
    """
    identifier = Proof(IDENTIFIERS, round(same + 0.1, 2))
    title = f"Hammerton et al.: {title}"
    return Profile(name, title, parts, same=same, unsure=same, proofs=(FILE, identifier))


def _part(field: str, comparator: str, weight: float) -> Part:
    return Part(field, comparator, weight, missing=0.0, text="cleaned")


_YEAR: Final = Part("year", "years.near", 2, missing=0.0)

MENDELEY: Final = _mendeley(
    "mendeley",
    "(21 T + 7 P + 2 Y) / 30, T and P the words shared, what is missing scores 0",
    (_part("title", "titles.words_shared", 21), _part("publication", "publications.words_shared", 7), _YEAR),
    same=0.4,  # section 2, step 2c
)

MENDELEY_TITLE: Final = _mendeley(
    "mendeley-title",
    "the words that the titles share, alone",
    (_part("title", "titles.words_shared", 1),),
    same=0.3,  # the best of table 7
)

MENDELEY_LEVENSHTEIN: Final = _mendeley(
    "mendeley-levenshtein",
    "(21 T + 7 P + 2 Y) / 30, T and P by edit distance in characters",
    (_part("title", "titles.letters", 21), _part("publication", "publications.letters", 7), _YEAR),
    same=0.6,  # the best of table 21 on the arXiv data
)

MENDELEY_AUTHORS: Final = _mendeley(
    "mendeley-authors",
    "(21 T + 7 P + 2 Y + 10 A) / 40, A the words that the author strings share",
    (*MENDELEY.parts, _part("authors", "people.strings", 10)),
    same=0.5,  # the best of table 21 on the arXiv data
)

MENDELEY_CITATION: Final = _mendeley(
    "mendeley-citation",
    "edit distance in words of title, sorted authors, publication and year; its threshold is ours",
    (_part("citation", "citations.words", 1),),
    same=0.5,  # the paper gives none
)

PROFILES: Final[Mapping[str, Profile]] = {
    profile.name: profile
    for profile in (
        BIBFOLD,
        MENDELEY,
        MENDELEY_TITLE,
        MENDELEY_LEVENSHTEIN,
        MENDELEY_AUTHORS,
        MENDELEY_CITATION,
    )
}


def profile_named(name: str) -> Profile:
    """The profile of this name, or the one that is given as the text of a profile file."""
    if name.startswith("{"):
        return from_text(name)
    if name == BIBFOLD_1.name:
        return BIBFOLD_1
    try:
        return PROFILES[name]
    except KeyError:
        raise SettingsError(
            f"profile {name!r}: no such profile; choose one of {', '.join(PROFILES)}, or a file such as ./mine.json"
        ) from None
