# What people and CI run. Each target does the set-up that is missing, and nothing where none is.

.DEFAULT_GOAL := help
.PHONY: help setup openenv demo test lint bench harbor-local consumers doc-edit podman-base clean

export HARBOR_TELEMETRY = 0
# Empty, as if unset: where it is set, each of hundreds of processes compiles all that it imports again.
export PYTHONDONTWRITEBYTECODE =

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv, and install TeX Live where apt-get can
	@scripts/setup

openenv: ## make .venv-openenv, for LaTeX OCR's server and its tests
	@scripts/setup-openenv

demo: setup ## see tasks made, solved and judged
	@.venv/bin/lattice-env demo

test: openenv ## lint, then all tests (6 GB of environments, once); fewer with ARGS="-k doctor"
	@scripts/setup tests
	@scripts/test $(ARGS)

lint: setup openenv ## ruff, pyright and import-linter
	@scripts/lint

bench: setup ## measure the verifier
	@.venv/bin/python -m benchmarks $(ARGS)

harbor-local: setup ## Harbor's oracle and nop over 60 tasks; choose with TASKS=DIR COUNT=60
	@scripts/harbor-local

consumers: setup ## every harness that reads our tasks, with its own code
	@scripts/consumers
	@.venv/bin/python -m pytest -q -m consumers tests/consumers

doc-edit: setup ## .consumers/doc-edit: verifiers 0.4 with doc-edit; and .consumers/doc-edit-v0
	@scripts/consumers doc-edit doc-edit-v0
	@echo 'now: . .consumers/doc-edit/bin/activate && vf-validate doc-edit --runtime.type subprocess'

podman-base: setup ## the tasks' Debian image on a machine without a registry
	@scripts/podman-base

clean: ## remove what set-up, tests and demo made in this folder
	rm -rf .venv .venv-openenv .uv .consumers out dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
