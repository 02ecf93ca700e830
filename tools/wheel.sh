#!/bin/sh
# tools/wheel.sh: wheels for other machines in build/dist, that of torchvision-like as well. PYTHON builds it (3.11 or newer: the wheel fits them all).
# SPDX-License-Identifier: Apache-2.0
cd "$(dirname "$0")/.." || exit 1
. ./build/setup.sh
python=$(sed -n 2p build/python.txt)
most=12582912 # bytes
root=$PWD
mkdir -p build/dist && rm -f build/dist/winnow_*.whl
PATH=$(dirname "$CMAKE"):$PATH
(cd python && "$python" -c "
import winnow_build
print(winnow_build.build_wheel('$root/build/dist', {'build-dir': '$root/build/wheel-release'}))") || exit 1
(cd python/torchvision-like && "$python" -c "
import vision_build
print(vision_build.build_wheel('$root/build/dist'))") || exit 1
wheel=$(ls build/dist/winnow_tensors-*.whl)
size=$(stat -c %s "$wheel")
echo "$wheel: $((size / 1024)) KiB"
[ "$size" -le "$most" ] || { echo "make wheel: it is larger than $most bytes" >&2; exit 1; }

# auditwheel judges it where it can be had.
tools=build/wheel-tools
if [ ! -x $tools/bin/auditwheel ]; then
    "$python" -m venv $tools && $tools/bin/pip install --quiet --disable-pip-version-check auditwheel || rm -rf $tools
fi
if [ -x $tools/bin/auditwheel ]; then
    said=$($tools/bin/auditwheel show "$wheel" | tr '\n' ' ')
    tag=$(echo "$wheel" | sed 's/.*-\(manylinux_[0-9_]*_[a-z0-9_]*\)\.whl/\1/')
    case $said in
    *"\"$tag\""*) echo "auditwheel: consistent with $tag" ;;
    *) echo "make wheel: auditwheel does not find $tag: $said" >&2; exit 1 ;;
    esac
else
    echo 'make wheel: auditwheel could not be installed; the wheel is not judged' >&2
fi
