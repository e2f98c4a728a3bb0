# Every target starts from nothing: the first one to run makes .venv.
PYTHON ?= python3
VENV ?= .venv
RUN = $(VENV)/bin
INSTALLED = $(VENV)/.installed

.PHONY: demo test lint bench dashboard clean

demo: $(INSTALLED)  ## baseline, regression and flaky agent in demo/, offline
	$(RUN)/python examples/demo.py

test: $(INSTALLED)  ## everything: lint, types, layers, tests
	$(RUN)/python -m pytest -n auto --dist loadgroup

lint: $(INSTALLED)  ## the quick part of test
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

bench: $(INSTALLED)  ## time and size beside other tools, as ratios
	$(RUN)/python bench/bench.py $(BENCH)

dashboard: $(INSTALLED)  ## the pages over demo/runs, else the shipped runs, or RUNS=folder
	$(RUN)/agenteval dashboard $(or $(RUNS),$(wildcard demo/runs),runs)

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .venv-bench demo bench/out
