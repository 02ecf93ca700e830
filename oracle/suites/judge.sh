#!/bin/sh
# oracle/suites/judge.sh [options of run.py]: fetches PyTorch's own test files and runs them on PyTorch and on winnow.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/../.." || exit 1
python=$(sh oracle/python.sh install) || { echo 'oracle: PyTorch 2.13 cannot be installed here, so there is nobody to ask' >&2; exit 1; }
sh oracle/suites/fetch.sh build/suites || exit 1
"$python" -m pip install --quiet --disable-pip-version-check pytest expecttest || exit 1
exec "$python" oracle/suites/run.py "$@"
