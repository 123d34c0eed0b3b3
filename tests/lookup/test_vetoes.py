"""What is never the same work, and what only looks like it."""

import numpy as np
import pytest
from hypothesis import given, settings

from bibfold.records.prepare import Prepared
from lookup import vetoes
from lookup.evidence import Veto
from lookup.pairs import Pairs
from lookup.vetoes import VETOES
from tests.lookup.baseline import baseline
from tests.lookup.examples import batches, many, prepared


def _record(title: str = "", **identifiers: str | tuple[str, ...]) -> Prepared:
    values = {kind: (value,) if isinstance(value, str) else value for kind, value in identifiers.items()}
    return prepared(title, identifiers=values)


@pytest.mark.parametrize(
    ("ours", "theirs", "vetoed"),
    [
        ({"doi": "10.1000/1"}, {"doi": "10.1000/2"}, True),
        ({"doi": "https://doi.org/10.1000/A"}, {"doi": "10.1000/a"}, False),
        ({"doi": ("10.1000/1", "10.1000/2")}, {"doi": "10.1000/2"}, False),
        ({"doi": "10.1000/1"}, {"pmid": "17"}, False),
        ({"arxiv": "1201.1393v2"}, {"doi": "10.48550/arXiv.1201.1393"}, False),
        ({"doi": "NA"}, {"doi": "10.1000/2"}, False),
        ({"isbn": "0140434267"}, {"isbn": "0141439513"}, False),
        ({"doi": "10.1000/1", "pmid": "1"}, {"doi": "10.1000/1", "pmid": "2"}, True),
    ],
)
def test_identifiers(ours: dict, theirs: dict, vetoed: bool) -> None:
    assert bool(vetoes.identifiers_differ(_record(**ours), _record(**theirs))) is vetoed


@pytest.mark.parametrize(
    ("ours", "theirs", "at_most"),
    [
        ("Zeta functions, part 1", "Zeta functions, part 2", "different"),
        ("Zeta functions, part two", "Zeta functions, Part II", None),
        ("The 16th workshop", "The 17th workshop", "different"),
        ("The sixteenth workshop", "The 16th workshop", None),
        ("Zeta functions", "Zeta functions II", "unsure"),
        ("Getting started", "Getting started in 2018", None),
        ("One-to-one maps", "Oneto-one maps", None),
        ("HPV 16 and 18", "HPV-16 and HPV-18", None),
        ("Trends from 1990 to 2000", "Trends from 1990 to 2010", "different"),
    ],
)
def test_numerals(ours: str, theirs: str, at_most: str | None) -> None:
    for pair in ((ours, theirs), (theirs, ours)):
        veto = vetoes.numerals_differ(*map(_record, pair))
        assert (veto and veto.at_most) == at_most


@pytest.mark.parametrize(
    ("ours", "theirs", "vetoed"),
    [
        ("Erratum: Folding fast", "Folding fast", True),
        ("Reply to Folding fast", "Comment on Folding fast", True),
        ("Folding fast: authors' reply", "Folding fast", True),
        ("Retraction notice to Folding fast", "Folding fast", True),
        ("RETRACTED: Folding fast", "Folding fast", False),
        ("Response surfaces", "Response surfaces", False),
    ],
)
def test_notices(ours: str, theirs: str, vetoed: bool) -> None:
    assert bool(vetoes.notice_differs(_record(ours), _record(theirs))) is vetoed


def test_reasons_name_the_values() -> None:
    doi = vetoes.identifiers_differ(_record(doi="10.1000/1"), _record(doi=("10.1000/3", "10.1000/2")))
    assert doi == Veto("doi 10.1000/1 against 10.1000/2")
    assert vetoes.numerals_differ(_record("part 1"), _record("part 2")) == Veto("numbers in the titles: 1 against 2")
    assert vetoes.numerals_differ(_record("Maps"), _record("Maps II")) == Veto("number 2 in one title alone", "unsure")
    assert vetoes.notice_differs(_record("Erratum to x"), _record("x")) == Veto("erratum against article")


def _check_suspects(pairs: Pairs) -> None:
    """What is certain a look makes different; what is neither certain nor open a look lets pass."""
    for rule in VETOES.values():
        suspects = rule.suspects(pairs)
        assert not (suspects.certain & suspects.open).any()
        for pair in range(pairs.size):
            veto = rule.look(*pairs.records(pair))
            if suspects.certain[pair]:
                assert veto is not None
                assert veto.at_most == "different"
            elif not suspects.open[pair]:
                assert veto is None


@given(batches)
@settings(max_examples=50)
def test_no_suspect_is_missed(pairs: Pairs) -> None:
    _check_suspects(pairs)
    _check_suspects(many(pairs))


def test_no_suspect_is_missed_among_real_pairs() -> None:
    pairs = baseline().pairs()
    _check_suspects(pairs)
    assert VETOES["notice_differs"].suspects(pairs).certain.any()
    assert 0 < np.mean(VETOES["numerals_differ"].suspects(pairs).open) < 0.5


@pytest.mark.parametrize("name", VETOES)
def test_a_veto_is_documented_and_goes_by_its_own_name(name: str) -> None:
    assert VETOES[name].look.__doc__
    assert VETOES[name].look.__name__ == name
