#!/bin/sh
# tools/inside.sh <build> <file of src> <program>: the program of the build's tests once more, in <build>-inside/, with that one file compiled for a debugger
# (-O0 -g, and WN_NO_INLINE: bodies of kernels are functions, base/inline.h) and all else as it is. Run by `make look-inside`.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
build=$1 file=$2 program=$3 to=$1-inside
usage() {
    echo "make look-inside FILE=src/engine/level/distance.c [T=test_kernels]: $1" >&2
    exit 1
}
[ -f "$file" ] || usage "there is no file '$file'"
[ -x "$build/tests/$program" ] || usage "there is no program $build/tests/$program (make test builds them)"
mkdir -p "$to"
rm -f "$to"/*.o

# Its command for each level, with options of our own behind: the last ones count.
awk -v file="\"$PWD/$file\"" '/"command":/ { command = $0 } /"file":/ && $2 == file { print command }' "$build/compile_commands.json" |
    sed 's/^ *"command": "//; s/",$//; s/\\"/"/g; s/\\\\/\\/g' >"$to/commands"
[ -s "$to/commands" ] || usage "$build does not compile '$file'"
n=0 objects=
while read -r command; do
    n=$((n + 1)) object=$PWD/$to/$n.o
    (cd "$build" && eval "$(printf '%s' "$command" | sed 's| -o [^ ]*| -o "$object"|') -O0 -g -DWN_NO_INLINE -U_FORTIFY_SOURCE -fno-lto") || exit 1
    objects="$objects $object"
done <"$to/commands"
# They come first, so that those of the library are not taken.
kit=
case $program in test_table | test_alloc_sweep) kit=$build/tests/CMakeFiles/table_kit.dir ;; esac
cc=$(sed -n '1s/ .*//p' "$to/commands")
case $cc in *ccache) cc=cc ;; esac
# shellcheck disable=SC2086 # a list
$cc -o "$to/$program" $(find "$build/tests/CMakeFiles/$program.dir" $kit -name '*.o') $objects "$build/libwinnow.a" -lm -lpthread -lz -ldl || exit 1
echo "gdb $to/$program"
