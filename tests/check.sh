# For tests written in bash: a folder of their own and counted checks. Sourced.
# SPDX-License-Identifier: Apache-2.0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# check <what> <command>...: the command must succeed; its output (the end of it) is shown only if it does not.
check() {
    local what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $what: $*"
        tail -n 15 "$work/log" | sed 's/^/    /'
    fi
}
empty() { [ -z "$1" ] || { echo "$1"; return 1; }; }
