"""What a run of folding tells those who watch it; none of them can change what it does."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from bibfold.records.model import DeadLetter
from bibfold.records.prepare import Prepared
from lookup.evidence import Comparison


class Pair(msgspec.Struct, frozen=True):
    """Two records that were compared and found `same` or `unsure`."""

    a: str
    b: str
    comparison: Comparison


class Placed(msgspec.Struct, frozen=True):
    """A record that was folded: its key and comparable form, its cluster, and what it was compared with.

    `proposed` are the clusters that the index proposed, `neighbours` the keys of earlier records of the same batch.
    Candidates that were ruled out at once are among them.
    """

    key: str
    prepared: Prepared
    cluster: int
    proposed: Sequence[int]
    neighbours: Sequence[str]


class BatchFolded(msgspec.Struct, frozen=True):
    """A batch that the catalogue has: where its records went, which pairs were the same or unsure, what was counted."""

    records: int
    unchanged: int
    clusters: int
    pairs: Sequence[Pair]
    placed: Callable[[], Sequence[Placed]]
    """Made only for those who ask."""


class Observer(msgspec.Struct, frozen=True):
    """Who is told what while a run goes on; `notice` is for what the user should know at once."""

    batch: Callable[[BatchFolded], Any] = lambda folded: None
    remark: Callable[[str], Any] = lambda text: None
    letter: Callable[[DeadLetter], Any] = lambda letter: None
    progress: Callable[[int], Any] = lambda records: None
    notice: Callable[[str], Any] = lambda text: None
