# deniable: one command for each thing a person wants. `make help` lists them.

VENV    := .venv
BIN     := $(VENV)/bin
PIP     := $(BIN)/python -m pip --disable-pip-version-check -qq
DEMO    := $(VENV)/.demo-ready
DEV     := $(VENV)/.dev-ready
BENCH   := .bench-venv
STUDIES := $(VENV)/.studies-ready
SPARK   := $(VENV)/.spark-ready
FUZZ    := $(VENV)/.fuzz-ready
PEERS   := $(BENCH)/.peers-ready
HOSTS   := .hosts/.ready
# Installing compiles the kernels, so it is done again when their C files are newer.
INPUTS  := pyproject.toml constraints.txt hatch_build.py scripts/compile_kernels.py \
	$(wildcard src/deniable/kernels/c/*)
# Compiled while the environment is made, for the demo; where that cannot be, pip finds a compiler and says what is wrong.
KERNELS := src/deniable/kernels/_kernels.abi3.so
# The device's half: a package of its own, of the files of one room, so it is built again when these are newer.
CLIENT  := $(VENV)/.client-ready
PROTOCOL := clients/python/pyproject.toml clients/python/hatch_build.py $(shell find -L src/deniable/protocol -type f -not -name '*.pyc')
# Any Python 3.11 or newer: make PYTHON=/path/to/python3.12 demo
PYTHON  ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

export MPLBACKEND ?= Agg
# Four test processes share two cores; threads of linear algebra inside them would only wait for each other.
test soak: export OPENBLAS_NUM_THREADS ?= 1
# Python keeps what it has compiled, also where that is switched off otherwise: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
# Two targets at a time, the output of each together, where this make can do that.
ABREAST := $(if $(filter output-sync,$(.FEATURES)),-j2 --output-sync=target)
# Nor do times mean much when such threads wait for whatever else runs.
bench bench-compare: export OPENBLAS_NUM_THREADS ?= 1

# Python compiles what it imports; pip would compile all that it installs, a fifth of the time of an install.
export PIP_COMPILE := 0

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test compiled soak fuzz sanitize wheels release arm lint docs bench bench-compare studies clean

help:  ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do \
		printf '  make %-13s %s\n' "$$name" "$$text"; done

demo:  ## Ask 4,000 made-up devices over HTTP, half through a mixer, kill both meanwhile, draw the results.
	@$(MAKE) --no-print-directory -j2 $(DEMO)
	$(BIN)/python examples/whole_road demo-output

# Four processes on two cores: many tests wait, for browsers, clocks and killed servers, while others compute.
PROCESSES ?= 4
# -v undoes the -q of pyproject.toml: dots, and pytest's usual closing line.
# loadfile: the tests of a file share what it sets up, such as a Spark cluster, so they stay in one process.
# Files are dealt out in the order of tests/conftest.py. BUILT_SITE: the pages that have just been built are the tests'.
# timeout: a test that hangs says where, and the others go on; none takes a tenth as long on an idle machine.
test: $(DEV)  ## Check everything: lint, types, docs, then all tests.
	@$(need_browser)
	@$(need_node)
	@$(need_valgrind)
	@$(MAKE) --no-print-directory $(ABREAST) $(SPARK) $(HOSTS) lint docs compiled
	BUILT_SITE=site $(BIN)/pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder --timeout 900 -v

# The files of the tests compiled once, while mypy uses one core: else each process compiles them all for itself.
# What cannot be collected is told by the run of the tests.
compiled: $(DEV)
	@$(BIN)/pytest --collect-only -q > /dev/null || true

soak: $(SPARK)  ## Repeat surveys and faults as often as their claims ask for; an hour of steady load (two hours).
	SOAK=1 $(BIN)/pytest -n 2 -m soak -v

# Changed inputs without end: first the tests of that with more of them, then Atheris, FUZZ_SECONDS for each parser.
FUZZ_SECONDS ?= 600
fuzz: $(FUZZ)  ## Give the parsers and the collector changed inputs (40 minutes; FUZZ_SECONDS=60: a tenth for each parser).
	FUZZ_EXAMPLES=60 $(BIN)/pytest -n 2 --dist loadfile -v tests/fuzz tests/collector/abuse
	$(BIN)/python -m tests.fuzz.campaign --seconds $(FUZZ_SECONDS)

# A copy of the package whose kernels check every address, and every sum of signed integers, as they run.
sanitize: $(DEV)  ## Run the tests of the kernels under AddressSanitizer and UBSan (two minutes; needs GCC or Clang).
	rm -rf .sanitized && mkdir .sanitized && cp -rL src .sanitized
	$(BIN)/python scripts/compile_kernels.py --sanitize --into .sanitized/src/deniable/kernels
	LD_PRELOAD=$$($${CC:-cc} -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 SOAK=1 PYTHONPATH=.sanitized/src \
		$(BIN)/pytest -n 1 tests/kernels --deselect tests/kernels/together/test_building.py

# By Zig's compiler, from any one machine; docs/installing.md says which of them were run.
PLATFORMS ?= $(shell PYTHONPATH=scripts $(BIN)/python -c 'from compile_kernels import WHEELS; print(*WHEELS)')
wheels: $(DEV)  ## Make wheels for Linux, macOS and Windows into dist/ and check them (PLATFORMS= names fewer; some minutes).
	@$(PIP) install -c constraints.txt --group release
	@rm -f dist/deniable-*.whl
	@for platform in $(PLATFORMS); do WHEEL_PLATFORM=$$platform $(BIN)/python -m hatchling build -t wheel -d dist || exit 1; done
	$(BIN)/python scripts/check_wheels.py dist/deniable-*.whl

# From what is committed, in folders that are gone afterwards.
release: $(DEV)  ## Make twice, compare, try and sum up what is handed out of VERSION=, into dist/VERSION; nothing is uploaded (an hour).
	@$(need_node)
	@$(PIP) install -c constraints.txt --group release
	$(BIN)/python scripts/release.py $(VERSION) $(PLATFORMS)
	ARTEFACTS=$(CURDIR)/dist/$(VERSION) $(BIN)/pytest -v tests/artefacts

# All within .arm: Debian's Python for ARM, by an apt that knows no other packages, the wheel, and what it needs.
# Left out: tests that start compilers or another Python, that limit seconds, or look for the C files beside a module.
ARM_APT = apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::Cache=$(CURDIR)/.arm/apt \
	-o Dir::State=$(CURDIR)/.arm/apt -o Dir::State::status=$(CURDIR)/.arm/apt/status
ARM_PYTHON = OPENBLAS_NUM_THREADS=1 PYTHONPATH=.arm/site qemu-aarch64 -L .arm/root .arm/root/usr/bin/python3 -B
ARM_TESTS = tests/kernels tests/wire/test_vectors.py tests/mechanisms/hashed/together/test_draws.py \
	tests/clients/python/test_draws.py
arm: $(DEV)  ## Run the kernels' tests on 64-bit ARM, emulated (needs Debian 12; ten minutes).
	@$(need_qemu)
	rm -rf .arm && mkdir -p .arm/apt/lists/partial .arm/apt/archives/partial .arm/root && touch .arm/apt/status
	$(ARM_APT) update && $(ARM_APT) install --download-only -y --no-install-recommends python3 libstdc++6
	for package in .arm/apt/archives/*.deb; do dpkg -x $$package .arm/root || exit 1; done
	@$(PIP) install -c constraints.txt --group release
	WHEEL_PLATFORM=manylinux_2_17_aarch64 $(BIN)/python -m hatchling build -t wheel -d .arm/dist
	@$(PIP) wheel --no-deps -w .arm/dist ./clients/python
	$(PIP) install -c constraints.txt --target .arm/site --only-binary=:all: --implementation cp \
		--python-version $$($(ARM_PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])') \
		$(foreach glibc,2_28 2_17,--platform manylinux_$(glibc)_aarch64) --platform manylinux2014_aarch64 \
		$$(ls .arm/dist/deniable-*.whl)'[files]' .arm/dist/deniable_client-*.whl pytest hypothesis
	$(ARM_PYTHON) -m pytest -v $(ARM_TESTS) -k 'not seconds_of_cpu and not files_beside_it' \
		--ignore tests/kernels/together/test_building.py --ignore tests/kernels/together/test_secrets.py
	$(BIN)/python -m tests.kernels.outcomes > .arm/here
	$(ARM_PYTHON) -m tests.kernels.outcomes > .arm/there
	diff .arm/here .arm/there && echo "$$(wc -l < .arm/here) kernels and seeded columns: equal on both processors."

lint: $(DEV)  ## Check style, format and types.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(DEV)  ## Build the documentation into site/; a warning is an error.
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Spark is measured where its tests have installed it; elsewhere a line says that it was left out.
bench: $(DEMO) $(PEERS)  ## Time all beside other libraries and the machine's limits (50 minutes; FLAGS=--quick: fewer).
	@$(need_wrk)
	@$(need_node)
	@$(build_typescript)
	$(BIN)/python -m benchmarks.bench --json benchmarks/results.json $(FLAGS)
	$(BIN)/python -m benchmarks.promises --json benchmarks/promises.json $(FLAGS)
	$(BIN)/python -m benchmarks.kernels --json benchmarks/kernels.json $(FLAGS)
	$(BIN)/python -m benchmarks.aggregate --json benchmarks/aggregate.json $(FLAGS)
	$(BIN)/python -m benchmarks.files --json benchmarks/files.json $(FLAGS)
	$(BIN)/python -m benchmarks.clients --json benchmarks/clients.json $(FLAGS)
	$(BIN)/python -m benchmarks.scales --json benchmarks/scales.json $(FLAGS)
	$(BIN)/python -m benchmarks.spark --json benchmarks/spark.json $(FLAGS)
	$(BIN)/python -m benchmarks.collector --json benchmarks/collector.json $(FLAGS)
	$(BIN)/python -m benchmarks.collector_sizes --json benchmarks/collector_sizes.json
	$(BIN)/python -m benchmarks.mixer --json benchmarks/mixer.json $(FLAGS)
	$(BIN)/python -m benchmarks.folding --json benchmarks/folding.json
	$(BIN)/python -m benchmarks.result_pages --json benchmarks/result_pages.json
	$(BIN)/python -m benchmarks.first_uses --json benchmarks/first_uses.json
	$(BIN)/python -m benchmarks.docs

bench-compare: $(DEMO) $(PEERS)  ## Set a run beside a kept one (OLD=, NEW=: JSON files; unless told, a quick run now).
	$(BIN)/python -m benchmarks.compare $(or $(OLD),benchmarks/results.json) $(NEW) $(FLAGS)

studies: $(STUDIES)  ## Run the five papers and our comparisons into docs/studies/ (20 minutes on two cores; FLAGS=--quick: three).
	$(BIN)/deniable reproduce all --out docs/studies $(FLAGS)

clean:  ## Remove what the other commands made, the environments too.
	rm -rf $(VENV) $(BENCH) .hosts site demo-output .fuzz .sanitized .arm .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf $(addprefix clients/typescript/,dist build node_modules src/wire)
	find src studies tests examples benchmarks clients -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	@$(call make_venv,$(VENV))

$(BENCH)/pyvenv.cfg:
	@$(call make_venv,$(BENCH))

$(KERNELS): scripts/compile_kernels.py $(wildcard src/deniable/kernels/c/*)
	@"$(PYTHON)" scripts/compile_kernels.py >/dev/null 2>&1 || true

$(DEMO): $(VENV)/pyvenv.cfg $(INPUTS) | $(CLIENT) $(KERNELS)
	@echo "Installing deniable into $(VENV) (a minute or two, once) ..."
	@$(PIP) install -c constraints.txt -e '.[collector,files]'
	@touch $@

$(DEV): $(VENV)/pyvenv.cfg $(INPUTS) | $(CLIENT) $(KERNELS)
	@echo "Installing deniable and its tools into $(VENV) (a few minutes, once) ..."
	@$(PIP) install 'pip>=25.1'
	@$(PIP) install -c constraints.txt -e '.[collector,files,regression,studies]' --group dev
	@touch $@ $(DEMO) $(STUDIES)

$(CLIENT): $(VENV)/pyvenv.cfg $(PROTOCOL)
	@$(PIP) install -c constraints.txt --no-deps --force-reinstall ./clients/python
	@touch $@

$(STUDIES): $(VENV)/pyvenv.cfg $(INPUTS)
	@echo "Installing deniable and what studies need into $(VENV) (a minute or two, once) ..."
	@$(PIP) install -c constraints.txt -e '.[studies]'
	@touch $@ $(DEMO)

$(FUZZ): $(DEV)
	@echo "Installing Atheris into $(VENV), where it has a wheel ..."
	@$(PIP) install -c constraints.txt --group fuzz
	@touch $@

# Where Spark or Java cannot be had, a line says so and the tests that need them are skipped.
# By the name of the package that is installed, pip builds nothing anew, so that this may run beside other targets.
$(SPARK): $(DEV)
	@echo "Installing Spark into $(VENV) for its tests (half a gigabyte; a minute or two, once) ..."
	@$(need_java)
	@if $(PIP) install -c constraints.txt 'deniable[spark]'; then touch $@; \
		else echo "Spark could not be installed, so its tests are skipped." >&2; fi

$(PEERS): $(BENCH)/pyvenv.cfg benchmarks/peers-requirements.txt
	@echo "Installing the libraries to compare with into $(BENCH) (a few minutes, once) ..."
	@$(BENCH)/bin/python -m pip --disable-pip-version-check -qq install -r benchmarks/peers-requirements.txt
	@touch $@

# Programs in which people ask our questions among their own. oTree pins old versions of what the collector needs too.
$(HOSTS): $(wildcard tests/hosts/package*.json) tests/hosts/requirements.txt
	@echo "Installing SurveyJS and oTree into .hosts for the tests of questions in them (half a minute, once) ..."
	@$(need_node)
	@if $(make_hosts); then touch $@; \
		else echo "SurveyJS or oTree could not be installed, so the tests of questions in it are skipped." >&2; fi

define make_hosts
mkdir -p .hosts/node && cp tests/hosts/package*.json tests/hosts/.npmrc .hosts/node/ && \
	npm ci --prefix .hosts/node --ignore-scripts --silent && "$(PYTHON)" -m venv .hosts/otree && \
	.hosts/otree/bin/python -m pip --disable-pip-version-check -qq install -r tests/hosts/requirements.txt
endef

# Java for Spark, which runs on 17 and newer; the tests look at its version themselves.
define need_java
if [ -z "$$JAVA_HOME" ] && ! command -v java >/dev/null; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Java with apt-get ..."; \
		apt-get update -qq && { apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless || \
			apt-get install -y -qq --no-install-recommends default-jre-headless; } >/dev/null || \
			echo "Java could not be installed, so Spark's tests are skipped." >&2; \
	else \
		echo "No Java was found, so Spark's tests are skipped." \
			"On Debian or Ubuntu: sudo apt-get install openjdk-17-jre-headless" >&2; \
	fi; \
fi
endef

# Chromium for the tests that open pages: without windows, which takes a quarter of the time, and whole for a few.
define need_browser
for browser in chromium-headless-shell chromium; do \
	if command -v $$browser >/dev/null; then continue; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing $$browser with apt-get ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends $$browser >/dev/null || \
			echo "$$browser could not be installed; tests that open pages may be skipped." >&2; \
	else \
		echo "No $$browser was found; tests that open pages may be skipped. On Debian: sudo apt-get install $$browser" >&2; \
	fi; \
done
endef

# wrk, which sends to the collector; where it may not be installed, the benchmark says that it was left out.
define need_wrk
if ! command -v wrk >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "Installing wrk with apt-get ..."; \
	apt-get update -qq && apt-get install -y -qq --no-install-recommends wrk >/dev/null || true; \
fi
endef

# The TypeScript client, whose reports are timed beside the Python client's; without npm its column stays empty.
define build_typescript
if command -v npm >/dev/null; then \
	cd clients/typescript && npm ci --ignore-scripts --silent && npm run --silent build; \
fi
endef

# Node for the tests of the TypeScript client, which itself says what was skipped.
NEW_NODE = node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null
define need_node
if ! $(NEW_NODE) || ! command -v npm >/dev/null; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Node with apt-get ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null || true; \
	fi; \
	if ! $(NEW_NODE); then \
		echo "No Node 20 or newer was found, so the tests of the TypeScript client are skipped." \
			"Install one from https://nodejs.org, or on a recent Debian or Ubuntu: sudo apt-get install nodejs npm" >&2; \
	fi; \
fi
endef

# Valgrind for the test that no draw branches on a secret.
define need_valgrind
if ! command -v valgrind >/dev/null; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Valgrind with apt-get ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind libc6-dbg >/dev/null || \
			echo "Valgrind could not be installed, so the test of branches on secrets is skipped." >&2; \
	else \
		echo "No Valgrind was found, so the test of branches on secrets is skipped." \
			"On Debian or Ubuntu: sudo apt-get install valgrind" >&2; \
	fi; \
fi
endef

# QEMU runs programs for another processor.
define need_qemu
if ! command -v qemu-aarch64 >/dev/null; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing QEMU with apt-get ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends qemu-user >/dev/null; \
	else \
		echo "No qemu-aarch64 was found. On Debian: sudo apt-get install qemu-user" >&2; exit 1; \
	fi; \
fi
endef

# A virtual environment, or a plain word on what is missing. Debian and Ubuntu keep venv in a package of its own.
define make_venv
set -e; \
python="$(PYTHON)"; \
if [ -z "$$python" ]; then \
	echo "deniable needs Python 3.11 or newer, and none was found (python3 is $$(python3 --version 2>&1 || true))." >&2; \
	echo "Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; \
fi; \
if ! "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	echo "deniable needs Python 3.11 or newer; $$python is $$("$$python" --version 2>&1 || true)." >&2; exit 1; \
fi; \
if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	package="python$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing $$package with apt-get ..."; \
		apt-get update -qq && apt-get install -y -qq "$$package" >/dev/null || \
			{ echo "Could not install $$package; install it by hand, then run make again." >&2; exit 1; }; \
	else \
		echo "This Python has no venv module. On Debian or Ubuntu: sudo apt-get install $$package" >&2; exit 1; \
	fi; \
fi; \
echo "Making the environment $(1) with $$("$$python" --version) ..."; \
"$$python" -m venv $(1)
endef
