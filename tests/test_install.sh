#!/bin/bash
# Installs into an empty directory and uses what lies there: pkg-config, find_package, the exported symbols, the size.
# test_install.sh <source directory> <build directory>
# SPDX-License-Identifier: Apache-2.0
source_dir=${1:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${2:-$source_dir/build}
CC=${CC:-cc}
[ -n "$CMAKE" ] || { . "$source_dir/build/setup.sh"; }
unset DESTDIR MAKEFLAGS
. "$(dirname "$0")/check.sh"
missing() { if command -v "$1" >/dev/null; then return 1; else echo "no $1 on this machine: $2 left out"; fi; }

prefix=$work/usr
version=$(sed -n 's/^#define WN_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source_dir/include/winnow.h" | paste -sd.)
lib=$prefix/lib/libwinnow.so
check "install" "$CMAKE" --install "$build_dir" --prefix "$prefix"
for file in lib/libwinnow.so lib/libwinnow.so.1 "lib/libwinnow.so.$version" lib/libwinnow.a include/winnow.h lib/pkgconfig/winnow.pc \
    lib/cmake/winnow/winnowConfig.cmake share/man/man3/winnow.3 share/doc/winnow/LICENSE share/doc/winnow/README.md \
    share/doc/winnow/docs/operations.md share/doc/winnow/examples/einsum_attention.c; do
    check "installed $file" test -f "$prefix/$file"
done
if [ -f "$source_dir/include/winnow.hpp" ]; then
    check "installed winnow.hpp" test -f "$prefix/include/winnow.hpp"
fi

# The library: its name, what it needs, what it shows, its size.
readelf -dW "$lib" >"$work/dynamic"
check "soname" grep -q 'SONAME.*\[libwinnow\.so\.1\]' "$work/dynamic"
strange=$(sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$work/dynamic" |
    grep -vE '^(libc|libm|libpthread|libdl)\.so\.[0-9]+$|^libz\.so\.1$|^ld-linux.*\.so\.[0-9]+$')
check "needs only libc, libm, libpthread, libz" empty "$strange"
check "no path in the library" empty "$(grep -E 'RPATH|RUNPATH' "$work/dynamic")"
readelf --dyn-syms -W "$lib" | awk '$5 ~ /GLOBAL|WEAK/ && $7 != "UND" && $4 != "NOTYPE" { print $8 }' |
    sed 's/@.*//' | sort -u >"$work/exported"
check "exports something" grep -q '^wn_' "$work/exported"
check "exports only wn_*" empty "$(grep -vE '^wn_[a-zA-Z0-9]|^WINNOW_ABI_' "$work/exported")"
check "symbols carry the version" bash -c "readelf --dyn-syms -W '$lib' | grep -q 'wn_[a-z0-9_]*@@WINNOW_ABI_1'"
# Every function that the header declares is there. (A declaration begins its line with WN_API.)
sed 's|/\*.*||' "$prefix/include/winnow.h" | grep '^WN_API' | grep -oE '\bwn_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$work/declared"
check "everything declared is exported" empty "$(comm -23 "$work/declared" "$work/exported" | head -n 20)"
strip -o "$work/stripped.so" "$lib"
size=$(stat -c %s "$work/stripped.so")
most=7000000 # the README's promise is of gcc 12; clang 14 unrolls kernels further
! readelf -p .comment "$lib" | grep -q clang || most=12000000
check "stripped size $size is at most $most" test "$size" -le $most
check "no executable stack" bash -c "readelf -lW '$lib' | grep GNU_STACK | grep -qv 'RWE'"
check "no constructors of ours" empty "$(nm "$lib" | grep -iE ' (_GLOBAL__sub_I|wn_+.*(constructor|_ctor)$)')"

# dlopen, with every symbol resolved at once.
cat >"$work/open.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argc;
    void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!lib) return puts(dlerror()), 1;
    int (*version)(void);
    *(void **)&version = dlsym(lib, "wn_abi_version");
    if (!version || version() != 1) return puts("wn_abi_version"), 1;
    return dlclose(lib);
}
C
check "compile dlopen" "$CC" -o "$work/open" "$work/open.c" -ldl
check "dlopen" "$work/open" "$lib"

