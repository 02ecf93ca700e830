#!/bin/bash
# What a row must decide, it decides or its family does: the generator refuses a row for which neither does, and a decision that means nothing. A
# row's own word wins. test_defaults.sh <source directory> SPDX-License-Identifier: Apache-2.0
source=${1:-$(cd "$(dirname "$0")/.." && pwd)}
. "$(dirname "$0")/check.sh"

# generator FILE SED: builds wngen with that file of src/ops changed so.
generator() {
    rm -rf "$work/ops" && mkdir -p "$work/ops/$(dirname "$1")"
    sed "$2" "$source/src/ops/$1" >"$work/ops/$1"
    [ -z "$2" ] || ! cmp -s "$work/ops/$1" "$source/src/ops/$1" || { echo "FAIL: nothing changed in $1"; failed=$((failed + 1)); }
    "${CC:-cc}" -D_GNU_SOURCE -std=gnu11 -O0 -w -I"$work" -I"$source/include" -I"$source/src" "$source"/tools/wngen/*.c -o "$work/wngen" || exit 1
}
refused() { generator "$2" "$3"; check "$1" grep -E "$4" <("$work/wngen" --defaults 2>&1 >/dev/null); }

generator rows.def ''
"$work/wngen" --defaults >"$work/defaults" || failed=$((failed + 1))
check "a row takes its family's default" grep -x 'tanh: \.autocast = KEEP, of "Pointwise"' "$work/defaults"
check "one that decides takes none" test "$(grep -c '^prelu: ' "$work/defaults")" = 0

refused "a family without a default" rows.def 's/"Activations", \.autocast = KEEP/"Activations"/' '\.autocast is said by neither the row nor its family, "Activations"'
refused "a row whose family has none" product/contract.def '/"mm(/s/ \.autocast = NARROW,//' 'mm\(.*: \.autocast is said by neither .* "Products"'
refused "several results" pointwise/numeric.def '/"frexp/s/ \.results = NAMED,//' 'frexp.*: \.results is said by neither'
refused "numbers alone" pointwise/pointwise.def '/"add\./s/ \.numbers_only = TAKEN,//' 'add.*: \.numbers_only is said by neither'
refused "a tuple of one result" pointwise/pointwise.def '/"tanh(/s/\.cls = POINTWISE,/& .results = PLAIN,/' 'tanh.*: \.results means nothing'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
