#!/bin/bash
# How the library and the Python extension are hardened, read from their ELF files: relocations and the table of calls are read-only
# after loading, the stack is not executable, buffers and stacks are checked, shadow stacks are allowed for.
# test_hardening.sh <source directory> <build directory>
# SPDX-License-Identifier: Apache-2.0
source_dir=${1:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${2:-$source_dir/build}
. "$(dirname "$0")/check.sh"
command -v readelf >/dev/null || { echo 'no readelf on this machine (the package binutils)'; exit 77; }
lacks() { ! grep -qE "$1" "$2"; }

looked=0
extension=$build_dir/python/winnow/_C.abi3.so
[ -f "$extension" ] || extension=$source_dir/python/winnow/_C.abi3.so
for file in "$build_dir/libwinnow.so" "$extension"; do
    [ -f "$file" ] || continue
    looked=$((looked + 1))
    name=$(basename "$file")
    readelf -lW "$file" >"$work/segments"
    readelf -dW "$file" >"$work/dynamic"
    readelf -nW "$file" >"$work/notes"
    readelf -W --dyn-syms "$file" >"$work/symbols"
    check "$name: a read-only segment after relocation" grep -q 'GNU_RELRO' "$work/segments"
    check "$name: every symbol bound at loading" grep -qE 'BIND_NOW|Flags:.*NOW' "$work/dynamic"
    check "$name: a stack that is not executable" grep -qE 'GNU_STACK .* RW ' "$work/segments"
    check "$name: no segment that can be written and executed" lacks ' RWE ' "$work/segments"
    check "$name: no relocation in the text" lacks 'TEXTREL' "$work/dynamic"
    check "$name: canaries on stacks" grep -q '__stack_chk_fail' "$work/symbols"
    for call in memcpy memset snprintf; do
        check "$name: $call checked where a buffer's size is known" grep -qE "__v?${call}_chk" "$work/symbols"
    done
    if [ "$(uname -m)" = x86_64 ]; then
        check "$name: marked for shadow stacks" grep -q 'x86 feature:.*SHSTK' "$work/notes"
    fi
done
check "there was something to look at" test "$looked" -gt 0
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
