"""Charikar's 64-bit fingerprints of titles, and the keys by which near ones are found without a scan."""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

BITS = 64
MAX_DISTANCE = 3
"""Titles whose fingerprints differ in at most this many bits are candidates of each other."""


def fingerprint(words: Iterable[str], stopwords: frozenset[str]) -> int:
    """The simhash of the character bigrams and trigrams within the title's keywords (all words if none)."""
    words = list(words)
    keywords = [word for word in words if word not in stopwords] or words
    signs = [gram for word in keywords for gram in _grams(word)]
    if not signs:
        return 0
    total = np.sum(signs, axis=0, dtype=np.int32)
    return int.from_bytes(np.packbits(total > 0).tobytes(), "big")


def distance(one: int, other: int) -> int:
    """How many bits differ."""
    return (one ^ other).bit_count()


def blocks(value: int) -> list[str]:
    """Four keys of 16 bits: fingerprints that differ in at most three bits share one of them."""
    return [f"{place}:{(value >> (16 * place)) & 0xFFFF:04x}" for place in range(4)]


def blocks_value(keys: Iterable[str]) -> int:
    """The fingerprint that four block keys make up."""
    return sum(int(key[2:], 16) << (16 * int(key[0])) for key in keys)


@lru_cache(maxsize=1 << 16)
def _grams(word: str) -> tuple[npt.NDArray[np.int8], ...]:
    grams = [word[at : at + size] for size in (2, 3) for at in range(len(word) - size + 1)] or [word]
    return tuple(_signs(gram) for gram in grams)


@lru_cache(maxsize=1 << 17)
def _signs(gram: str) -> npt.NDArray[np.int8]:
    """The 64-bit hash of a gram as +1 and -1."""
    digest = blake2b(gram.encode(), digest_size=BITS // 8).digest()
    return np.unpackbits(np.frombuffer(digest, dtype=np.uint8)).astype(np.int8) * 2 - 1
