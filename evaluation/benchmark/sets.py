"""The public data sets of the benchmark: the task of each, and where their files are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from bibfold.errors import InputError

SHIPPED: Final = Path(__file__).parent.parent / "data"
"""The small sets that ship with bibfold."""


def data_folders(folder: str | Path | None = None) -> tuple[Path, Path]:
    """Where data sets are looked for: in a folder, by default the one beside the project, and among those that ship."""
    return Path(folder or SHIPPED.parents[2] / "shared" / "data"), SHIPPED


class DataSet(msgspec.Struct, frozen=True):
    """A set of records in a folder, and how it is measured.

    The task `dedupe` folds all records, `link` matches the records of the two sources in `sides`, and `distinct` folds
    records that are all different works. `bare` removes the identifiers, `first` limits the number of records. The
    paper's profiles are not run on a `costly` set unless asked for.
    """

    name: str
    folder: str
    task: Literal["dedupe", "link", "distinct"]
    about: str
    sides: tuple[str, str] = ("", "")
    one_to_one: bool = True
    bare: bool = False
    first: int | None = None
    costly: bool = False


SETS: Final[Mapping[str, DataSet]] = {
    data_set.name: data_set
    for data_set in (
        DataSet("dblp-acm", "dblp-acm", "link", "link, one to one", ("dblp", "acm")),
        DataSet("arxiv-revisions", "arxiv-revisions", "link", "link, one to one", ("arxiv-2019", "arxiv-2020")),
        DataSet("stroke", "stroke", "dedupe", "dedupe"),
        DataSet("cytology-screening", "cytology-screening", "dedupe", "dedupe"),
        DataSet("diabetes", "diabetes", "dedupe", "dedupe"),
        DataSet("cora", "cora", "dedupe", "dedupe"),
        DataSet("dblp-scholar", "dblp-scholar", "link", "link, one to many", ("dblp", "scholar"), one_to_one=False),
        DataSet("acl", "acl", "distinct", "distinct", costly=True),
        DataSet("acl-bare", "acl", "distinct", "distinct, no identifiers", bare=True),
        DataSet("arxiv-part", "arxiv", "distinct", "distinct, no identifiers", bare=True, first=100_000),
        DataSet("arxiv", "arxiv", "distinct", "distinct", costly=True),
        DataSet("arxiv-bare", "arxiv", "distinct", "distinct, no identifiers", bare=True, costly=True),
    )
}
"""Every set by name, small ones first."""


def find(folder: str, data_folders: Sequence[Path] = (SHIPPED,)) -> Path | None:
    """The folder of a data set in the first of these folders that holds it; None if absent."""
    return next((data / folder for data in data_folders if (data / folder / "records.jsonl.gz").exists()), None)


def present(names: Sequence[str], data_folders: Sequence[Path] = (SHIPPED,)) -> dict[str, Path]:
    """The folders of these sets, or of all sets, by name, without those that are absent."""
    found = {name: folder for name in names or SETS if (folder := find(SETS[name].folder, data_folders))}
    if not found:
        raise InputError(
            f"none of the sets {', '.join(names or SETS)} is in {' or '.join(map(str, data_folders))}; "
            "name the folder that holds theirs with --data or BIBFOLD_DATA"
        )
    return found
