"""`crossref` in BibTeX: an entry inherits from another, mostly a paper from its proceedings."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from bibfold.records.formats.bibtex_syntax import Entry
from bibfold.records.model import DeadLetter

_PARENTS = frozenset(
    "book booklet collection conference inbook incollection inproceedings mvbook mvcollection mvproceedings "
    "mvreference periodical proceedings reference".split()
)
_INHERITED = frozenset(
    "address booksubtitle booktitle date edition editor issn journal journaltitle language location month organization "
    "publisher school series volume year".split()
)
"""What is true of a part where it is true of the whole: not its own title, pages or identifiers."""

_MOST_WAITING = 10_000


class Placed(NamedTuple):
    """An entry, and what makes a dead letter of it."""

    entry: Entry
    letter: Callable[[str], DeadLetter]


class Family:
    """The entries of a file that others may refer to, and those that wait for the one they refer to."""

    def __init__(self) -> None:
        self._parents: dict[str, Entry] = {}
        self._waiting: dict[str, list[Placed]] = {}
        self._count = 0

    def join(self, placed: Placed) -> Iterator[Placed]:
        """The entries that are complete now: this one, and those that waited for it behind it."""
        entry = placed.entry
        wanted = next((value.strip().lower() for name, value in entry.fields if name == "crossref"), "")
        if wanted and wanted not in self._parents and self._count < _MOST_WAITING:
            self._waiting.setdefault(wanted, []).append(placed)
            self._count += 1
            return
        whole = _inherit(placed, self._parents[wanted]) if wanted in self._parents else placed
        yield whole
        key = entry.key.lower()
        if entry.type in _PARENTS:
            self._parents.setdefault(key, whole.entry)
        children = self._waiting.pop(key, ())
        self._count -= len(children)
        for child in children:
            yield _inherit(child, whole.entry)

    def left(self) -> Iterator[Placed]:
        """The entries that refer to none of this file."""
        for children in self._waiting.values():
            yield from children


def _inherit(child: Placed, parent: Entry) -> Placed:
    own = {name for name, value in child.entry.fields if value.strip()}
    given = dict(parent.fields)
    title = given.get("booktitle") or given.get("title", "")
    if "booktitle" not in own and "journal" not in own and title:
        given["booktitle"] = title
    fields = [(name, value) for name, value in given.items() if name in _INHERITED and name not in own]
    dated = own & {"year", "date"}
    fields = [(name, value) for name, value in fields if not (dated and name in ("year", "date", "month"))]
    return Placed(child.entry._replace(fields=[*child.entry.fields, *fields]), child.letter)
