#!/bin/bash
# What C makes of an option that is not of its type: every compiler there is says so without any -W (clang with an error, gcc with a warning), or it
# means what it says. A forgotten argument is one short error, nested calls stay cheap to compile, C and C++ agree about every struct.
# SPDX-License-Identifier: Apache-2.0
source=$1
. "$(dirname "$0")/check.sh"
header=$source/include/winnow.h
compilers() {
    local cc path seen=
    for cc in "${CC:-cc}" gcc gcc-12 clang clang-14; do
        path=$(command -v "$cc") && path=$(readlink -f "$path") || continue
        case " $seen " in *" $path "*) continue ;; esac
        seen="$seen $path"
        echo "$cc"
    done
}
is_clang() { "$1" --version | grep -q clang; }

# The fields of one type ($1) in all args structs of the header, as "struct field" lines.
fields() {
    awk -v type="$1" '
        /^typedef struct wn_[a-z0-9_]*_args \{/ { name = $3 }
        /^}/ { name = "" }
        name != "" && $1 == type {
            sub(/;.*/, ""); sub(/^ *[a-z_]+ /, "")
            n = split($0, f, /, */)
            for (i = 1; i <= n; i++) print name, f[i]
        }' "$header"
}

# A plain number for each field of struct type $1: one line of C each, numbers that could be meant among them.
numbers() {
    printf '#include "winnow.h"\n'
    fields "$1" | awk '{ n = split("2 0 0.5 -1 true", v, " "); printf "void f%d(const void *); void f%d(const void *p) { (void)p; f%d(&(struct %s){.%s = %s}); }\n", NR, NR, NR, $1, $2, v[NR % n + 1] }'
}

# refused <compiler> <file> <number> [-isystem]: so many of its lines are complained about, without a -W.
refused() {
    local lines include=${4:--I}
    if is_clang "$1"; then
        "$1" -std=c11 -ferror-limit=0 "$include" "$source/include" -fsyntax-only "$2" >"$work/out" 2>&1 && return 1
        lines=$(sed -n 's/^[^ ]*program\.c:\([0-9]*\):[0-9]*: error: .*/\1/p' "$work/out" | sort -un | wc -l)
    else
        "$1" -std=c11 "$include" "$source/include" -fsyntax-only "$2" >"$work/out" 2>&1
        lines=$(sed -n 's/^[^ ]*program\.c:\([0-9]*\):[0-9]*: note: (near initialization for .*\.write_WN_[A-Za-z_]*.)$/\1/p' "$work/out" | sort -un | wc -l)
    fi
    [ "$lines" = "$3" ] || { echo "$lines of $3 lines are complained about"; head -n 5 "$work/out"; return 1; }
}

# The calls that programs were found to lose: one for each kind of field, by name and by position.
calls='wn_add(x, y, .alpha = 2)
wn_add(x, y, .alpha = 0)
wn_add_(x, y, .alpha = 0.5)
wn_var(x, .correction = 0)
wn_layer_norm(x, WN_DIMS(3), .eps = 100.0)
wn_layer_norm(x, WN_DIMS(3), y, y, 1e-5)
wn_argmax(x, .dim = 3)
wn_argmax(x, 1)
wn_cat(WN_LIST(x, y), .dim = 1)
wn_cat(WN_LIST(x, y), 1)
wn_sum(x, .dims = 1)
wn_sum(x, 1)
wn_flip(x, 1)
wn_zeros(2, 3)
wn_reshape(x, -1)
wn_cat(2)
wn_grad(WN_LIST(x), WN_LIST(y), .gradients = 1)
wn_backward(x, .inputs = 0)
wn_topk(x, 2, .largest = false)
wn_cholesky(x, .upper = true)
wn_nn_linear_init(&layer, 3, 4, .bias = false)
wn_nn_linear_init(&layer, 3, 4, .bias = 2)
wn_nn_conv2d_init(&conv, 3, 4, 5, .padding = 2)
wn_nn_max_pool2d_init(&pool, 2)
wn_nn_embedding_init(&words, 3, 4, .padding_idx = 0)'
program() { # $1: declarations and flags of the program around the calls on stdin, one a line
    printf '#include "winnow.h"\nvoid f(wn_tensor *x, wn_tensor *y);\nvoid f(wn_tensor *x, wn_tensor *y) {\n'
    printf 'wn_nn_linear layer; wn_nn_conv2d conv; wn_nn_max_pool2d pool; wn_nn_embedding words; wn_optim *optim = 0; wn_scheduler *part = 0; (void)optim; (void)part; (void)layer; (void)conv; (void)pool; (void)words;\n'
    sed 's/.*/(void)(&);/'
    printf '}\n'
}

