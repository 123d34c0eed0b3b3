"""The paper's tables 1 to 5 and 18 to 20, from public data, beside its own figures."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from bibfold.errors import InputError
from bibfold.records.model import Record
from bibfold.workspace import Layers
from evaluation.benchmark.measure import truth_of
from evaluation.benchmark.sets import SHIPPED, find
from evaluation.paper.deduplication import (
    DedupeResult,
    deduplicated,
    imported,
    paper_settings,
    sample_truth,
    share_texts,
    valid_documents,
)
from evaluation.paper.published import DISTRIBUTIONS, RESULTS
from evaluation.paper.stand_ins import StandIn, by_truth, carried, noisy, records_of, sharing
from evaluation.samples.sample import Method
from evaluation.sweeps.distributions import LABELS, distribution, percentages
from evaluation.sweeps.labelled_pairs import LabelledPairs, NamedPairs, match_records
from evaluation.sweeps.scores import by_class, score_pairs
from evaluation.truth import Truth
from lookup.profiles import profile_named

NEEDS: Final[Mapping[int, tuple[str, ...]]] = {
    1: ("diabetes",),
    2: ("arxiv", "arxiv-revisions"),
    3: ("arxiv",),
    4: ("arxiv",),
    5: ("acl", "cora"),
    18: ("acl", "cora"),
    19: ("arxiv",),
    20: ("acl", "cora"),
}
"""The sets that each table is made from."""

METRICS: Final = {
    "mendeley": "default",
    "mendeley-citation": "citation string",
    "mendeley-title": "title",
    "mendeley-levenshtein": "altered",
}
"""What the paper calls its metrics."""

CLASSES: Final = {"same": "duplicates", "different": "non-duplicates"}
NOISY_ARXIV, RETITLED = "noisy arXiv", "retitled arXiv"
NOISY_ACL, CORA = "noisy ACL", "Cora"


class PaperTable(msgspec.Struct, frozen=True):
    """One of the paper's tables: its own figures and ours."""

    number: int
    title: str
    made_from: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


class Size(msgspec.Struct, frozen=True):
    """The size of a study: the numbers of clean records and of pairs of each class; and its random seed."""

    records: int = 10_000
    pairs: int = 10_000
    seed: int = 0


class Study:
    """Makes the tables; data that several tables need is made once."""

    def __init__(self, size: Size, layers: Layers = (), data_folders: Sequence[Path] = (SHIPPED,)) -> None:
        self.size = size
        self.layers = layers
        self.data_folders = data_folders

    def table(self, number: int) -> PaperTable:
        """One table."""
        return _MAKERS[number](self)

    def folder(self, name: str) -> Path:
        """The folder of a set; raises InputError if it is absent."""
        if found := find(name, self.data_folders):
            return found
        raise InputError(f"the set {name} is not there; name the folder of the sets with --data or BIBFOLD_DATA")

    @cached_property
    def arxiv(self) -> StandIn:
        """arXiv's records with noisy copies that carry the same arXiv identifier."""
        clean = records_of(self.folder("arxiv"), self.size.records)
        return noisy(NOISY_ARXIV, clean, "arxiv", self.size.seed)

    @cached_property
    def filehash(self) -> list[StandIn]:
        """The ACL Anthology's records with noisy copies of the same file, and Cora's citations."""
        clean = records_of(self.folder("acl"), self.size.records)
        return [noisy(NOISY_ACL, clean, "filehash", self.size.seed), by_truth(CORA, self.folder("cora"))]

    def sample_truth(self, stand_in: StandIn, method: Method) -> Truth:
        """Sample pairs of valid documents."""
        return sample_truth(stand_in.valid, method, self.size.pairs, self.size.seed, self.layers)

    def run(
        self, documents: Sequence[Record], stand_in: StandIn, truth: Truth, settings: Mapping[str, Any]
    ) -> DedupeResult:
        """Deduplicate documents with these settings."""
        return deduplicated(documents, stand_in.raw, truth, [*self.layers, settings])


def _table_1(study: Study) -> PaperTable:
    records = records_of(study.folder("diabetes"))
    pairs = _label_pairs(records, Truth(set(sharing(records, "doi")), set(), whole=False))
    return _distributions(
        1, "Users' documents with a PubMed identifier against PubMed", {"diabetes, shared DOI": pairs}
    )


def _table_2(study: Study) -> PaperTable:
    stand_in = study.arxiv
    made = [*stand_in.imported, *(document for document in stand_in.documents if "noise_of" in document.extra)]
    folder = study.folder("arxiv-revisions")
    found = {
        NOISY_ARXIV: _label_pairs(made, Truth(set(carried(stand_in, "arxiv")), set(), whole=False)),
        RETITLED: _label_pairs(records_of(folder), truth_of(folder)),
    }
    return _distributions(2, "Users' documents with an arXiv identifier against arXiv", found)


def _table_3(study: Study) -> PaperTable:
    pairs = _label_pairs(study.arxiv.documents, study.sample_truth(study.arxiv, "random"))
    return _distributions(3, "The “random” arXiv pairs", {NOISY_ARXIV: pairs})


