# Spomyn. `make help` lists what can be asked for.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help install run test lint format eval bench bundle clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): requirements.txt requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spomyn needs Python 3.11 or newer; run: make PYTHON=python3.11 " + "$(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt
	@touch $@

install: $(READY) ## Make .venv with the pinned packages

run: $(READY) ## Talk to the bot on this machine, no account needed
	@$(BIN)/python -m infra.local $(ARGS)

test: $(READY) ## Run the tests (the Firestore lane needs Java and the emulator)
	$(BIN)/python -m pytest $(ARGS)

lint: $(READY) ## Check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## Reformat the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

eval: $(READY) ## Measure the memory on the project's own cases
	@$(BIN)/python -m tests.evals all $(ARGS)

bench: $(READY) ## Measure the figures of docs/benchmarks.md
	$(BIN)/python -m tests.benchmarks $(ARGS)

bundle: $(READY) ## Stage build/<function>/ as it is deployed
	$(BIN)/python -m infra.bundle

clean: ## Remove .venv, build/ and caches
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
