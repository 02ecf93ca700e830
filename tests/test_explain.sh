#!/bin/bash
# wngen --explain says what rows' texts mean; where a condition stands in a text, and what is around it, decides where a gradient
# exists; and the generator refuses rows that do not say what it needs (.zero, .selects, .support). SPDX-License-Identifier: Apache-2.0
source=$1 build=$2 passed=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
wngen=$build/tools/wngen

good() { passed=$((passed + 1)); }
bad() { echo "FAILED: $1"; failed=$((failed + 1)); }

# says ROW TEXT...: the explanation has all of these lines, among others
says() {
    local row=$1
    shift
    "$wngen" --explain "$row" >"$tmp/said" 2>&1 || bad "$row: exit status $?"
    for line in "$@"; do
        if grep -qF -- "$line" "$tmp/said"; then good; else bad "$row does not say '$line': $(cat "$tmp/said")"; fi
    done
}

says relu "class: POINTWISE" "exists where y is above k(0), or NaN" "(.support)" "saved for it: result 0" "zero: KEEPS"
says sinc "exists where eq(self, k(0)) is false" "through 1 call around it" "there it is mul(g, div(" "saved for it: self result 0" "zero: NOT"
says masked_fill "exists where mask is false" "the condition is an argument" "there it is g" "selects (mask, where true, where false): mask value self"
says masked_select "exists where mask is true; elsewhere it is 0 already" "shape of self" "moves: SOME"
says threshold_backward "unless self is a number: then everywhere" "the condition is an argument"
says mul "gradient of other:" "saved for it: self" "exists everywhere" "zero: MEETS"
says native_layer_norm "gradients: by the function wn__vjp_native_layer_norm" "gradient of weight:"
says mm "product: mk,kn->mn" "saved for it: mat2" "exists everywhere"
says softmax "moves: LINES" "lines: dim"
says solve_triangular_left "gb: solve_triangular_left(mT(A), g, not(upper), unitriangular)" "saved for it: A result 0" "where the first holds, the second, else the third"
says solve_factoring "gb: pick(again, linalg_solve(mT(A), g0), lu_solve_left(y1, y2, g0, true))" "saved for it: A result 1 result 2"
says triplet_margin_loss "refuses: refuse(not(more(margin, 0)), 'VALUE'" "far: pairwise_distance(anchor, negative, p, eps)" "formula: reduced(clamp_min("
says linalg_lu_factor "f: linalg_lu_factor_ex(A, pivot)" "formula: sound(f, f.info, 'torch.linalg.lu_factor', 'LU')" "formula: f.pivots"
says mse_loss "checks: wn__check_mse_loss(input, target)"
says smooth_l1_loss "pick(is(beta, 0), abs(sub(input, target)), pick(is(beta, 1), huber_each("
says isnan "gradients: none of its own"
"$wngen" --explain relu sinc | grep -c "class: POINTWISE" | grep -qx 2 && good || bad "two rows"
"$wngen" --explain no_such_row >"$tmp/said" 2>&1
[ $? = 1 ] && grep -q "no row 'no_such_row'" "$tmp/said" && good || bad "an unknown row: $(cat "$tmp/said")"
"$wngen" --explain >"$tmp/said" 2>&1
[ $? = 2 ] && grep -q "usage.*--explain ROW" "$tmp/said" && good || bad "no row: $(cat "$tmp/said")"

# changed FILE SED: builds a generator of the rows with FILE changed
changed() {
    rm -rf "$tmp/ops" "$tmp/wngen"
    mkdir -p "$tmp/ops/$(dirname "$1")" "$tmp/gen"
    sed "$2" "$source/src/ops/$1" >"$tmp/ops/$1"
    cmp -s "$tmp/ops/$1" "$source/src/ops/$1" && bad "nothing changed in $1: $2"
    "${CC:-cc}" -D_GNU_SOURCE -std=gnu11 -O0 -I"$tmp" -I"$source/include" -I"$source/src" "$source"/tools/wngen/*.c -o "$tmp/wngen" || exit 1
}
# text TEXT LINE...: with this gradient text, sinc's is explained so
text() {
    changed pointwise/special.def "s/\.grad = \"self: mul(g, where(eq(self, k(0)), k(0), div(sub(cos[^\"]*\"/.grad = \"self: $1\"/"
    shift
    wngen=$tmp/wngen says sinc "$@"
}
text "neg(mul(where(gt(self, k(1)), k(0.0), div(g, self)), y))" "exists where gt(self, k(1)) is false" "through 2 calls around it" "there it is neg(mul(div(g, self), y))"
text "div(masked_fill(g, isnan(self), k(0)), self)" "exists where isnan(self) is false" "there it is div(g, self)"
text "div(g, where(eq(self, k(0)), k(0), self))" "exists everywhere"
text "add(where(eq(self, k(0)), k(0), g), k(1))" "exists everywhere"
text "exp(where(eq(self, k(0)), k(0), g))" "exists everywhere"
text "where(lt(self, k(2)), where(gt(self, k(1)), g, k(0)), k(0))" "exists where lt(self, k(2)) is true" "there it is where(gt(self, k(1)), g, k(0))"
text "mul(masked_scale(g, isnan(self), k(2)), self)" "exists where isnan(self) is true; elsewhere it is absent" "there it is mul(masked_scale("
text "mul(y, threshold_backward(g, self, k(3)))" "exists where self is above k(3), or NaN" "there it is mul(y, g)"

# refuses WORD FILE SED: the generator fails and names WORD
refuses() {
    changed "$2" "$3"
    "$tmp/wngen" --gen "$tmp/gen" >"$tmp/said" 2>&1 && bad "$2, $3: is taken"
    if grep -qF -- "$1" "$tmp/said"; then good; else bad "$2, $3: $(cat "$tmp/said")"; fi
}
refuses ".zero" pointwise/pointwise.def '/"exp(/s/ \.zero = NOT,//'
refuses ".zero = MEETS" pointwise/pointwise.def '/"exp(/s/ \.zero = NOT,/ .zero = MEETS,/'
refuses ".selects: 'condtion'" pointwise/compare.def 's/"condition self other"/"condtion self other"/'
refuses ".selects: no row" pointwise/compare.def 's/"condition self other"/"condition other self"/'
refuses ".support" pointwise/pointwise.def 's/"above self threshold"/"over self threshold"/'
refuses "a number stands where a tensor must" pointwise/special.def '/"erfcx(/s/self: mul(g, sub.*k(1.12837916709551257390)))/self: neg(k(1))/'
refuses "'A' cannot be a name here" linalg/linalg.def 's/gb = solve_triangular_left/A = solve_triangular_left/'
refuses "'e' stands for nothing" linalg/linalg.def 's/f = slogdet_factoring(self);/e = det_factoring(self); &/'
refuses "no condition" linalg/linalg.def 's/A: pick(upper, triu(ga/A: pick(ga, triu(ga/'
refuses "no result 'inverted'" linalg/linalg.def 's/sound(f.inverse/sound(f.inverted/'
refuses "pick() has 3 arguments" loss/losses.def 's/pick(full, add(each, /pick(full, 1, add(each, /'
refuses "stands there twice" pointwise/special.def '/"erfcx(/s/self: mul(g/self: g; self: mul(g/'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
