# Everything a fresh machine needs is Python 3.11 or newer and make: each target sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-bench
PIP := -m pip install --quiet --disable-pip-version-check
INSTALL := $(BIN)/python $(PIP)

.PHONY: help demo test lint types docs bench lock clean

help: ## show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(VENV)/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --upgrade -c constraints.txt pip
	$(INSTALL) -c constraints.txt --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core
	$(INSTALL) -c constraints.txt --editable '.[all,arrow,papers]' --group dev
	@touch $@

$(PEERS)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python $(PIP) --upgrade -c constraints.txt pip
	$(PEERS)/bin/python $(PIP) -c constraints.txt --editable '.[all,arrow,papers]' --group bench
	$(PEERS)/bin/python $(PIP) --no-deps rliable==1.2.0
	@touch $@

demo: $(VENV)/core ## compare three real classifiers on the data that ship with the package
	@$(BIN)/tiebreak demo

test: $(VENV)/dev ## run every test, the examples of the docstrings, the README and the guides
	$(BIN)/python -m pytest $(TESTS)

lint: $(VENV)/dev ## check style and the import law
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/dev ## check types
	$(BIN)/mypy

docs: $(VENV)/dev ## build the documentation; a broken reference fails
	$(BIN)/python -m sphinx -n -W --keep-going -q -b html docs docs/_build/html
	@echo docs/_build/html/index.html

bench: $(PEERS)/ready ## measure speed and memory against peers, as ratios in one run
	$(PEERS)/bin/python -m benchmarks $(BENCH)

lock: $(VENV)/dev ## renew constraints.txt
	$(BIN)/python tools/lock.py

clean: ## remove what the other targets made
	rm -rf $(VENV) $(PEERS) docs/_build
