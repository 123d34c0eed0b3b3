"""The paper's tables, one by one: its figures, and how ours are made for one seed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from evaluation.paper.deduplication import (
    DedupeResult,
    canonical,
    deduplicated,
    imported,
    paper_settings,
    valid_documents,
)
from evaluation.paper.figures import Column, Kind, Layout, Rows
from evaluation.paper.published import (
    BEST,
    DISTRIBUTIONS,
    IMPORTED,
    RANKS,
    RESULTS,
    SWEEPS,
    TITLES,
    WITHIN_BITS,
    Values,
)
from evaluation.paper.stand_ins import Role, StandIn, title_counts
from evaluation.paper.study import GRID, Study, label_pairs, scored, swept, truth_from
from evaluation.samples.sample import Method
from evaluation.samples.windows import TITLE_WINDOW, title_pairs
from evaluation.sweeps.distributions import LABELS, distribution, percentages
from evaluation.sweeps.labelled_pairs import LabelledPairs
from evaluation.sweeps.sweep import Sweep
from evaluation.truth import Truth

METRICS: Final = {
    "mendeley": "default",
    "mendeley-citation": "citation string",
    "mendeley-title": "title",
    "mendeley-levenshtein": "char levenshtein",
    "mendeley-authors": "default + authors",
}
"""What the paper calls its metrics."""

_ROLES: Final[Mapping[Role, str]] = {"arxiv": "arXiv", "filehash": "filehash"}
CLASSES: Final = {"same": "duplicates", "different": "non-duplicates"}

Made = tuple[Rows, str]
"""The figures of one seed, and what they were made from."""


class Table(msgspec.Struct, frozen=True):
    """A table: its layout, the paper's own figures by row, how ours are made, and the role of the documents."""

    layout: Layout
    published: Mapping[str, Values]
    make: Callable[[Study], Made]
    role: Role = "arxiv"


def _columns(kind: Kind, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, kind) for name in names)


# Distributions: tables 1, 2, 3, 5 and 18


def _distribution(number: int, title: str, pairs_of: Callable[[Study], Mapping[str, LabelledPairs]]) -> Table:
    """Percentages of pairs in the ten ranges of similarity, by metric and class."""
    published = {(metric, kind): values for (of, metric, kind), values in DISTRIBUTIONS.items() if of == number}
    several = len({kind for _, kind in published}) > 1
    names = [f"{METRICS[metric]}, {CLASSES[kind]}" if several else METRICS[metric] for metric, kind in published]
    metrics = list(dict.fromkeys(metric for metric, _ in published))

    def make(study: Study) -> Made:
        rows: dict[str, dict[str, Values]] = {label: {} for label in LABELS}
        pairs = pairs_of(study)
        for name, labelled in pairs.items():
            found = {metric: distribution(scores) for metric, scores in scored(labelled, metrics).items()}
            columns = [percentages(getattr(found[metric], kind)) for metric, kind in published]
            for label, values in zip(LABELS, zip(*columns, strict=True), strict=True):
                rows[label][name] = values
        return rows, "; ".join(f"{name}, {_pair_count(labelled)}" for name, labelled in pairs.items())

    layout = Layout(str(number), title, "similarity", _columns("percent", *names))
    rows = dict(zip(LABELS, zip(*published.values(), strict=True), strict=True))
    return Table(layout, rows, make, "filehash" if number in (5, 18) else "arxiv")


def _pair_count(pairs: LabelledPairs) -> str:
    same = int(pairs.same.sum())
    different = len(pairs.same) - same
    return f"{same:,} duplicates" + (f" and {different:,} non-duplicates" if different else "")


def _sampled(role: Role, method: Method) -> Callable[[Study], Mapping[str, LabelledPairs]]:
    return lambda study: {
        stand_in.name: label_pairs(stand_in.documents, study.truth(stand_in, method))
        for stand_in in study.of_role(role)
    }


# Sweeps: tables 6 to 17 and 21, and section 5.1


def _sweep(number: int, title: str, role: Role, method: Method, metric: str = "mendeley") -> Table:
    def make(study: Study) -> Made:
        rows: dict[str, dict[str, Values]] = {f"{threshold:.1f}": {} for threshold in GRID}
        made_from = []
        for stand_in in study.of_role(role):
            truth = study.truth(stand_in, method)
            for spot in swept(stand_in.documents, truth, metric).spots:
                rows[f"{spot.threshold:.1f}"][stand_in.name] = (spot.precision, spot.recall, spot.f1)
            made_from.append(f"{stand_in.name}, {_truth_count(truth)}")
        return rows, "; ".join(made_from)

    published = {f"{threshold:.1f}": values for threshold, values in zip(GRID, SWEEPS[number], strict=True)}
    layout = Layout(str(number), title, "threshold", _columns("share", "precision", "recall", "F1"))
    return Table(layout, published, make, role)


