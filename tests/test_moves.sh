#!/bin/bash
# The generator refuses a view, and a row whose derivative looks as if it moved elements, that does not say in .moves whether a mask
# moves along; and .moves where it means nothing. SPDX-License-Identifier: Apache-2.0
source=$1 passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# verdict NAME WANT FILE SED: with FILE changed by SED (an empty one: as it is) the generator succeeds (WANT 0), or names .moves and fails.
verdict() {
    rm -rf "$tmp/ops" "$tmp/gen"
    mkdir -p "$tmp/ops/$(dirname "$3")" "$tmp/gen"
    sed "$4" "$source/src/ops/$3" >"$tmp/ops/$3"
    [ -z "$4" ] || ! cmp -s "$tmp/ops/$3" "$source/src/ops/$3" || echo "FAILED: $1: nothing changed in $3"
    "${CC:-cc}" -D_GNU_SOURCE -std=gnu11 -O0 -I"$tmp" -I"$source/include" -I"$source/src" "$source"/tools/wngen/*.c -o "$tmp/wngen" || exit 1
    "$tmp/wngen" --gen "$tmp/gen" 2>"$tmp/said"
    local rc=$?
    if [ "$2" = 0 ] && [ $rc = 0 ] || { [ "$2" = 1 ] && [ $rc != 0 ] && grep -q "\.moves" "$tmp/said"; }; then
        passed=$((passed + 1))
    else
        echo "FAILED: $1: exit status $rc, $(cat "$tmp/said")"
        failed=$((failed + 1))
    fi
}

verdict "the rows as they are" 0 view/view.def ""
verdict "a view that does not decide" 1 view/view.def '/"permute(/s/ \.moves = ONE,//'
verdict "a view with a text that does not decide" 1 view/layout.def '/"self: unfold_backward/s/ \.moves = SOME,//'
verdict "a moving row that does not decide" 1 view/layout.def '/"roll(/s/ \.moves = ONE,//'
verdict "one that moves by saved places" 1 order/order.def '/wn__grad_chosen(/s/ \.moves = SOME,//'
verdict "a row without elements to move" 1 view/layout.def '/"ravel(/s/ \.flags/ .moves = ONE, .flags/'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
