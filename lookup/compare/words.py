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


def take_alike(left: list[str], right: list[str]) -> int:
    """Takes pairs of near spellings ("behaviour", "behavior") out of both lists; how many there were."""
    taken = 0
    for word in left[:]:
        for other in right:
            if alike(word, other):
                left.remove(word)
                right.remove(other)
                taken += 1
                break
    return taken


def alike(one: str, other: str) -> bool:
    """Whether two words differ by a spelling: one edit or swap in five letters, the first letter equal."""
    if one[0] != other[0] or len(one) < 4 or len(other) < 4:
        return False
    most = max(len(one), len(other)) // 5
    return most > 0 and OSA.distance(one, other, score_cutoff=most) <= most
