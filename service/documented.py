"""Request bodies that are read by hand, as the OpenAPI document describes them."""

from dataclasses import dataclass
from typing import Any, Final

from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema

from bibfold.records.model import NATIVE_FIELDS
from service.bodies import DETECTED, MEDIA_TYPES

_TEXT: Final = Schema(type=OpenAPIType.STRING)
_OTHERS: Final[dict[str, Schema]] = {
    "authors": Schema(type=OpenAPIType.ARRAY, items=_TEXT),
    "year": Schema(type=OpenAPIType.INTEGER),
    "identifiers": Schema(
        type=OpenAPIType.OBJECT,
        additional_properties=Schema(one_of=[_TEXT, Schema(type=OpenAPIType.ARRAY, items=_TEXT)]),
    ),
}
RECORD: Final = Schema(
    type=OpenAPIType.OBJECT,
    description="A record: its fields, and whatever else its source says of it.",
    properties={name: _OTHERS.get(name, _TEXT) for name in NATIVE_FIELDS},
)
RECORDS: Final = Schema(one_of=[RECORD, Schema(type=OpenAPIType.ARRAY, items=RECORD, min_items=1, max_items=1_000)])


@dataclass
class RecordsBody(Operation):
    """An operation whose body holds records."""

    def __post_init__(self) -> None:
        content: dict[str, Any] = {"application/json": OpenAPIMediaType(schema=RECORDS)}
        content |= {media: OpenAPIMediaType(schema=_TEXT) for media in (*MEDIA_TYPES, *DETECTED)}
        self.request_body = RequestBody(content=content, required=True)