# What means the number (or the text, the switch), by name and by position.
good='wn_add(x, y, .alpha = WN_VAL(2))
wn_add(x, 2, .alpha = WN_VAL(0))
wn_add(2.5, y, .out = x)
wn_var(x, .correction = WN_VAL(0))
wn_layer_norm(x, WN_DIMS(3), .eps = WN_VAL(100.0))
wn_layer_norm(x, WN_DIMS(3), y, y, WN_VAL(1e-5))
wn_argmax(x, .dim = WN_NONE)
wn_cat(WN_LIST(x, y), .dim = WN_VAL(1))
wn_sum(x, WN_DIMS(1), true)
wn_sum(x, .dims = WN_UNSET, .keepdim = true)
wn_sum(x, .dims = WN_0D, .dtype = WN_F64)
wn_softmax(x, 1, .where = y)
wn_clamp(x, 0, WN_NONE)
wn_clamp_(x, 0, y)
wn_diagonal(x, .offset = 1, .dim1 = WN_VAL(0))
wn_dropout(x, 0.5, true)
wn_mse_loss(x, y, .reduction = "sum")
wn_flip(x, WN_DIMS(1))
wn_zeros(WN_DIMS(2, 3))
wn_arange(5)
wn_einsum("ij,jk->ik", x, y)
wn_topk(x, 2, .largest = WN_OFF)
wn_cholesky(x, .upper = WN_ON)
wn_grad(WN_LIST(x), WN_LIST(y), .gradients = WN_NO_LIST)
wn_sequential_lr(optim, WN_DIMS(5), .parts = {part, part})
wn_one_cycle_lr(optim, 0.1, 5, .three_phase = true)
wn_checkpoint(0, 0, WN_LIST(x, y), .preserve_rng_state = WN_OFF)
wn_nn_linear_init(&layer, 3, 4, .bias = WN_DEFAULT)
wn_nn_conv2d_init(&conv, 3, 4, 5, .padding = WN_DIMS(2))'

# Options of plain types, which take no struct.
wrong='wn_sum(x, .keepdim = WN_OFF)
wn_sum(x, .keepdim = WN_TRUE)
wn_diagonal(x, .offset = WN_VAL(1))
wn_mse_loss(x, y, .reduction = WN_NONE)'

# Too few positional arguments: what is called, and the name that the first error says.
few='wn_add(x)
wn_add()
wn_add_(x)
wn_clamp(x)
wn_clamp(x, 0)
wn_where(y)
wn_where(y, 2)
wn_addcmul(x, y)
wn_matmul(x)
wn_layer_norm(x)
wn_flip(x)
wn_topk(x)
wn_masked_fill(x, y)
wn_linalg_solve_triangular(x, y)
wn_sum(wn_add(x))
wn_add(x, wn_matmul(y))
wn_checkpoint(f, x)
wn_clip_grad_norm(x)
wn_nn_multihead_attention_forward(x)
wn_step_lr(x)
wn_one_cycle_lr(x, 0.1)'

rejected() { # not because of the program around it
    echo "$2" | program >"$work/program.c"
    ! "$1" -std=c11 -I"$source/include" -fsyntax-only "$work/program.c" && [ "$("$1" -std=c11 -I"$source/include" -fsyntax-only "$work/program.c" 2>&1 | grep -c 'error:')" = 1 ]
}

# brief <compiler> <call>: an error of at most ten lines whose first names the innermost function that lacks an argument.
brief() {
    local name
    name=$(echo "$2" | sed 's/([^(]*$//; s/.*[^a-z0-9_]//')
    echo "$2" | program >"$work/program.c"
    "$1" -std=c11 -I"$source/include" -fsyntax-only "$work/program.c" >"$work/out" 2>&1 && { echo "it compiles"; return 1; }
    cat "$work/out"
    [ "$(wc -l <"$work/out")" -le 10 ] && grep -m1 'error' "$work/out" | grep -q "too few arguments: $name("
}

# Preprocessed bytes of calls nested $2 deep.
bytes() {
    local i call=x
    for ((i = 0; i < $2; i++)); do call="wn_add(x, wn_clamp($call, 0, 1), .alpha = WN_VAL($i))"; done
    echo "$call" | program | "$1" -std=c11 -I"$source/include" -E -P -x c - | tail -n 3 | wc -c
}
grows_linearly() {
    local one two
    one=$(bytes "$1" 8) two=$(bytes "$1" 16)
    echo "8 deep: $one bytes, 16 deep: $two"
    [ "$one" -gt 1000 ] && [ "$two" -le $((one * 5 / 2)) ]
}

