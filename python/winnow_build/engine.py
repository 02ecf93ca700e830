"""The extension module: what it takes to build it, and CMake's run.
SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

FRONT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # python/
ROOT = os.path.dirname(FRONT)
MODULE = "_C.abi3.so"
_CMAKE = (3, 20)


def check_python():
    """Ends the build with a sentence where this interpreter cannot load the module."""
    if sys.implementation.name != "cpython" or sys.version_info < (3, 11):
        sys.exit(f"winnow needs CPython 3.11 or newer; this is {sys.implementation.name} {sys.version.split()[0]} ({sys.executable})")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit(f"winnow needs CPython with its lock: free-threaded builds have no stable ABI ({sys.executable})")
    if not sys.platform.startswith("linux"):
        sys.exit(f"winnow builds on Linux; this is {sys.platform}")
    if not os.path.isfile(os.path.join(ROOT, "src", "winnow.map")):
        sys.exit(f"winnow's C sources are not in {ROOT}: install from a whole checkout, with pip 21.3 or newer (older ones copy python/ alone)")


def platform(module):
    """The platform tag of a wheel with that extension module: manylinux, for the C library that its symbols ask for (it needs only what
    PEP 600 lets it); linux where that library is another than glibc."""
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    if not (os.confstr_names.get("CS_GNU_LIBC_VERSION") and (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc ")):
        return tag
    with open(module, "rb") as file:
        asked = re.findall(rb"\0GLIBC_2\.(\d+)(?:\.\d+)?(?=\0)", file.read())
    return tag.replace("linux_", f"manylinux_2_{max(17, *map(int, asked))}_", 1) if tag.startswith("linux_") else tag


# ------------------------------------------------------------------ tools


def _runs(name, least=None):
    """The path of the first program of that name that runs (pyenv's shims may not) and is new enough, or None."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) + ["/usr/bin"]:
        path = os.path.join(folder, name)
        if not os.access(path, os.X_OK) or os.path.isdir(path):
            continue
        try:
            answer = subprocess.run([path, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        except OSError:
            continue
        version = re.search(r"(\d+)\.(\d+)", answer.stdout)
        if answer.returncode == 0 and (least is None or (version and tuple(map(int, version.groups())) >= least)):
            return path
    return None


def missing_tools():
    """What has to be downloaded for this build: nothing where CMake, and Ninja or make, are there."""
    return ([] if _runs("cmake", _CMAKE) else ["cmake>=3.20"]) + ([] if _runs("ninja") or _runs("make") else ["ninja"])


def _check_compiler():
    chosen = os.environ.get("CC")
    names = [shlex.split(chosen)[0]] if chosen else ["cc", "gcc", "clang"]
    if not any(map(shutil.which, names)):
        sys.exit(f"winnow: there is no C compiler {chosen}, which CC names" if chosen else
                 "winnow: there is no C compiler: install one (Debian: apt-get install gcc libc6-dev)")
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.isfile(header):
        sys.exit(f"winnow: {header} is missing: install the headers of {sys.executable} (Debian: apt-get install python3-dev)")


# ------------------------------------------------------------------ building


def run(command, doing, **environment):
    """Runs it with our output; a failure ends the build with a sentence after what the command said."""
    sys.stdout.flush()
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    except subprocess.CalledProcessError as error:
        sys.exit(f"winnow: {doing} failed ({os.path.basename(command[0])} ended with {error.returncode}); the lines above say why")


def _arguments(given):
    """cmake-args of the front end (one text or several) and the variable CMAKE_ARGS, split as a shell does."""
    texts = [given] if isinstance(given, str) else list(given)
    return [part for text in [os.environ.get("CMAKE_ARGS", ""), *texts] for part in shlex.split(text)]


def build(folder, stage, cmake_args):
    """Builds the engine in the folder, and leaves the extension module, stripped, in stage/winnow. Nothing is written elsewhere."""
    _check_compiler()
    cmake, ninja = _runs("cmake", _CMAKE), _runs("ninja")
    if not cmake or not (ninja or _runs("make")):
        sys.exit(f"winnow: the build takes {' and '.join(missing_tools())}, missing here (Debian: apt-get install cmake ninja-build)")
    options = {"TESTS": "OFF", "EXAMPLES": "OFF", "BENCH": "OFF", "INSTALL": "OFF", "PYTHON_INCLUDE": sysconfig.get_path("include"),
               "PYTHON_PROGRAM": sys.executable, "PYTHON_OUTPUT": os.path.join(folder, "python")}
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"] if ninja else ["-G", "Unix Makefiles"]
    run([cmake, "-S", ROOT, "-B", folder, *generator, *(f"-DWINNOW_{k}={v}" for k, v in options.items()), *_arguments(cmake_args)],
        "configuring")
    jobs = [] if os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") else ["-j", str(len(os.sched_getaffinity(0)))]
    run([cmake, "--build", folder, "--target", "winnow_python", *jobs], "compiling")
    run([cmake, "--install", folder, "--component", "python", "--prefix", stage, "--strip"], "installing", DESTDIR="")
