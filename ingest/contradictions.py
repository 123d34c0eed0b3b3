"""What a person's decisions say together: which records they tie, and by which chain."""

from collections.abc import Mapping

from bibfold.catalogue.reading import Reading
from bibfold.catalogue.rows import Verdicts


def ties(read: Reading, key: str) -> Verdicts:
    """All records that decisions tie to a record, itself included, each with what was decided of it."""
    found: dict[str, Mapping[str, str]] = {}
    waiting = {key}
    while waiting:
        said = read.verdicts(waiting)
        found.update({one: said.get(one, {}) for one in waiting})
        tied = (other for one in waiting for other, verdict in found[one].items() if verdict == "same")
        waiting = {other for other in tied if other not in found}
    return found


def way_between(tied: Verdicts, a: str, b: str) -> list[str]:
    """The shortest chain of `same` decisions from one record to another; empty where there is none."""
    came_from: dict[str, str | None] = {a: None}
    waiting = [a]
    for one in waiting:
        if one == b:
            break
        for other, verdict in tied.get(one, {}).items():
            if verdict == "same" and other not in came_from:
                came_from[other] = one
                waiting.append(other)
    chain: list[str] = []
    at: str | None = b if b in came_from else None
    while at is not None:
        chain.append(at)
        at = came_from[at]
    return chain[::-1]
