"""Puts what is open for review before a person, one after the other, and acts on the answers; knows no terminal."""

from typing import Literal

import msgspec

from bibfold.catalogue.reviews import OpenReview, count_open, open_reviews
from bibfold.catalogue.rows import Cluster
from bibfold.workspace import Workspace
from ingest import curate
from ingest.curate import Tell, silent
from ingest.curation.undo import undo_decision
from lookup.evidence import Comparison

Answer = Literal["same", "different", "skipped"]


class Case(msgspec.Struct, frozen=True):
    """Two clusters that may be one, how the records that stand for them compare, and how many are open with it."""

    review: OpenReview
    clusters: tuple[Cluster, Cluster]
    comparison: Comparison
    left: int

    @property
    def pair(self) -> tuple[str, str]:
        """The records that the answer is about."""
        return self.review.a, self.review.b


class Session:
    """A person's way through the queue: each case is shown once, and the last answers can be taken back."""

    def __init__(self, workspace: Workspace, tell: Tell = silent) -> None:
        self._workspace = workspace
        self._tell = tell
        self._answers: list[tuple[Case, Answer]] = []
        self._skipped: set[tuple[str, str]] = set()

    def next(self) -> Case | None:
        """The likeliest case that is open and was not skipped."""
        with self._workspace.catalogue.reading() as read:
            review = next((one for one in open_reviews(read) if (one.a, one.b) not in self._skipped), None)
            if review is None:
                return None
            clusters = read.clusters(review.clusters)
            left = max(1, count_open(read) - len(self._skipped))
        one, other = (clusters[no] for no in review.clusters)
        return Case(review, (one, other), msgspec.json.decode(review.comparison, type=Comparison), left)

    def decide(self, case: Case, word: Literal["same", "different"], note: str = "") -> None:
        """Act on an answer; one that contradicts earlier decisions is an error, and the case stays open."""
        curate.decide(self._workspace, *case.pair, word, note, self._tell)
        self._answers.append((case, word))

    def skip(self, case: Case) -> None:
        """Leave a case for another time."""
        self._skipped.add(case.pair)
        self._answers.append((case, "skipped"))

    def undo(self) -> Answer | None:
        """Take the last answer of this session back, which opens its case; None where there is none."""
        if not self._answers:
            return None
        case, answer = self._answers[-1]
        if answer == "skipped":
            self._skipped.discard(case.pair)
        else:
            undo_decision(self._workspace, *case.pair, self._tell)
        self._answers.pop()
        return answer
