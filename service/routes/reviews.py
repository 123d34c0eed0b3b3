"""GET /v1/review: the pairs that a person should decide."""

from itertools import islice
from typing import Annotated, Any, Literal

from litestar import get
from litestar.params import FromQuery, QueryParameter

from bibfold.catalogue.reviews import review_list
from service.serving import Served

Limit = Annotated[int, QueryParameter(ge=1, le=1_000, description="Maximum number of entries.")]


@get("/v1/review", tags=["review"], sync_to_thread=True)
def reviews(
    serving: Served, order: FromQuery[Literal["doubt", "impact"]] = "doubt", limit: Limit = 50
) -> list[dict[str, Any]]:
    """The pairs of clusters that a person should decide, with their titles, evidence and the reason for doubt.

    By `doubt` the likeliest come first; by `impact` those whose decision settles most pairs.
    """
    with serving.catalogue.reading() as read:
        if order == "doubt":
            return list(review_list(read, limit))
        every = sorted(review_list(read, None), key=lambda entry: -int(entry["pairs"]))
    return list(islice(every, limit))