def _random_sweep(number: int, role: Role, metric: str) -> Table:
    title = f"Best threshold on the “random” {_ROLES[role]} data, {METRICS[metric]} metric"
    return _sweep(number, title, role, "random", metric)


_BEST_COLUMNS: Final = (Column("best F1"), Column("threshold", "threshold"))
_COUNTED: Final = (*_BEST_COLUMNS, *_columns("count", "duplicates", "non-duplicates"))


def _ranks(number: int, title: str, *, count_self: bool) -> Table:
    def make(study: Study) -> Made:
        rows = {}
        for label in RANKS[number]:
            truth = study.by_rank(None if label == "none" else int(label), count_self=count_self)
            rows[label] = {study.arxiv.name: _counted(study.arxiv, truth)}
        return rows, study.arxiv.name

    return Table(Layout(str(number), title, "minimum rank", _COUNTED), RANKS[number], make)


def _within_bits(study: Study) -> Made:
    rows = {}
    for label in WITHIN_BITS:
        near = label.startswith("within")
        window, bits = (500, 3) if near else (TITLE_WINDOW, None)
        pairs = title_pairs(study.arxiv.valid, study.request, window, bits=bits, every=near and "all" in label)
        rows[label] = {study.arxiv.name: _counted(study.arxiv, truth_from(study.arxiv.valid, pairs))}
    return rows, study.arxiv.name


def _counted(stand_in: StandIn, truth: Truth) -> Values:
    """Best F1, its threshold and the numbers of pairs; no F1 where a class is empty."""
    found = _best(swept(stand_in.documents, truth)) if truth.same and truth.different else (None, None)
    return (*found, len(truth.same), len(truth.different))


def _best(found: Sweep) -> tuple[float, float]:
    return found.best.f1, found.best.threshold


def _informative_best(number: int, title: str) -> Table:
    def make(study: Study) -> Made:
        rows: dict[str, dict[str, Values]] = {}
        for role, metric in BEST[number]:
            rows[_best_label(role, metric)] = {
                stand_in.name: _best(swept(stand_in.documents, study.truth(stand_in, "search"), metric))
                for stand_in in study.of_role(role)
            }
        return rows, "; ".join(dict.fromkeys(name for row in rows.values() for name in row))

    published = {_best_label(*key): values for key, values in BEST[number].items()}
    return Table(Layout(str(number), title, "data, metric", _BEST_COLUMNS, wide=False), published, make)


def _best_label(role: Role, metric: str) -> str:
    return f"“informative” {_ROLES[role]}, {METRICS[metric]}"


def _truth_count(truth: Truth) -> str:
    return f"{len(truth.same):,} duplicates and {len(truth.different):,} non-duplicates"


# Deduplication: tables 4, 19 and 20, and the imported documents of section 4.1

_SCORES: Final = _columns("share", "precision", "recall", "F1", "F1 by the fold")
_SKIPPED: Final = _columns("percent", "duplicates skipped", "non-duplicates skipped")


def _scores(found: DedupeResult) -> Values:
    by_fold = found.by_fold.f1 if found.by_fold else None
    return found.by_lookup.precision, found.by_lookup.recall, found.by_lookup.f1, by_fold


def _table_4(study: Study) -> Made:
    stand_in, truth = study.arxiv, study.truth(study.arxiv, "random")
    rows = {}
    for label in RESULTS[4]:
        documents, _, retriever = label.partition(", ")
        layers = [*study.layers, paper_settings(0.4, retriever)]
        if documents == "imported":
            found = imported(stand_in, truth, layers)
        else:
            chosen = stand_in.documents if documents == "raw" else valid_documents(stand_in)
            found = deduplicated(chosen, stand_in.raw, truth, layers)
        ratios = (found.ids_per_cluster, found.clusters_per_id)
        rows[label] = {stand_in.name: (*_scores(found), *ratios, *found.skipped)}
    return rows, f"{stand_in.name}, {len(stand_in.documents):,} documents"


