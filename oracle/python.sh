#!/bin/sh
# oracle/python.sh [install]: prints an interpreter that has PyTorch 2.13, NumPy and hypothesis: $WINNOW_TORCH_PYTHON or that of
# .venv-torch. `install` makes .venv-torch with pip where it is missing. Fails when there is none.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
good() { "$1" -c 'import hypothesis, numpy, torch; assert torch.__version__.startswith("2.13.")' 2>/dev/null; }
for p in "$WINNOW_TORCH_PYTHON" "$PWD/.venv-torch/bin/python"; do
    if [ -n "$p" ] && [ -x "$p" ] && good "$p"; then
        echo "$p"
        exit 0
    fi
done
[ "$1" = install ] || exit 1
"${PYTHON:-python3}" -m venv .venv-torch >&2 && .venv-torch/bin/pip install --quiet --disable-pip-version-check -r oracle/requirements.txt >&2 &&
    good .venv-torch/bin/python && echo "$PWD/.venv-torch/bin/python"
