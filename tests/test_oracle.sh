#!/bin/bash
# PyTorch's operator database and generated programs against the Python front: a slice that takes a minute or two. Skipped, and
# said so, where PyTorch is not to be had (`make torch-env` makes it so); `make oracle` runs all of it.
# SPDX-License-Identifier: Apache-2.0
source_dir=$1 build_dir=$2
cd "$source_dir" || exit 1
if [ ! -f python/winnow/_C.abi3.so ]; then
    echo "skipped: the Python front is not built (no Python headers)"
    exit 77
fi
if ! python=$(sh oracle/python.sh); then
    echo "skipped: PyTorch 2.13 is not here (make torch-env installs it), so nobody judged the operations"
    exit 77
fi
# A part of the samples, always the same: another seed is for people (WINNOW_ORACLE_SEED), not for a build that has to be repeatable.
seed=${WINNOW_ORACLE_SEED:-7}
if [ -n "$WINNOW_TEST_FULL" ]; then
    slice='--jobs 2'
    random='programs:2000 properties_index:10000 properties_einsum:10000 properties_spatial:3000 properties_rnn:200'
else
    slice='--jobs 2 --samples 1 --few 1 --dtypes float32,float64,int64,bool,bfloat16'
    random='programs:150 properties_index:300 properties_einsum:300 properties_spatial:200 properties_rnn:20'
fi
# shellcheck disable=SC2086
PYTHONDONTWRITEBYTECODE=1 "$python" oracle/opdb.py --wn winnow --path python --seed "$seed" $slice
first=$?
rest=0
for run in $random; do
    PYTHONDONTWRITEBYTECODE=1 "$python" "oracle/${run%:*}.py" --wn winnow --path python --examples "${run#*:}" --seed "$seed" || rest=1
done
[ $first = 0 ] && [ $rest = 0 ]
