#!/bin/sh
# packaging/deb.sh <build folder> <folder>: libwinnow1, libwinnow-dev and python3-winnow as Debian packages in the folder, judged by
# lintian where it is installed. The libraries come from the build folder (configured for Debian's places by `make deb`), the Python front from
# the wheel in build/dist. SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
. ./build/setup.sh
build=$1
mkdir -p "$2" && out=$(cd "$2" && pwd) || exit 1
version=$(sed -n 's/^#define WN_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' include/winnow.h | paste -sd.)
arch=$(dpkg --print-architecture)
lib=usr/lib/$(${CC:-cc} -print-multiarch)
maintainer="${DEBFULLNAME:-winnow developers} <${DEBEMAIL:-winnow@debian.local.invalid}>"
date=$(date -R -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}")
umask 022
rm -rf "$out"
mkdir -p "$out/all" "$out/debian"
DESTDIR=$out/all "$CMAKE" --install "$build" --prefix /usr >/dev/null || exit 1

# take <package> <path>...: moves what was installed there into the package's tree.
take() {
    tree=$out/$1
    shift
    for path in "$@"; do
        mkdir -p "$tree/$(dirname "$path")" && mv "$out/all/"$path "$tree/$(dirname "$path")/" || exit 1
    done
}

# finish <package> <section> <fields> <description>: documents, control files, sums; then the archive.
finish() {
    tree=$out/$1
    doc=$tree/usr/share/doc/$1
    mkdir -p "$doc" "$tree/DEBIAN"
    cp packaging/copyright "$doc/copyright"
    printf 'winnow (%s) unstable; urgency=medium\n\n  * Version %s.\n\n -- %s  %s\n' "$version" "$version" "$maintainer" "$date" | gzip -9n >"$doc/changelog.gz"
    {
        printf 'Package: %s\nSource: winnow\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "$1" "$version" "$arch" "$maintainer"
        printf 'Installed-Size: %s\nSection: %s\nPriority: optional\n' "$(du -k -s --exclude=DEBIAN "$tree" | cut -f1)" "$2"
        printf '%s\nDescription: %s\n' "$3" "$4"
    } >"$tree/DEBIAN/control"
    (cd "$tree" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
    find "$tree" -type d -exec chmod 755 {} +
    dpkg-deb --root-owner-group -b "$tree" "$out" >/dev/null || exit 1
}

# needed <file>: the packages of the libraries that it needs.
needed() { (cd "$out" && dpkg-shlibdeps -O "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'; }
printf 'Source: winnow\n\nPackage: libwinnow1\nArchitecture: any\n' >"$out/debian/control"

about=' Strided tensors, broadcasting, views, einsum, masks, automatic gradients,
 layers, optimisers and data loading for C and C++ programs, with the names
 and semantics of PyTorch.'
take libwinnow1 "$lib/libwinnow.so.1" "$lib/libwinnow.so.$version"
strip --strip-unneeded --remove-section=.comment "$out/libwinnow1/$lib/libwinnow.so.$version"
mkdir -p "$out/libwinnow1/DEBIAN"
echo "libwinnow 1 libwinnow1 (>= $version)" >"$out/libwinnow1/DEBIAN/shlibs"
echo 'activate-noawait ldconfig' >"$out/libwinnow1/DEBIAN/triggers"
finish libwinnow1 libs "Multi-Arch: same
Depends: $(needed "libwinnow1/$lib/libwinnow.so.$version")
Recommends: libopenblas0 | liblapack3" "tensor engine in C that computes only what counts
$about
 .
 This package has the shared library."

take libwinnow-dev usr/include "$lib/libwinnow.so" "$lib/libwinnow.a" "$lib/cmake" "$lib/pkgconfig" usr/share/man
strip --strip-debug --remove-section=.comment "$out/libwinnow-dev/$lib/libwinnow.a"
gzip -9n "$out"/libwinnow-dev/usr/share/man/man3/*.3
mkdir -p "$out/libwinnow-dev/usr/share/doc"
mv "$out/all/usr/share/doc/winnow" "$out/libwinnow-dev/usr/share/doc/libwinnow-dev"
rm "$out/libwinnow-dev/usr/share/doc/libwinnow-dev/LICENSE"
find "$out/libwinnow-dev/usr/share/doc" -type f -exec chmod 644 {} +
finish libwinnow-dev libdevel "Multi-Arch: same
Depends: libwinnow1 (= $version), zlib1g-dev" "tensor engine in C that computes only what counts - development files
$about
 .
 This package has the header, the static library, the manual and examples."
[ -z "$(find "$out/all" ! -type d)" ] || { echo 'make deb: no package has:' && find "$out/all" ! -type d; exit 1; }

front=$out/python3-winnow/usr/lib/python3/dist-packages
mkdir -p "$front" "$out/python3-winnow/usr/bin" "$out/python3-winnow/usr/share/man/man1" "$out/python3-winnow/DEBIAN"
for wheel in build/dist/winnow_*.whl; do /usr/bin/python3 -m zipfile -e "$wheel" "$front" || exit 1; done
for info in "$front"/winnow_*.dist-info; do
    rm -r "$info/licenses" "$info/RECORD" # Debian's places for both
    sed -i '/^License-File:/d; /^Requires-Dist: scipy-openblas32/d' "$info/METADATA"
done
find "$front" -type f -exec chmod 644 {} +
printf '#!/usr/bin/python3\nfrom winnow._run import main\n\nmain()\n' >"$out/python3-winnow/usr/bin/winnow"
chmod 755 "$out/python3-winnow/usr/bin/winnow"
sed "s/@PROJECT_VERSION@/$version/" docs/man/winnow.1.in | gzip -9n >"$out/python3-winnow/usr/share/man/man1/winnow.1.gz"
printf '#!/bin/sh\nset -e\nif [ "$1" = configure ] && command -v py3compile >/dev/null; then\n    py3compile -p python3-winnow\nfi\n' >"$out/python3-winnow/DEBIAN/postinst"
printf '#!/bin/sh\nset -e\nif command -v py3clean >/dev/null; then\n    py3clean -p python3-winnow\nfi\n' >"$out/python3-winnow/DEBIAN/prerm"
chmod 755 "$out/python3-winnow/DEBIAN/postinst" "$out/python3-winnow/DEBIAN/prerm"
finish python3-winnow python "Depends: $(needed "python3-winnow/usr/lib/python3/dist-packages/winnow/_C.abi3.so"), python3 (>= 3.11), python3:any
Recommends: libopenblas0 | liblapack3, python3-numpy" "tensor engine under PyTorch's names for Python
 Runs programs written for PyTorch: \"import winnow as torch\", or the command
 winnow, where \"import torch\" is winnow.
 Names, arguments and semantics are PyTorch's; the engine is included."

rm -rf "$out/all" "$out/debian"
ls "$out"/*.deb
if command -v lintian >/dev/null; then
    lintian --fail-on error,warning "$out"/*.deb && echo 'lintian: clean'
else
    echo 'make deb: lintian is not installed; the packages are not judged' >&2
fi
