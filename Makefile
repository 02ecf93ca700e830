# winnow's front door: `make`, `make demo`, `make test`. CMake does the work, in build/ and build-*/.
# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
PYTHON ?= python3
# More options for CMake: make OPTIONS=-DWINNOW_WERROR=ON. More for ctest: make test T="-R alloc".
OPTIONS ?=
T ?=

# All of a directory is built as CI builds it; make itself runs one thing at a time.
.NOTPARALLEL:
SETUP = @sh tools/setup.sh
GO = @sh tools/build.sh
TEST = @sh tests/run.sh
FRONT = @PYTHON='$(PYTHON)' sh tools/python.sh || echo 'setup: the Python front and its tests are left out'

.PHONY: all demo python oracle oracle-suites test test-full check hostile fuzz check-files check-python check-pythons tsan clang emulate aarch64 bench lab look-inside header install uninstall wheel deb test-packages clean torch-env help

all:
	$(SETUP)
	$(GO) $(BUILD) winnow_default $(OPTIONS)

help:
	@echo 'make            library, tools and examples, in build/'
	@echo 'make demo       trains a small network on Fashion-MNIST'
	@echo 'make python     the Python front: PYTHONPATH=python python3 -m winnow script.py'
	@echo 'make oracle     PyTorch judges the Python front (installs PyTorch into .venv-torch)'
	@echo 'make oracle-suites   PyTorch'\''s own test files judge it (T="-v indexing" picks files)'
	@echo 'make test       builds and runs the tests (T="-R name" picks some)'
	@echo 'make test-full  the long tests too, at every ISA level this machine has'
	@echo 'make check      the tests under AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make hostile    the tests with assertions, tiny blocks and caches, spoilt memory, a shuffled pool (WINNOW_HOSTILE_SEED=n)'
	@echo 'make check-files     of them those of files, sizes and the table, at the portable level: minutes'
	@echo 'make check-python    of them only those of the Python front'
	@echo 'make check-pythons   the Python front with every newer CPython that is found'
	@echo 'make tsan       the tests under ThreadSanitizer'
	@echo 'make fuzz SECONDS=60 [T=name]    each harness of fuzz/ that long under clang'\''s libFuzzer (fuzz/README.md)'
	@echo 'make emulate    the tests of AVX-512 kernels where there is only AVX2, instruction by instruction'
	@echo 'make aarch64    everything for that processor with Debian'\''s cross compiler, and the tests under qemu (half an hour)'
	@echo 'make clang      everything with clang, warnings are errors, and the tests'
	@echo 'make bench      builds and runs the benchmarks;  make lab builds bench/lab'
	@echo 'make look-inside FILE=src/engine/level/distance.c   that file for gdb, in a test: values of kernels show (docs/adding-a-kernel.md)'
	@echo 'make header     rewrites what is generated from the rows: sections of winnow.h and winnow.hpp, docs/operations.md'
	@echo 'make install    PREFIX=/usr/local DESTDIR=;  make uninstall takes it away again'
	@echo 'make wheel      build/dist/winnow_tensors-*.whl, which installs without a compiler'
	@echo 'make deb        build/deb/*.deb: libwinnow1, libwinnow-dev, python3-winnow'
	@echo 'make test-packages   uses what those three and CMake'\''s add_subdirectory give, in folders of their own: minutes'
	@echo 'make torch-env  .venv-torch with PyTorch, for comparisons'
	@echo 'make clean      removes build/ and build-*/'

demo:
	$(SETUP) demo
	$(GO) $(BUILD) winnow_default $(OPTIONS)
	@$(BUILD)/examples/fashion_mnist

# In place: afterwards PYTHONPATH=python python3 -m winnow script.py works.
python:
	$(SETUP)
	@PYTHON='$(PYTHON)' sh tools/python.sh
	$(GO) $(BUILD) winnow_python $(OPTIONS)

# PyTorch judges the Python front, in a virtual environment that has it: T="--ops 'add*'" picks entries (oracle/README.md).
oracle: python
	@PYTHON='$(PYTHON)' sh oracle/run.sh $(T)

