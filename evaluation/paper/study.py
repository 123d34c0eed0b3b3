"""The data of the study for one seed: stand-ins for Mendeley's documents, and the pairs that are drawn from them."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import numpy as np

from bibfold.errors import InputError
from bibfold.records.model import Record
from bibfold.workspace import Layers
from evaluation.benchmark.measure import truth_of
from evaluation.benchmark.sets import SHIPPED, find
from evaluation.pairs import make_pair
from evaluation.paper.stand_ins import Role, StandIn, by_truth, carried, noisy, records_of, sharing
from evaluation.samples.pool import Pool
from evaluation.samples.sample import Method, SamplePlan, draw
from evaluation.samples.sampled_pairs import SampledPair, SampleRequest
from evaluation.samples.search import Hits, ranked_hits, select_pairs
from evaluation.sweeps.labelled_pairs import LabelledPairs, NamedPairs, match_records
from evaluation.sweeps.scores import ClassScores, by_class, score_pairs
from evaluation.sweeps.sweep import Sweep, grid, sweep
from evaluation.truth import Truth
from lookup.profiles import profile_named

GRID: Final = grid(0.1)
SETS: Final = {"pubmed": ("diabetes", "stroke"), "arxiv": ("arxiv", "dblp-acm"), "acl": ("acl", "dblp-acm")}
"""The sets that stand in for the paper's: the large one, and the shipped one where that is not there."""


class Size(msgspec.Struct, frozen=True):
    """The size of a study: clean records, pairs of each class, how often noise is applied, and the random seed."""

    records: int = 2_000
    pairs: int = 2_000
    noise: int = 1
    seed: int = 0


