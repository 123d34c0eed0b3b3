"""Rules out hopeless pairs in bulk: bounds on the score from whole columns, long before any comparator runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist
from scipy.sparse import csr_array

from bibfold.records.prepare import Prepared
from lookup import vetoes
from lookup.compare import identifiers, numbers, people, publications, titles, years
from lookup.evidence import Comparator, Profile, VetoRule

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

_CHUNK = 100_000
_LEEWAY = 1e-9
"""So that rounding never rejects what a comparator would just accept."""


def screen(ours: Sequence[Prepared], theirs: Sequence[Prepared], profile: Profile) -> Flags:
    """For each pair (ours[i], theirs[i]), whether it may reach `unsure`; never False for one that does."""
    chunks = [
        _screen(_paired(ours[start : start + _CHUNK], theirs[start : start + _CHUNK]), profile)
        for start in range(0, len(ours), _CHUNK)
    ]
    return np.concatenate(chunks) if chunks else np.zeros(0, np.bool_)


class Pairs(msgspec.Struct, frozen=True):
    """Each record once, and the places of every pair's two."""

    records: Sequence[Prepared]
    left: Places
    right: Places


class Bound(msgspec.Struct, frozen=True):
    """The best score that each pair may have, and the share that goes with it: 0 where a side is missing."""

    score: Floats
    share: Floats


def _paired(ours: Sequence[Prepared], theirs: Sequence[Prepared]) -> Pairs:
    found = {id(record): record for record in (*ours, *theirs)}
    places = {key: place for place, key in enumerate(found)}
    left = np.array([places[id(record)] for record in ours], np.intp)
    right = np.array([places[id(record)] for record in theirs], np.intp)
    return Pairs(list(found.values()), left, right)


def _screen(pairs: Pairs, profile: Profile) -> Flags:
    promising = np.ones(len(pairs.left), np.bool_)
    for rule in profile.vetoes:
        if rule in REFUSALS:
            promising &= ~REFUSALS[rule](pairs)
    if promising.any():
        promising[promising] = _may_reach(_only(pairs, promising), profile)
    return promising


def _only(pairs: Pairs, wanted: Flags) -> Pairs:
    used, places = np.unique(np.concatenate((pairs.left[wanted], pairs.right[wanted])), return_inverse=True)
    left, right = np.split(places, 2)
    return Pairs([pairs.records[place] for place in used], left, right)


def _may_reach(pairs: Pairs, profile: Profile) -> Flags:
    known = np.zeros(len(pairs.left))
    reached = np.zeros(len(pairs.left))
    for part in profile.parts:
        bound = BOUNDS.get(part.comparator, _anything)(pairs)
        reached += part.weight * bound.share * bound.score
        known += part.weight * (1.0 if profile.missing_is_zero else bound.share)
    return np.asarray((reached >= profile.unsure * known - _LEEWAY) & (known > 0))


def _anything(pairs: Pairs) -> Bound:
    """Nothing is known before the comparator runs."""
    full = np.ones(len(pairs.left))
    return Bound(full, full)


def _if_present(field: str) -> Callable[[Pairs], Bound]:
    """Nothing is known but whether both records have the field."""

    def bound(pairs: Pairs) -> Bound:
        has = np.array([bool(getattr(record, field)) for record in pairs.records], np.float64)
        both = has[pairs.left] * has[pairs.right]
        return Bound(both, both)

    return bound


def _titles_similar(pairs: Pairs) -> Bound:
    """Exact for titles that have little in common; anything is possible for the others."""
    texts = [record.title for record in pairs.records]
    weights, kin = _overlap(pairs, [text.split() for text in texts], _weight_in_title)
    words = np.array([text.count(" ") for text in texts])
    shorter = np.minimum(words[pairs.left], words[pairs.right]) + 1
    score = kin / np.maximum(weights[pairs.left] + weights[pairs.right] - kin, 1)
    small_only = (weights == 0) & (words >= 0)
    bare = _codes([text.replace(" ", "") for text in texts])
    unbounded = (score >= titles.KINDRED - _LEEWAY) | (bare[pairs.left] == bare[pairs.right])
    unbounded |= small_only[pairs.left] | small_only[pairs.right] | _main_title_alone(pairs)
    share = 0.7 + (np.minimum(1, shorter / titles.LONG) - 0.7) * score * score
    present = _both(bare, pairs)
    return Bound(np.where(unbounded, 1.0, score) * present, np.where(unbounded, 1.0, share) * present)


def _main_title_alone(pairs: Pairs) -> Flags:
    """Where one title is the other's without the subtitle."""
    codes = _codes(text for record in pairs.records for text in (record.title, record.head))
    title, head = codes[::2], codes[1::2]
    return np.asarray(
        ((title[pairs.left] == head[pairs.right]) & (head[pairs.right] > 0))
        | ((head[pairs.left] == title[pairs.right]) & (head[pairs.left] > 0))
    )


def _titles_shared(pairs: Pairs) -> Bound:
    texts = [record.title for record in pairs.records]
    weights, shared = _overlap(pairs, [text.split() for text in texts], lambda _: 1)
    every = weights[pairs.left] + weights[pairs.right] - shared
    present = ((weights[pairs.left] > 0) & (weights[pairs.right] > 0)).astype(float)
    return Bound(shared / np.maximum(every, 1), present)