# A program, three ways.
cat >"$work/main.c" <<'C'
#include <stdio.h>
#include <winnow.h>
int main(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_ones(WN_DIMS(3, 4)), true);
    wn_tensor *y = wn_sum(wn_mul(x, 2.0));
    if (wn_backward(y) != WN_OK) return puts(wn_error_message()), 1;
    printf("%g %g\n", wn_item_f64(y), wn_item_f64(wn_sum(wn_grad_of(x))));
    return wn_item_f64(y) == 24.0 && wn_item_f64(wn_sum(wn_grad_of(x))) == 24.0 ? 0 : 1;
}
C
strict="-std=c11 -Wall -Wextra -Werror"
if ! missing pkg-config "its test is"; then
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
    # shellcheck disable=SC2046,SC2086
    check "pkg-config: compile" "$CC" $strict -o "$work/shared" "$work/main.c" $(pkg-config --cflags --libs winnow)
    check "pkg-config: run" env LD_LIBRARY_PATH="$prefix/lib" "$work/shared"
    # shellcheck disable=SC2046,SC2086
    check "pkg-config, static: compile" "$CC" $strict -o "$work/static" "$work/main.c" $(pkg-config --cflags winnow) \
        "$prefix/lib/libwinnow.a" $(pkg-config --static --libs-only-l winnow | sed 's/-lwinnow//')
    check "pkg-config, static: run" "$work/static"
    check "version" test "$(pkg-config --modversion winnow)" = "$version"
fi
mkdir "$work/cm" && cp "$work/main.c" "$work/cm"
cat >"$work/cm/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(winnow 1.0 REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE winnow::winnow)
add_executable(static main.c)
target_link_libraries(static PRIVATE winnow::winnow_static)
C
check "find_package: configure" "$CMAKE" -G "Unix Makefiles" -S "$work/cm" -B "$work/cm/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC"
check "find_package: build" "$CMAKE" --build "$work/cm/build"
check "find_package: run" "$work/cm/build/shared"
check "find_package, static: run" "$work/cm/build/static"
check "ldd finds everything" bash -c "! ldd '$lib' | grep 'not found'"

# In another project's build (configured only; tests/packages.sh builds it).
mkdir "$work/sub" && cp "$work/main.c" "$work/sub"
cat >"$work/sub/CMakeLists.txt" <<C
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
add_subdirectory($source_dir winnow)
if(NOT TARGET winnow::winnow OR NOT TARGET winnow::winnow_static OR TARGET test_core OR NOT winnow_VERSION STREQUAL $version)
  message(FATAL_ERROR "winnow \${winnow_VERSION} is not as it should be")
endif()
add_executable(user main.c)
target_link_libraries(user PRIVATE winnow::winnow)
C
check "add_subdirectory" "$CMAKE" -G "Unix Makefiles" -S "$work/sub" -B "$work/sub/build" -DCMAKE_C_COMPILER="$CC"

# An example, compiled as its reader would; the manual page; taken away again.
check "an installed example" bash -c "cd '$prefix/share/doc/winnow' && '$CC' -std=c11 -D_GNU_SOURCE -I '$prefix/include' examples/masked_sum.c -o '$work/example' '$lib' -lm"
check "the manual page is of this version" grep -q "winnow $version" "$prefix/share/man/man3/winnow.3"
check "what a private prefix needs is said" bash -c "sh '$source_dir/tools/installed.sh' '$prefix' | grep -q 'LD_LIBRARY_PATH=$prefix/lib'"
check "nothing is said of the usual one" empty "$(sh "$source_dir/tools/installed.sh" /usr/local)"
cp -a "$prefix" "$work/again"
mkdir -p "$work/again/include/others" && find "$prefix" -type f -o -type l | sed "s|^$prefix|$work/again|" >"$work/manifest"
check "uninstall refuses another prefix" bash -c "! '$CMAKE' -DMANIFEST='$work/manifest' -DPREFIX=/elsewhere -P '$source_dir/cmake/uninstall.cmake'"
check "uninstall" "$CMAKE" -DMANIFEST="$work/manifest" -DPREFIX="$work/again" -P "$source_dir/cmake/uninstall.cmake"
check "nothing of winnow is left" empty "$(find "$work/again" -type f -o -type l -o -name '*winnow*')"
check "what is others' is" test -d "$work/again/include/others"

# A tree that was moved still works: nothing in it knows where it was.
mv "$prefix" "$work/moved"
check "no path in winnow.pc or the CMake package" bash -c "! grep -rl '$prefix' '$work/moved/lib/pkgconfig' '$work/moved/lib/cmake'"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