# PyTorch's own test files, fetched with apt-get, judge it, too: T="-v indexing" picks files (oracle/README.md).
oracle-suites: python
	@PYTHON='$(PYTHON)' sh oracle/suites/judge.sh $(T)

test:
	$(SETUP) test
	$(FRONT)
	$(GO) $(BUILD) all $(OPTIONS)
	$(TEST) $(BUILD) $(T)

test-full:
	$(SETUP) test
	$(FRONT)
	$(GO) $(BUILD) all $(OPTIONS)
	$(TEST) $(BUILD) --full --levels $(T)

# No check of stack use after return: with it gcc 12 aligns frames to 32 bytes only (its bug 110027), AVX-512 needs 64.
SANITIZED = -DWINNOW_SANITIZE=address,undefined -DWINNOW_BENCH=OFF
CHECK = @ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:allocator_may_return_null=1 \
	UBSAN_OPTIONS=print_stacktrace=1 sh tests/run.sh
check:
	$(SETUP) test
	$(FRONT)
	$(GO) build-asan all $(SANITIZED) $(OPTIONS)
	$(CHECK) build-asan $(T)
	$(GO) build-hostile all $(HOSTILE)
	@echo "hostile: WINNOW_HOSTILE_SEED=$(HOSTILE_SEED)"
	@MALLOC_PERTURB_=85 WINNOW_HOSTILE_SEED=$(HOSTILE_SEED) sh tests/run.sh build-hostile -R '$(HOSTILE_SLICE)'

# The suite on an engine at its limits (docs/architecture.md). make check takes a slice of it with a seed of the day, which it says.
HOSTILE = -DWINNOW_HOSTILE=ON -DWINNOW_QUICK=ON -DWINNOW_BENCH=OFF -DWINNOW_EXAMPLES=OFF $(OPTIONS)
HOSTILE_SEED ?= $(or $(WINNOW_HOSTILE_SEED),$(shell date +%Y%m%d))
HOSTILE_SLICE = ^test_(planted|core|pool|program|reduce|defer|defer_random|autograd|contract)$$
hostile:
	$(SETUP) test
	$(FRONT)
	$(GO) build-hostile all $(HOSTILE)
	@echo "hostile: WINNOW_HOSTILE_SEED=$(HOSTILE_SEED)"
	@MALLOC_PERTURB_=85 WINNOW_HOSTILE_SEED=$(HOSTILE_SEED) sh tests/run.sh build-hostile $(T)

# Of them those of files and of the table, the portable level alone: minutes.
check-files:
	$(SETUP) test
	$(GO) build-files winnow_hostile $(SANITIZED) -DWINNOW_QUICK=ON -DWINNOW_EXAMPLES=OFF -DWINNOW_PYTHON_APART=ON $(OPTIONS)
	$(CHECK) build-files -L '^hostile$$' $(T)

check-python:
	$(SETUP)
	@PYTHON='$(PYTHON)' sh tools/python.sh
	$(GO) build-asan winnow_python $(SANITIZED) $(OPTIONS)
	$(CHECK) build-asan -R '^test_python' $(T)

check-pythons: python
	@sh tests/pythons.sh $(T)

tsan:
	$(SETUP) test
	$(GO) build-tsan all -DWINNOW_SANITIZE=thread -DWINNOW_BENCH=OFF $(OPTIONS)
	@TSAN_OPTIONS=halt_on_error=0:second_deadlock_stack=1 sh tests/run.sh build-tsan --no-aslr $(T)

# Harnesses with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer.
SECONDS ?= 60
fuzz:
	$(SETUP) clang fuzz
	@CC=$$(command -v clang-14 || command -v clang) CXX=$$(command -v clang++-14 || command -v clang++) \
	 sh tools/build.sh build-fuzz fuzzers -DWINNOW_FUZZ=ON -DWINNOW_QUICK=ON -DWINNOW_SANITIZE=address,undefined -DWINNOW_BENCH=OFF -DWINNOW_EXAMPLES=OFF $(OPTIONS)
	@sh fuzz/run.sh $(SECONDS) $(T)

