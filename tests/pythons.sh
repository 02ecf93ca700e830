#!/bin/sh
# tests/pythons.sh: the front is built once, for the stable ABI of CPython 3.11; its tests run with every newer CPython on the PATH or among
# pyenv's (with NumPy where that has it). Ends with a line "N passed, N failed", and with 1 where one failed.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
passed=0 failed=0 seen=
for python in python3.11 python3.12 python3.13 python3.14 python3.15 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[1-9]*/bin/python3; do
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2], sys.implementation.name)' 2>/dev/null) || continue
    case $seen in *"<$version>"*) continue ;; esac
    case $version in *cpython) seen="$seen<$version>" ;; *) continue ;; esac
    printf '%s: ' "${version% *}"
    out=$(PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 "$python" -m winnow tests/python/run.py "$@" 2>&1)
    line=$(printf '%s\n' "$out" | sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    [ -n "$line" ] || line='0 1'
    printf '%s passed, %s failed\n' ${line}
    [ "${line#* }" = 0 ] || printf '%s\n' "$out" | grep -A 12 '^FAILED' || printf '%s\n' "$out" | tail -20
    passed=$((passed + ${line% *})) failed=$((failed + ${line#* }))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
