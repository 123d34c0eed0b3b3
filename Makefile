# Every target builds what it needs first; a newcomer needs Python 3.11 or later and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
NEWEST := .venv-newest
WITHOUT_SERVERS := "not solr and not elasticsearch and not opensearch"

.PHONY: setup demo test browser test-newest lint check bench docs profile figures engines-up engines-down clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable . --group dev
	touch $(READY)

demo: setup
	PATH="$(CURDIR)/$(BIN):$$PATH" sh docs/demo.sh out/demo

test: setup browser
	$(BIN)/python -m pytest -n 3 --dist loadfile

# The browser of the desk's tests: installed where that is possible; elsewhere these tests say that they were skipped.
browser:
	@command -v chromedriver >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
		{ apt-get update -qq && apt-get install -y -qq chromium chromium-driver >/dev/null; }

# The part of the tests that Python's own changes may break, with the newest Python of this machine. From 3.13 on Python
# warns of database connections that tests of damaged catalogues leave to the garbage collector: that stops no test.
test-newest: $(NEWEST)/.ready
	$(NEWEST)/bin/python -m pytest -n 2 -W "ignore::pytest.PytestUnraisableExceptionWarning" -k $(WITHOUT_SERVERS) tests/test_*.py tests/catalogue tests/indexer tests/ingest

$(NEWEST)/.ready: pyproject.toml constraints.txt
	"$$(.ci/newest-python)" -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "pip>=25.1"
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable . --group dev
	touch $(NEWEST)/.ready

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

bench: setup
	$(BIN)/python -m benchmarks

docs: setup
	$(BIN)/python docs/generate.py

profile: setup
	$(BIN)/python -m learning.default

figures: setup
	$(BIN)/python docs/measured.py
	$(BIN)/bibfold evaluate tables --data evaluation/data --page docs/papers/mendeley.md --force

engines-up: setup
	$(BIN)/python -m tests.servers up

engines-down: setup
	$(BIN)/python -m tests.servers down

clean:
	rm -rf .venv $(NEWEST) out build *.egg-info
