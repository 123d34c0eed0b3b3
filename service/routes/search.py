"""Routes that ask the index: for people by words of a title, for programs by an identifier."""

import asyncio
from typing import Annotated, Any, TypedDict

from litestar import get
from litestar.params import FromPath, QueryParameter

from bibfold.errors import NotFound
from bibfold.records.identifiers import PROPOSING, normalise
from bibfold.records.model import Record
from bibfold.records.native import to_native
from lookup.answers import Answer
from service.errors import Refused
from service.serving import Served

Text = Annotated[str, QueryParameter(min_length=1, max_length=2_000, description="Words of a title, or an identifier.")]


class Found(TypedDict):
    """A cluster that was found, and how."""

    cluster: str
    found_by: list[str]
    record: dict[str, Any]


@get("/v1/search", tags=["lookup"])
async def search(serving: Served, q: Text) -> list[Found]:
    """The clusters nearest to some words of a title, or to an identifier such as a DOI, best first."""
    record = Record(source="search", id="1", title=q, identifiers=identifiers_of(q))
    (found,) = await asyncio.wrap_future(serving.lookups.ask([record], _found))
    return found  # type: ignore[no-any-return]


@get("/v1/identifiers/{kind:str}/{value:path}", tags=["lookup"])
async def identifier(kind: FromPath[str], value: FromPath[str], serving: Served) -> list[Found]:
    """The clusters that have an identifier, such as `doi/10.1000/182`."""
    if kind not in PROPOSING:
        raise Refused(
            404, f"{kind!r} is no kind of identifier that records are found by: {', '.join(sorted(PROPOSING))}"
        )
    normal = normalise(kind, value.removeprefix("/"))
    if normal is None:
        raise Refused(400, f"{value.removeprefix('/')!r} is not a valid {kind}")
    record = Record(source="search", id="1", identifiers={kind: (normal,)})
    (found,) = await asyncio.wrap_future(serving.lookups.ask([record], _found))
    if not found:
        raise NotFound(f"no cluster has {kind} {normal}")
    return found  # type: ignore[no-any-return]


def identifiers_of(text: str) -> dict[str, tuple[str, ...]]:
    """The identifier that a text is, by its kind; nothing where it is something else."""
    return {kind: (value,) for kind in sorted(PROPOSING) if (value := _plain(kind, text))}


def _plain(kind: str, text: str) -> str | None:
    """The identifier that a text is, where it is nothing else: a DOI, or `pmid:` and a number."""
    prefix, colon, rest = text.strip().partition(":")
    if colon and prefix.lower() == kind:
        return normalise(kind, rest)
    return normalise(kind, text) if kind in ("doi", "isbn") and " " not in text.strip() else None


def _found(answer: Answer) -> list[Found]:
    return [
        {"cluster": candidate.cluster, "found_by": list(candidate.found_by), "record": to_native(candidate.record)}
        for candidate in answer.candidates
    ]
