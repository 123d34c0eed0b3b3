"""The named metrics: the paper's own, exactly as it gives them, and bibfold's default."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bibfold.errors import SettingsError
from lookup.profile import Part, Profile
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

MENDELEY: Final = Profile(
    name="mendeley",
    title="Hammerton et al.: (21 T + 7 P + 2 Y) / 30, T and P the words shared, what is missing scores 0",
    parts=(
        Part("title", "titles.words_shared", 21, missing=0.0),
        Part("publication", "publications.words_shared", 7, missing=0.0),
        Part("year", "years.near", 2, missing=0.0),
    ),
    same=0.5,
    unsure=0.5,
)

MENDELEY_TITLE: Final = Profile(
    name="mendeley-title",
    title="Hammerton et al.: the words that the titles share, alone",
    parts=(Part("title", "titles.words_shared", 1, missing=0.0),),
    same=0.3,
    unsure=0.3,
)

MENDELEY_LEVENSHTEIN: Final = Profile(
    name="mendeley-levenshtein",
    title="Hammerton et al.: (21 T + 7 P + 2 Y) / 30, T and P by edit distance in characters",
    parts=(
        Part("title", "titles.letters", 21, missing=0.0),
        Part("publication", "publications.letters", 7, missing=0.0),
        Part("year", "years.near", 2, missing=0.0),
    ),
    same=0.6,
    unsure=0.6,
)

MENDELEY_AUTHORS: Final = Profile(
    name="mendeley-authors",
    title="Hammerton et al.: (21 T + 7 P + 2 Y + 10 A) / 40, A the words that the authors' names share",
    parts=(
        Part("title", "titles.words_shared", 21, missing=0.0),
        Part("publication", "publications.words_shared", 7, missing=0.0),
        Part("year", "years.near", 2, missing=0.0),
        Part("authors", "people.strings", 10, missing=0.0),
    ),
    same=0.5,
    unsure=0.5,
)

MENDELEY_CITATION: Final = Profile(
    name="mendeley-citation",
    title="Hammerton et al.: edit distance in words of title, sorted authors, publication and year",
    parts=(Part("citation", "citations.words", 1, missing=0.0),),
    same=0.5,
    unsure=0.5,
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
