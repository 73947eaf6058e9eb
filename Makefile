.POSIX:
.SUFFIXES:

PYTHON ?= $$(python3.11 -c 'print("python3.11")' 2>/dev/null || echo python3)
PY = .venv/bin/python
READY = .venv/ready

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1	\2/p' Makefile

play: $(READY) ## play the example scene in the terminal
	@.venv/bin/turnwright play examples/narateer/ambush.yaml

table: $(READY) ## open a live table on the example scene in the browser
	@.venv/bin/turnwright table examples/narateer/ambush.yaml

test: $(READY) ## run the tests, with branch coverage
	@$(PY) -m pytest -q -n 2 --dist loadfile --cov --cov-report=term

lint: $(READY) ## check style and types
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --quiet --check .
	@$(PY) -m mypy --no-error-summary

bench: $(READY) ## measure against the budgets
	@$(PY) -m bench

bench-table: $(READY) ## measure the live table under load, and what a kill loses
	@$(PY) -m bench.table

clean: ## remove .venv and everything that was made
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* build dist
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# A .venv without the stamp is one whose set-up broke off: it is made anew.
$(READY): pyproject.toml constraints.txt
	@echo "setting up .venv"
	@test -f $@ || $(PYTHON) -m venv --clear .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

.PHONY: help play table test lint bench bench-table clean
