#!/bin/bash
# Folders of src include only downwards, call only downwards, and no file has the name of another. test_folders.sh <source directory> <build
# directory> SPDX-License-Identifier: Apache-2.0
source=${1:-$(cd "$(dirname "$0")/.." && pwd)} build=$(cd "${2:-$source/build}" && pwd)
. "$(dirname "$0")/check.sh"
cd "$source/src" || exit 1
# Each may know what stands before it.
order="base table tensor support engine defer grad call ops nn optim io data"
# What tensor/tensor.h declares of deferral, which stands above it.
upwards="wn__bad_value wn__meta_value wn__storage_run wn__settle_slow wn__storage_drop"

# upward: of lines "file other-file what" those of which the other stands above.
upward() {
    awk -v order="$order" '
        BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
        { split($1, a, "/"); split($2, b, "/") }
        !(a[1] in rank) || !(b[1] in rank) { print "no such folder in the order: " $0; next }
        rank[b[1]] > rank[a[1]]'
}
includes() {
    grep -rHo --include='*.[ch]' --include='*.def' '^#include "[a-z]*/[^"]*"' . | sed 's|^\./||; s|:#include "| |; s|"$||' | grep -v ' gen/'
}
# "file defining-file symbol" of all that one file's object wants and another's has, from the library's objects.
calls() {
    find "$build/CMakeFiles" -path '*/src/*.c.o' | while read -r object; do
        file=${object#*/src/}
        file=${file%.o}
        [ ! -f "$file" ] || nm "$object" | sed "s|^|$file |"
    done | awk '$2 == "U" { want[$1 " " $3] = 1; next } $3 ~ /^[TDBRCVW]$/ { has[$4] = $1 }
        END { for (w in want) { split(w, p, " "); if (p[2] in has && has[p[2]] != p[1]) print p[1], has[p[2]], p[2] } }'
}
allowed() { grep -vwF "$(echo "$upwards" | tr ' ' '\n')"; }

check "there are includes and calls to look at" test "$(includes | wc -l)" -gt 500 -a "$(calls | wc -l)" -gt 1000
check "includes go downwards" empty "$(includes | upward)"
check "calls go downwards" empty "$(calls | grep ' wn__[a-z0-9_]*$' | allowed | upward)"
check "functions are declared in headers" empty "$(grep -rn --include='*.c' -E '^ *extern [^"]*\(' . | grep -v 'extern const')"
check "every file has a name of its own" empty "$(find . -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d)"
# The test itself: an upward include is seen.
check "an upward include is found" test -n "$(echo 'base/error.h grad/tape.h' | upward)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
