"""What the formats call the same type of work, for writers: `journal-article`, `JOUR`, `@article`."""

import re
from typing import Final

import msgspec

from bibfold.records.model import Record


class WorkType(msgspec.Struct, frozen=True):
    """A type of work under the name of each format, EndNote's with its number.

    `synonyms` are other names of just this type, in small letters without spaces; `kinds` are types that are written
    as this one, though they say more.
    """

    ris: str
    bibtex: str
    csl: str
    endnote: str
    number: int
    synonyms: str = ""
    kinds: str = ""


_TYPES: Final = (
    WorkType(
        "JOUR", "article", "article-journal", "Journal Article", 17, "journal", "review letter editorial note comment"
    ),
    WorkType("BOOK", "book", "book", "Book", 6, "monograph", "editedbook edbook ebook electronicbook referencebook"),
    WorkType("CHAP", "incollection", "chapter", "Book Section", 5, "bookchapter bookpart", "inbook echap entry"),
    WorkType(
        "CPAPER",
        "inproceedings",
        "paper-conference",
        "Conference Paper",
        47,
        "proceedingsarticle proceedingspaper conferencepaper",
        "conferenceabstract meetingabstract",
    ),
    WorkType("CONF", "proceedings", "book", "Conference Proceedings", 10),
    WorkType("THES", "phdthesis", "thesis", "Thesis", 32, "dissertation", "mastersthesis doctoralthesis"),
    WorkType("RPRT", "techreport", "report", "Report", 27, "technicalreport", "workingpaper"),
    WorkType("DATA", "dataset", "dataset", "Dataset", 59),
    WorkType("UNPB", "unpublished", "manuscript", "Unpublished Work", 34, "", "preprint postedcontent"),
    WorkType("MANSCPT", "unpublished", "manuscript", "Manuscript", 36),
    WorkType("MGZN", "article", "article-magazine", "Magazine Article", 19),
    WorkType("NEWS", "article", "article-newspaper", "Newspaper Article", 23),
    WorkType("SER", "periodical", "periodical", "Serial", 57, "", "jfull"),
    WorkType("ELEC", "misc", "webpage", "Web Page", 12, "website online"),
    WorkType("BLOG", "misc", "post-weblog", "Blog", 56, "blogpost"),
    WorkType("COMP", "misc", "software", "Computer Program", 9),
    WorkType("PAT", "misc", "patent", "Patent", 25),
    WorkType("MAP", "misc", "map", "Map", 20),
    WorkType("VIDEO", "misc", "motion_picture", "Film or Broadcast", 21, "videorecording film"),
    WorkType("SOUND", "misc", "song", "Audiovisual Material", 3, "audio audiorecording"),
    WorkType("MUSIC", "misc", "musical_score", "Music", 61, "score"),
)
_GENERIC: Final = WorkType("GEN", "misc", "document", "Generic", 13)
_RIS: Final = frozenset(
    "ABST ADVS AGGR ANCIENT ART BILL BLOG BOOK CASE CHAP CHART CLSWK COMP CONF CPAPER CTLG DATA DBASE DICT EBOOK ECHAP"
    " EDBOOK EJOUR ELEC ENCYC EQUA FIGURE GEN GOVDOC GRANT HEAR ICOMM INPR JFULL JOUR LEGAL MANSCPT MAP MGZN MPCT MULTI"
    " MUSIC NEWS PAMP PAT PCOMM RPRT SER SLIDE SOUND STAND STAT THES UNBILL UNPB VIDEO".split()
)
_BIBTEX: Final = re.compile(
    "article|book|booklet|collection|conference|dataset|inbook|incollection|inproceedings|manual|mastersthesis"
    "|misc|online|patent|periodical|phdthesis|proceedings|report|software|techreport|thesis|unpublished"
)


def _plain(type: str) -> str:
    return re.sub(r"[^a-z]", "", type.lower())


def _names(type: WorkType) -> list[str]:
    return [_plain(name) for name in (type.ris, type.bibtex, type.csl, type.endnote)] + type.synonyms.split()


_SAME: Final = {name: type for type in reversed((*_TYPES, _GENERIC)) for name in _names(type)}
_WRITTEN_AS: Final = {name: type for type in _TYPES for name in type.kinds.split()} | _SAME


def work_type(record: Record) -> WorkType:
    """The type of a record's work, by the name it was given, or else by what else the record says."""
    found = _WRITTEN_AS.get(_plain(record.type))
    if found and found is not _GENERIC:
        return found
    if record.publication and (record.volume or record.issue or "issn" in record.identifiers):
        return _SAME["journal"]
    if "isbn" in record.identifiers:
        return _SAME["chapter" if record.publication else "book"]
    return _SAME["journal"] if "pmid" in record.identifiers else _GENERIC


def is_same_type(type: str, other: str) -> bool:
    """Whether two names say the same of a work."""
    kind = _SAME.get(_plain(type))
    return type == other or (kind is not None and kind is _SAME.get(_plain(other)))


def ris_type(record: Record) -> str:
    """The RIS type of a work; what it was given where that is one."""
    return record.type if record.type in _RIS else work_type(record).ris


def bibtex_type(record: Record) -> str:
    """The BibTeX entry type of a work; what it was given where that is one."""
    return record.type if _BIBTEX.fullmatch(record.type) else work_type(record).bibtex