def _table_4(study: Study) -> PaperTable:
    stand_in = study.arxiv
    truth = study.sample_truth(stand_in, "random")
    valid = valid_documents(stand_in)
    found = {
        "validated, fingerprint": study.run(valid, stand_in, truth, paper_settings(0.4, "fingerprint")),
        "raw, fingerprint": study.run(stand_in.documents, stand_in, truth, paper_settings(0.4, "fingerprint")),
        "validated, bigrams": study.run(valid, stand_in, truth, paper_settings(0.4)),
        "imported, bigrams": imported(stand_in, truth, [*study.layers, paper_settings(0.4)]),
    }
    rows = []
    for name, result in found.items():
        percent = share_texts(result, truth)
        ours = (result.ids_per_cluster, result.clusters_per_id, percent["same"], percent["different"])
        rows += _beside(4, name, NOISY_ARXIV, (*_scores(result), *ours))
    ratios = ("ids/cluster", "clusters/id")
    return PaperTable(
        4, "Deduplicating the “random” arXiv data, threshold 0.4", NOISY_ARXIV, (*_RESULT, *ratios, *_SKIPPED), rows
    )


def _table_5(study: Study) -> PaperTable:
    return _of_files(study, 5, "The “random” filehash pairs", "random")


def _table_18(study: Study) -> PaperTable:
    return _of_files(study, 18, "The “informative” filehash pairs", "search")


def _table_19(study: Study) -> PaperTable:
    settings = {
        "fingerprint, 0.5": paper_settings(0.5, "fingerprint"),
        "bigrams 40, 0.5": paper_settings(0.5, top_n=40),
        "bigrams 40, 0.6": paper_settings(0.6, top_n=40),
        "bigrams 20, 0.5": paper_settings(0.5, top_n=20),
        "bigrams 10, 0.5": paper_settings(0.5, top_n=10),
    }
    return _informative(study, 19, "Deduplicating the “informative” arXiv data", [study.arxiv], settings)


def _table_20(study: Study) -> PaperTable:
    settings = {
        "fingerprint, 0.5": paper_settings(0.5, "fingerprint"),
        "bigrams 10, 0.5": paper_settings(0.5, top_n=10),
    }
    return _informative(study, 20, "Deduplicating the “informative” filehash data", study.filehash, settings)


_MAKERS: Final[Mapping[int, Callable[[Study], PaperTable]]] = {
    1: _table_1,
    2: _table_2,
    3: _table_3,
    4: _table_4,
    5: _table_5,
    18: _table_18,
    19: _table_19,
    20: _table_20,
}
_RESULT: Final = ("settings", "whose", "precision", "recall", "F1")
_SKIPPED: Final = ("duplicates skipped", "non-duplicates skipped")


def _of_files(study: Study, number: int, title: str, method: Method) -> PaperTable:
    found = {
        stand_in.name: _label_pairs(stand_in.documents, study.sample_truth(stand_in, method))
        for stand_in in study.filehash
    }
    return _distributions(number, title, found)


def _informative(
    study: Study, number: int, title: str, stand_ins: Sequence[StandIn], settings: Mapping[str, Mapping[str, Any]]
) -> PaperTable:
    rows: list[tuple[Any, ...]] = [(name, "paper", *RESULTS[number][name]) for name in settings]
    for stand_in in stand_ins:
        truth = study.sample_truth(stand_in, "search")
        documents = valid_documents(stand_in)
        for name, setting in settings.items():
            found = study.run(documents, stand_in, truth, setting)
            percent = share_texts(found, truth)
            rows.append(
                (name, stand_in.name, *_scores(found), percent["canonical"], percent["same"], percent["different"])
            )
    order = list(settings)
    rows.sort(key=lambda row: order.index(row[0]))
    made_from = ", ".join(stand_in.name for stand_in in stand_ins)
    return PaperTable(number, title, made_from, (*_RESULT, "canonical", *_SKIPPED), rows)


def _distributions(number: int, title: str, pairs: Mapping[str, LabelledPairs]) -> PaperTable:
    """Percentages in the ten ranges, the paper's and those of each stand-in, by metric and class."""
    header, columns = ["similarity"], [list(LABELS)]
    published_columns = {
        (metric, kind): values for (table, metric, kind), values in DISTRIBUTIONS.items() if table == number
    }
    profiles = [profile_named(metric) for metric in dict.fromkeys(metric for metric, _ in published_columns)]
    made = {name: score_pairs(labelled, profiles) for name, labelled in pairs.items()}
    several = len({kind for _, kind in published_columns}) > 1
    for (metric, kind), published in published_columns.items():
        what = f"{METRICS[metric]}, {CLASSES[kind]}" if several else METRICS[metric]
        ours = [distribution(by_class(made[name][metric], labelled)) for name, labelled in pairs.items()]
        found = [percentages(values.same if kind == "same" else values.different) for values in ours]
        for whose, values in zip(("paper", *pairs), (published, *found), strict=True):
            header.append(f"{what}: {whose}")
            columns.append([f"{value:.2f}%" for value in values])
    counts = "; ".join(f"{name}, {_count(labelled)}" for name, labelled in pairs.items())
    return PaperTable(number, title, counts, tuple(header), list(zip(*columns, strict=True)))


def _count(pairs: LabelledPairs) -> str:
    same = int(pairs.same.sum())
    different = len(pairs.same) - same
    return f"{same:,} duplicates" + (f" and {different:,} non-duplicates" if different else "")


def _label_pairs(records: Sequence[Record], truth: Truth) -> LabelledPairs:
    """The pairs of a truth, ready to be scored."""
    pairs = [*sorted(truth.same), *sorted(truth.different)]
    names = {name: number for number, name in enumerate(sorted(truth.named))}
    first, second = (np.array([names[pair[side]] for pair in pairs]) for side in (0, 1))
    same = np.arange(len(pairs)) < len(truth.same)
    return match_records(NamedPairs(list(names), first, second, same, whole=False), records)


def _beside(number: int, name: str, whose: str, ours: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    return [(name, "paper", *RESULTS[number][name]), (name, whose, *ours)]


def _scores(found: DedupeResult) -> tuple[float, float, float]:
    return found.score.precision, found.score.recall, found.score.f1
