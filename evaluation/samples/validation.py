"""Checks whether records that share an identifier are one work, as the paper checks users' documents."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from rapidfuzz.distance import Levenshtein

from bibfold.records.identifiers import PROPOSING
from bibfold.records.model import Record
from bibfold.records.prepare import Prepared, prepare
from bibfold.text import stopwords
from lookup.generic import ALIKE, alike, leaders

MOST_COMPARED = 200
"""Only so many of the most frequent signatures are considered as the reference."""


class Signed(Protocol):
    """A record with a folded title, a signature and the identifiers that it carries."""

    @property
    def key(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def signature(self) -> str: ...
    @property
    def names(self) -> Sequence[str]: ...


class Verdict(NamedTuple):
    """Whether a member is accepted as a version of its work, and how like its reference it is, in which text."""

    accepted: bool
    similarity: float
    text: str
    reference: str


def keywords(title: str) -> list[str]:
    """The words of a folded title without the stopwords; all of them where it has no others."""
    words = title.split()
    return [word for word in words if word not in stopwords("en")] or words


def signature(record: Prepared) -> str:
    """The title's keywords and the last word of the first author's family name."""
    family = record.people[0][0].split()[-1:] if record.people and record.people[0][0] else []
    return " ".join([*keywords(record.title), *family])


def source_signatures(sources: Iterable[Record]) -> dict[str, str]:
    """The signature of the source's own record for each identifier (`arxiv:2001.00001`)."""
    found: dict[str, str] = {}
    for record in sources:
        prepared = prepare(record)
        for kind, value in prepared.identifiers:
            if kind in PROPOSING:
                found.setdefault(f"{kind}:{value}", signature(prepared))
    return found


def by_source(group: Sequence[Signed], signatures: Mapping[str, str], least: float = ALIKE) -> list[Verdict]:
    """Which members have a signature like that of the source's record with an identifier of theirs, as in the paper.

    A member whose identifiers the source does not have is not accepted.
    """
    verdicts = []
    for member in group:
        text = member.signature if member.title else ""
        references = [signatures[name] for name in member.names if name in signatures]
        verdicts.append(max((_verdict(text, reference, least) for reference in references), default=_no_verdict(text)))
    return verdicts


def by_signature(group: Sequence[Signed], least: float = ALIKE) -> list[Verdict]:
    """Which members have a signature like the group's reference; a member without a title has none.

    Where the source's own records are not given, the reference is the medoid, the signature nearest to all others: a
    wrong or empty record is far from most others, while the most complete record may be far from all.
    """
    signatures = [member.signature if member.title else "" for member in group]
    middle = _medoid(Counter(text for text in signatures if text))
    return [_verdict(text, middle, least) for text in signatures]


def by_majority(group: Sequence[Signed], least: float = ALIKE) -> list[Verdict]:
    """Which members have the title of the group's majority, as the paper does for files.

    The first title is grouped with all that are like it, then the first of the rest, and so on. If the largest of these
    groups is no majority, no member is kept.
    """
    titles = [member.title for member in group]
    firsts = leaders(titles, least=least)
    led = [next(leader for leader in firsts if alike(title, leader, least)) for title in titles]
    largest, size = Counter(led).most_common(1)[0]
    kept = [2 * size > len(group) and leader == largest and bool(leader) for leader in led]
    return [_verdict(title, largest, least)._replace(accepted=good) for title, good in zip(titles, kept, strict=True)]


def _verdict(text: str, reference: str, least: float) -> Verdict:
    good = bool(text) and alike(text, reference, least)
    return Verdict(good, Levenshtein.normalized_similarity(text, reference) if text else 0.0, text, reference)


def _no_verdict(text: str) -> Verdict:
    return Verdict(False, 0.0, text, "")


def _medoid(counted: Counter[str]) -> str:
    common = counted.most_common(MOST_COMPARED)
    if len(common) < 3:
        return common[0][0] if common else ""
    return max(
        (text for text, _ in common),
        key=lambda text: sum(Levenshtein.normalized_similarity(text, second) * times for second, times in common),
    )
