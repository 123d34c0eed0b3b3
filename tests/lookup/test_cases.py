"""Pairs of records as a librarian would judge them, by the learnt profile."""

import pytest

from lookup.evidence import Decision
from lookup.profiles import BIBFOLD_1
from tests.lookup.examples import comparison, prepared

LIPIDS = {
    "title": "Lipid metabolism and the risk of coronary heart disease in middle age",
    "authors": ("Zhai, Q. J.", "Miller, A."),
    "publication": "Current Opinion in Lipidology",
    "year": 2003,
    "volume": "14",
    "issue": "3",
    "pages": "288-297",
}
NOVEL = {"title": "Pride and prejudice", "authors": ("Austen, Jane",), "publisher": "Penguin Books", "year": 1996}
SERIES = {"authors": ("Ivić, A.",), "year": 2009}
TRIAL = {
    "title": "Acupuncture is effective in the treatment of chronic back pain",
    "authors": ("Zhai, Q. J.", "Miller, A."),
    "publication": "Pain",
    "year": 2009,
}
COLUMN = {
    "title": "From the editor's desk",
    "authors": ("Roe, Jane",),
    "publication": "Journal of Documentation",
    "year": 1999,
    "volume": "55",
}
BOOK = {"title": "When the typhoon blows.", "authors": ("Lewis (Elizabeth Foreman)",), "year": 1942}
PREFACE = {"title": "Preface", "year": 1999, "publication": "Computational Linguistics"}


def _without(base: dict, *names: str) -> dict:
    return {name: value for name, value in base.items() if name not in names}


SAME = [
    ("a statement of responsibility behind the title", BOOK,
     BOOK | {"title": "When the typhoon blows. Illustrated by Kurt Wiese.", "authors": ("LEWIS, ELIZABETH FOREMAN.",)}),
    ("an author within the title", BOOK,
     BOOK | {"title": "When the typhoon blows, by Elizabeth Foreman Lewis. (Young readers, v.12)"}),
    ("an article about correction", TRIAL | {"title": "Neural models for grammatical error correction in essays"},
     TRIAL | {"title": "Neural Models for Grammatical Error Correction in Essays."}),
    ("a record and its copy", LIPIDS, LIPIDS),
    (
        "an abbreviated journal, initials and short page range",
        LIPIDS,
        LIPIDS | {"authors": ("Zhai QJ", "Miller A"), "publication": "Curr Opin Lipidol", "pages": "288-97"},
    ),
    ("given names in full", LIPIDS, LIPIDS | {"authors": ("Qing Jie Zhai", "Anna Miller")}),
    ("family and given names swapped", LIPIDS, LIPIDS | {"authors": ("Q. J., Zhai", "A., Miller")}),
    ("a list of authors cut short", LIPIDS, LIPIDS | {"authors": ("Zhai Q J", "et al.")}),
    ("a slip of the pen in a name", LIPIDS, LIPIDS | {"authors": ("Zhai, Q. J.", "Milller, A.")}),
    ("a slip of the pen in the title", LIPIDS, LIPIDS | {"title": LIPIDS["title"].replace("coronary", "coronray")}),
    ("spaces lost in the title", LIPIDS, LIPIDS | {"title": LIPIDS["title"].replace(" heart", "heart")}),
    ("title and authors alone on one side", LIPIDS, {name: LIPIDS[name] for name in ("title", "authors")}),
    ("a long title alone on one side", LIPIDS, {"title": LIPIDS["title"]}),
    ("a note behind the title", LIPIDS, LIPIDS | {"title": LIPIDS["title"] + " [Erratum appears in 2004;15(1):3]"}),
    ("the authors in front of the title", LIPIDS, LIPIDS | {"title": "Zhai and Miller: " + LIPIDS["title"]}),
    ("a subtitle left out", LIPIDS | {"title": "Lipid metabolism after forty: a cohort study"},
     LIPIDS | {"title": "Lipid metabolism after forty"}),
    ("a subtitle left out that is longer than the title",
     LIPIDS | {"title": "Fat after forty: how ageing changes the transport and the storage of lipids in women"},
     LIPIDS | {"title": "Fat after forty"}),
    ("a long subtitle left out, and a page in common where the title is a word",
     LIPIDS | {"title": "Lipids: how ageing changes their transport and storage in healthy women"},
     LIPIDS | {"title": "Lipids"}),
    ("preprint and article a year apart", _without(LIPIDS, "volume", "pages"), LIPIDS | {"year": 2004}),
    ("volume and issue in one field", LIPIDS, _without(LIPIDS, "issue") | {"volume": "14(3)"}),
    ("placeholders are not values", LIPIDS, LIPIDS | {"authors": ("N/A",), "pages": "NA", "issue": "null"}),
    ("markup in the title", {"title": "The role of H<sub>2</sub>O in the mantle of Mars", "year": 2001},
     {"title": "The role of H2O in the mantle of Mars", "year": 2001}),
    ("a title in another script", {"title": "紅樓夢研究新論", "authors": ("曹雪芹",), "year": 1954},
     {"title": "紅樓夢研究新論", "authors": ("曹雪芹",), "year": 1954}),
    ("one of several DOIs in common", LIPIDS | {"identifiers": {"doi": ("10.1000/1", "10.1000/3")}},
     LIPIDS | {"identifiers": {"doi": ("10.1000/2", "10.1000/3")}}),
]  # fmt: skip

