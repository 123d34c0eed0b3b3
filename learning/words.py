"""How rare the words of titles are, as a profile holds it."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from bibfold.records.prepare import Prepared

STEPS: Final = 20
"""Into so many steps, from the most common to the rarest, words are put."""

LEAST: Final = 20
"""Words of fewer titles than these are as rare as can be."""


def rare_words(collections: Iterable[Sequence[Prepared]], least: int = LEAST) -> tuple[str, ...]:
    """The words of titles by how rare they are, in steps; a word of few titles stands in none."""
    titles: Counter[str] = Counter()
    size = 0
    for records in collections:
        titles.update(word for record in records for word in set(record.title.split()))
        size += len(records)
    steps: list[list[str]] = [[] for _ in range(STEPS)]
    rarest = math.log(max(size, 2) / least)
    for word, count in sorted(titles.items()):
        if count >= least:
            steps[min(int(math.log(size / count) / rarest * STEPS), STEPS - 1)].append(word)
    return tuple(" ".join(words) for words in steps)
