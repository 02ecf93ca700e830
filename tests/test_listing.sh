#!/bin/bash
# The design's listing compiles without a warning under strict flags, with every compiler there is, and runs.
# SPDX-License-Identifier: Apache-2.0
source=$1 build=$2 passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
sanitize=$(sed -n 's/^WINNOW_SANITIZE:STRING=//p' "$build/CMakeCache.txt")
for cc in "${CC:-cc}" gcc gcc-12 clang clang-14; do
    path=$(command -v "$cc") || continue
    path=$(readlink -f "$path")
    case " $seen " in *" $path "*) continue ;; esac
    seen="$seen $path"
    flags="-std=c11 -O1 -Wall -Wextra -Werror -Wshadow -pedantic-errors -Wconversion"
    if ! "$cc" $flags -I"$source/include" -c "$source/tests/data/listing.c" -o "$tmp/listing.o"; then
        echo "FAILED: $cc does not compile tests/data/listing.c"
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + 1))
    [ -z "$sanitize" ] || continue # a library built with a sanitizer wants a program built with it
    if "$cc" "$tmp/listing.o" -L"$build" -lwinnow -Wl,-rpath,"$build" -o "$tmp/listing" && "$tmp/listing"; then
        passed=$((passed + 1))
    else
        echo "FAILED: the listing built by $cc does not run"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