NOT_SAME = [
    ("a word that is another's main title, on other pages",
     LIPIDS | {"title": "Lipids: how ageing changes their transport and storage in healthy women", "pages": "12-18"},
     LIPIDS | {"title": "Lipids"}),
    ("one title has the number twice", SERIES | {"title": "On mean values of two zeta functions"},
     SERIES | {"title": "On mean values of two zeta functions II"}),
    ("two numbered parts", SERIES | {"title": "On mean values of zeta functions, part 1"},
     SERIES | {"title": "On mean values of zeta functions, part 2"}),
    ("Roman parts", SERIES | {"title": "On mean values of zeta functions I"},
     SERIES | {"title": "On mean values of zeta functions II"}),
    ("a sequel and the first part, unnumbered", SERIES | {"title": "On mean values of zeta functions"},
     SERIES | {"title": "On mean values of zeta functions II"}),
    ("two years' proceedings", {"title": "Proceedings of the 16th Workshop on Logic Programming", "year": 2002},
     {"title": "Proceedings of the 17th Workshop on Logic Programming", "year": 2003}),
    ("an erratum", LIPIDS, LIPIDS | {"title": "Erratum to: " + LIPIDS["title"]}),
    ("an erratum as the Web of Science writes it", LIPIDS,
     LIPIDS | {"title": LIPIDS["title"] + " (vol 14, pg 288, 2003)", "pages": "411"}),
    ("a reply", LIPIDS, LIPIDS | {"title": "Reply to " + LIPIDS["title"]}),
    ("different DOIs", LIPIDS | {"identifiers": {"doi": ("10.1000/1",)}},
     LIPIDS | {"identifiers": {"doi": ("10.1000/2",)}}),
    ("different arXiv numbers", LIPIDS | {"identifiers": {"arxiv": ("1201.1393",)}},
     LIPIDS | {"identifiers": {"arxiv": ("1202.5759",)}}),
    ("a meeting abstract and its article", LIPIDS,
     LIPIDS | {"year": 2001, "volume": "12", "issue": "", "pages": "S55"}),
    ("a talk in another journal", LIPIDS, LIPIDS | {"publication": "Stroke", "volume": "41", "pages": "e505"}),
    ("prefaces without author", PREFACE, PREFACE | {"pages": "iii"}),
    ("no title on one side", LIPIDS, _without(LIPIDS, "title", "pages")),
    ("a short title and nothing else", {"title": "Editorial"}, {"title": "Editorial"}),
    ("an edition of another year", NOVEL, NOVEL | {"year": 2003}),
    ("an edition of another publisher", NOVEL, NOVEL | {"publisher": "Oxford University Press"}),
    ("a numbered edition", NOVEL | {"edition": "2nd ed."}, NOVEL | {"edition": "3rd ed."}),
    ("another ISBN", NOVEL | {"identifiers": {"isbn": ("0140434267",)}},
     NOVEL | {"identifiers": {"isbn": ("0141439513",)}}),
    ("companion papers of one issue", LIPIDS | {"title": "Lipid metabolism in men", "pages": "736"},
     LIPIDS | {"title": "Vitamin levels in women", "pages": "737"}),
    ("one title, other people", {"title": "Introduction to ergodic theory", "authors": ("Walters, P.",)},
     {"title": "Introduction to ergodic theory", "authors": ("Sinai, Ya.",)}),
    ("a negation", TRIAL, TRIAL | {"title": "Acupuncture is not effective in the treatment of chronic back pain"}),
    ("what acts on what", LIPIDS | {"title": "The effect of insulin on diabetes in rats", "pages": ""},
     LIPIDS | {"title": "The effect of diabetes on insulin in rats", "pages": ""}),
    ("a letter about an article", TRIAL, TRIAL | {"title": "Re: " + TRIAL["title"]}),
    ("a reply behind the title", TRIAL, TRIAL | {"title": TRIAL["title"] + ": reply"}),
    ("a trial and its protocol", TRIAL, TRIAL | {"title": TRIAL["title"] + ": protocol of a trial", "year": 2008}),
    ("men and women", TRIAL | {"title": "Walking and the risk of hip fracture in men of middle age"},
     TRIAL | {"title": "Walking and the risk of hip fracture in women of middle age"}),
    ("a review, written anew", TRIAL | {"year": 2003}, TRIAL | {"year": 2014}),
    ("an editor's column in two issues of a volume", COLUMN | {"issue": "1"}, COLUMN | {"issue": "3"}),
    ("a monthly survey, two hundred pages on", COLUMN | {"title": "Monthly survey of the book trade", "pages": "17-19"},
     COLUMN | {"title": "Monthly survey of the book trade in March", "pages": "217-220"}),
    ("one clinical word and nothing else to compare",
     {"title": "Randomised trial of aspirin for the prevention of recurrent venous thrombosis", "year": 2010},
     {"title": "Randomised trial of warfarin for the prevention of recurrent venous thrombosis", "year": 2010}),
]  # fmt: skip

