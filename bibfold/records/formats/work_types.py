"""What the formats call the same type of work, for writers: `journal-article`, `JOUR`, `@article`."""

import re
from typing import Final

_TABLE: Final = (
    ("JOUR", "article", "jour article journalarticle journal articlejournal mgzn news review"),
    ("BOOK", "book", "book monograph ebook edbook"),
    ("CHAP", "incollection", "chap chapter bookchapter booksection incollection inbook echap"),
    (
        "CPAPER",
        "inproceedings",
        "conf cpaper conferencepaper inproceedings proceedingsarticle paperconference",
    ),
    ("CONF", "proceedings", "proceedings conferenceproceedings"),
    ("THES", "phdthesis", "thes thesis phdthesis mastersthesis dissertation"),
    ("RPRT", "techreport", "rprt report techreport"),
    ("DATA", "dataset", "data dataset"),
    ("UNPB", "unpublished", "unpb unpublished preprint manuscript postedcontent"),
)
_ROWS: Final = {name: (ris, bibtex) for ris, bibtex, names in _TABLE for name in names.split()}


def ris_type(type: str) -> str:
    """The RIS type of a work, itself where it is one."""
    return type if re.fullmatch(r"[A-Z]{3,10}", type) else _row(type)[0]


def bibtex_type(type: str) -> str:
    """The BibTeX entry type of a work, itself where it is one."""
    return type if _BIBTEX.fullmatch(type) else _row(type)[1]


_BIBTEX: Final = re.compile(
    "article|book|booklet|collection|conference|dataset|inbook|incollection|inproceedings|manual|mastersthesis"
    "|misc|online|patent|periodical|phdthesis|proceedings|report|software|techreport|thesis|unpublished"
)


def _row(type: str) -> tuple[str, str]:
    return _ROWS.get(re.sub(r"[^a-z]", "", type.lower()), ("GEN", "misc"))
