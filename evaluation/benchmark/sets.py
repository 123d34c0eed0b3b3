"""The public data sets of the benchmark: what is done with each, and where they are found."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from bibfold.errors import InputError

SHIPPED: Final = Path(__file__).parent.parent / "data"
"""The small sets that ship with bibfold."""

LARGE: Final = Path(os.environ.get("BIBFOLD_DATA", SHIPPED.parent.parent.parent / "shared" / "data"))
"""The folder of the large ones."""


class DataSet(msgspec.Struct, frozen=True):
    """A set of records in a folder, and what is done with it.

    `dedupe` folds them; `link` matches those of one source to those of the other, of the two `sides`; `distinct` folds
    records of which each is another work. `bare` takes the identifiers away, `first` takes only so many records. The
    metrics of the paper are left out of a `costly` set unless they are asked for.
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
    one.name: one
    for one in (
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


def find(folder: str, data: Path | None = None) -> Path | None:
    """The folder of a data set: in `data` if given, else among the large ones or those that ship; None if absent."""
    places = (data,) if data else (LARGE, SHIPPED)
    return next((place / folder for place in places if (place / folder / "records.jsonl.gz").exists()), None)


def present(names: tuple[str, ...], data: Path | None = None) -> dict[str, Path]:
    """Of these sets, or of all, those that are there, each with its folder."""
    found = {name: folder for name in names or SETS if (folder := find(SETS[name].folder, data))}
    if not found:
        raise InputError(
            f"none of the sets {', '.join(names or SETS)} is in {data or f'{LARGE} or {SHIPPED}'}; "
            "name the folder that holds theirs with --data or BIBFOLD_DATA"
        )
    return found
