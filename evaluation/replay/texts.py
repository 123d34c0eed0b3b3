"""The terminal output of the commands that measure whole runs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.pairs import Pair
from evaluation.replay.distinct import WrongCluster
from evaluation.replay.misses import CAUSES, Miss, worst_first
from evaluation.replay.run_comparison import PairChanges, RunComparison
from evaluation.tables import table

SHOWN = 10
"""How many pairs or clusters are shown on a terminal."""

Row = tuple[Any, ...]
MEASURES = ("", "precision", "recall", "F1", "95 % of F1")


def measure_rows(figures: Mapping[str, Any]) -> list[Row]:
    """Precision, recall and F1 by pairs and, for a whole truth, by clusters."""
    rows = [_measure("pairs", figures)]
    if by_lookup := figures.get("by_lookup"):
        rows.append(_measure("pairs by lookup", by_lookup))
    if clusters := figures.get("clusters"):
        rows.append(_measure("pairs after closure", clusters["pairwise"]))
        rows.append(_measure("B-cubed", clusters["b_cubed"]))
    return rows


def pair_rows(figures: Mapping[str, Any]) -> list[Row]:
    """The pairs of the truth, those never compared and those not found again, by class."""
    named = {"pairs": "known", "skipped": "skipped: never compared", "not_found_again": "skipped: not found again"}
    return [
        (text, *(_with_share(figures, name, which) for which in ("same", "different"))) for name, text in named.items()
    ]


def count_rows(figures: Mapping[str, Any]) -> list[Row]:
    """All other figures of a replay, with captions."""
    rows: list[Row] = [
        ("records", figures["records"]),
        ("canonical records", figures["canonical"]),
        ("pairs unsure, not merged", figures["unsure"]),
        ("ids per cluster", figures["ids_per_cluster"]),
        ("clusters per id", figures["clusters_per_id"]),
    ]
    if clusters := figures.get("clusters"):
        rows += _cluster_rows(clusters)
    odd = {
        "unknown_records": "unknown records, their pairs left out",
        "contradicted_by_others": "pairs called different that others chain together",
        "dead_letters": "dead letters",
    }
    return rows + [(text, figures[name]) for name, text in odd.items() if figures[name]]


def _cluster_rows(clusters: Mapping[str, Any]) -> list[Row]:
    removed = clusters["removal"]
    return [
        ("merge distance, steps", clusters["merge_distance"]["steps"]),
        ("merge distance, pairs", clusters["merge_distance"]["by_pairs"]),
        ("duplicates removed (sensitivity)", removed["sensitivity"]),
        ("works kept (specificity)", removed["specificity"]),
        ("works lost", removed["false_positives"]),
        ("duplicates left", removed["false_negatives"]),
    ]


def replay_lines(figures: Mapping[str, Any], missed: Sequence[Pair], wrong: Sequence[Pair]) -> Iterator[str]:
    """A replay: measures, pairs, counts and the first errors."""
    yield from table(MEASURES, measure_rows(figures))
    yield ""
    yield from table(("", "same", "different"), pair_rows(figures))
    yield ""
    yield from table(("", ""), count_rows(figures))[1:]
    yield from shown_pairs("missed", missed, figures["false_negatives"])
    yield from shown_pairs("wrong", wrong, figures["false_positives"])


def shown_pairs(label: str, pairs: Sequence[Pair], count: int) -> Iterator[str]:
    """The first pairs of a list, and how many more there are."""
    for a, b in pairs[:SHOWN]:
        yield f"  {label}: {a} ~ {b}"
    if count > SHOWN:
        yield f"  … and {count - SHOWN:,} more {label}"


def score_lines(figures: Mapping[str, Any], missed: Sequence[Pair], wrong: Sequence[Pair]) -> Iterator[str]:
    """A result compared with a truth: measures by pairs, then by clusters or links, and the first errors."""
    yield (
        f"precision {figures['precision']:.4f}  recall {figures['recall']:.4f}  F1 {figures['f1']:.4f}  "
        f"({figures['true_positives']} found, {figures['false_positives']} wrong, {figures['false_negatives']} missed)"
    )
    if "clusters" in figures:
        yield from table(MEASURES, measure_rows(figures))
        yield from table(("", ""), _cluster_rows(figures["clusters"]))[1:]
    if links := figures.get("links"):
        header = ("records", "right", "partly", "wrong", "missed", "in several links")
        rows = [(side, *links[f"{side}_records"].values(), links[f"crowded_{side}"]) for side in ("left", "right")]
        yield from table(header, rows)
    yield from shown_pairs("missed", missed, figures["false_negatives"])
    yield from shown_pairs("wrong", wrong, figures["false_positives"])


def cause_rows(misses: Sequence[Miss]) -> list[Row]:
    """The number of missed pairs by cause, and the fields that lower their scores most."""
    rows = []
    for cause in CAUSES:
        chosen = [miss for miss in misses if miss.cause == cause]
        fields = Counter(miss.field for miss in chosen if miss.field).most_common(3)
        share = f"{len(chosen) / len(misses):.1%}" if misses else None
        rows.append((cause, len(chosen), share, ", ".join(f"{field} {count}" for field, count in fields)))
    return rows


def noise_rows(misses: Sequence[Miss]) -> list[Row]:
    """The number of missed pairs by kind of noise and cause, the most frequent kind first."""
    counts = Counter((kind, miss.cause) for miss in misses for kind in miss.noise)
    kinds = Counter(kind for miss in misses for kind in miss.noise)
    return [(kind, count, *(counts[kind, cause] for cause in CAUSES)) for kind, count in kinds.most_common()]


NOISE_HEADER = ("noise", "pairs", *CAUSES)
CAUSE_HEADER = ("cause", "pairs", "share", "the field that costs most")


def misses_lines(misses: Sequence[Miss]) -> Iterator[str]:
    """Missed pairs: counts by cause, and for each cause those that score highest."""
    yield from table(CAUSE_HEADER, cause_rows(misses))
    if noise := noise_rows(misses):
        yield ""
        yield from table(NOISE_HEADER, noise)
    for cause in CAUSES:
        chosen = worst_first(miss for miss in misses if miss.cause == cause)
        for miss in chosen[:SHOWN]:
            found = f"{miss.comparison.decision} {miss.comparison.score:.3f}"
            yield f"  {cause}: {miss.a} ~ {miss.b}  {found}; {miss.detail}"
        if len(chosen) > SHOWN:
            yield f"  … and {len(chosen) - SHOWN:,} more {cause}"


def itself_lines(figures: Mapping[str, Any], worst: Sequence[WrongCluster]) -> Iterator[str]:
    """A fold of distinct records: how many were wrongly merged, and the largest clusters."""
    yield (
        f"{figures['records']:,} distinct records became {figures['canonical']:,} works: "
        f"{figures['wrongly_merged']:,} wrongly merged ({figures['share_wrongly_merged']:.2%}), "
        f"{figures['unsure']:,} pairs unsure"
    )
    for merge in worst:
        yield f"  {merge.cluster}, {len(merge.others) + 1} records: {merge.founder.key} {merge.founder.title[:80]}"
        for record, comparison in merge.others[:3]:
            yield f"    {record.key} {record.title[:80]}  {comparison.decision} {comparison.score:.3f}"


def compared_lines(found: RunComparison) -> Iterator[str]:
    """Two runs: settings and figures that changed, and pairs that changed sides."""
    if not found.figures and not found.settings:
        yield "nothing changed"
    if found.settings:
        yield from table(
            ("setting", "before", "after"), [(name, *map(_text, values)) for name, *values in found.settings]
        )
        yield ""
    if found.figures:
        yield from table(("figure", "before", "after", "change"), [(*row, _change(*row[1:])) for row in found.figures])
        yield ""
    yield from _paired_lines("true pairs", found.found, ("found now", "lost now"))
    yield from _paired_lines("wrong pairs", found.wrong, ("gone now", "new now"))


def _paired_lines(label: str, found: PairChanges, words: tuple[str, str]) -> Iterator[str]:
    better, worse = words
    chance = f"by chance with p = {found.p:.3g}, counted by works {found.p_by_works:.3g}"
    yield f"{label}: {len(found.better):,} {better}, {len(found.worse):,} {worse}; {chance}"
    yield from shown_pairs(better, found.better, len(found.better))
    yield from shown_pairs(worse, found.worse, len(found.worse))


def _measure(name: str, figures: Mapping[str, Any]) -> Row:
    low, high = figures.get("intervals", {}).get("f1", (None, None))
    interval = "" if low is None else f"{low:.4f} to {high:.4f}"
    return (name, *(figures[share] for share in ("precision", "recall", "f1")), interval)


def _with_share(figures: Mapping[str, Any], name: str, which: str) -> str:
    count, every = figures[name][which], figures["pairs"][which]
    if count is None:
        return "all others" if name == "pairs" else "not counted"
    return f"{count:,}" if name == "pairs" or not every else f"{count:,} ({count / every:.2%})"


def _change(before: Any, after: Any) -> str:
    if isinstance(before, int | float) and isinstance(after, int | float):
        change = after - before
        return f"{change:+.4f}" if isinstance(change, float) else f"{change:+,}"
    return ""


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
