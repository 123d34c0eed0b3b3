"""Matches the records of one source to those of another."""

import csv
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from bibfold.catalogue.rows import other_name
from bibfold.engines.base import Document, Put
from bibfold.outputs import Output, as_output, output_folder
from bibfold.records.formats.files import identified
from bibfold.records.model import DeadLetter, Deletion, Item, Record
from bibfold.workspace import Layers, Workspace, ensure_index, throw_away
from ingest.batches import units
from ingest.observer import Pair
from ingest.results import PAIR_HEADER, pair_row, peak_memory_mb, write_letter, write_summary
from lookup.evidence import Comparison, Evidence
from lookup.matcher import matcher_of

BATCH = 10_000

AUTHORS_AGREE = 0.8
"""From this score on the authors of two records are held to be the same."""

OVERLAP = 0.25
"""Sources overlap where so much of the smaller one is linked without a doubt."""


FILES = ("links.csv", "dead-letters.jsonl", "summary.json")


class Linked(msgspec.Struct, frozen=True):
    """What a link run found."""

    left: int
    right: int
    links: int
    unsure: int
    dead_letters: int
    seconds: float
    peak_memory_mb: int


Stream = Iterable[Item]


def link(left: Stream, right: Stream, out: Path | Output, layers: Layers = (), *, one_to_one: bool = True) -> Linked:
    """Match two sources and write `links.csv`, `dead-letters.jsonl` and `summary.json`."""
    started = time.monotonic()
    letters: list[DeadLetter] = []
    with output_folder(as_output(out, "bibfold link"), FILES) as folder:
        with throw_away(layers) as workspace:
            ours = _records(left, letters)
            theirs = _records(right, letters)
            smaller = min(len(ours), len(theirs))
            links = assigned(compared(workspace, ours, theirs), one_to_one=one_to_one, smaller=smaller)
        same = sum(pair.comparison.decision == "same" for pair in links)
        summary = Linked(
            left=len(ours),
            right=len(theirs),
            links=same,
            unsure=len(links) - same,
            dead_letters=len(letters),
            seconds=round(time.monotonic() - started, 3),
            peak_memory_mb=peak_memory_mb(),
        )
        _write(folder, links, letters)
        write_summary(folder, summary)
    return summary


