#!/bin/sh
# tools/build.sh <directory> <target> [-D...]: configures the directory where that is due and builds the target with all
# processors. Ninja if there is one, otherwise make. Run by the Makefile, after tools/setup.sh.
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
. ./build/setup.sh
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
dir=$1 target=$2
shift 2

# A directory that came with a copy of another tree, or was made with other options, starts anew.
options="$* CC=$CC CFLAGS=$CFLAGS"
if [ -f "$dir/CMakeCache.txt" ]; then
    { grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd -P)" "$dir/CMakeCache.txt" ||
      grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$dir/CMakeCache.txt"; } &&
        [ "$(cat "$dir/options" 2>/dev/null)" = "$options" ] || rm -f "$dir/CMakeCache.txt"
fi
[ -n "$NINJA" ] || rm -f "$dir/build.ninja"
if [ ! -f "$dir/CMakeCache.txt" ] || { [ ! -f "$dir/build.ninja" ] && [ ! -f "$dir/Makefile" ]; }; then
    mkdir -p "$dir"
    rm -rf "$dir/build.ninja" "$dir/Makefile" "$dir/CMakeCache.txt" "$dir/CMakeFiles"
    if [ -n "$NINJA" ]; then set -- -G Ninja -DCMAKE_MAKE_PROGRAM="$NINJA" "$@"; else set -- -G "Unix Makefiles" "$@"; fi
    "$CMAKE" -S . -B "$dir" "$@" || { rm -f "$dir/CMakeCache.txt"; exit 1; }
    echo "$options" >"$dir/options"
fi
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
exec "$CMAKE" --build "$dir" --target "$target" -j "$jobs"