DIFFERENT = [
    ("nothing in common", LIPIDS, NOVEL),
    ("one author, another topic and year", LIPIDS, LIPIDS | {"title": "Notes on statins", "year": 2011, "pages": "9"}),
    ("different DOIs", LIPIDS | {"identifiers": {"doi": ("10.1000/1",)}},
     LIPIDS | {"identifiers": {"doi": ("10.1000/2",)}}),
    ("several DOIs against another", LIPIDS | {"identifiers": {"doi": ("10.1000/1", "10.1000/3")}},
     LIPIDS | {"identifiers": {"doi": ("10.1000/2",)}}),
    ("one DOI in common, different PMIDs", LIPIDS | {"identifiers": {"doi": ("10.1000/1",), "pmid": ("1",)}},
     LIPIDS | {"identifiers": {"doi": ("10.1000/1",), "pmid": ("2", "3")}}),
]  # fmt: skip


def _decision(fields: dict, other_fields: dict) -> Decision:
    ours, theirs = prepared(**fields), prepared(**other_fields)
    found = comparison(ours, theirs, BIBFOLD_1)
    assert comparison(theirs, ours, BIBFOLD_1).decision == found.decision
    return found.decision


@pytest.mark.parametrize(("fields", "other"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_same(fields: dict, other: dict) -> None:
    assert _decision(fields, other) == "same"


@pytest.mark.parametrize(("fields", "other"), [case[1:] for case in NOT_SAME], ids=[case[0] for case in NOT_SAME])
def test_not_same(fields: dict, other: dict) -> None:
    assert _decision(fields, other) != "same"


@pytest.mark.parametrize(("fields", "other"), [case[1:] for case in DIFFERENT], ids=[case[0] for case in DIFFERENT])
def test_different(fields: dict, other: dict) -> None:
    assert _decision(fields, other) == "different"
