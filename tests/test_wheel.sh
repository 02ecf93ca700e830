#!/bin/bash
# Builds the wheel as `pip install ./python` does, without a network, installs it into a fresh virtual environment and uses it from
# another folder; then takes it away again. test_wheel.sh <source directory> <build directory>
# SPDX-License-Identifier: Apache-2.0
source_dir=${1:-$(cd "$(dirname "$0")/.." && pwd)}
build_dir=${2:-$source_dir/build}
. "$(dirname "$0")/check.sh"
skip() { echo "$1: the test of the wheel is left out"; exit 77; }
fails() { ! "$@"; }

base=$(sed -n 2p "$source_dir/build/python.txt" 2>/dev/null)
base=${base:-python3}
"$base" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip "there is no Python 3.11"
[ -f "$("$base" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] || skip "$base has no Python.h"
unset PYTHONPATH PYTHONHOME MAKEFLAGS DESTDIR VIRTUAL_ENV
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
"$base" -m venv "$work/venv" >"$work/log" 2>&1 || skip "$base has no venv with pip (Debian: apt-get install python3-venv)"
python=$work/venv/bin/python
[ -z "$CMAKE" ] || PATH=$(dirname "$CMAKE"):$PATH

# The wheel. Its build folder stays, so that a second run compiles only what changed.
touch "$work/stamp"
check "pip wheel" "$python" -m pip wheel --no-deps -w "$work/wheels" --config-settings cmake-args=-DWINNOW_QUICK=ON \
    --config-settings build-dir="$build_dir/wheel" "$source_dir/python"
wheel=$(echo "$work"/wheels/winnow_tensors-*-cp311-abi3-*linux_*.whl)
check "one wheel, of the stable ABI" test -f "$wheel"
[ -f "$wheel" ] || { echo "$passed passed, $failed failed"; exit 1; }
check "the source is left as it was" empty "$(find "$source_dir/python" "$source_dir/src" "$source_dir/include" -newer "$work/stamp" -type f ! -path '*/__pycache__/*')"
"$python" -m zipfile -l "$wheel" | awk 'NR > 1 { print $1 }' >"$work/content"
for file in winnow/py.typed winnow/_C.abi3.so winnow/__init__.pyi winnow/_C.pyi winnow/nn/functional.pyi winnow/linalg.pyi winnow/special.pyi \
    winnow/_as_torch/torch.py; do
    check "the wheel has $file" grep -qx "$file" "$work/content"
done
(cd "$source_dir/python" && find winnow -name '*.py') | sort >"$work/modules"
check "the wheel has every module" empty "$(grep -vxFf "$work/content" "$work/modules")"
check "the wheel has nothing else" empty "$(grep -vE '^winnow/.*\.pyi?$|^winnow/(py\.typed|_C\.abi3\.so)$|^winnow_tensors-[0-9.]*\.dist-info/' "$work/content")"

# The module needs what manylinux allows and shows its entry only.
"$python" -m zipfile -e "$wheel" "$work/unpacked"
module=$work/unpacked/winnow/_C.abi3.so
check "needs only libc, libm, libpthread, libdl, libz" empty "$(readelf -dW "$module" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
    grep -vE '^(libc|libm|libpthread|libdl)\.so\.[0-9]+$|^libz\.so\.1$|^ld-linux.*\.so\.[0-9]+$')"
check "exports only its entry" empty "$(readelf --dyn-syms -W "$module" | awk '$5 ~ /GLOBAL|WEAK/ && $7 != "UND" { print $8 }' | grep -vx PyInit__C)"
check "stripped" fails grep '\.debug_info' <(readelf -SW "$module")
if command -v auditwheel >/dev/null; then
    check "auditwheel show" grep 'consistent with.*manylinux\|"manylinux_' <(auditwheel show "$wheel" | tr '\n' ' ')
else
    echo "no auditwheel on this machine: left out"
fi

# Installed, and used from another folder.
files() { find "$work/venv" ! -path '*/__pycache__*' | sort; }
files >"$work/before"
check "pip install" "$python" -m pip install --no-deps "$wheel"
cat >"$work/train.py" <<'P'
import torch
import torch.nn.functional as F
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
adam = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(64, 4)
losses = []
for _ in range(100):
    loss = F.mse_loss(model(x), x.sum(1, keepdim=True))
    adam.zero_grad()
    loss.backward()
    adam.step()
    losses.append(loss.item())
