PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
REPORT ?= .runs/reproduction.csv
# the lock without hashes
PINS := sed -n 's/^\([A-Za-z0-9._-]*==[^ ;]*\).*/\1/p' requirements.lock

.DEFAULT_GOAL := help
.PHONY: help book test test-slow lab notebooks live reproduce reproduce-all audit bench publish serve clean wheel lint lock check-packages check-site check-notebooks

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "gamecore needs Python 3.11 or newer: make PYTHON=/path/to/python3.11")'
	@echo "installing the locked packages into .venv (once; about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@echo "compiling the kernels on all cores (once; about a minute)"
	@$(BIN)/gamecore compile
	@touch $@

book: $(READY) ## build the site into _build/html
	@$(BIN)/python -m book.build

test: $(READY) ## run the tests (browser, notebooks and the slow ones have targets of their own)
	@$(BIN)/python -m pytest -q -n auto --dist loadfile -m "not browser and not notebook and not slow"

test-slow: $(READY) ## the tests that take minutes: slow references, plain Python, other versions, the wheel
	@$(BIN)/python -m pytest -q -m slow

lab: $(READY) ## open JupyterLab; the .md notebooks open on double-click (ARGS="--no-browser --ip=0.0.0.0")
	@state=$$(mktemp -d) && JUPYTERLAB_SETTINGS_DIR=.jupyter/lab/user-settings JUPYTERLAB_WORKSPACES_DIR=$$state \
	  $(BIN)/jupyter lab notebooks --FileCheckpoints.checkpoint_dir=$$state $(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

notebooks: $(READY) ## build the book and refresh the executed .ipynb beside each .md
	@$(BIN)/python -m book.build --notebooks

live: $(READY) ## compile the page's kernels anew (GAMES="rps geister" for some)
	@$(BIN)/python -m gamecore.live.build $(GAMES)

wheel: $(READY) ## build the package, data included, into .runs/wheel
	@rm -rf build && $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir .runs/wheel . && rm -rf build

reproduce: $(READY) ## recompute the papers' own tables from nothing, compare with the stored ones
	@GAMECORE_RUNS=.runs/reproduce $(BIN)/gamecore run all --check --report $(REPORT)
	@rm -rf .runs/reproduce

reproduce-all: $(READY) ## the same with the sensitivity studies
	@GAMECORE_RUNS=.runs/reproduce $(BIN)/gamecore run all --check --extra --report $(REPORT)
	@rm -rf .runs/reproduce

audit: $(READY) ## recompute random chunks of everything stored
	@$(BIN)/gamecore audit

bench: $(READY) ## measure speed beside the peers, how cost grows, and start-up
	@mkdir -p .runs && $(PINS) > .runs/pins.txt # the peers have no hashes
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -c .runs/pins.txt -e '.[bench]' 2>/dev/null || echo "some peers could not be installed: they are skipped"
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.growth
	@$(BIN)/python -m benchmarks.startup

publish: $(READY) ## build the site for its address, with the wheel (SITE=https://example.org/book)
	@SITE=$(SITE) $(BIN)/python -m book.publish

serve: book ## build the site and serve it on this machine
	@echo "open http://localhost:8000 (Ctrl-C stops)"
	@$(BIN)/python -m http.server 8000 --bind 127.0.0.1 --directory _build/html

lint: $(READY) ## check style, format and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	@if command -v npm >/dev/null; then npx --yes @biomejs/biome@2.6.7 lint; elif test -n "$$CI"; then exit 1; \
	  else echo "no npm on this machine, which brings biome: the page's scripts are not checked"; fi

check-site: book ## open every page of the built site in Chromium
	@$(BIN)/python -m pytest -q -n auto -m browser

check-notebooks: $(READY) ## recompute every notebook live at quick scale
	@$(BIN)/python -m pytest -q -n auto -m notebook

check-packages: $(READY) ## look up the locked packages among known vulnerabilities
	@$(BIN)/python .ci/vulnerabilities.py requirements.lock

lock: ## renew requirements.lock: newest versions within the bounds, hashes of all platforms (VERSIONS=keep: only hashes)
	@$(PYTHON) -m venv .runs/lock && .runs/lock/bin/pip install --quiet --disable-pip-version-check uv
	@$(PINS) > .runs/lock/kept.txt
	@printf 'setuptools\nwheel\n' | .runs/lock/bin/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-annotate --no-header --extra chapters --extra book --extra cluster --extra doors --extra test \
	  $(if $(filter keep,$(VERSIONS)),-c .runs/lock/kept.txt) pyproject.toml - > .runs/lock/new.txt
	@{ sed -n '/^#/p' requirements.lock; cat .runs/lock/new.txt; } > .runs/lock/requirements.lock
	@mv .runs/lock/requirements.lock requirements.lock && rm -rf .runs/lock

clean: ## remove everything that can be made again (finished chunks included)
	@rm -rf .venv .cache .runs build _build .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
