"""A catalogue that is kept open from Python."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bibfold
from bibfold.records.formats.files import read_file

Make = Callable[..., bibfold.Record]
Write = Callable[..., str]


@pytest.fixture
def catalogue(kept: Path, make: Make) -> Iterator[bibfold.OpenCatalogue]:
    """A catalogue of two works: one of two records, and one alone."""
    with bibfold.open(kept, create=True) as opened:
        opened.ingest([make("1"), make("2"), make("3", 1)])
        yield opened


def test_a_catalogue_must_be_there_unless_it_is_created(kept: Path) -> None:
    with pytest.raises(bibfold.CatalogueError, match="is no catalogue"):
        bibfold.open(kept)
    with bibfold.open(str(kept), create=True, profile="mendeley") as opened:
        assert opened.stats()["records"] == 0
        assert opened.lookup({"title": "Anything"}).decision == "different"
    with bibfold.open(kept, create=True) as opened:
        assert opened.stats()["options"]["profile"] == "mendeley"


def test_a_setting_that_is_refused_makes_no_catalogue(kept: Path) -> None:
    with pytest.raises(bibfold.SettingsError, match="top_n: 0 is not"):
        bibfold.open(kept, create=True, top_n=0)
    assert not kept.exists()


def test_ingest_takes_files_and_records_and_is_idempotent(
    catalogue: bibfold.OpenCatalogue, make: Make, write: Write
) -> None:
    assert catalogue.stats()["clusters"] == 2
    again = catalogue.ingest(write("a.jsonl", make("1"), make("4", 2)))
    assert (again.records, again.unchanged, again.clusters) == (1, 1, 1)
    letters = catalogue.ingest([{"title": ["no text"]}], source="me")
    assert letters.dead_letters == 1
    (letter,) = catalogue.dead_letters()
    assert (letter["file"], letter["position"]) == ("me", "record 1")


def test_lookups_see_what_was_ingested_since_the_catalogue_was_opened(
    catalogue: bibfold.OpenCatalogue, make: Make
) -> None:
    assert catalogue.lookup(make("9", 3)).decision == "different"
    catalogue.ingest([make("8", 3)])
    answer = catalogue.lookup(make("9", 3))
    assert (answer.decision, answer.cluster) == ("same", "c3")
    assert [found.cluster for found in catalogue.lookup_many([make("9", 1), make("9")])] == ["c2", "c1"]


def test_a_malformed_record_is_an_error(catalogue: bibfold.OpenCatalogue) -> None:
    with pytest.raises(bibfold.RecordError, match="title: expected a text"):
        catalogue.lookup({"title": {}})


def test_changes_by_hand(catalogue: bibfold.OpenCatalogue) -> None:
    apart = catalogue.split("c1", "x:2", note="another edition")
    assert [record["id"] for record in catalogue.show(apart)["records"]] == ["2"]
    assert catalogue.merge("c1", apart) == "c1"
    assert catalogue.decide("x:1", "x:2", "different") != ("c1", "c1")
    assert catalogue.decide("x:1", "x:2", "same") == ("c1", "c1")
    assert [one["verdict"] for one in catalogue.decisions()] == ["same"]
    assert catalogue.undo("x:1", "x:2") != ["c1", "c1"]
    assert catalogue.reviews() == []
    assert "another edition" in [event["cause"] for event in catalogue.events("x:2")]
    with pytest.raises(bibfold.NotFound, match="no cluster or record 'c99' here"):
        catalogue.show("c99")


def test_the_index_can_be_rebuilt_with_other_settings_and_checked(catalogue: bibfold.OpenCatalogue, make: Make) -> None:
    before = catalogue.reindex()
    assert catalogue.reindex(languages=["en", "de"]) != before
    assert catalogue.stats()["options"]["languages"] == ["en", "de"]
    assert catalogue.check().agree
    assert catalogue.check(repair=True).agree
    assert catalogue.lookup(make("9")).cluster == "c1"


def test_a_repair_by_other_settings_is_planned_carried_out_and_kept(
    catalogue: bibfold.OpenCatalogue, make: Make
) -> None:
    catalogue.ingest([make("4", title="Folding duplicate records, slowly, as they arrive")])
    before = catalogue.stats()["clusters"]
    planned = catalogue.repair(dry_run=True, profile="mendeley-title", same=1.0, unsure=1.0)
    assert [(one["kind"], one["cluster"], one["records"]) for one in planned] == [("split", "c1", ["x:4"])]
    assert catalogue.stats()["clusters"] == before
    assert len(catalogue.repair(profile="mendeley-title", same=1.0, unsure=1.0)) == 1
    assert catalogue.stats()["clusters"] == before + 1
    assert catalogue.stats()["options"]["profile"] == "mendeley-title"


def test_export(catalogue: bibfold.OpenCatalogue, tmp_path: Path) -> None:
    catalogue.export(tmp_path / "out.jsonl")
    catalogue.export(str(tmp_path / "out.ris"), format="ris")
    for name in ("out.jsonl", "out.ris"):
        titles = [item.title for item in read_file(str(tmp_path / name)) if isinstance(item, bibfold.Record)]
        assert len(titles) == 2
    with pytest.raises(bibfold.SettingsError, match="can be read but not written"):
        catalogue.export(tmp_path / "out.nbib", format="nbib")
    assert not (tmp_path / "out.nbib").exists()


def test_an_open_catalogue_does_not_keep_others_from_writing(
    catalogue: bibfold.OpenCatalogue, kept: Path, make: Make
) -> None:
    with bibfold.open(kept) as other:
        other.ingest([make("7", 4)])
    assert catalogue.stats()["records"] == 4
    assert catalogue.lookup(make("9", 4)).decision == "same"


def test_remarks_go_to_the_logger(
    catalogue: bibfold.OpenCatalogue, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="bibfold"):
        catalogue.ingest([make("5", 5, year=20022), {"title": 1.5, "authors": {}}])
    assert "the year 20022 is not plausible" in caplog.text
    assert "records, record 2: authors: expected a text, got dict" in caplog.text
