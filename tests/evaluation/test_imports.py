"""Only the command line knows click and the environment."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import evaluation

LIBRARY = [
    module.name
    for module in pkgutil.walk_packages(evaluation.__path__, "evaluation.")
    if not module.name.endswith((".cli", ".options"))
]


def test_library_modules_do_not_import_click() -> None:
    assert "evaluation.benchmark.measure" in LIBRARY
    code = f"import sys, importlib\nfor name in {LIBRARY}: importlib.import_module(name)\nprint('click' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_library_modules_do_not_read_the_environment() -> None:
    root = Path(evaluation.__file__).parent
    files = [path for path in root.rglob("*.py") if path.stem != "cli"]
    assert [path.name for path in files if "environ" in path.read_text(encoding="utf-8")] == []
