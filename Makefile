# Everyday commands. CMake does the building; tools/setup installs what is missing.
PRESET ?= release
PREFIX ?= /usr/local
SECONDS ?= 60

SEEDS ?= 10000

.PHONY: help simulate build wheel demo test test-isa check asan tsan clang fuzz coverage bench conform differential conform-python asan-python matrix device-models load prometheus explain-trials bench-python soak kills install format clean

help: ## list these commands
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' Makefile

build: ## build libweir.so and weir into build/release (PRESET=debug for another)
	@tools/setup build
	@tools/build $(PRESET)

wheel: build ## build the Python package for TensorFlow 1.x programs into build/wheel
	@tools/setup wheel
	@rm -rf build/wheel
	@python/make_wheel build/$(PRESET) build/wheel
	@python/check_wheel build/wheel/*.whl

demo: ## install, build, train a model with one worker and with two, and write a report
	@tools/setup demo
	@tools/build $(PRESET) weir_command
	@build/$(PRESET)/weir demo --out build/demo

test: ## run all tests: unit tests, sanitizers, and comparisons with TensorFlow
	@tools/setup test
	@tools/run_tests

test-isa: build ## run all tests that depend on loops at every lower instruction set of the machine
	@tools/setup test
	@tools/build release all tests
	@tools/test_isa --whole

check: ## run the cheap checks only: rooms, headers, format, pages
	@tools/run_tests rooms headers format pages

asan: ## run the tests under the address and undefined-behaviour sanitizers
	@tools/setup test
	@tools/run_tests asan asan-ops asan-errors asan-sessions

tsan: ## run the tests under the thread sanitizer, including single-threaded loops
	@tools/setup test
	@tools/build tsan all tests
	@ctest --preset tsan -j 2
	@tools/run_tests tsan-sessions tsan-state

clang: ## build everything with Clang, with warnings and thread-safety findings as errors
	@tools/setup clang
	@tools/build clang all tests

fuzz: ## build the fuzz targets with Clang and run each for a minute (SECONDS=10 for less)
	@tools/setup fuzz
	@tools/build fuzz fuzz_targets
	@tools/fuzz $(SECONDS)

coverage: ## print the line coverage of the unit tests for each room
	@tools/setup coverage
	@tools/coverage

bench: build ## compare step times with TensorFlow's on the reference workloads
	@tools/setup test
	@tools/bench

conform: build ## run TensorFlow's own tests on weir server (TESTS=checkout of TensorFlow)
	@tools/setup test
	@TESTS='$(TESTS)' CONFORM='$(CONFORM)' ONLY='$(ONLY)' tools/conform

bench-python: build ## measure the overhead of the Python package at start-up and in steps, compared with the C API
	@tools/setup test
	@python/dev_build build/$(PRESET)
	@$${WEIR_PLAIN_PYTHON:-.venv-plain/bin/python} tools/python_start
	@$${WEIR_PLAIN_PYTHON:-.venv-plain/bin/python} tools/python_bench

conform-python: build ## run TensorFlow 1.15's own tests on the Python package (TESTS=checkout of TensorFlow 1.15)
	@tools/setup test
	@python/dev_build build/$(PRESET)
	@$${WEIR_PLAIN_PYTHON:-.venv-plain/bin/python} tools/conform_python '$(TESTS)' --only '$(ONLY)' $(if $(LIST),--list '$(LIST)')

asan-python: ## run the tests of the Python package under the address sanitizer
	@tools/setup test
	@tools/build asan libweir.so
	@python/asan_run

differential: build ## compare runs of models, SavedModels, workloads, op cases, random graphs and FOLDER under all settings (hours)
	@tools/setup test
	@tools/build release weir_planted
	@$${WEIR_PYTHON:-.venv/bin/python} tools/differential -v --planted build/release/libweir_planted.so
	@$${WEIR_PYTHON:-.venv/bin/python} tests/constants_test.py
	@$${WEIR_PYTHON:-.venv/bin/python} tools/differential -v --passed build/differential/passed --sources saved,models,workloads --programs 200 --random 5000 --tangled 2000 --mixed 2000 $(if $(FOLDER),--folder '$(FOLDER)')
	@$${WEIR_PYTHON:-.venv/bin/python} tools/differential -v --passed build/differential/passed-long --flow 100 --size 4

simulate: build ## run SEEDS (10,000) simulated clusters per scenario, and inject defects (half an hour)
	@tools/build release sim
	@tests/sim_test.py --seeds $(SEEDS)

matrix: build ## run the reference job on every cluster layout, 20 times each (hours; ONLY=logreg,sync)
	@tools/setup test
	@nice tools/cluster_matrix --reference --only '$(ONLY)'
	@nice tools/cluster_matrix --only '$(ONLY)'

device-models: build ## check gradients and losses of all models on a device against double precision (minutes)
	@tools/setup test
	@python/dev_build build/release && $${WEIR_PLAIN_PYTHON:-.venv-plain/bin/python} tests/device_models_test.py -v

load: build ## measure a client's small steps on a loaded server, for Weir and for TensorFlow
	@tools/setup test
	@python/dev_build build/release && tools/load

soak: build ## run a cluster for minutes under sanitizers while killing tasks, and check its memory
	@tools/setup test
	@tools/build asan && tools/build tsan
	@tools/soak

kills: build ## kill a process 1,000 times while it saves, and read the checkpoints left (minutes)
	@tools/setup test
	@$${WEIR_PYTHON:-.venv/bin/python} tests/kill_test.py --kills 1000

prometheus: build ## scrape a cluster of 8 tasks with Prometheus for two minutes, and kill a worker
	@tools/setup test
	@tests/prometheus.py

explain-trials: build ## check in 20 trials that weir explain finds seven planted causes (minutes)
	@tools/setup test
	@$${WEIR_PYTHON:-.venv/bin/python} tests/explain_trials.py

install: build ## install under PREFIX (/usr/local), including TensorFlow's library names and the Python package
	@cmake --install build/$(PRESET) --prefix $(PREFIX)
	@python/install_package build/$(PRESET) $(PREFIX)

format: ## format all C files with clang-format
	@tools/setup format
	@git ls-files 'src/*.[ch]' 'include/*.h' 'fuzz/*.c' 'docs/examples/*.c' | xargs clang-format -i

clean: ## remove all build outputs
	@rm -rf build