assert losses[-1] < losses[0] / 10, losses
assert "site-packages/winnow/" in torch.__file__, torch.__file__
P
mkdir "$work/elsewhere" && cd "$work/elsewhere" || exit 1
check "the command winnow" "$work/venv/bin/winnow" "$work/train.py"
check "python -m winnow" "$python" -m winnow "$work/train.py"
version=$(sed -n 's/^#define WN_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source_dir/include/winnow.h" | paste -sd.)
check "the version is the header's" "$python" -c "import winnow, importlib.metadata as m; assert m.version('winnow-tensors') == winnow._winnow == '$version' and winnow.__version__.endswith('+winnow.$version')"
check "without the hook there is no torch" fails "$python" -c 'import winnow, torch'
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo 'real = True' >"$site/torch.py"
check "a torch that is installed stays what it is" "$python" -c 'import winnow; winnow.nn.Linear(2, 2); import torch; assert torch.real'
check "but not under the hook" "$work/venv/bin/winnow" "$work/train.py"
rm "$site/torch.py"
check "no torchvision comes with it" fails "$work/venv/bin/winnow" -c 'import torchvision'
check "torchvision-like" "$python" -m pip install --no-deps "$source_dir/python/torchvision-like"
check "winnow finds it" "$work/venv/bin/winnow" -c 'import torchvision; assert torchvision.transforms.ToTensor'
check "the hook alone does" fails "$python" -c 'import torchvision'
check "it goes again" "$python" -m pip uninstall -y winnow-torchvision
check "help()" grep 'input + alpha \* other' <("$python" -c 'import winnow; help(winnow.add)')
check "a signature" "$python" -c "
import inspect, winnow
assert str(inspect.signature(winnow.add)) == '(input, other, *, alpha=1, out=None)'"
check "the stubs are Python" "$python" -c "
import ast, pathlib, winnow
found = list(pathlib.Path(winnow.__file__).parent.rglob('*.pyi'))
assert len(found) > 10
for f in found: ast.parse(f.read_text())"
cat >"$work/typed.py" <<'P'
from typing import assert_type
import winnow as torch
x = torch.zeros(2, 3)
assert_type(torch.add(x, 1), torch.Tensor)
assert_type(torch.max(x, 1).indices, torch.Tensor)
assert_type(torch.nn.functional.softmax(x, dim=0), torch.Tensor)
for y in (x + 1, 2 - x, x[0], x[:, None], x.max(), -x, x @ x.T, x > 0): assert_type(y, torch.Tensor)
P
if command -v mypy >/dev/null; then
    check "mypy" mypy --python-executable "$python" --cache-dir "$work/mypy" "$work/typed.py"
    echo 'torch.add(x)' >>"$work/typed.py"
    check "mypy finds what is missing" grep 'Missing positional argument "other"' \
        <(mypy --python-executable "$python" --cache-dir "$work/mypy" "$work/typed.py")
else
    echo "no mypy on this machine: left out"
fi
check "pip uninstall" "$python" -m pip uninstall -y winnow-tensors
check "nothing is left" diff "$work/before" <(files)

# The source distribution holds what a wheel is built from, and can say what it is.
mkdir "$work/sdist" && (cd "$source_dir/python" && "$python" -c "import winnow_build; winnow_build.build_sdist('$work/sdist')")
check "unpack the sdist" tar -C "$work/sdist" -xzf "$work/sdist/winnow_tensors-$version.tar.gz"
root=$work/sdist/winnow_tensors-$version
for part in src include cmake python/src python/winnow tools/wngen; do
    check "the sdist has $part" diff -rq -x __pycache__ -x '*.so' -x '*.pyi' "$source_dir/$part" "$root/$part"
done
check "the sdist's metadata" "$python" -P -c "
import sys, tomllib
sys.path.insert(0, '$root/' + tomllib.load(open('$root/pyproject.toml', 'rb'))['build-system']['backend-path'][0])
import winnow_build
assert winnow_build.prepare_metadata_for_build_wheel('$work/sdist') == 'winnow_tensors-$version.dist-info'"
check "an unknown setting is refused" grep 'winnow: unknown setting x; there are cmake-args and build-dir' \
    <("$python" -m pip wheel --no-deps -w "$work/none" --config-settings x=1 "$source_dir/python" 2>&1)

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
