"""The configset agrees with the schema in the code."""

from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from bibfold.engines.base import FIELDS, K1, B
from bibfold.engines.server_hits import fields
from bibfold.engines.solr_admin import CONFIGSET_FOLDER
from tests.engines.test_elasticsearch_wire import ONE


@pytest.fixture
def schema() -> Any:
    return etree.parse(CONFIGSET_FOLDER / "schema.xml").getroot()


@pytest.fixture
def config() -> Any:
    return etree.parse(CONFIGSET_FOLDER / "solrconfig.xml").getroot()


def test_the_configset_is_at_the_top_of_the_repository() -> None:
    top = Path(__file__).parents[2]
    assert top / "solr_conf" == CONFIGSET_FOLDER
    assert {file.name for file in CONFIGSET_FOLDER.iterdir()} == {"schema.xml", "solrconfig.xml"}


def test_the_fields_are_those_of_a_document(schema: Any) -> None:
    assert set(schema.xpath("field/@name")) == {*fields(ONE), "_version_"}
    assert schema.findtext("uniqueKey") == "id"
    assert schema.xpath("dynamicField | copyField") == []


def test_the_searched_fields_are_sets_of_terms_ranked_by_bm25(schema: Any) -> None:
    assert set(schema.xpath("field[@type='terms']/@name")) == set(FIELDS)
    (terms,) = schema.xpath("fieldType[@name='terms']")
    assert terms.get("class") == "solr.StrField"
    assert (terms.get("omitNorms"), terms.get("multiValued")) == ("false", "true")
    assert float(terms.xpath("string(similarity/float[@name='k1'])")) == K1
    assert float(terms.xpath("string(similarity/float[@name='b'])")) == B
    assert schema.xpath("string(similarity/@class)") == "solr.SchemaSimilarityFactory"


def test_nothing_is_seen_before_a_commit_of_ours(config: Any) -> None:
    assert config.findtext("updateHandler/autoCommit/openSearcher") == "false"
    assert config.findtext("updateHandler/autoSoftCommit/maxTime") == "-1"
    assert config.xpath("string(schemaFactory/@class)") == "ClassicIndexSchemaFactory"


def test_shards_count_together(config: Any) -> None:
    assert config.xpath("string(statsCache/@class)").endswith(".ExactStatsCache")