class Study:
    """What the tables are made from; data that several tables need is made once.

    One's own documents, where they are given, take the place of all stand-ins of their role.
    """

    def __init__(
        self,
        size: Size,
        layers: Layers = (),
        data_folders: Sequence[Path] = (SHIPPED,),
        own: Callable[[], StandIn] | None = None,
    ) -> None:
        self.size = size
        self.layers = layers
        self.data_folders = data_folders
        self._own = own
        self._truths: dict[tuple[str, Method], Truth] = {}

    def folder(self, *names: str) -> Path:
        """The folder of the first of these sets that is there; raises InputError where none is."""
        for name in names:
            if found := find(name, self.data_folders):
                return found
        raise InputError(
            f"none of the sets {', '.join(names)} is there; name the folder of the sets with --data or BIBFOLD_DATA"
        )

    @cached_property
    def own(self) -> StandIn | None:
        """One's own documents."""
        return self._own() if self._own else None

    @cached_property
    def sources(self) -> list[Record]:
        """The records that users' documents with an arXiv identifier are copies of."""
        if self.own:
            return list(self.own.imported)
        folder = self.folder(*SETS["arxiv"])
        return records_of(folder, self.size.records, "" if folder.name == "arxiv" else "dblp")

    @cached_property
    def arxiv(self) -> StandIn:
        """Documents in the place of those with an arXiv identifier."""
        if self.own:
            return self.own
        name = "noisy arXiv" if self.folder(*SETS["arxiv"]).name == "arxiv" else "noisy DBLP"
        return noisy(name, self.sources, "arxiv", self.size.seed, self.size.noise)

    @cached_property
    def filehash(self) -> list[StandIn]:
        """Documents in the place of those with a file: made ones, and Cora's citations."""
        if self.own:
            return [self.own]
        folder = self.folder(*SETS["acl"])
        large = folder.name == "acl"
        clean = records_of(folder, self.size.records, "" if large else "acm")
        name = "noisy ACL" if large else "noisy ACM"
        made = noisy(name, clean, "filehash", self.size.seed, self.size.noise)
        return [made, by_truth("Cora", self.folder("cora"))]

    def of_role(self, role: Role) -> list[StandIn]:
        """The stand-ins of a role; one's own documents have the one that their identifier gives them."""
        if self.own and (role == "filehash") != ("filehash" in self.own.kinds):
            return []
        return [self.arxiv] if role == "arxiv" else self.filehash

    @cached_property
    def against_pubmed(self) -> tuple[str, LabelledPairs]:
        """Documents with a PubMed identifier, each with PubMed's record: what stands in for them, and the pairs."""
        if self.own:
            return self.own.name, self.against_sources(self.own)
        folder = self.folder(*SETS["pubmed"])
        records = records_of(folder)
        if folder.name == "diabetes":
            return "diabetes, shared DOI", label_pairs(records, Truth(set(sharing(records, "doi")), set(), whole=False))
        return "stroke, known pairs", label_pairs(records, truth_of(folder))

    @cached_property
    def against_arxiv(self) -> dict[str, LabelledPairs]:
        """Documents with an arXiv identifier, each with arXiv's record, and real pairs of another kind beside them."""
        made = {self.arxiv.name: self.against_sources(self.arxiv)}
        if self.own:
            return made
        folder = self.folder("arxiv-revisions", "dblp-acm")
        name = "retitled arXiv" if folder.name == "arxiv-revisions" else "ACM against DBLP"
        return {**made, name: label_pairs(records_of(folder), truth_of(folder))}

    def against_sources(self, stand_in: StandIn) -> LabelledPairs:
        """The pairs of each document and the source's record whose identifier it carries."""
        records = [*stand_in.imported, *stand_in.documents]
        return label_pairs(records, Truth(set(carried(stand_in)), set(), whole=False))

    @cached_property
    def hits(self) -> tuple[Hits, ...]:
        """The search results of all documents with an arXiv identifier."""
        return tuple(ranked_hits(self.arxiv.valid, self.request, self.layers))

    @property
    def request(self) -> SampleRequest:
        """How many pairs are asked for, with a new random generator."""
        return SampleRequest(self.size.pairs, Random(self.size.seed))

    def by_rank(self, min_rank: int | None, *, count_self: bool) -> Truth:
        """Pairs among the search results in which a non-duplicate has at least this rank."""
        pairs = select_pairs(self.arxiv.valid, self.request, self.hits, min_rank=min_rank, count_self=count_self)
        return truth_from(self.arxiv.valid, pairs)

    def truth(self, stand_in: StandIn, method: Method) -> Truth:
        """Pairs of valid documents, drawn by one of the paper's methods."""
        key = stand_in.name, method
        if key not in self._truths:
            plan = SamplePlan(method, self.size.pairs, self.size.seed)
            self._truths[key] = truth_from(stand_in.valid, draw(stand_in.valid, plan, self.layers).pairs)
        return self._truths[key]


def truth_from(pool: Pool, pairs: Iterable[SampledPair]) -> Truth:
    """Sampled pairs as a truth."""
    labels: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for pair in pairs:
        labels[pair.same].add(make_pair(pool.members[pair.first].key, pool.members[pair.second].key))
    return Truth(labels[True], labels[False], whole=False)


def label_pairs(records: Sequence[Record], truth: Truth) -> LabelledPairs:
    """The pairs of a truth, ready to be scored."""
    pairs = [*sorted(truth.same), *sorted(truth.different)]
    names = {name: number for number, name in enumerate(sorted(truth.named))}
    first, second = (np.array([names[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    same = np.arange(len(pairs)) < len(truth.same)
    return match_records(NamedPairs(list(names), first, second, same, whole=False), records)


def scored(pairs: LabelledPairs, metrics: Sequence[str]) -> dict[str, ClassScores]:
    """The scores of both classes by each metric."""
    made = score_pairs(pairs, [profile_named(metric) for metric in metrics])
    return {metric: by_class(made[metric], pairs) for metric in metrics}


def swept(records: Sequence[Record], truth: Truth, metric: str = "mendeley") -> Sweep:
    """A metric at the thresholds 0.0, 0.1 … 1.0."""
    return sweep(scored(label_pairs(records, truth), [metric])[metric], GRID, profile_named(metric).same)
