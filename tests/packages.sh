#!/bin/bash
# Uses what `make wheel` and `make deb` made, and what CMake gives to another project, as people do on their machines: the wheel in an empty
# environment without compilers, the packages unpacked, add_subdirectory, FetchContent. Minutes. packages.sh <source directory>
# [wheel|deb|cmake]... SPDX-License-Identifier: Apache-2.0
source_dir=$(cd "${1:-.}" && pwd)
shift
wanted=${*:-wheel deb cmake}
. "$source_dir/tests/check.sh"
. "$source_dir/build/setup.sh"
unset PYTHONPATH PYTHONHOME MAKEFLAGS DESTDIR VIRTUAL_ENV WINNOW_LAPACK
version=$(sed -n 's/^#define WN_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source_dir/include/winnow.h" | paste -sd.)
cat >"$work/linear.py" <<'P'
import torch
torch.manual_seed(0)
a = torch.randn(64, 64, requires_grad=True)
q, r = torch.linalg.qr(a)
w, v = torch.linalg.eigh(a @ a.T)
u, s, vh = torch.linalg.svd(a)
for x, y in ((q @ r, a), (v * w @ v.T, a @ a.T), (u * s @ vh, a), (torch.linalg.inv(a) @ a, torch.eye(64))):
    assert torch.allclose(x, y, atol=1e-3), (x - y).abs().max()
s.sum().backward()
assert torch.allclose(a.grad, u @ vh, atol=1e-4)
print("linear algebra:", torch.__version__)
P

# A machine without compilers and headers: only these programs are in PATH.
test_wheel() {
    local wheel bare=$work/bare
    wheel=$(echo "$source_dir"/build/dist/winnow_tensors-"$version"-cp311-abi3-manylinux_*.whl)
    check "the wheel" test -f "$wheel"
    check "at most 12 MB" test "$(stat -c %s "$wheel")" -le 12582912
    check "an empty environment" "$(sed -n 2p "$source_dir/build/python.txt")" -m venv "$work/venv"
    mkdir "$bare"
    local start
    start=$(date +%s)
    check "pip install" env -i PATH="$bare" HOME="$work" PIP_INDEX_URL="$PIP_INDEX_URL" PIP_CONFIG_FILE="${PIP_CONFIG_FILE:-/etc/pip.conf}" \
        "$work/venv/bin/python" -m pip install --disable-pip-version-check --only-binary :all: "$wheel"
    echo "installed in $(($(date +%s) - start)) s"
    check "LAPACK came along" test -d "$(echo "$work"/venv/lib/python3*/site-packages/scipy_openblas32)"
    cd "$work" || exit 1
    check "linear algebra with the wheel's LAPACK" env -i PATH="$bare" "$work/venv/bin/python" -c "
import runpy, sys
sys.argv = ['winnow', 'linear.py']
from winnow._run import main
main()
assert 'libscipy_openblas' in open('/proc/self/maps').read()"
    check "the command" env -i PATH="$bare" "$work/venv/bin/winnow" linear.py
    check "the version" env -i PATH="$bare" "$work/venv/bin/python" -c "
import importlib.metadata, winnow
assert importlib.metadata.version('winnow-tensors') == winnow._winnow == '$version' and winnow.__version__.endswith('+winnow.$version')"
}

test_deb() {
    local root=$work/root name lib
    for name in libwinnow1 libwinnow-dev python3-winnow; do
        check "$name" dpkg-deb -x "$(echo "$source_dir"/build/deb/"${name}"_"$version"_*.deb)" "$root"
        check "$name: its version" test "$(dpkg-deb -f "$source_dir"/build/deb/"${name}"_*.deb Version)" = "$version"
    done
    lib=$root/usr/lib/$(${CC:-cc} -print-multiarch)
    printf '#include <stdio.h>\n#include <winnow.h>\nint main(void) { WN_SCOPE(s); printf("%%s %%g\\n", wn_library_version(), wn_item_f64(wn_sum(wn_ones(WN_DIMS(3))))); return 0; }\n' >"$work/main.c"
    check "compile" "${CC:-cc}" -std=c11 -Wall -Werror -I"$root/usr/include" "$work/main.c" -o "$work/main" -L"$lib" -lwinnow
    check "run" test "$(LD_LIBRARY_PATH=$lib "$work/main")" = "$version 3"
    check "pkg-config" test "$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --modversion winnow)" = "$version"
    check "the manual pages" test -f "$root/usr/share/man/man3/winnow.3.gz" -a -f "$root/usr/share/man/man1/winnow.1.gz"
    cd "$work" || exit 1
    check "Python" env PYTHONPATH="$root/usr/lib/python3/dist-packages" /usr/bin/python3 -m winnow linear.py
}

# cmake_project NAME LINE...: a project that gets winnow so, configured, built (quickly: -O1, one level of kernels) and run.
cmake_project() {
    local place=$work/$1 name=$1
    shift
    mkdir -p "$place"
    cp "$work/main.c" "$place" 2>/dev/null || printf '#include <winnow.h>\nint main(void) { WN_SCOPE(s); return wn_item_i64(wn_sum(wn_ones(WN_DIMS(3)))) != 3; }\n' >"$place/main.c"
    {
        printf 'cmake_minimum_required(VERSION 3.20)\nproject(user LANGUAGES C)\nset(WINNOW_QUICK ON)\n'
        printf '%s\n' "$@"
        printf 'add_executable(user main.c)\ntarget_link_libraries(user PRIVATE winnow::winnow)\nadd_executable(user_static main.c)\ntarget_link_libraries(user_static PRIVATE winnow::winnow_static)\n'
        printf 'if(NOT winnow_VERSION VERSION_EQUAL %s)\n  message(FATAL_ERROR "winnow_VERSION is ${winnow_VERSION}")\nendif()\n' "$version"
    } >"$place/CMakeLists.txt"
    check "$name: configure" "$CMAKE" ${NINJA:+-G Ninja -DCMAKE_MAKE_PROGRAM="$NINJA"} -S "$place" -B "$place/build"
    check "$name: build" "$CMAKE" --build "$place/build" -j "$(nproc)"
    check "$name: run" "$place/build/user"
    check "$name: run the static one" "$place/build/user_static"
    check "$name: nothing but the libraries" empty "$(find "$place/build" -name 'test_*' -o -name '_C.abi3.so' -o -name fashion_mnist)"
    check "$name: nothing of it is installed along" test ! -e "$place/build/install_manifest.txt" -a -z "$(grep -l winnow.pc "$place/build/cmake_install.cmake")"
}
test_cmake() {
    cmake_project add_subdirectory "add_subdirectory($source_dir winnow)"
    cmake_project FetchContent "include(FetchContent)" "FetchContent_Declare(winnow SOURCE_DIR $source_dir)" "FetchContent_MakeAvailable(winnow)"
}

for part in $wanted; do test_"$part"; done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
