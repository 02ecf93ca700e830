"""Where LAPACK is: the package scipy-openblas32, a dependency of the wheel, has OpenBLAS. Its own get_lib_dir() would say so, but importing it loads
that library, 25 MB and threads, which a program without linear algebra should not pay; the engine opens the file when it is needed.
"""
import os
from importlib.machinery import PathFinder

from . import _C


def _library():
    spec = PathFinder.find_spec("scipy_openblas32")
    for folder in spec.submodule_search_locations or () if spec else ():
        folder = os.path.join(folder, "lib")  # get_lib_dir()
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.startswith("libscipy_openblas") and ".so" in name:
                return os.path.join(folder, name)
    return None


def tell():
    path = None if os.environ.get("WINNOW_LAPACK") else _library()
    if path:
        _C._set_lapack(path)
