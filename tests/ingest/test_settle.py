"""The last pass of `dedupe`: it settles what order decided, and looks only at what is in doubt."""

import csv
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from bibfold.catalogue.exports import memberships
from bibfold.catalogue.rows import NEW
from bibfold.records.model import Record
from bibfold.workspace import Layers, Workspace, throw_away
from indexer.check import check
from ingest import components, settle
from ingest.dedupe import Summary, dedupe
from ingest.regroup import Change
from ingest.run import fold_stream
from lookup.matcher import matcher_of

Make = Callable[..., Record]

BY_TITLE = {"profile": "mendeley-title"}
"""Titles that share three words in ten are the same."""

CHAIN = ("arctic terns migrate north", "terns migrate south slowly", "south slowly glaciers")
"""The first two share two words of six, the last two share two of five, the first and the last share none."""


def titled(*titles: str) -> list[Record]:
    return [Record(source="x", id=str(at), title=title) for at, title in enumerate(titles)]


def folded(records: Sequence[Record], out: Path, layers: Layers) -> tuple[set[frozenset[str]], Summary]:
    """The clusters that `dedupe` finds, and its summary."""
    summary = dedupe(records, out, layers)
    clusters: dict[str, set[str]] = {}
    with (out / "clusters.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            clusters.setdefault(row["cluster"], set()).add(row["id"])
    return {frozenset(ids) for ids in clusters.values()}, summary


def partition(workspace: Workspace) -> dict[str, list[str]]:
    clusters: dict[str, list[str]] = {}
    with workspace.catalogue.reading() as read:
        for cluster, _, id in memberships(read):
            clusters.setdefault(cluster, []).append(id)
    return clusters


def test_a_chain_breaks_at_the_same_place_in_every_order(tmp_path: Path) -> None:
    records = titled(*CHAIN)
    for order in permutations(records):
        clusters, _ = folded(order, tmp_path / "out", [BY_TITLE])
        assert clusters == {frozenset("0"), frozenset("12")}


def test_without_the_last_pass_order_decides(tmp_path: Path) -> None:
    found = [folded(order, tmp_path / "out", [BY_TITLE, {"settle": False}]) for order in permutations(titled(*CHAIN))]
    assert len({frozenset(clusters) for clusters, _ in found}) > 1
    assert {summary.settled for _, summary in found} == {0}


def test_what_the_last_pass_moves_is_counted_and_has_its_reason_in_the_pairs(tmp_path: Path) -> None:
    first, second, third = titled(*CHAIN)
    clusters, summary = folded([second, first, third], tmp_path / "out", [BY_TITLE])
    assert clusters == {frozenset("0"), frozenset("12")}
    assert summary.settled > 0
    assert summary.canonical == 2
    with (tmp_path / "out" / "pairs.csv").open(newline="", encoding="utf-8") as file:
        assert {"x:1", "x:2"} in [{row["a"], row["b"]} for row in csv.DictReader(file)]


def test_only_clusters_of_several_records_are_in_doubt(workspace: Workspace, make: Make) -> None:
    fold_stream(workspace, [make("1"), make("2", 1), make("3"), make("4", 2), make("5", 1), make("6", 1)])
    assert settle.in_doubt(workspace) == [1, 2]


def settled(workspace: Workspace, suspects: Sequence[int], run: int | None = 1) -> list[Change]:
    changes: list[Change] = []
    settle.settle(workspace, matcher_of(workspace.settings), suspects, run, changes.append)
    return changes


def by(workspace: Workspace, same: float) -> Workspace:
    """The same catalogue by another threshold."""
    return replace(workspace, settings=replace(workspace.settings, same=same, unsure=same))


def test_what_is_not_the_same_any_more_is_split_off_and_what_now_is_the_same_is_merged() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, titled("arctic terns", "arctic terns", "arctic terns migrate"))
        assert partition(workspace) == {"c1": ["0", "1", "2"]}
        (split,) = settled(by(workspace, 0.9), [1])
        assert (split.kind, split.left, split.joined) == ("split", 1, 2)
        assert split.cause.startswith("0 of 2 pairs are the same; x:2 and x:")
        assert partition(workspace) == {"c1": ["0", "1"], "c2": ["2"]}
        (merge,) = settled(by(workspace, 0.3), [2])
        assert (merge.kind, merge.left, merge.joined) == ("merge", 2, 1)
        assert merge.cause.startswith("2 of 2 pairs are the same; x:2 and x:")
        assert partition(workspace) == {"c1": ["0", "1", "2"]}
        assert check(workspace).agree


def test_without_a_run_nothing_is_written() -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, titled("arctic terns", "arctic terns", "arctic terns migrate"))
        (split,) = settled(by(workspace, 0.9), [1], run=None)
        assert split.joined >= NEW
        assert partition(workspace) == {"c1": ["0", "1", "2"]}


def test_a_record_moves_to_where_most_pairs_are_the_same() -> None:
    """The second record joins the first before the others come."""
    records = titled(
        "arctic terns migrate north", "terns migrate north slowly", *["terns migrate north slowly today"] * 2
    )
    with throw_away([BY_TITLE | {"same": 0.6, "unsure": 0.6, "canonical": "founder"}]) as workspace:
        fold_stream(workspace, records)
        assert partition(workspace) == {"c1": ["0", "1"], "c2": ["2", "3"]}
        (move,) = settled(workspace, [1])
        assert (move.kind, move.left, move.joined) == ("move", 1, 2)
        assert move.cause.startswith("2 of 2 pairs are the same; x:1 and x:")
        assert partition(workspace) == {"c1": ["0"], "c2": ["1", "2", "3"]}
        assert check(workspace).agree


def test_a_large_component_stays_and_is_remarked_upon(monkeypatch: pytest.MonkeyPatch) -> None:
    with throw_away([BY_TITLE]) as workspace:
        fold_stream(workspace, titled(*CHAIN))
        before = partition(workspace)
        for module in (components, settle):
            monkeypatch.setattr(module, "MOST", 2)
        monkeypatch.setattr("ingest.regroup.MOST", 2)
        remarks: list[str] = []
        settle.settle(workspace, matcher_of(workspace.settings), [1, 2], 1, remark=remarks.append)
        assert partition(workspace) == before
        assert remarks
        assert "too many" in remarks[0]
