#!/bin/bash
# What people read: README.md and docs/*.md are short, name only files that there are, tell no history (docs/history/ does),
# and their numbers are those of the code. test_docs.sh <source directory> <build directory>
# SPDX-License-Identifier: Apache-2.0
source=${1:-$(cd "$(dirname "$0")/.." && pwd)} build=$(cd "${2:-$source/build}" && pwd)
. "$(dirname "$0")/check.sh"
cd "$source" || exit 1
shopt -s nullglob
pages="README.md $(ls docs/*.md | grep -v operations.md)"

words() { cat "$@" | wc -w | tr -d ' '; }
# Without the lines between ``` and those that are indented as code.
prose() { awk '/^ *```/ { code = !code; next } !code && !/^    /' "$@"; }

# ------------------------------------------------------------------ files
# What stands between backticks and is the name of a file or folder; not what a target of make writes.
ending='\.(c|h|cpp|hpp|def|inc|py|pyi|sh|md|txt|toml)$|\.\{|/$'
folder='^(src|tools|tests|docs|python|oracle|bench|fuzz|examples|build)/'
names() {
    prose "$@" | grep -o '`[^` ]*`' | tr -d '`' | sort -u | grep -E '^[A-Za-z0-9_.*{},/-]+$' |
        grep -E "$ending|$folder" | grep -vE '^build/(dist|deb)/|^\.'
}
# From the root, or from where the page's reader is: docs, src and its folders, the front. A bare name may lie anywhere.
there() {
    local root found
    case $1 in
    build/*) found=("$build"/${1#build/}); [ -e "${found[0]}" ]; return ;;
    */*) for root in . docs src src/ops python python/src python/winnow; do
            found=("$root"/$1)
            [ ! -e "${found[0]}" ] || return 0
        done ;;
    *) [ -n "$(find . -name "$1" -not -path './build*' -not -path './.*' -print -quit)" ]; return ;;
    esac
    return 1
}
missing() {
    local name each
    names "$@" | while read -r name; do
        for each in $(eval "set -f; echo $name"); do there "$each" || echo "no such file: $each"; done
    done
}

# Between backticks, words with an underscore are names of the code: functions, types, options, rows. In
# deviations.md they are PyTorch's.
identifiers() { prose "$@" | grep -o '`[^`]*`' | grep -oE '[A-Za-z0-9_]+' | grep -E '[A-Za-z0-9]_[A-Za-z0-9]' | sort -u; }
known() {
    grep -rohE '[A-Za-z0-9_]+_[A-Za-z0-9_]+' --include='*.'{c,h,def,py,sh,txt} --exclude=test_docs.sh include src tools tests bench fuzz \
        python oracle CMakeLists.txt "$build/gen" | sort -u
    find src tests tools bench fuzz oracle python -name '*.*' | sed 's|.*/||; s|\..*||' | sort -u
}
unknown() { identifiers "$@" | grep -vxFf <(known); }

# ------------------------------------------------------------------ history, and what a stranger has not
elsewhere() { grep -nEi 'issues? [0-9]|/work/|/home/|/tmp/|shared/' "$@"; }

# Times and rates are of one machine on one day: bench/results and docs/history have them, and the table of README.md.
measured() { grep -nE '[0-9] ?(ns|us|ms|GB/s|GFLOP/s)([^a-z]|$)' "$@"; }

# ------------------------------------------------------------------ numbers
# Document, the words around its number, the file that holds it, the code around it; ( ) is the number.
numbers='README.md|Operations[*][*]: ([0-9]+) rows|docs/operations.md|ROWS
README.md|library below ([0-9]+) MB|tests/test_install.sh|^most=([0-9]+)000000
docs/architecture.md|more than 2\^([0-9]+) elements|src/tensor/tensor.h|WN__MOST_ELEMENTS.*<< ([0-9]+)
docs/deviations.md|more than 2\^([0-9]+) elements|src/tensor/tensor.h|WN__MOST_ELEMENTS.*<< ([0-9]+)
docs/deviations.md|beyond 2\^([0-9]+)|src/tensor/tensor.c|WN__FAR_SHIFT = ([0-9]+)
docs/deviations.md|more than 2\^([0-9]+) results|src/call/results.c|MOST_RESULTS = 1 << ([0-9]+)
docs/deferred.md|from which it begins \(([0-9,]+)\)|src/defer/value.c|FROM_DEFAULT = ([0-9]+)
docs/deferred.md|at most ([0-9]+) instructions|src/defer/value.h|WN__CONE_MOST = ([0-9]+)
docs/deferred.md|instructions and ([0-9]+) operands|src/defer/value.h|WN__LEAVES_MOST = ([0-9]+)
docs/deferred.md|at most ([0-9]+) programs in a row|src/defer/value.h|WN__DEPTH_MOST = ([0-9]+)
docs/deferred.md|exceed ([0-9]+) MiB|src/defer/limits.c|PINNED_FREE = ([0-9]+) << 20
docs/deferred.md|or ([0-9]+) GiB|src/defer/limits.c|PINNED_MOST = ([0-9]+) << 30
docs/deferred.md|keeps ([0-9]+) plans|src/defer/cache.c|ENTRIES = ([0-9]+)
docs/deferred.md|pieces of less than ([0-9]+) elements|src/table/call.h|WN__PIECE_LEAST = ([0-9]+)
docs/deferred.md|before its ([a-z]+) computation|src/defer/store.c|GUARDED_RUNS = ([0-9]+)
docs/deferred.md|\(a ([a-z]+) of its bytes|src/defer/record.c|FOREIGN_SHARE = ([0-9]+)
docs/python.md|Work on ([0-9,]+) elements|python/src/wnpy.h|WNPY_GIL_ELEMENTS = ([0-9]+)'

said() { tr '\n' ' ' <"$1" | tr -s ' ' | sed -nE "s/.*$2.*/\1/p" | tr -d , | sed 's/^fourth$/4/; s/^quarter$/4/'; }
# The last one: a hostile build's value stands before the usual one.
held() { if [ "$2" = ROWS ]; then grep -c '^| `.*->' "$1"; else sed -nE "s/.*$2.*/\1/p" "$1" | tail -n 1; fi; }
agree() {
    local in_page=$(said "$1" "$2") in_code=$(held "$3" "$4")
    [ -n "$in_page" ] && [ "$in_page" = "$in_code" ] || { echo "$1 says '$in_page', $3 '$in_code'"; return 1; }
}

check "docs/*.md have at most 12,000 words" test "$(words $(ls docs/*.md | grep -v operations.md))" -le 12000
check "README.md has at most 700 words" test "$(prose README.md | wc -w)" -le 700
check "there are names of files to look at" test "$(names $pages | wc -l)" -gt 100
check "all files that are named are there" empty "$(missing $pages)"
check "all names of the code are there" empty "$(unknown $(echo "$pages" | grep -v deviations))"
check "no numbered issue, no document from elsewhere" empty "$(elsewhere $pages)"
check "no figures that somebody measured" empty "$(measured $pages)"
while IFS='|' read -r page around file code; do
    check "a number of $page: $around" agree "$page" "$around" "$file" "$code"
done <<<"$numbers"

# The test itself: each fault is seen.
cat >"$work/page.md" <<'PAGE'
See `wn__no_such`, `src/base/nowhere.c`, `nowhere.h` and `src/defer/value.{h,x}`; issue 4 has more. It takes 12 us. At most 5700 instructions.
PAGE
check "missing files are found" test "$(missing "$work/page.md" | wc -l)" -eq 3
check "a name that nothing has is found" test "$(unknown "$work/page.md")" = wn__no_such
check "a numbered issue is found" test -n "$(elsewhere "$work/page.md")"
check "a figure is found" test -n "$(measured "$work/page.md")"
check "a wrong number is found" test "$(said "$work/page.md" 'most ([0-9]+) instructions')" != "$(held src/defer/value.h 'WN__CONE_MOST = ([0-9]+)')"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
