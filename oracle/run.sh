#!/bin/sh
# oracle/run.sh [options of opdb.py]: PyTorch judges the Python front: the operator database, generated programs and properties, random
# streams, programs that train, libraries written on PyTorch, and PyTorch's own test files (with options: the database alone). Uses .venv-torch, made if need be.
# Then a table of all; its last line is "N passed, N failed". SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
python=$(sh oracle/python.sh install) || { echo 'oracle: PyTorch 2.13 cannot be installed here, so there is nobody to ask' >&2; exit 1; }
jobs=$(nproc 2>/dev/null || echo 2)
if [ $# -gt 0 ]; then
    exec "$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs" "$@"
fi
log=$(mktemp) table=$(mktemp) || exit 1
trap 'rm -f "$log" "$table"' EXIT

# judge NAME COMMAND...: runs the command; what its last line counts is a line of the table. One that counted nothing is one failure.
judge() {
    name=$1
    shift
    begin=$(date +%s)
    "$@" 2>&1 | tee "$log"
    counted=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    [ -n "$counted" ] || counted='0 passed, 1 failed'
    echo "$name $counted $(($(date +%s) - begin))" >>"$table"
}

judge opdb "$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs"
for run in programs:2000 properties_index:10000 properties_einsum:10000 properties_spatial:3000 properties_rnn:200; do
    judge "${run%:*}" "$python" "oracle/${run%:*}.py" --wn winnow --path python --examples "${run#*:}"
done
judge streams "$python" oracle/streams.py --path python
judge training "$python" oracle/training.py --wn winnow --path python
judge libraries "$python" oracle/libraries.py
judge suites sh oracle/suites/judge.sh

echo
awk '{ printf "%-20s %9d passed %6d failed %6d s\n", $1, $2, $4, $6; passed += $2; failed += $4 }
     END { printf "%d passed, %d failed\n", passed, failed; exit failed != 0 }' "$table"