# AVX-512's kernels on a processor that has only AVX2: their instructions are emulated.
emulate:
	$(SETUP) test
	$(GO) build-emulate all -DWINNOW_EMULATE=ON -DWINNOW_BENCH=OFF -DWINNOW_EXAMPLES=OFF -DWINNOW_TEST_DEFER=OFF $(OPTIONS)
	$(TEST) build-emulate -L '^c$$' $(T)

# Two tests are left out: qemu's user emulation does not survive a fork of a program with threads.
aarch64:
	@command -v aarch64-linux-gnu-g++ qemu-aarch64 >/dev/null && [ -f /usr/lib/aarch64-linux-gnu/libz.so ] || { echo 'make aarch64: install its tools:' \
	 'dpkg --add-architecture arm64 && apt-get update && apt-get install g++-aarch64-linux-gnu qemu-user zlib1g-dev:arm64'; exit 1; }
	$(SETUP)
	$(GO) build-aarch64 all --toolchain cmake/aarch64.cmake -DWINNOW_WERROR=ON -DWINNOW_TEST_DEFER=OFF $(OPTIONS)
	$(TEST) build-aarch64 -L '^c$$' -E 'test_pool|test_data' $(T)

clang:
	$(SETUP) test clang
	@CC=$$(command -v clang-14 || command -v clang) CXX=$$(command -v clang++-14 || command -v clang++) \
	 sh tools/build.sh build-clang all -DWINNOW_WERROR=ON -DWINNOW_PYTHON_APART=ON $(OPTIONS)
	$(TEST) build-clang $(T)

bench:
	$(SETUP)
	$(GO) $(BUILD) winnow_bench $(OPTIONS)
	@if [ -x $(BUILD)/bench/wnbench ]; then $(BUILD)/bench/wnbench $(T); else ls $(BUILD)/bench; fi
	@sh bench/instructions.sh $(BUILD)/bench/wnbench

lab:
	$(SETUP)
	$(GO) $(BUILD) winnow_lab $(OPTIONS)

# One file compiled for a debugger, in one test program (T=test_reduce) whose other files are as always.
FILE ?=
look-inside:
	$(SETUP) test
	$(GO) $(BUILD) $(or $(filter-out -%,$(T)),test_kernels) $(OPTIONS)
	@sh tools/inside.sh $(BUILD) '$(FILE)' $(or $(filter-out -%,$(T)),test_kernels)

header:
	$(SETUP)
	$(GO) $(BUILD) wngen $(OPTIONS)
	@$(BUILD)/tools/wngen --header include/winnow.h
	@$(BUILD)/tools/wngen --hpp include/winnow.hpp
	$(GO) $(BUILD) test_table $(OPTIONS)
	@$(BUILD)/tests/test_table --document docs/operations.md

install:
	$(SETUP)
	$(GO) $(BUILD) winnow_default $(OPTIONS)
	@. ./build/setup.sh && DESTDIR='$(DESTDIR)' $$CMAKE --install $(BUILD) --prefix '$(PREFIX)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi
	@[ -n '$(DESTDIR)' ] || sh tools/installed.sh '$(PREFIX)'

uninstall:
	@. ./build/setup.sh && DESTDIR='$(DESTDIR)' $$CMAKE -DMANIFEST=$(BUILD)/install_manifest.txt -DPREFIX='$(PREFIX)' -P cmake/uninstall.cmake
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

# A wheel for other machines: no compiler there.
wheel:
	$(SETUP)
	@PYTHON='$(PYTHON)' sh tools/python.sh
	@PYTHON='$(PYTHON)' sh tools/wheel.sh

deb: wheel
	$(SETUP) deb
	$(GO) build-deb winnow_default -DCMAKE_INSTALL_LIBDIR=lib/$$($${CC:-cc} -print-multiarch) -DWINNOW_TESTS=OFF -DWINNOW_EXAMPLES=OFF -DWINNOW_BENCH=OFF -DWINNOW_PYTHON_APART=ON $(OPTIONS)
	@sh packaging/deb.sh build-deb build/deb

test-packages: wheel deb
	@bash tests/packages.sh . $(T)

torch-env:
	@PYTHON='$(PYTHON)' sh oracle/python.sh install >/dev/null

clean:
	@rm -rf build build-*