def _write(folder: Path, links: Sequence[Pair], letters: Sequence[DeadLetter]) -> None:
    with (folder / "links.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(PAIR_HEADER)
        rows.writerows(pair_row(pair) for pair in links)
    with (folder / "dead-letters.jsonl").open("wb") as file_of_letters:
        for letter in letters:
            write_letter(letter, file_of_letters)


def compared(workspace: Workspace, left: Sequence[Record], right: Sequence[Record]) -> list[Pair]:
    """Every pair of a left and a right record that is `same` or `unsure`."""
    matcher = matcher_of(workspace.settings)
    index = ensure_index(workspace)
    ours = [matcher.key(record) for record in left]
    rows = matcher.add(keyed.prepared for keyed in ours)
    documents = [Document(str(place), keyed.terms, keyed.record) for place, keyed in enumerate(ours)]
    for document, row in zip(documents, rows.tolist(), strict=True):
        matcher.remember(document.id, document.record, row)
    workspace.engine.write(index, map(Put, documents))
    workspace.engine.commit(index)
    pairs: list[Pair] = []
    for start in range(0, len(right), BATCH):
        theirs = [matcher.key(record) for record in right[start : start + BATCH]]
        owners, hits = matcher.candidates(workspace.engine, index, theirs)
        other_rows = matcher.add(keyed.prepared for keyed in theirs)
        compared = matcher.compare(matcher.add_hits(hits), other_rows[owners])
        for pair, at in enumerate(compared.kept.tolist()):
            keys = hits[at].record.key, theirs[owners[at]].record.key
            pairs.append(Pair(*keys, compared.comparison(pair)))
    return pairs


def assigned(pairs: Sequence[Pair], *, one_to_one: bool, smaller: int = 0) -> list[Pair]:
    """The best assignment of the `same` pairs, then of the `unsure` ones among what is left.

    One to one, no record stands in two links and the scores' sum is the greatest; one to many, a left record
    may have many right ones, each of which goes to the left record that it is most like. `smaller` is the size
    of the smaller source: where it overlaps the other, pairs may be settled by exclusion.
    """
    chosen: list[Pair] = []
    if one_to_one and smaller and _sure(pairs) >= OVERLAP * smaller:
        pairs = exclusive(pairs)
    for decision in ("same", "unsure"):
        taken_a = {pair.a for pair in chosen} if one_to_one else set()
        taken_b = {pair.b for pair in chosen}
        left = [
            pair
            for pair in pairs
            if pair.comparison.decision == decision and pair.a not in taken_a and pair.b not in taken_b
        ]
        chosen.extend(_one_to_one(left) if one_to_one else _best_for_right(left))
    return chosen


def exclusive(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, where an unsure one is the same if its authors agree and neither record has another candidate.

    A retitled work looks like its authors' next one; but where each record has one partner in the other source,
    and nothing else there comes near, that is the partner. A veto or a caution is not overruled.
    """
    lefts = Counter(pair.a for pair in pairs)
    rights = Counter(pair.b for pair in pairs)
    return [
        msgspec.structs.replace(pair, comparison=_settled(pair.comparison))
        if pair.comparison.decision == "unsure"
        and not pair.comparison.vetoes
        and lefts[pair.a] == rights[pair.b] == 1
        and _authors_agree(pair.comparison)
        else pair
        for pair in pairs
    ]


def _sure(pairs: Sequence[Pair]) -> int:
    """How many left records are the same as some right one."""
    return len({pair.a for pair in pairs if pair.comparison.decision == "same"})


def _authors_agree(comparison: Comparison) -> bool:
    return any(found.field == "authors" and found.score >= AUTHORS_AGREE for found in comparison.evidence)


def _settled(comparison: Comparison) -> Comparison:
    reason = Evidence("candidates", 1.0, 0.0, "each is the other's only candidate")
    return msgspec.structs.replace(comparison, decision="same", evidence=(*comparison.evidence, reason))


def _best_for_right(pairs: Sequence[Pair]) -> list[Pair]:
    best: dict[str, Pair] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.comparison.precedence, -pair.comparison.score, pair.a)):
        best.setdefault(pair.b, pair)
    return list(best.values())


def _one_to_one(pairs: Sequence[Pair]) -> list[Pair]:
    """The assignment with the greatest sum of scores, found part by part of the graph."""
    if not pairs:
        return []
    lefts = {key: at for at, key in enumerate(dict.fromkeys(pair.a for pair in pairs))}
    rights = {key: at for at, key in enumerate(dict.fromkeys(pair.b for pair in pairs), start=len(lefts))}
    size = len(lefts) + len(rights)
    rows = [lefts[pair.a] for pair in pairs]
    columns = [rights[pair.b] for pair in pairs]
    graph = coo_array((np.ones(len(pairs)), (rows, columns)), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    parts: dict[int, list[Pair]] = {}
    for pair in pairs:
        parts.setdefault(int(labels[lefts[pair.a]]), []).append(pair)
    return [pair for part in parts.values() for pair in (_assign(part) if len(part) > 1 else part)]


def _assign(part: Sequence[Pair]) -> list[Pair]:
    from scipy.optimize import linear_sum_assignment  # takes longer to load than to link a few records

    lefts = {key: at for at, key in enumerate(dict.fromkeys(pair.a for pair in part))}
    rights = {key: at for at, key in enumerate(dict.fromkeys(pair.b for pair in part))}
    placed = {(lefts[pair.a], rights[pair.b]): pair for pair in part}
    scores = np.zeros((len(lefts), len(rights)))
    for place, pair in placed.items():
        scores[place] = pair.comparison.precedence + pair.comparison.score
    rows, columns = linear_sum_assignment(scores, maximize=True)
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    return [placed[place] for place in chosen if place in placed]


def _records(stream: Stream, letters: list[DeadLetter]) -> list[Record]:
    """The records of a stream, but for those that it deletes after it gave them."""
    records: list[Record] = []
    for unit in units(stream):
        for item in identified(unit.items, labelled=unit.file is not None):
            if isinstance(item, DeadLetter):
                letters.append(item)
            elif isinstance(item, Deletion):
                records = [record for record in records if item.key not in (record.key, other_name(record))]
            else:
                records.append(item)
    return records