def _titles_letters(pairs: Pairs) -> Bound:
    ours = [pairs.records[place].title for place in pairs.left]
    theirs = [pairs.records[place].title for place in pairs.right]
    score = cpdist(ours, theirs, scorer=Levenshtein.normalized_similarity, dtype=np.float64, workers=-1)
    return Bound(score, _both(_codes([record.title for record in pairs.records]), pairs))


def _years(pairs: Pairs) -> tuple[Floats, Floats]:
    """How far apart the years are, and whether both are known."""
    year = np.array([record.year or 0 for record in pairs.records], np.float64)
    ours, theirs = year[pairs.left], year[pairs.right]
    return np.abs(ours - theirs), ((ours > 0) & (theirs > 0)).astype(float)


def _years_close(pairs: Pairs) -> Bound:
    apart, present = _years(pairs)
    title = _codes([record.title for record in pairs.records])
    another = (apart > 0) & (title[pairs.left] != title[pairs.right])
    score = np.select([apart == 0, apart == 1], [1.0, 0.3], 0.0)
    return Bound(score, np.where(another, 1.0, 0.5) * present)


def _years_near(pairs: Pairs) -> Bound:
    apart, present = _years(pairs)
    return Bound(1 / (1 + apart / 4), present)


def _if_equal(field: str) -> Callable[[Pairs], Bound]:
    def bound(pairs: Pairs) -> Bound:
        code = _codes([getattr(record, field) for record in pairs.records])
        return Bound((code[pairs.left] == code[pairs.right]).astype(float), _both(code, pairs))

    return bound


def _pages(pairs: Pairs) -> Bound:
    first = _codes([record.first_page for record in pairs.records])
    last = _codes([record.last_page for record in pairs.records])
    half = (last[pairs.left] == last[pairs.right]) & (last[pairs.left] > 0)
    score = np.where(first[pairs.left] == first[pairs.right], 1.0, np.where(half, 0.5, 0.0))
    return Bound(score, _both(first, pairs))


def _identifiers_shared(pairs: Pairs) -> Bound:
    named = [[f"{kind}:{value}" for kind, value in record.identifiers] for record in pairs.records]
    common = (_overlap(pairs, named, lambda name: not name.startswith("issn:"))[1] > 0).astype(float)
    return Bound(common, common)


def _identifiers_differ(pairs: Pairs) -> Flags:
    """Where both have one value of a kind that is unique per work, and another; several values are left open."""
    marks = np.array([record.marks for record in pairs.records], np.int64)
    ours, theirs = marks[pairs.left], marks[pairs.right]
    return np.asarray(((ours != theirs) & (ours > 0) & (theirs > 0)).any(axis=1))


def _notice_differs(pairs: Pairs) -> Flags:
    notice = _codes([record.notice for record in pairs.records])
    return np.asarray(notice[pairs.left] != notice[pairs.right])


def _codes(texts: Iterable[str]) -> Places:
    """A number for each text, equal for equal texts, 0 for the empty one."""
    codes = {"": 0}
    return np.array([codes.setdefault(text, len(codes)) for text in texts], np.intp)


def _both(code: Places, pairs: Pairs) -> Floats:
    return ((code[pairs.left] > 0) & (code[pairs.right] > 0)).astype(float)


def _weight_in_title(word: str) -> float:
    return 0 if word in titles.SMALL_WORDS else len(word) + 1


def _overlap(pairs: Pairs, lists: Sequence[Sequence[str]], weigh: Callable[[str], float]) -> tuple[Floats, Floats]:
    """The weight of each record's distinct words, and of those that the two of each pair share."""
    codes: dict[str, int] = {}
    places = [codes.setdefault(word, len(codes)) for words in lists for word in words]
    ends = np.cumsum([0, *map(len, lists)])
    shape = (len(lists), max(len(codes), 1))
    words = csr_array((np.ones(len(places)), np.array(places, np.int32), ends), shape=shape)
    words.sum_duplicates()
    words.data[:] = 1.0
    weight = np.array([*map(weigh, codes), 0.0], np.float64)
    weighed = csr_array((weight[words.indices], words.indices, words.indptr), shape=shape)
    shared = weighed[pairs.left].multiply(words[pairs.right])
    return np.asarray(weighed.sum(axis=1)).ravel(), np.asarray(shared.sum(axis=1)).ravel()


BOUNDS: Final[Mapping[Comparator, Callable[[Pairs], Bound]]] = {
    titles.similar: _titles_similar,
    titles.words_shared: _titles_shared,
    titles.letters: _titles_letters,
    years.close: _years_close,
    years.near: _years_near,
    numbers.volume: _if_equal("volume"),
    numbers.issue: _if_equal("issue"),
    numbers.pages: _pages,
    people.similar: _if_present("people"),
    people.strings: _if_present("people"),
    publications.similar: _if_present("publication"),
    publications.words_shared: _if_present("publication"),
    publications.letters: _if_present("publication"),
    identifiers.shared: _identifiers_shared,
}
"""What is known of a comparator's finding without running it."""

REFUSALS: Final[Mapping[VetoRule, Callable[[Pairs], Flags]]] = {
    vetoes.identifiers_differ: _identifiers_differ,
    vetoes.notice_differs: _notice_differs,
}
"""Pairs that a veto makes `different` for certain."""
