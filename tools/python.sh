#!/bin/sh
# tools/python.sh: which Python the front is built for. Writes the directory of Python.h and the interpreter to
# build/python.txt, which CMake reads; or says what is missing and fails.
# PYTHON chooses the interpreter (python3). Installs Debian's headers where they belong to it, are missing and may be installed.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null 2>&1; then
    echo "python: there is no $python; install Python 3.11 or newer (apt-get install python3 python3-dev), or set PYTHON" >&2
    exit 1
fi
answer=$("$python" -c '
import sys, sysconfig
print("%d %d" % sys.version_info[:2], sys.implementation.name, sysconfig.get_path("include"), sep="\n")') || exit 1
version=$(printf '%s\n' "$answer" | sed -n 1p)
kind=$(printf '%s\n' "$answer" | sed -n 2p)
include=$(printf '%s\n' "$answer" | sed -n 3p)
if [ "${version% *}" -lt 3 ] || { [ "${version% *}" = 3 ] && [ "${version#* }" -lt 11 ]; } || [ "$kind" != cpython ]; then
    echo "python: winnow's Python front needs CPython 3.11 or newer; $python is $kind ${version% *}.${version#* }. Set PYTHON to another" >&2
    exit 1
fi
if [ ! -f "$include/Python.h" ]; then
    case $include in
    /usr/include/*)
        apt=''
        if command -v apt-get >/dev/null 2>&1; then
            if [ "$(id -u)" = 0 ]; then apt='env DEBIAN_FRONTEND=noninteractive apt-get'
            elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then apt='sudo -n env DEBIAN_FRONTEND=noninteractive apt-get'; fi
        fi
        if [ -n "$apt" ]; then
            echo 'setup: installing python3-dev' >&2
            $apt install -y --no-install-recommends python3-dev </dev/null >/dev/null 2>&1 ||
                { $apt update </dev/null >/dev/null 2>&1; $apt install -y --no-install-recommends python3-dev </dev/null >/dev/null 2>&1; }
        fi ;;
    esac
fi
if [ ! -f "$include/Python.h" ]; then
    echo "python: $include/Python.h is missing: install the headers of $python (Debian: apt-get install python3-dev)" >&2
    exit 1
fi
path=$("$python" -c 'import sys; print(sys.executable)')
new=$(printf '%s\n%s' "$include" "$path")
[ "$new" = "$(cat build/python.txt 2>/dev/null)" ] || { mkdir -p build && printf '%s\n' "$new" >build/python.txt; }
