"""What the engines on servers have in common: documents on the wire, batches of them, and hits put in order."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import floor, log10
from typing import Any

import msgspec
import numpy as np

from bibfold.engines.base import FIELDS, FILLER, SCORE_DIGITS, Change, Document, Hit, Put, Terms, rounded
from bibfold.errors import WriteRejected
from bibfold.records.native import decode, encode

BATCH = 1_000
"""So many changes are sent at once."""


class ServerHit(msgspec.Struct, frozen=True, gc=False):
    """A hit as a server gives it: its score already that of the contract, its record not yet read."""

    score: float
    id: str
    record: str


def fields(document: Document) -> dict[str, Any]:
    """What a server stores of a document."""
    stored: dict[str, Any] = {"id": document.id}
    for field in FIELDS:
        stored[field] = document.terms.get(field) or (FILLER,)
    stored["record"] = encode(document.record).decode()
    return stored


def document(stored: Mapping[str, Any]) -> Document:
    """The document that `fields` made."""
    terms: Terms = {field: stored[field] for field in FIELDS if stored[field] != [FILLER]}
    return Document(stored["id"], terms, decode(stored["record"]))


def batches(changes: Iterable[Change]) -> Iterator[tuple[int, dict[str, Document | None]]]:
    """How many changes, and for each id what is to become of it in the end: a document, or None."""
    taken, last = 0, dict[str, Document | None]()
    for change in changes:
        if isinstance(change, Put):
            last[change.document.id] = change.document
        else:
            last[change.id] = None
        taken += 1
        if taken == BATCH:
            yield taken, last
            taken, last = 0, {}
    if taken:
        yield taken, last


def write_batches(
    changes: Iterable[Change], write: Callable[[Mapping[str, Document | None]], Mapping[str, str]]
) -> int:
    """Hand all changes to `write`, a batch at a time, which tells why it refused documents; how many were taken."""
    taken, refused = 0, dict[str, str]()
    for number, last in batches(changes):
        failures = write(last)
        refused.update(failures)
        taken += number - len(failures)
    if refused:
        raise WriteRejected(refused)
    return taken


def unencodable(texts: Iterable[str]) -> str | None:
    """Why texts cannot be sent, if one of them holds half a surrogate pair."""
    try:
        for text in texts:
            text.encode()
    except UnicodeEncodeError as error:
        return f"not Unicode text: {error}"
    return None


def request_size(limit: int) -> int:
    """How many hits to ask for: those that tie at the cut are mostly among them, else a second question tells."""
    return limit + max(limit // 2, 3)


def tied_score(best: Sequence[ServerHit], limit: int) -> float | None:
    """The score that hits tie with at the cut, if there may be more of them than were asked for."""
    if len(best) < request_size(limit):
        return None
    cut = best[limit - 1].score
    return cut if best[-1].score == cut else None


def lowest_score(score: float, factor: float) -> float:
    """The smallest 32-bit score of a server that counts as this one; the server's are larger by `factor`."""
    unit = 10.0 ** (floor(log10(score)) + 1 - SCORE_DIGITS)
    low = np.float32((score - 0.51 * unit) * factor)
    while rounded(float(low) / factor) < score:
        low = np.nextafter(low, np.float32(np.inf))
    return float(low)


def ordered_hits(best: Sequence[ServerHit], tied: Sequence[ServerHit], limit: int) -> list[Hit]:
    """The first hits by score and id; `tied`, where the cut is torn, are the first by id of those at the cut."""
    if tied:
        cut = best[limit - 1].score
        best = [*(hit for hit in best if hit.score > cut), *(hit for hit in tied if hit.score == cut)]
    ordered = sorted(best, key=lambda hit: (-hit.score, hit.id))
    return [Hit(hit.id, hit.score, decode(hit.record)) for hit in ordered[:limit]]
