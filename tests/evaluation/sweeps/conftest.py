"""A handful of records and the truth about them."""

import pytest

from evaluation.sweeps.labelled_pairs import match_records, read_named_pairs


@pytest.fixture
def truth(tmp_path):
    """Writes a truth; its path."""

    def file(*lines, name="truth.csv"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return file


@pytest.fixture
def label(truth):
    """What the lines of a truth know about records."""

    def label_records(records, *lines, **options):
        return match_records(read_named_pairs(truth(*lines)), records, **options)

    return label_records
