"""What a JSON object is that holds no record, in words: an answer of some service, or a list of its names."""

from typing import Any

_SHAPES = (
    ({"resultList"}, "an answer of Europe PMC; export RIS there, or take its `resultList.result` apart, one per line"),
    ({"search-results"}, "an answer of Scopus; export CSV or RIS there"),
    ({"esearchresult"}, "an answer of PubMed's esearch, which holds numbers alone; fetch the records with efetch"),
    ({"total", "offset", "data"}, "a page of Semantic Scholar; give the objects of its `data`, one per line"),
    ({"total", "data"}, "a page of results; give the objects of its `data`, one per line"),
    ({"hits"}, "a page of hits, as repositories answer; give the records in it, one per line"),
    ({"meta", "results"}, "a page of OpenAlex; read it with --format openalex"),
    ({"data", "links"}, "a page of DataCite; read it with --format datacite"),
    ({"message"}, "a page of Crossref; read it with --format crossref"),
    ({"error"}, "an error message of a service"),
)
_SHOWN = 8


def looks_like(value: Any) -> str:
    """What an object without a record looks like."""
    if not isinstance(value, dict) or not value:
        return "an empty object" if isinstance(value, dict) else f"a {type(value).__name__}"
    for names, words in _SHAPES:
        if names <= value.keys():
            return f"it looks like {words}"
    shown = ", ".join(str(name) for name in list(value)[:_SHOWN])
    return f"its names are {shown}{' and others' if len(value) > _SHOWN else ''}"
