#!/bin/bash
# One line in the table, and nothing else: it has its declaration, kernels, gradient, support, autocast policy, title, tests, and is a function, a method
# and a stub in Python. The line stands last in a copy of the table, so that ids stay: what it changes is compiled anew and shadows the
# build's own objects, without optimisation and for the portable level. test_one_row.sh <source directory> <build directory>
# SPDX-License-Identifier: Apache-2.0
source=$1 build=$2
. "$(dirname "$0")/check.sh"
[ -f "$build/compile_commands.json" ] || { echo "skipped: the build has no compile_commands.json"; exit 77; }
! grep -q -m1 -e '-fsanitize' "$build/compile_commands.json" || { echo "skipped: under a sanitizer"; exit 77; }
cc=${CC:-cc} name=wobble libs=$(sed -n 's/^Libs.private: //p' "$build/winnow.pc")
export WINNOW_LEVEL=portable

# ------------------------------------------------------------------ the line
(cd "$source/src" && find ops -name '*.def' -exec cp --parents {} "$work" \;)
last=$work/$(sed -n 's/^#include "\(ops.*\)"$/\1/p' "$source/src/ops/rows.def" | tail -n 1)
cat >>"$last" <<'ROW'
{.sig = "wobble(Tensor self, Tensor mask) -> Tensor", .cls = POINTWISE, .types = FLOAT_ONLY, .zero = KEEPS, .expr = "b ? a * a : K(0)", .grad = "self: mul(where(mask, g, k(0)), mul(k(2), self))", .doc = "self^2 where mask is true, else 0."},
ROW
check "the table has one line more" test "$(cat "$work"/ops/*/*.def | wc -l)" = "$(($(cat "$source"/src/ops/*/*.def | wc -l) + 1))"
"$cc" -D_GNU_SOURCE -std=gnu11 -O0 -w -I"$work" -I"$source/include" -I"$source/src" "$source"/tools/wngen/*.c -o "$work/wngen" || exit 1

# ------------------------------------------------------------------ what follows from it
mkdir -p "$work/gen/uses" "$work/include" "$work/objects"
cp "$source/include/winnow.h" "$work/include"
sources=$(cd "$source/src" && ls */*.c ops/*/*.c engine/level/*.c)
# shellcheck disable=SC2086
"$work/wngen" --gen "$work/gen" && "$work/wngen" --uses "$work/gen" "$source/include/winnow.h" "$source/src" $sources && "$work/wngen" --header "$work/include/winnow.h" || exit 1
check "a declaration in winnow.h" grep -q 'wn_wobble(' "$work/include/winnow.h"
check "autocast's policy is its family's" grep '^wobble: \.autocast = KEEP, of "' <("$work/wngen" --defaults)
check "a gradient with a support" grep -q 'wn__grad_of_wobble' "$work/gen/builders.c"

# Files whose declarations are others now, those that wngen writes, and those that include what it writes.
changed() {
    (cd "$source/src" && ls */*.c ops/*/*.c engine/level/*.c | while read -r f; do
        cmp -s "$work/gen/uses/$(echo "$f" | tr / _).h" "$build/gen/uses/$(echo "$f" | tr / _).h" && [ "$f" != engine/level/pointwise_kernels.c ] && continue
        echo "$source/src/$f"
    done)
    echo "$source/tests/table/naive.c"
    ls "$work"/gen/*.c | sed "s:^$work:$build:"
}
# The build's own command for a file, with the new generated files before the old ones; of several levels the portable one.
recompile() {
    local command
    command=$(grep -F -- "-c $1\"" "$build/compile_commands.json" | grep -v -e '-DWN_LEVEL=avx' | head -n 1 | sed 's/^ *"command": "//; s/",$//; s/\\\(.\)/\1/g')
    [ -n "$command" ] || { echo "no command for $1"; return 1; }
    command=${command%% -o *}
    (cd "$build" && eval "${command//"$build/gen"/"$work/gen"} -O0 -w -U_FORTIFY_SOURCE -o $work/objects/$(basename "$1").o -c ${1/#"$build/gen"/"$work/gen"}")
}
list=$(changed)
check "few of $(echo "$list" | wc -l) files are compiled anew" test "$(echo "$list" | wc -l)" -le 25
for file in $list; do
    recompile "$file" >"$work/said" 2>&1 || { echo "FAIL: $file"; tail -n 5 "$work/said"; exit 1; }
done
mv "$work/objects/naive.c.o" "$work/naive.o"

# ------------------------------------------------------------------ in C
cat >"$work/use.c" <<'C'
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "winnow.h"
int main(void) {
    WN_SCOPE(s);
    const float values[] = {3, NAN, -2};
    const bool on[] = {true, false, true};
    wn_tensor *x = wn_requires_grad(wn_from_data(values, WN_DIMS(3), WN_F32), true), *mask = wn_from_data(on, WN_DIMS(3), WN_BOOL), *y = wn_wobble(x, mask);
    wn_node *node = wn_node_of(y);
    char name[64] = "";
    wn_node_name(node, name, sizeof name);
    wn_node_drop(node);
    wn_backward(wn_sum(y));
    const float *v = wn_data(wn_contiguous(wn_detach(y))), *g = wn_data(wn_grad_of(x));
    if (!v || !g) return 1;
    printf("%g %g %g, gradient %g %g %g, %s\n", (double)v[0], (double)v[1], (double)v[2], (double)g[0], (double)g[1], (double)g[2], name);
    WN_AUTOCAST(WN_BF16);
    return wn_dtype_of(wn_wobble(x, mask)) != WN_F32;
}
C
"$cc" -std=gnu11 -w -I"$work/include" "$work/use.c" "$work"/objects/*.o "$build/libwinnow.a" -Wl,-z,muldefs $libs -o "$work/use" || exit 1
check "its value, its gradient (0 where NaN is off the mask) and its name" test "$("$work/use")" = '9 0 4, gradient 6 0 -4, WobbleBackward0'
check "autocast keeps its type" "$work/use"

# ------------------------------------------------------------------ its tests
kit=$(ls "$build"/tests/CMakeFiles/table_kit.dir/table/*.o "$build"/tests/CMakeFiles/test_table.dir/*.o | grep -v /naive)
# shellcheck disable=SC2086
"$cc" $kit "$work/naive.o" "$work"/objects/*.o "$build/libwinnow.a" -Wl,-z,muldefs $libs -ldl -o "$work/test_table" || exit 1
(cd "$build" && "$work/test_table" $name) >"$work/table" 2>&1
check "test_table takes it: $(tail -n 1 "$work/table")" grep -qE '^[1-9][0-9]+ passed, 0 failed' "$work/table"

# ------------------------------------------------------------------ in Python
extension=$(ls "$build"/python/CMakeFiles/winnow_python.dir/src/*.o 2>/dev/null) python=$(sed -n 2p "$build/python.txt" 2>/dev/null)
if [ -z "$extension" ] || [ -z "$python" ]; then
    echo "Python is left out: its front is not built"
else
    mkdir "$work/python" && cp -r "$source/python/winnow" "$source/python/winnow_build" "$work/python" && rm -f "$work"/python/winnow/_C*.so
    # shellcheck disable=SC2086
    "$cc" -shared $extension "$work"/objects/*.o "$build/libwinnow.a" -Wl,-z,muldefs -Wl,--exclude-libs,ALL $libs -o "$work/python/winnow/_C.abi3.so" || exit 1
    export PYTHONPATH=$work/python PYTHONDONTWRITEBYTECODE=1
    "$python" -m winnow_build.stubs "$work/python/winnow" >/dev/null 2>"$work/said" || cat "$work/said"
    check "a function and a method" grep -x '\[9.0, 0.0\] \[9.0, 0.0\] WobbleBackward0' <("$python" -c '
import winnow as torch
x, m = torch.tensor([3.0, float("nan")], requires_grad=True), torch.tensor([True, False])
y = torch.wobble(x, m)
print(y.tolist(), x.wobble(mask=m).tolist(), type(y.grad_fn).__name__)' 2>&1)
    check "its function's stub" grep -q 'def wobble(input: ' "$work/python/winnow/__init__.pyi"
    check "its method's stub" grep -q 'def wobble(self, ' "$work/python/winnow/_C.pyi"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
