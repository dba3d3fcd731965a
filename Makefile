# make demo   record, migrate and verify the shipped example, show what changed, and its numbers and times beside NumPy's
# make test   run the tests, of the long suites a sample: eighteen minutes on two cores
# make test-all   run every test: twenty-one minutes on two cores
# make test-oldest   rules and fixtures with the oldest TensorFlow and NumPy that are supported
# make package   build what goes to the index, and look at it
#
# They need only Python 3.11 to 3.13 and make: they set up .venv themselves. PYTHON=python3.12 chooses another Python.
# TensorFlow 2.18 is for Python 3.11 and 3.12 alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := .venv-oldest
DEMO := build/demo
export TF_CPP_MIN_LOG_LEVEL ?= 2

.PHONY: demo test test-all test-oldest lint package
.DEFAULT_GOAL := demo

$(VENV)/.installed: requirements-dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Python 3.11 to 3.13 is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Outside of this repository, all of which would be analysed as the project around the example.
SOURCE := $(or $(TMPDIR),/tmp)/tnp-migrate-demo/before
RECORD := $(dir $(SOURCE))record
PROOF := $(dir $(SOURCE))proof.json
HTML := $(dir $(SOURCE))proof.html

# Exit code 1 says that findings are left to look at, which the demo shows on purpose.
demo: $(VENV)/.installed
	@rm -rf $(DEMO) $(SOURCE) $(RECORD) $(PROOF) $(HTML)
	@mkdir -p $(DEMO) $(SOURCE)
	@cp -r fixtures/demo/before/. $(SOURCE)
	@touch $(SOURCE)/pyproject.toml
	@echo "== What its functions are called with =="
	@$(BIN)/tnp-migrate record $(SOURCE) --output $(RECORD) -- $(BIN)/python fixtures/demo/compare.py $(SOURCE)
	@echo "== What changes =="
	@$(BIN)/tnp-migrate migrate $(SOURCE) --compile --evidence $(RECORD) --diff --allow-dirty || test $$? -eq 1
	@echo "== The report =="
	@$(BIN)/tnp-migrate migrate $(SOURCE) --compile --evidence $(RECORD) --out-dir $(DEMO) || test $$? -eq 1
	@echo "== The numbers, NumPy against TensorFlow =="
	@$(BIN)/python fixtures/demo/compare.py fixtures/demo/before $(DEMO)
	@echo "== Each recorded call again, NumPy against TensorFlow: about a minute =="
	@$(BIN)/tnp-migrate verify $(SOURCE) --record $(RECORD) --evidence $(RECORD) --translated $(DEMO) \
		--format json --output $(PROOF) --report html=$(HTML) || test $$? -eq 1
	@$(BIN)/python fixtures/demo/table.py $(PROOF) $(DEMO)

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n 2 --quick

# In one run, so that the tests are collected and TensorFlow is loaded once.
test-all: $(VENV)/.installed
	$(BIN)/python -m pytest -n 2

$(OLDEST)/.installed: requirements-oldest.txt pyproject.toml
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --requirement requirements-oldest.txt
	$(OLDEST)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

test-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest -n 2 tests/test_rules.py tests/test_fixtures.py

lint: $(VENV)/.installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

package: $(VENV)/.installed
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl
