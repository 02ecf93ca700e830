#!/bin/bash
# No row is singled out by hand: outside of what wngen writes no code compares an operation with an id or a name; what is special about a row its
# attributes say (docs/adding-an-operation.md). test_rows_say.sh <source directory> SPDX-License-Identifier: Apache-2.0
source=${1:-$(cd "$(dirname "$0")/.." && pwd)}
. "$(dirname "$0")/check.sh"
cd "$source" || exit 1

id='(&wn__ops\[|WN__OP_[a-z_])'
name='(op|row|fn|r)(->|\.)(name|cname|overload|family)|wn_op_c?name\([^)]*\)'
# singled: of lines of C those that compare a row with an id, or look into its name.
singled() {
    grep -E "([=!]= *|- *)$id|case *$id|\[ *WN__OP_[a-z_][A-Za-z0-9_]* *\] *=|$id[^;]* [=!]= |op(->|\.)id *[=!<>]=?|str(n?cmp|str|chr|rchr)\([^,;]*($name)|str(n?cmp|str)\([^;]*[,(] *($name)\)|($name)\[[^]]*\] *([=!]=|-)|= *[a-z>.-]*($name)\["
}
code() { find src python/src \( -name '*.c' -o -name '*.h' \) -print0 | xargs -0 grep -n ''; }

check "there is code to look at" test "$(code | wc -l)" -gt 50000
# optable.c looks rows up by the name that somebody gives.
check "no row is singled out by id or name" empty "$(code | grep -v '^src/table/optable.c:' | singled)"
check "no list of ids" empty "$(code | grep -E 'WN__OP_[a-z_][A-Za-z0-9_]*, *WN__OP_')"
# The test itself: what it looks for is found.
for line in 'if (v->op == &wn__ops[WN__OP_add]) {' 'which = (int)(v->op - &wn__ops[WN__OP_eq]);' 'case WN__OP_pow:' 'if (op->id == WN__OP_pow)' \
    '!strcmp(c->op->name, "sub")' 'if (strncmp(wn_op_name(op), "linalg_", 7))' '[WN__OP_add] = 1,' "c->op->name[0] == 'n'" 'const char which = c->op->name[0];' \
    'return listed(narrow, op->name) && strcmp(x, op->name);' 'if (strcmp(fn->name, "arange")) return true;' "op->name[strlen(op->name) - 2] - '0'"; do
    check "found: $line" test -n "$(echo "$line" | singled)"
done
for line in 'n->op = &wn__ops[WN__OP_as_strided_view];' 'wn__fail(code, c->op->name, "x")' 'wn__copied_later(&wn__ops[WN__OP_clone], t)' 'if (!strcmp(m->entries[i].name, name))'; do
    check "let through: $line" empty "$(echo "$line" | singled)"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
