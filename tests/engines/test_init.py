"""The table of engines and the addresses that open them."""

import subprocess
import sys
from pathlib import Path

import pytest

from bibfold import engines
from bibfold.engines import ENGINES, installed, open_engine
from bibfold.engines.memory import Memory
from bibfold.engines.tantivy import Tantivy
from bibfold.errors import EngineUnavailable, SettingsError


def test_addresses_open_engines(tmp_path: Path) -> None:
    assert isinstance(open_engine("memory"), Memory)
    assert isinstance(open_engine(f"tantivy:{tmp_path}"), Tantivy)


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_of_the_table_can_be_loaded(name: str) -> None:
    assert installed(name)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("lucene:x", "known engines: tantivy, memory"),
        ("", "known engines"),
        ("Tantivy:x", "known engines"),
        ("tantivy", "does not say where"),
        ("tantivy:", "does not say where"),
        ("memory:x", "write `memory` alone"),
    ],
)
def test_what_is_no_address_is_explained(address: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        open_engine(address)


def test_an_engine_that_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", {"far": ("no_such_module:Far", "pip install bibfold[far]")})
    with pytest.raises(EngineUnavailable, match=r"no_such_module.*pip install bibfold\[far\]"):
        open_engine("far:away")
    assert not installed("far")


def test_the_table_loads_no_engine() -> None:
    heavy = "{'numpy', 'scipy', 'tantivy', 'sparse_dot_topn', 'pysolr', 'elasticsearch', 'opensearchpy'}"
    code = f"import sys, bibfold.engines; print(*({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""
