"""Builds the distribution winnow-tensors: the functions that pip and other front ends call (PEP 517, PEP 660).

A backend of our own, because the usual ones are packages to be downloaded, even where a compiler and CMake are there. This one
needs the standard library only. engine.py has CMake build the extension module, stubs.py writes the .pyi files from the operation
table of what was built, archives.py and metadata.py make the files.
SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import sys
import tempfile
from contextlib import contextmanager

from . import archives, engine, metadata

_SETTINGS = ("cmake-args", "build-dir")


def get_requires_for_build_wheel(config_settings=None):
    _read(config_settings)
    return engine.missing_tools()


def get_requires_for_build_sdist(config_settings=None):
    _read(config_settings)
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    _read(config_settings)
    name = metadata.FRONT_PROJECT.dist_info()
    os.makedirs(os.path.join(metadata_directory, name))
    for file, text in metadata.FRONT_PROJECT.files().items():
        with open(os.path.join(metadata_directory, name, file), "w", encoding="utf-8") as out:
            out.write(text)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settings = _read(config_settings)
    with _stage(settings) as stage:
        package = os.path.join(stage, "winnow")
        for name, data in archives.tree(engine.FRONT, "winnow", built=False):
            path = os.path.join(stage, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
        _write_stubs(stage, package)
        return archives.write_wheel(wheel_directory, archives.tree(stage, "winnow"), f"cp311-abi3-{engine.platform(os.path.join(package, engine.MODULE))}")


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The extension module and the stubs go into the checkout; what is installed is a path to it."""
    settings = _read(config_settings)
    with _stage(settings) as stage:
        package = os.path.join(engine.FRONT, "winnow")
        module = shutil.copy(os.path.join(stage, "winnow", engine.MODULE), package)
        _write_stubs(engine.FRONT, package)
        path = ("__editable__.winnow_tensors.pth", (engine.FRONT + "\n").encode())
        return archives.write_wheel(wheel_directory, [path], f"cp311-abi3-{engine.platform(module)}")


def build_sdist(sdist_directory, config_settings=None):
    _read(config_settings)
    return archives.write_sdist(sdist_directory)


get_requires_for_build_editable = get_requires_for_build_wheel
prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def _read(config_settings):
    """The settings, each as the front end gave it: a text or several. Also the first chance to say that this cannot work."""
    engine.check_python()
    settings = dict(config_settings or {})
    unknown = sorted(set(settings) - set(_SETTINGS))
    if unknown:
        sys.exit(f"winnow: unknown setting {', '.join(unknown)}; there are {' and '.join(_SETTINGS)}")
    return settings


@contextmanager
def _stage(settings):
    """A folder with winnow/_C.abi3.so in it, for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="winnow-") as work:
        stage = os.path.join(work, "stage")
        build = settings.get("build-dir")
        engine.build(os.path.abspath(build) if build else os.path.join(work, "build"), stage, settings.get("cmake-args", ()))
        yield stage


def _write_stubs(path, package):
    """In a process of its own, which loads the extension module that was just built."""
    engine.run([sys.executable, "-P", "-m", "winnow_build.stubs", package], "writing the stubs",
               PYTHONPATH=path + os.pathsep + engine.FRONT, PYTHONDONTWRITEBYTECODE="1")
