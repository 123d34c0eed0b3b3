"""Texts out of XML elements."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from bibfold.records.formats.values import squeeze


def text(element: Element | None, path: str = "") -> str:
    """All text of an element, or of the first one at a path below it; empty where there is none."""
    found = element.find(path) if element is not None and path else element
    return squeeze("".join(found.itertext())) if found is not None else ""


def first(element: Element | None, *paths: str) -> str:
    """The text at the first of these paths that has any."""
    return next((found for path in paths for found in texts(element, path)), "")


def texts(element: Element | None, path: str) -> Iterator[str]:
    """The texts at a path, without empty ones."""
    for found in element.iterfind(path) if element is not None else ():
        if value := text(found):
            yield value
