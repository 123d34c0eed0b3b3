"""Volume, issue and pages: where in a publication a work stands."""

from bibfold.records.prepare import Prepared
from lookup.evidence import Finding


def volume(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 for the same volume, else 0."""
    return _equal("volume", ours.volume, theirs.volume)


def issue(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 for the same issue, else 0."""
    return _equal("issue", ours.issue, theirs.issue)


def pages(ours: Prepared, theirs: Prepared) -> Finding | None:
    """1 for the same first page, a half where only the last agrees, else 0."""
    one, other = ours.first_page, theirs.first_page
    if not one or not other:
        return None
    if one == other:
        return Finding(1.0, f"first page {one}: equal")
    if ours.last_page and ours.last_page == theirs.last_page:
        return Finding(0.5, f"first page {one} against {other}, last page {ours.last_page}: equal")
    return Finding(0.0, f"first page {one} against {other}")


def _equal(field: str, one: str, other: str) -> Finding | None:
    if not one or not other:
        return None
    if one == other:
        return Finding(1.0, f"{field} {one}: equal")
    return Finding(0.0, f"{field} {one} against {other}")
