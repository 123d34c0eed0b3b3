"""A handful of records and the truth about them."""

import pytest

from evaluation.sweeps.known import known, read_named


@pytest.fixture
def truth(tmp_path):
    """Writes a truth; its path."""

    def file(*lines, name="truth.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return file


@pytest.fixture
def knows(truth):
    """What the lines of a truth know about records."""

    def make_known(records, *lines, **options):
        return known(read_named(truth(*lines)), records, **options)

    return make_known
