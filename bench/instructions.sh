#!/bin/sh
# bench/instructions.sh [wnbench]: instructions of one call on one element, counted by callgrind (exact, whatever else the
# machine does), against the limits of issue 3. Two runs that differ only in the number of calls: start-up cancels.
# Exit 1 when a limit is exceeded; without valgrind one sentence and exit 0. DETAIL=1 lists the functions.
# SPDX-License-Identifier: Apache-2.0
root=$(cd "$(dirname "$0")/.." && pwd)
bench=${1:-$root/build/bench/wnbench}
few=2000 many=6000

command -v valgrind >/dev/null 2>&1 || { echo "instructions: valgrind is not installed (apt-get install valgrind): nothing was counted"; exit 0; }
[ -x "$bench" ] || { echo "instructions: $bench is missing (make bench builds it)" >&2; exit 1; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT INT TERM

# Instructions of `wnbench --runs $2 "$1"`, the last number of callgrind's "Collected" line.
collect() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$dir/out.$2" "$bench" --threads 1 --runs "$2" "$1" >"$dir/log" 2>&1; then
        sed 's/^/instructions: /' "$dir/log" >&2
        return 1
    fi
    sed -n 's/.*Collected *: *//p' "$dir/log"
}

status=0 loop=0
a=$(collect 'op none f32 1' "$few") && b=$(collect 'op none f32 1' "$many") && loop=$(((b - a) / (many - few)))
echo "instructions of a call on one f32 element (callgrind, $few and $many calls; the empty loop's $loop taken off)"
count() { # problem, limit
    a=$(collect "$1" $few) && b=$(collect "$1" $many) && [ -n "$a" ] && [ -n "$b" ] || { status=1; return; }
    each=$(((b - a) / (many - few) - loop))
    verdict=pass
    if [ "$each" -gt "$2" ]; then verdict=FAIL status=1; fi
    printf '%s  %-18s %6d  (at most %d)\n' "$verdict" "$1" "$each" "$2"
    [ -z "$DETAIL" ] || callgrind_annotate "$dir/out.$many" 2>/dev/null | sed -n 's/^ *\([0-9,]*\) *(\( *[0-9.]*%\)) *.*:\([^ ]*\).*/        \2  \1  \3/p' | head -${DETAIL_LINES:-16}
}
count 'op add_ f32 1' 400
count 'op add f32 1' 600
count 'op add f32 1 grad' 900
exit $status
