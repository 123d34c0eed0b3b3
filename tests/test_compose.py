"""The containers' files name only what exists, and the versions that the documentation says were tried."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from bibfold.cli import COMMANDS
from bibfold.engines import ENGINES
from bibfold.engines.solr_admin import CONFIGSET
from tests.servers import docker

ROOT = Path(__file__).parents[1]
PROFILES = ("solr", "elasticsearch", "opensearch")


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_a_healthy_server_and_bibfold_against_it(compose: Any, profile: str) -> None:
    server, ours = compose["services"][profile], compose["services"][f"bibfold-{profile}"]
    assert server["profiles"] == ours["profiles"] == [profile]
    assert server["healthcheck"]["test"][0] == "CMD"
    assert ours["depends_on"] == {profile: {"condition": "service_healthy"}}
    name, _, place = ours["environment"]["BIBFOLD_ENGINE"].partition(":")
    assert name in ENGINES
    assert place.startswith(f"http://{profile}:")
    assert ours["command"] in COMMANDS
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])


def test_every_volume_is_declared_or_a_folder_of_ours(compose: Any) -> None:
    mounts = [mount.split(":") for service in compose["services"].values() for mount in service["volumes"]]
    named = {mount[0] for mount in mounts if not mount[0].startswith(".")}
    assert named == set(compose["volumes"])
    folders = {mount[0] for mount in mounts if mount[0].startswith(".")} - {"./data"}
    assert folders == {"./solr_conf"}
    assert all((ROOT / folder).is_dir() for folder in folders)
    configset = next(mount[1] for mount in mounts if mount[0] == "./solr_conf")
    assert configset.endswith(f"/configsets/{CONFIGSET}/conf")


def test_images_are_those_of_the_tests_and_of_the_documentation(compose: Any) -> None:
    images = {name: compose["services"][name]["image"] for name in PROFILES}
    assert images == {
        "solr": docker.SOLR_IMAGE,
        "elasticsearch": docker.ELASTICSEARCH_IMAGE,
        "opensearch": docker.OPENSEARCH_IMAGE,
    }
    documented = (ROOT / "docs" / "engines.md").read_text()
    assert all(f"`{image}`" in documented for image in images.values())


def test_the_image_is_made_of_what_exists_and_runs_as_an_ordinary_user() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert all((ROOT / name).exists() for name in copied)
    assert lines.index("USER bibfold") < lines.index('ENTRYPOINT ["bibfold"]')
    assert {f"!{name}" for name in copied} <= set((ROOT / ".dockerignore").read_text().splitlines())
    (check,) = re.findall(r'HEALTHCHECK CMD \["bibfold", "(\w+)"\]', "\n".join(lines))
    assert check in COMMANDS
