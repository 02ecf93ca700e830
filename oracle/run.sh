#!/bin/sh
# oracle/run.sh [options of opdb.py]: PyTorch judges the Python front: the operator database, then generated programs and properties (not
# with options). Uses .venv-torch, made if need be. The last line is "N passed, N failed".
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
python=$(sh oracle/python.sh install) || { echo 'oracle: PyTorch 2.13 cannot be installed here, so there is nobody to ask' >&2; exit 1; }
jobs=$(nproc 2>/dev/null || echo 2)
if [ $# -gt 0 ]; then
    exec "$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs" "$@"
fi
"$python" oracle/opdb.py --wn winnow --path python --jobs "$jobs"
first=$?
rest=0
for run in programs:2000 properties_index:10000 properties_einsum:10000 properties_spatial:3000 properties_rnn:200; do
    "$python" "oracle/${run%:*}.py" --wn winnow --path python --examples "${run#*:}" || rest=1
done
[ $first = 0 ] && [ $rest = 0 ]
