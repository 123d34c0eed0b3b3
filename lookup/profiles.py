"""The named metrics: the paper's own, exactly as it gives them, and bibfold's default."""

from collections.abc import Mapping
from typing import Final

from bibfold.errors import SettingsError
from lookup import cautions, vetoes
from lookup.compare import citations, identifiers, numbers, people, publications, titles, years
from lookup.evidence import Profile, Weighted

BIBFOLD: Final = Profile(
    name="bibfold",
    title="Missing-aware mean of title, authors, publication, year, volume, issue and pages, with vetoes",
    parts=(
        Weighted("title", titles.similar, 14),
        Weighted("authors", people.similar, 6),
        Weighted("publication", publications.similar, 3),
        Weighted("year", years.close, 8),
        Weighted("volume", numbers.volume, 2),
        Weighted("issue", numbers.issue, 0.5),
        Weighted("pages", numbers.pages, 3),
        Weighted("identifier", identifiers.shared, 10),
    ),
    same=0.76,
    unsure=0.60,
    vetoes=(vetoes.identifiers_differ, vetoes.numerals_differ, vetoes.notice_differs),
    cautions=(
        cautions.untitled,
        cautions.title_alone,
        cautions.short_title,
        cautions.recurring,
        cautions.elsewhere,
        cautions.another_edition,
    ),
    searched=("title", "also"),
)

MENDELEY: Final = Profile(
    name="mendeley",
    title="Hammerton et al.: (21 T + 7 P + 2 Y) / 30, T and P the words shared, what is missing scores 0",
    parts=(
        Weighted("title", titles.words_shared, 21),
        Weighted("publication", publications.words_shared, 7),
        Weighted("year", years.near, 2),
    ),
    same=0.5,
    unsure=0.5,
    missing_is_zero=True,
)

MENDELEY_TITLE: Final = Profile(
    name="mendeley-title",
    title="Hammerton et al.: the words that the titles share, alone",
    parts=(Weighted("title", titles.words_shared, 1),),
    same=0.3,
    unsure=0.3,
    missing_is_zero=True,
)

MENDELEY_LEVENSHTEIN: Final = Profile(
    name="mendeley-levenshtein",
    title="Hammerton et al.: (21 T + 7 P + 2 Y) / 30, T and P by edit distance in characters",
    parts=(
        Weighted("title", titles.letters, 21),
        Weighted("publication", publications.letters, 7),
        Weighted("year", years.near, 2),
    ),
    same=0.6,
    unsure=0.6,
    missing_is_zero=True,
)

MENDELEY_AUTHORS: Final = Profile(
    name="mendeley-authors",
    title="Hammerton et al.: (21 T + 7 P + 2 Y + 10 A) / 40, A the words that the authors' names share",
    parts=(
        Weighted("title", titles.words_shared, 21),
        Weighted("publication", publications.words_shared, 7),
        Weighted("year", years.near, 2),
        Weighted("authors", people.strings, 10),
    ),
    same=0.5,
    unsure=0.5,
    missing_is_zero=True,
)

MENDELEY_CITATION: Final = Profile(
    name="mendeley-citation",
    title="Hammerton et al.: edit distance in words of title, sorted authors, publication and year",
    parts=(Weighted("citation", citations.words, 1),),
    same=0.5,
    unsure=0.5,
    missing_is_zero=True,
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


def profile(name: str) -> Profile:
    """The profile of this name."""
    try:
        return PROFILES[name]
    except KeyError:
        raise SettingsError(f"profile {name!r}: no such profile; choose one of {', '.join(PROFILES)}") from None
