#!/bin/bash
# What a change of the rows compiles anew: of the declarations that wngen writes for each source file only few change, and nobody
# reads winnow.h whole. test_uses.sh <source directory> SPDX-License-Identifier: Apache-2.0
source=${1:-$(cd "$(dirname "$0")/.." && pwd)}
. "$(dirname "$0")/check.sh"
cd "$source/src" || exit 1
sources=$(ls */*.c ops/*/*.c engine/level/*.c)
number=$(echo "$sources" | wc -w)

# generate NAME FILE SED: what wngen writes with that file of src/ops changed so, into $work/NAME.
generate() {
    local place=$work/$1
    mkdir -p "$place/$(dirname "$2")" "$place/gen/uses"
    sed "$3" "$2" >"$place/changed"
    [ -z "$3" ] || ! cmp -s "$place/changed" "$2" || { echo "nothing changed in $2"; exit 1; }
    mv "$place/changed" "$place/$2"
    "${CC:-cc}" -D_GNU_SOURCE -std=gnu11 -O0 -I"$place" -I"$source/include" -I"$source/src" "$source"/tools/wngen/*.c -o "$place/wngen" || exit 1
    # shellcheck disable=SC2086
    "$place/wngen" --uses "$place/gen" "$source/include/winnow.h" "$source/src" $sources || exit 1
    rm "$place/gen/uses/all.h" # the generated files'
}
changed() { diff -rq "$work/same/gen" "$work/$1/gen" | wc -l; }

generate same ops/pointwise/pointwise.def ''
check "a file of declarations for each source" test "$(ls "$work/same/gen/uses" | wc -l)" = "$number"
check "the header is fresh" "$work/same/wngen" --check "$source/include/winnow.h"

generate new ops/pointwise/pointwise.def '1i {.sig = "brandnew(Tensor self) -> Tensor", .cls = POINTWISE, .types = FLOAT, .zero = KEEPS, .expr = "a", .grad = "self: g", .doc = "New."},'
check "a new row changes $(changed new) of $number files' declarations" test "$(changed new)" -le 40
check "whoever forgets the header is told how" grep 'run `make header`' <("$work/new/wngen" --check "$source/include/winnow.h" 2>&1)

generate text ops/pointwise/pointwise.def 's/\.doc = "/&Other words. /'
check "documentation changes none" test "$(changed text)" = 0

generate argument ops/linalg/linalg.def 's/"det(Tensor self)/"det(Tensor self, *, bool fast=False)/'
check "an argument changes few: $(changed argument)" test "$(changed argument)" -ge 1 -a "$(changed argument)" -le 12

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
