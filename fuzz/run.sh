#!/bin/sh
# fuzz/run.sh SECONDS [NAME...]: what `make fuzz SECONDS=n` runs after it has built build-fuzz with clang: each harness, or those named,
# under libFuzzer for that long. New inputs are kept in build-fuzz/corpus/NAME; what fails is in build-fuzz/found/NAME and makes the exit status 1.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
seconds=$1 status=0
shift
[ $# -gt 0 ] || set -- $(ls fuzz/fuzz_*.c | sed 's/.*fuzz_//; s/\.c$//')
ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
for name in "$@"; do
    mkdir -p "build-fuzz/corpus/$name" "build-fuzz/found/$name"
    seeds=
    for folder in "fuzz/corpus/$name" "fuzz/found/$name"; do [ ! -d "$folder" ] || seeds="$seeds $folder"; done
    echo "--- $name"
    # shellcheck disable=SC2086
    "build-fuzz/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/found/$name/" "build-fuzz/corpus/$name" $seeds 2>"build-fuzz/$name.log"
    if [ $? = 0 ]; then
        sed -n 's/^stat::number_of_executed_units: */inputs: /p' "build-fuzz/$name.log"
    else
        status=1
        grep -v 'failed to allocate' "build-fuzz/$name.log" | tail -n 40
    fi
done
exit $status
