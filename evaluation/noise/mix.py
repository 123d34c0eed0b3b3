"""Every kind of noise and near miss, and how often each occurs in real duplicates."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from bibfold.errors import InputError
from bibfold.records.model import Record
from bibfold.records.prepare import prepare
from evaluation.noise import imprint, names, near_misses, spelling

Noise = Callable[[Record, Random], Record | None]
"""A record changed; None where there is nothing to change."""

KINDS: Final[Mapping[str, Noise]] = {
    "accents": names.accents,
    "initials": names.initials,
    "name-order": names.name_order,
    "fewer-authors": names.fewer_authors,
    "no-authors": names.no_authors,
    "subtitle": spelling.subtitle,
    "truncated": spelling.truncated,
    "reworded": spelling.reworded,
    "typo": spelling.typo,
    "ocr": spelling.ocr,
    "case": spelling.case,
    "punctuation": spelling.punctuation,
    "markup": spelling.markup,
    "no-year": imprint.no_year,
    "year-off-by-one": imprint.year_off_by_one,
    "no-publication": imprint.no_publication,
    "abbreviated": imprint.abbreviated,
    "no-volume": imprint.no_volume,
    "no-pages": imprint.no_pages,
    "page-format": imprint.page_format,
    "no-abstract": imprint.no_abstract,
}
"""The kinds of noise, in the order in which they are applied."""

Mix = Mapping[str, float]
"""The probability of each kind where it applies; a kind that is not named does not occur."""

MIX: Final[Mix] = {
    "typo": 0.03,
    "ocr": 0.01,
    "truncated": 0.04,
    "subtitle": 0.02,
    "reworded": 0.08,
    "case": 0.24,
    "punctuation": 0.08,
    "markup": 0.01,
    "accents": 0.30,
    "initials": 0.14,
    "name-order": 0.05,
    "fewer-authors": 0.09,
    "no-authors": 0.01,
    "no-year": 0.10,
    "year-off-by-one": 0.02,
    "no-publication": 0.03,
    "abbreviated": 0.44,
    "no-volume": 0.02,
    "no-pages": 0.05,
    "page-format": 0.11,
    "no-abstract": 0.20,
}
"""The mean over six public sets of the share of known duplicates that differ in each way; see docs/evaluation.md.

`accents`, `subtitle`, `name-order` and `no-abstract` are set higher: a share here is of the records to which the kind
applies, and few records of those sets have accents, subtitles or abstracts, or come from sources that write names in
two orders. Scanning errors (`ocr`) cannot be told from typing errors there, and are assumed to be rarer.
"""

NEAR_MISSES: Final[Mapping[str, Noise]] = {
    "next-part": near_misses.next_part,
    "next-edition": near_misses.next_edition,
    "reply": near_misses.reply,
    "erratum": near_misses.erratum,
    "next-work": near_misses.next_work,
}


def read_mix(path: Path) -> Mix:
    """The mix in a JSON file: shares by kind, or what `bibfold evaluate differences --json` prints."""
    try:
        data = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
        mix = msgspec.convert(data.get("shares", data), dict[str, float])
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: is no mix of noise, a JSON object of shares by kind: {error}") from error
    for kind, share in mix.items():
        if kind not in KINDS or not 0 <= share <= 1:
            raise InputError(f"{path}: {kind}: {share} is not a share from 0 to 1 of a kind: {', '.join(KINDS)}")
    return mix


def add_noise(record: Record, mix: Mix, rng: Random) -> tuple[Record, tuple[str, ...]]:
    """A noisy copy of a record and its kinds of noise: each by its probability, at least one where any applies."""
    applied: list[str] = []
    for kind in KINDS:
        if rng.random() < mix.get(kind, 0.0) and (noisy := _apply(kind, record, rng)):
            record = noisy
            applied.append(kind)
    if not applied:
        likely = [kind for kind in KINDS if mix.get(kind)]
        for kind in sorted(likely, key=lambda kind: rng.random() ** (1 / mix[kind]), reverse=True):
            if noisy := _apply(kind, record, rng):
                return noisy, (kind,)
    return record, tuple(applied)


def _apply(kind: str, record: Record, rng: Random) -> Record | None:
    """The record with one more kind of noise; None if that changes nothing or would make it a different work."""
    noisy = KINDS[kind](record, rng)
    return noisy if noisy and noisy != record and _same_work(record, noisy) else None


def _same_work(record: Record, noisy: Record) -> bool:
    """Whether a changed title still names the same work: neither is empty, and numerals and notices are equal."""
    if (noisy.title, noisy.subtitle) == (record.title, record.subtitle):
        return True
    before, after = prepare(record), prepare(noisy)
    return bool(before.title and after.title) and (before.numerals, before.notice) == (after.numerals, after.notice)
