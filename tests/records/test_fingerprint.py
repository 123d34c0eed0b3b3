"""Fingerprints of titles."""

from hypothesis import given
from hypothesis import strategies as st

from bibfold.records.fingerprint import BITS, MAX_DISTANCE, blocks, distance, fingerprint
from bibfold.text import stopwords

STOPS = stopwords("en")


def _print(title):
    return fingerprint(title.split(), STOPS)


def test_equal_keywords_have_equal_fingerprints_in_any_order():
    assert _print("folding of the proteins") == _print("proteins folding")


def test_near_titles_are_nearer_than_others():
    title = "locally adaptive dimensionality reduction for indexing large time series databases"
    near = distance(_print(title), _print(title.replace("databases", "database")))
    far = distance(_print(title), _print("lipid metabolism and coronary heart disease"))
    assert near <= MAX_DISTANCE < far


def test_titles_of_stopwords_or_nothing():
    assert _print("to be or not to be") != 0
    assert _print("") == 0


@given(st.integers(0, 2**BITS - 1), st.sets(st.integers(0, BITS - 1), max_size=MAX_DISTANCE))
def test_fingerprints_that_are_near_share_a_block(value, bits):
    other = value
    for bit in bits:
        other ^= 1 << bit
    assert distance(value, other) == len(bits)
    assert set(blocks(value)) & set(blocks(other))