for cc in $(compilers); do
    for type in wn_val wn_dims wn_list wn_switch; do
        numbers "$type" >"$work/program.c"
        count=$(($(wc -l <"$work/program.c") - 1))
        check "$cc: there are fields of type $type" test "$count" -gt 4
        check "$cc: a number for a $type, $count times" refused "$cc" "$work/program.c" "$count"
    done
    echo "$calls" | program >"$work/program.c"
    check "$cc: the lost options" refused "$cc" "$work/program.c" "$(echo "$calls" | wc -l)"
    check "$cc: where the header is the system's, too" refused "$cc" "$work/program.c" "$(echo "$calls" | wc -l)" -isystem
    echo "$good" | program >"$work/program.c"
    check "$cc: what is right is silent" "$cc" -std=c11 -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes -pedantic-errors -Wconversion \
        -I"$source/include" -fsyntax-only "$work/program.c"
    while IFS= read -r call; do check "$cc: $call does not compile" rejected "$cc" "$call"; done <<<"$wrong"
    while IFS= read -r call; do check "$cc: $call" brief "$cc" "$call"; done <<<"$few"
    check "$cc: nested calls" grows_linearly "$cc"
done

# Options of one name that are numbers have one type in all rows, and those that are bools; what comes by position is no option (winnow.hpp tells).
types() {
    awk '
        FILENAME ~ /hpp$/ && /BEGIN/ { rows = 1 }
        FILENAME ~ /hpp$/ && rows && /^struct [a-z0-9_]*_opts \{/ { row = $2; sub(/_opts$/, "", row); next }
        FILENAME ~ /hpp$/ && row != "" && / = / { name = $0; sub(/ = .*/, "", name); sub(/.*[ *]/, "", name); option[row "." name] = 1; next }
        /^typedef struct wn_[a-z0-9_]*_args \{/ { row = $3; sub(/^wn_/, "", row); sub(/_args$/, "", row); next }
        /^}/ { row = "" }
        row != "" && $1 ~ /^(wn_val|int64_t|double|bool|wn_switch)$/ {
            name = $2; sub(/;/, "", name)
            if (option[row "." name]) print name, $1 ~ /bool|switch/ ? "truth" : "number", $1
        }' "$source/include/winnow.hpp" "$header" | sort -u
}
types >"$work/types"
check "options: there are many" test "$(wc -l <"$work/types")" -gt 100
check "options: one type for each name" empty "$(cut -d' ' -f1,2 "$work/types" | uniq -d)"

# Sizes and offsets of all structs that the header shows, in C and in C++.
layout() {
    printf '#include <stddef.h>\n#include <stdio.h>\n#include "winnow.h"\nint main(void) {\n'
    awk '
        /^(typedef )?struct wn_[a-z0-9_]* \{/ { name = $1 == "typedef" ? "struct " $3 : "struct " $2; printf "printf(\"%s %%zu\\n\", sizeof(%s));\n", name, name; next }
        /^}/ { name = "" }
        name == "" || /union \{|^    }|^        |WN_NO_NUMBER_/ { next }
        {
            sub(/\/\*.*/, ""); sub(/ *$/, "")
            while (match($0, /\(\*[a-z_0-9A-Z]+\)\([^()]*\)/)) { # pointers to functions
                pointer = substr($0, RSTART, RLENGTH); sub(/^\(\*/, "", pointer); sub(/\).*/, "", pointer)
                $0 = "void " pointer ";"
            }
            if (!/;$/) next
            sub(/;$/, ""); n = split($0, f, ",")
            for (i = 1; i <= n; i++) {
                sub(/\[[^]]*\]$/, "", f[i]); sub(/.*[ *]/, "", f[i])
                printf "printf(\"%s.%s %%zu\\n\", offsetof(%s, %s));\n", name, f[i], name, f[i]
            }
        }' "$header"
    printf 'return 0; }\n'
}
if command -v "${CXX:-c++}" >/dev/null; then
    layout >"$work/layout.c"
    cp "$work/layout.c" "$work/layout.cpp"
    check "layout: C" "${CC:-cc}" -std=c11 -I"$source/include" -o "$work/layout_c" "$work/layout.c"
    check "layout: C++" "${CXX:-c++}" -std=c++17 -Wno-invalid-offsetof -I"$source/include" -o "$work/layout_cpp" "$work/layout.cpp"
    "$work/layout_c" >"$work/c.txt" && "$work/layout_cpp" >"$work/cpp.txt"
    check "layout: more than 3000 sizes and offsets" test "$(wc -l <"$work/c.txt")" -gt 3000
    check "layout: C and C++ agree" cmp "$work/c.txt" "$work/cpp.txt"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
