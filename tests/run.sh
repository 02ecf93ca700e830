#!/bin/sh
# tests/run.sh <build directory> [--full] [--levels] [ctest options]: runs the suite and ends with one line,
# "N passed, N failed": the sum of such lines over all programs. A program that prints none counts as one; one that
# fails without having counted a failure (a crash, a time-out, a leak) counts as one failure.
#   --full    the tests labelled "full" too, with WINNOW_TEST_FULL=1
#   --levels  the suite once for each ISA level that this machine has
# SPDX-License-Identifier: Apache-2.0
dir=$1
shift
. ./build/setup.sh
ctest=${CMAKE%cmake}ctest
select='-LE ^full$' levels='' wrap=''
while :; do
    case $1 in
    --full) select='' WINNOW_TEST_FULL=1; export WINNOW_TEST_FULL ;;
    --levels)
        levels=portable
        flags=" $(sed -n '/^flags/{s/.*://p;q;}' /proc/cpuinfo 2>/dev/null) "
        has() { for f in "$@"; do case $flags in *" $f "*) ;; *) return 1 ;; esac; done; }
        ! has avx2 fma bmi2 f16c || levels="$levels avx2"
        ! has avx2 fma bmi2 f16c avx512f avx512bw avx512cd avx512dq avx512vl || levels="$levels avx512" ;;
    --no-aslr) # ThreadSanitizer cannot place its shadow under some kernels' address randomisation
        if setarch "$(uname -m)" -R true 2>/dev/null; then wrap="setarch $(uname -m) -R"; fi ;;
    *) break ;;
    esac
    shift
done

log=$dir/Testing/Temporary/LastTest.log
passed=0 failed=0 status=0
start=$(date +%s)
for level in ${levels:-default}; do
    if [ -n "$levels" ]; then
        WINNOW_LEVEL=$level
        export WINNOW_LEVEL
        echo "--- WINNOW_LEVEL=$level"
    fi
    rm -f "$log"
    # ctest's own lines say how each test ended; its log holds everything the tests printed.
    # shellcheck disable=SC2086
    { $wrap "$ctest" --test-dir "$dir" -j2 --output-on-failure --no-label-summary --no-tests=error $select "$@"; echo "ctest exit $?"; } 2>&1 |
        tee "$dir/ctest.out" | sed '/^ctest exit [0-9]*$/d'
    grep -q '^ctest exit 0$' "$dir/ctest.out" || status=1
    counts=$(awk '
        FILENAME ~ /ctest\.out$/ {
            if (match($0, /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: [^ ]+/)) {
                name = substr($0, 1, RLENGTH); sub(/.* /, "", name)
                rest = substr($0, RLENGTH + 1)
                end[name] = rest ~ /\*\*\*Skipped/ ? "skipped" : rest ~ /\*\*\*/ ? "failed" : "passed"
            }
            next
        }
        !inside && /^[0-9]+\/[0-9]+ Test: / { name = $3 }
        !inside && /^Output:/ { inside = 1; next }
        inside && /<end of output>$/ { inside = 0; name = "" }
        inside && /^[0-9]+ passed, [0-9]+ failed\r?$/ { n[name]++; p[name] += $1; f[name] += $3 }
        END {
            for (t in end) {
                if (end[t] == "skipped") continue
                if (end[t] == "failed" && f[t] == 0) f[t] = 1
                if (end[t] == "passed" && n[t] == 0) p[t] = 1
                if (end[t] == "passed" && f[t] > 0) print t ": exit code 0, but " f[t] " failed"
                P += p[t]; F += f[t]
            }
            print P + 0, F + 0
        }' "$dir/ctest.out" "$log") || counts="0 1"
    bad=$(printf '%s\n' "$counts" | sed '$d')
    [ -z "$bad" ] || { printf '%s\n' "$bad"; status=1; }
    counts=$(printf '%s\n' "$counts" | tail -n 1)
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done
[ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
[ "$failed" = 0 ] || status=1
echo "tests took $(($(date +%s) - start)) s"
echo "$passed passed, $failed failed"
exit "$status"
