#!/bin/sh
# tools/setup.sh [test] [deb] [demo] [clang] [fuzz] [valgrind]: looks for what the build needs and installs what is missing
# with apt-get where that is allowed; otherwise says what to install. Silent and instant when nothing is missing.
# Writes build/setup.sh, two variables for the Makefile: CMAKE (one that runs) and NINJA (empty if there is none).
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
stamp=build/setup.sh

have() { command -v "$1" >/dev/null 2>&1; }
compiler() { if [ -n "$CC" ]; then have "${CC%% *}"; else have cc || have gcc || have clang; fi; }

# Prints the program's path if it really runs (a pyenv shim on PATH may not).
runs() {
    path=$(command -v "$1" 2>/dev/null) && version=$("$path" --version 2>/dev/null </dev/null) && echo "$path"
}
find_cmake() { # 3.20 or newer
    for c in $WINNOW_CMAKE /usr/bin/cmake cmake /usr/local/bin/cmake; do
        path=$(runs "$c") || continue
        case $("$path" --version) in
        'cmake version 3.'[01]?.* | 'cmake version 3.'?.* | 'cmake version '[012].*) ;;
        *) echo "$path"; return 0 ;;
        esac
    done
    return 1
}
find_ninja() {
    for c in /usr/bin/ninja ninja /usr/local/bin/ninja; do runs "$c" && return 0; done
    return 1
}
zlib() { printf '#include <zlib.h>\n' | ${CC:-cc} -E - >/dev/null 2>&1; }
lapack() { # what src/engine/lapack.c looks for; not the reference library, which is many times slower
    [ -z "$WINNOW_LAPACK" ] || return 0
    for f in /usr/lib/*/libopenblas.so.0 /usr/lib/libopenblas.so.0 /usr/lib64/libopenblas.so.0 /usr/lib/*/libmkl_rt.so /usr/lib64/libmkl_rt.so; do
        [ ! -e "$f" ] || return 0
    done
    return 1
}
fuzzer() { # clang's libFuzzer and sanitizers
    for f in "$(${CC:-clang-14} -print-resource-dir 2>/dev/null)"/lib/linux/libclang_rt.fuzzer-*.a /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a; do
        [ ! -e "$f" ] || return 0
    done
    return 1
}
fashion() { [ -f /usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz ] || [ -n "$WINNOW_FASHION_MNIST" ]; }

# What is missing, as Debian packages: $need stops the build, $want only takes something away.
look() {
    need='' want=''
    have make || need="$need make"
    compiler || need="$need gcc libc6-dev"
    [ -n "$CMAKE" ] && [ -x "$CMAKE" ] || CMAKE=$(find_cmake) || need="$need cmake"
    [ -n "$known" ] && [ -f "$known" ] || zlib || need="$need zlib1g-dev"
    lapack || want="$want libopenblas0-pthread"
    for what in "$@"; do
        case $what in
        test)
            have c++ || have g++ || have clang++ || want="$want g++"
            have pkg-config || want="$want pkg-config"
            have mypy || want="$want mypy" ;;
        deb)
            have dpkg-shlibdeps || need="$need dpkg-dev"
            have lintian || want="$want lintian" ;;
        demo)
            fashion || want="$want dataset-fashion-mnist"
            have gnuplot || want="$want gnuplot-nox" ;;
        clang) have clang || have clang-14 || need="$need clang" ;;
        fuzz) fuzzer || need="$need libclang-rt-14-dev" ;;
        valgrind) have valgrind || need="$need valgrind" ;;
        esac
    done
}

# The fast path: an earlier run's answers, where they still hold. Shell built-ins only.
CMAKE='' NINJA='' known=''
if [ -f "$stamp" ] && [ "$stamp" -nt tools/setup.sh ]; then
    # shellcheck disable=SC1090
    . "./$stamp"
    known=/usr/include/zlib.h
    [ -z "$WINNOW_CMAKE" ] || CMAKE=''
    [ -z "$NINJA" ] || [ -x "$NINJA" ] || CMAKE=''
fi
found=$CMAKE
look "$@"

if [ -n "$need$want" ]; then
    apt=''
    if have apt-get; then
        if [ "$(id -u)" = 0 ]; then
            apt='env DEBIAN_FRONTEND=noninteractive apt-get'
        elif have sudo && sudo -n true 2>/dev/null; then
            apt='sudo -n env DEBIAN_FRONTEND=noninteractive apt-get'
        fi
    fi
    # What is only wanted is asked for once: a machine without a network would wait every time.
    [ -n "$need" ] || ! grep -qsx "# tried:$want" "$stamp" || apt=''
    if [ -n "$apt" ]; then
        echo "setup: installing$need$want" >&2
        log=$(mktemp)
        install() { $apt -o Acquire::Retries=2 install -y --no-install-recommends "$@" </dev/null >"$log" 2>&1; }
        # shellcheck disable=SC2086
        install $need $want || {
            $apt -o Acquire::Retries=2 update </dev/null >"$log" 2>&1
            install $need $want || { [ -z "$need" ] || install $need || sed 's/^/setup: /' "$log" >&2; }
        }
        rm -f "$log"
    fi
    tried=$want
    found='' CMAKE=''
    look "$@"
fi

if [ -n "$need" ]; then
    echo "setup: building winnow takes a C compiler, make, CMake 3.20 or newer and zlib; missing here:$need (apt-get install$need)" >&2
    exit 1
fi
for package in $want; do
    case $package in
    dataset-fashion-mnist)
        echo "setup: the package dataset-fashion-mnist is not installed; the demo uses the digits in the repository instead" ;;
    libopenblas0-pthread) echo "setup: without LAPACK (the package libopenblas0-pthread) most of linear algebra fails, and is not tested" ;;
    g++) echo "setup: without the package g++ the tests of winnow.hpp are left out" ;;
    *) echo "setup: the package $package is missing; what needs it is left out" ;;
    esac
done >&2

if [ "$found" != "$CMAKE" ] || [ -n "$tried" ]; then
    NINJA=$(find_ninja) || NINJA=''
    mkdir -p build && {
        printf 'CMAKE=%s\nNINJA=%s\n' "$CMAKE" "$NINJA"
        [ -z "$tried" ] || printf '# tried:%s\n' "$tried"
    } >"$stamp"
fi
exit 0