def _informative(number: int, title: str, role: Role) -> Table:
    def make(study: Study) -> Made:
        rows: dict[str, dict[str, Values]] = {label: {} for label in RESULTS[number]}
        for stand_in in study.of_role(role):
            truth, documents = study.truth(stand_in, "search"), valid_documents(stand_in)
            for label, row in rows.items():
                found = deduplicated(documents, stand_in.raw, truth, [*study.layers, _settings(label)])
                share = 100 * found.canonical / found.documents
                row[stand_in.name] = (*_scores(found), share, *found.skipped)
        return rows, "; ".join(f"{found.name}, {len(found.documents):,} documents" for found in study.of_role(role))

    columns = (*_SCORES, Column("canonical", "percent"), *_SKIPPED)
    return Table(Layout(str(number), title, "settings", columns, wide=False), RESULTS[number], make, role)


def _settings(label: str) -> dict[str, Any]:
    """The settings that a row names: `fingerprint, 0.5`, `bigrams 40, 0.6`."""
    found_by, _, threshold = label.partition(", ")
    retriever, _, top_n = found_by.partition(" ")
    return paper_settings(float(threshold), retriever, int(top_n or 10))


def _imported(study: Study) -> Made:
    rows = {}
    for label in IMPORTED:
        documents, works = canonical(study.sources, [*study.layers, _settings(label)])
        rows[label] = {"ours": (documents, works, 100 * (documents - works) / documents)}
    return rows, f"the first {len(study.sources):,} records of the set, without noise"


def _titles(study: Study) -> Made:
    counts = title_counts(study.sources)
    untitled = counts.get("", 0)
    shared = [count for title, count in counts.items() if title and count > 1]
    titles = len(counts) - ("" in counts)
    figures = (len(study.sources), untitled, titles, len(shared), sum(shared), titles / len(shared) if shared else None)
    return {"arXiv": {"ours": figures}}, "the same records"


_TITLE_COLUMNS: Final = (
    "documents",
    "without a title",
    "different titles",
    "titles shared",
    "documents that share one",
    "one title in",
)
_IMPORTED_COLUMNS: Final = (*_columns("count", "documents", "canonical"), Column("lost", "percent"))
_TABLE_4_COLUMNS: Final = (*_SCORES, *_columns("share", "ids/cluster", "clusters/id"), *_SKIPPED)

TABLES: Final[Mapping[str, Table]] = {
    table.layout.number: table
    for table in (
        _distribution(
            1,
            "Users' documents with a PubMed identifier against PubMed",
            lambda study: dict([study.against_pubmed]),
        ),
        _distribution(2, "Users' documents with an arXiv identifier against arXiv", lambda study: study.against_arxiv),
        _distribution(3, "The “random” arXiv pairs", _sampled("arxiv", "random")),
        Table(
            Layout("4", "Deduplicating the “random” arXiv data, at 0.4", "settings", _TABLE_4_COLUMNS, wide=False),
            RESULTS[4],
            _table_4,
        ),
        Table(
            Layout("4.1.1", "Imported documents that became one", "settings", _IMPORTED_COLUMNS, wide=False),
            IMPORTED,
            _imported,
        ),
        Table(
            Layout("4.1.1 titles", "Titles shared", "source", _columns("count", *_TITLE_COLUMNS), wide=False),
            {"arXiv": TITLES},
            _titles,
        ),
        _distribution(5, "The “random” filehash pairs", _sampled("filehash", "random")),
        _random_sweep(6, "arxiv", "mendeley"),
        _random_sweep(7, "arxiv", "mendeley-title"),
        _random_sweep(8, "arxiv", "mendeley-levenshtein"),
        _random_sweep(9, "arxiv", "mendeley-authors"),
        _random_sweep(10, "filehash", "mendeley"),
        _random_sweep(11, "filehash", "mendeley-levenshtein"),
        _random_sweep(12, "filehash", "mendeley-authors"),
        _sweep(13, "Best threshold on arXiv pairs sampled by title similarity", "arxiv", "title"),
        Table(
            Layout("5.1", "Sampling by title similarity and fingerprints", "sampled", _COUNTED, wide=False),
            WITHIN_BITS,
            _within_bits,
        ),
        _sweep(14, "Best threshold on arXiv pairs sampled by uncertainty", "arxiv", "uncertainty"),
        _ranks(15, "Pairs by search, the query document among the results", count_self=True),
        _ranks(16, "Pairs by search, without the query document", count_self=False),
        _informative_best(17, "Best threshold on the “informative” data"),
        _distribution(18, "The “informative” filehash pairs", _sampled("filehash", "search")),
        _informative(19, "Deduplicating the “informative” arXiv data", "arxiv"),
        _informative(20, "Deduplicating the “informative” filehash data", "filehash"),
        _informative_best(21, "Best thresholds of other metrics on the “informative” data"),
    )
}
"""Every table by its number, or by the section whose text holds its figures, in the paper's order."""
