# Spomyn. `make help` lists what can be asked for.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
AUDIT  := .venv-audit

# Where `make audit` asks what holes are known: pypi or osv.
ADVISORIES ?= pypi

# Where Python may not keep what it compiled, each of the hundred processes of a test run compiles it anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test hours simulate load soak mutate lint format eval bench audit bundle lock clean
.PHONY: preflight plan deploy webhook logs destroy

# All packages are named with their hashes; the two lists share none, and two cores unpack them in half the time.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes

# One lock for every platform and Python from 3.11 on; that of browsers brings a package that nobody here installs.
LOCK := build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --annotation-style line \
  --custom-compile-command 'make lock' --no-emit-package httpx2-jsfetch

# Terraform in terraform/, with the secrets of .env in its environment; and the plan that `deploy` applies.
TERRAFORM := $(BIN)/python -m infra.cli.terraform
PLAN      := deploy.tfplan
SOURCES   := build/*.zip terraform functions infra shared firestore.indexes.json requirements.txt
SINCE     ?= 1h

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Spomyn needs Python 3.11 or newer; run: make PYTHON=python3.11 " + "$(MAKECMDGOALS)")'
	$(PYTHON) -m venv $(VENV)
	@$(PIP) -r requirements.txt & half=$$!; \
	$(PIP) -r requirements-dev.txt; rest=$$?; \
	wait $$half && exit $$rest
	@touch $@

$(AUDIT)/.ready: requirements-audit.txt
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

install: $(READY) ## Make .venv with the pinned packages

run: $(READY) ## Talk to the bot on this machine, no account needed
	@$(BIN)/python -m infra.local $(ARGS)

test: $(READY) ## Run the tests on all cores (ARGS="-n 2"; the Firestore lane needs Java and the emulator)
	$(BIN)/python -m pytest -n logical $(ARGS)

hours: $(READY) ## Run the tests that ask for the hour as if it were others (ARGS=--all: every test)
	$(BIN)/python -m tests.hours $(ARGS)

simulate: $(READY) ## Play whole lives of groups, drawn from seeds (SEEDS=100000, or SEED=42 to see one)
	@$(BIN)/python -m tests.simulation $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),1000)) $(ARGS)

load: $(READY) ## Put it under load over HTTP (ARGS="hot --on emulator")
	$(BIN)/python -m tests.load $(ARGS)

soak: $(READY) ## Watch one process for long (MINUTES=60)
	$(BIN)/python -m tests.load --soak $(or $(MINUTES),60) $(ARGS)

mutate: $(READY) ## See whether tests notice wrong code (ARGS="forgetting --seed 7 --mutants 50")
	$(BIN)/python -m tests.mutation $(ARGS)

lint: $(READY) ## Check style, types, imports and the code's figures
	@$(BIN)/mypy & types=$$!; \
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/lint-imports && $(BIN)/python -m tests.house; others=$$?; \
	wait $$types && exit $$others

format: $(READY) ## Reformat the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

eval: $(READY) ## Measure the memory on the project's own cases
	@$(BIN)/python -m tests.evals all $(ARGS)

bench: $(READY) ## Measure the figures of docs/benchmarks.md
	$(BIN)/python -m tests.benchmarks $(ARGS)

audit: $(AUDIT)/.ready bundle ## Look for known holes: Terraform, packages; SBOMs in build/ (ADVISORIES=osv)
	$(AUDIT)/bin/checkov --config-file .checkov.yaml
	@for name in webhook answer extract maintenance; do \
	  $(AUDIT)/bin/cyclonedx-py requirements --output-reproducible --outfile build/sbom-$$name.json build/$$name/requirements.txt || exit 1; \
	done
	$(AUDIT)/bin/pip-audit --strict --disable-pip --require-hashes --vulnerability-service $(ADVISORIES) \
	  -r requirements.txt -r requirements-dev.txt

bundle: $(READY) ## Make build/<function>/ and build/<function>.zip as deployed (REPORT=1: sizes)
	$(BIN)/python -m infra.bundle $(if $(REPORT),--report)

lock: ## Pin what the requirements .in files name, with hashes (ARGS=--upgrade: newest)
	@[ -x build/lock/bin/uv ] || { $(PYTHON) -m venv build/lock && build/lock/bin/pip install --quiet uv==0.13.9; }
	$(LOCK) requirements.in -o requirements.txt $(ARGS)
	$(LOCK) requirements-dev.in -o requirements-dev.txt -c requirements.txt \
	  $$(sed -n 's/^\([A-Za-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements.txt) $(ARGS)
	$(LOCK) requirements-audit.in -o requirements-audit.txt $(ARGS)

preflight: bundle ## Look what would keep a deployment from working (FORCE=1: take over the webhook)
	@$(BIN)/python -m infra.cli preflight $(if $(FORCE),--force)

plan: bundle ## Look first, then show what a deployment would change
	@rm -f terraform/$(PLAN)
	@$(BIN)/python -m infra.cli preflight $(if $(FORCE),--force)
	@$(TERRAFORM) init -input=false
	@$(TERRAFORM) plan -input=false -out=$(PLAN)
	@echo 'Nothing is changed yet. Next: make deploy'

deploy: $(READY) ## Make exactly what `make plan` showed; without a plan: plan, ask, make it
	@if [ ! -f terraform/$(PLAN) ]; then \
	  $(MAKE) --no-print-directory plan || exit 1; \
	  printf 'Make this? Only "yes" does: '; read -r answer; \
	  [ "$$answer" = yes ] || { rm -f terraform/$(PLAN); echo 'Nothing was changed.' >&2; exit 1; }; \
	else \
	  newer=$$(find -H .env $(SOURCES) -newer terraform/$(PLAN) -type f -not -path '*/.*/*' 2>/dev/null \
	    | grep -E '\.(env|zip|tf|tfvars|tftpl|json|py|md|txt|toml)$$' | head -n 1); \
	  [ -z "$$newer" ] || { echo "Error: $$newer is newer than the plan: run make plan again." >&2; exit 1; }; \
	fi
	@trap : INT; $(TERRAFORM) apply -input=false $(PLAN); code=$$?; rm -f terraform/$(PLAN); exit $$code
	@echo 'Deployed. Next: make webhook'

webhook: $(READY) ## Have Telegram deliver updates to the deployed function (ARGS=--check only looks)
	@url='$(URL)'; if [ -z "$$url" ]; then \
	  url=$$($(TERRAFORM) output -raw webhook_url); \
	  case "$$url" in https://*) ;; *) echo 'Error: Terraform knows no address: run make deploy first, or give URL=https://...' >&2; exit 1;; esac; \
	fi; $(BIN)/python -m infra.cli webhook "$$url" $(ARGS)

logs: $(READY) ## Show what the functions logged (FUNCTION=webhook SINCE=6h)
	@$(BIN)/python -m infra.cli logs $(FUNCTION) --since $(SINCE) $(ARGS)

destroy: $(READY) ## Delete what was deployed, after you saw and confirmed it
	@$(BIN)/python -m infra.cli.destroy

clean: ## Remove .venv, build/ and caches
	rm -rf $(VENV) $(AUDIT) build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
