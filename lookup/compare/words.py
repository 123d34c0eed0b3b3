"""Sets of words compared: the ground of several comparators."""

from rapidfuzz.distance import OSA

from lookup.evidence import Finding


def jaccard(field: str, ours: str, theirs: str) -> Finding | None:
    """The share of all words of two folded texts that both hold; None where one is empty."""
    if not ours or not theirs:
        return None
    mine, yours = set(ours.split()), set(theirs.split())
    shared = len(mine & yours)
    every = len(mine) + len(yours) - shared
    return Finding(shared / every, f"{field}: {shared} of {every} words shared")


def take_alike(left: list[str], right: list[str]) -> None:
    """Takes pairs of near spellings ("behaviour", "behavior") out of both lists."""
    for word in left[:]:
        for other in right:
            if word[0] == other[0] and alike(word, other):
                left.remove(word)
                right.remove(other)
                break


def alike(one: str, other: str) -> bool:
    """Whether two words differ by a spelling: one edit or swap in five letters."""
    longer = max(len(one), len(other))
    most = longer // 5
    if not most or longer - min(len(one), len(other)) > most:
        return False
    return OSA.distance(one, other, score_cutoff=most) <= most
