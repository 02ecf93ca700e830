"""The two archives: a wheel, and a source distribution that holds what a wheel is built from. The same input gives the same bytes.
SPDX-License-Identifier: Apache-2.0
"""
import base64
import gzip
import hashlib
import io
import os
import tarfile
import zipfile

from . import metadata
from .engine import FRONT, ROOT

# What a wheel is built from, below the root of the checkout; python/pyproject.toml goes to the archive's root as well.
_SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "cmake", "include", "src", "tools/wngen", "python")
_BUILT = (".so", ".pyc", ".pyi", ".o", ".a")


def tree(root, folder, built=True):
    """[(name, bytes)] of the files below root/folder, names relative to root and sorted; without those that a build in place left
    there, if built is false."""
    found = []
    for path, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = [f for f in folders if f != "__pycache__"]
        for name in names:
            if not built and name.endswith(_BUILT):
                continue
            full = os.path.join(path, name)
            with open(full, "rb") as file:
                found.append((os.path.relpath(full, root), file.read()))
    return sorted(found)


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write_wheel(directory, files, tag, project=metadata.FRONT_PROJECT):
    """Writes the files [(name, bytes)] and what belongs in .dist-info as a wheel with that tag; returns its name."""
    info = project.dist_info()
    pure = "true" if tag.endswith("none-any") else "false"
    about = {"WHEEL": f"Wheel-Version: 1.0\nGenerator: winnow_build ({metadata.version()})\nRoot-Is-Purelib: {pure}\nTag: {tag}\n",
             f"licenses/{metadata.LICENSE}": metadata.license_text(), **project.files()}
    files = list(files) + [(f"{info}/{name}", text.encode()) for name, text in about.items()]
    record = "".join(f"{name},{_digest(data)},{len(data)}\n" for name, data in files) + f"{info}/RECORD,,\n"
    wheel = f"{project.base()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files + [(f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


def _sources():
    found = []
    for source in _SOURCES:
        path = os.path.join(ROOT, source)
        if os.path.isdir(path):
            found += tree(ROOT, source, built=False)
        else:
            with open(path, "rb") as file:
                found.append((source, file.read()))
    return found


def _root_project():
    """pyproject.toml for a place above python/."""
    with open(os.path.join(FRONT, "pyproject.toml"), encoding="utf-8") as file:
        text = file.read()
    here = 'backend-path = ["."]'
    assert here in text
    return text.replace(here, 'backend-path = ["python"]').encode()


def write_sdist(directory):
    base = metadata.FRONT_PROJECT.base()
    files = _sources() + [("pyproject.toml", _root_project()), ("PKG-INFO", metadata.FRONT_PROJECT.core().encode())]
    name = base + ".tar.gz"
    with open(os.path.join(directory, name), "wb") as out, gzip.GzipFile("", "wb", mtime=0, fileobj=out) as packed, \
            tarfile.TarFile(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return name
