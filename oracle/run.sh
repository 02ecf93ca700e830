#!/bin/sh
# oracle/run.sh [options of opdb.py]: PyTorch judges the Python front: the operator database, then generated programs (not with
# options). Uses .venv-torch, made if need be. The last line is "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
python=$(sh oracle/python.sh install) || { echo 'oracle: PyTorch 2.13 cannot be installed here, so there is nobody to ask' >&2; exit 1; }
jobs=$(nproc 2>/dev/null || echo 2)
if [ $# -gt 0 ]; then
    exec "$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs" "$@"
fi
"$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs"
first=$?
"$python" oracle/programs.py --wn winnow --path python --examples 2000
second=$?
[ $first = 0 ] && [ $second = 0 ]
