"""The same records in any order, in any batches: the same clusters when all is settled, and a person's word is kept."""

from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bibfold.catalogue.exports import memberships
from bibfold.errors import SettingsError
from bibfold.records.model import Record
from bibfold.workspace import Workspace, throw_away
from indexer.check import check
from ingest import curate
from ingest.repair import repair
from ingest.run import fold_stream

TITLES = (
    "Folding duplicate records",
    "Folding duplicate records as they arrive",
    "Folding duplicates as they arrive",
    "Folding records, part 1",
    "Folding records, part 2",
    "Erratum: Folding duplicate records",
)
AUTHORS = ((), ("Doe, Jane", "Roe, Richard", "Poe, Edgar"), ("Foe, Ada", "Roe, Richard"), ("Doe, J.",))
DOIS: tuple[dict[str, tuple[str, ...]], ...] = ({}, {}, {"doi": ("10.1000/1",)}, {"doi": ("10.1000/2",)})

fields = st.tuples(
    st.sampled_from(TITLES),
    st.sampled_from(AUTHORS),
    st.sampled_from([None, 2001, 2001, 2002]),
    st.sampled_from(DOIS),
    st.sampled_from(["", "Annals of Folding"]),
)


@st.composite
def orders(draw: st.DrawFn) -> tuple[list[Record], list[Record]]:
    """Records, and the same records in another order."""
    found = [
        Record(
            source="x", id=str(at), title=title, authors=authors, year=year, identifiers=doi, publication=publication
        )
        for at, (title, authors, year, doi, publication) in enumerate(draw(st.lists(fields, min_size=2, max_size=9)))
    ]
    return found, draw(st.permutations(found))


def partition(workspace: Workspace) -> set[frozenset[str]]:
    clusters: dict[str, set[str]] = {}
    with workspace.catalogue.reading() as read:
        for cluster, source, id in memberships(read):
            clusters.setdefault(cluster, set()).add(f"{source}:{id}")
    return {frozenset(keys) for keys in clusters.values()}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(orders(), st.integers(1, 4), st.sampled_from(["bibfold", "bibfold", "mendeley"]))
def test_a_repaired_catalogue_does_not_depend_on_the_order(
    both: tuple[list[Record], list[Record]], size: int, profile: str
) -> None:
    found = []
    for records in both:
        with throw_away([{"batch_size": size, "profile": profile}]) as workspace:
            fold_stream(workspace, records)
            repair(workspace)
            assert check(workspace).agree
            found.append(partition(workspace))
            again = repair(workspace)
            assert again.merges == again.splits == again.moves == 0
    assert found[0] == found[1]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    orders(),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from(["same", "different"])), max_size=4),
)
def test_a_repair_keeps_what_people_decided(
    both: tuple[list[Record], list[Record]], decisions: list[tuple[int, int, str]]
) -> None:
    records = both[0]
    with throw_away() as workspace:
        fold_stream(workspace, both[1])
        for one, other, verdict in decisions:
            a, b = records[one % len(records)].key, records[other % len(records)].key
            if a != b:
                with suppress(SettingsError):  # contradicts an earlier word
                    curate.decide(workspace, a, b, "same" if verdict == "same" else "different")
        with workspace.catalogue.reading() as read:
            said = read.verdicts(record.key for record in records)
        decided = {(frozenset((a, b)), verdict) for a, others in said.items() for b, verdict in others.items()}
        repair(workspace)
        assert check(workspace).agree
        clusters = partition(workspace)
        for pair, verdict in decided:
            if verdict == "different" or not _contradicted(decided):
                assert any(pair <= cluster for cluster in clusters) == (verdict == "same")


def _contradicted(decided: set[tuple[frozenset[str], str]]) -> bool:
    """Whether a chain of `same`, also of those that follow from a merge, leads to what was decided to be different."""
    same = {pair for pair, verdict in decided if verdict == "same"}
    for start in same:
        chain = start
        for _ in same:
            chain = chain.union(*(pair for pair in same if pair & chain))
        if any(pair <= chain for pair, verdict in decided if verdict == "different"):
            return True
    return False
