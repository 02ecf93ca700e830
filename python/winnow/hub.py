"""torch.hub: models from a folder with a hubconf.py. Nothing is downloaded."""
import os
import re
import sys
from urllib.parse import urlparse  # noqa: F401  programs import it from here

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")  # what a file's name says of its SHA-256
_dir = None


def get_dir():
    """Where torch keeps what it downloads: $TORCH_HOME/hub, or ~/.cache/torch/hub."""
    if _dir is not None:
        return _dir
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.join(os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch"))), "hub")


def set_dir(d):
    """What get_dir() returns from now on."""
    global _dir
    _dir = os.path.expanduser(d)


def _no_network(what):
    raise NotImplementedError(f"torch.hub.{what}: winnow downloads nothing; get the files yourself and use source='local' or torch.load")


def _hubconf(what, folder, source):
    if source not in ("github", "local"):
        raise ValueError(f'Unknown source: "{source}". Allowed values: "github" | "local".')
    if source == "github":
        _no_network(what)
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.expanduser(folder)
    spec = spec_from_file_location("hubconf", os.path.join(folder, "hubconf.py"))
    module = module_from_spec(spec)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    needed = [d for d in getattr(module, "dependencies", []) if d != "torch"]
    from importlib.util import find_spec

    lacking = [d for d in needed if find_spec(d) is None]
    if lacking:
        raise RuntimeError(f"Missing dependencies: {', '.join(lacking)}")
    return module


def _entry(module, name):
    if not isinstance(name, str):
        raise ValueError("Invalid input: model should be a string of function name")
    function = getattr(module, name, None)
    if not callable(function):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return function


def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True, skip_validation=False, **kwargs):
    """Calls the function `model` of the folder's hubconf.py (source="local")."""
    return _entry(_hubconf("load", repo_or_dir, source), model)(*args, **kwargs)


def help(github, model, force_reload=False, skip_validation=False, trust_repo=None, source="github"):
    """The documentation of a function of hubconf.py."""
    return _entry(_hubconf("help", github, source), model).__doc__


def list(github, force_reload=False, skip_validation=False, trust_repo=None, verbose=True, source="github"):
    """The names of the functions of hubconf.py."""
    module = _hubconf("list", github, source)
    return [n for n in dir(module) if callable(getattr(module, n)) and n[0] != "_"]


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """An error: winnow downloads nothing."""
    _no_network("download_url_to_file")


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None, weights_only=False):
    """The file if it is in the cache folder already."""
    from urllib.parse import urlparse

    path = os.path.join(model_dir or os.path.join(get_dir(), "checkpoints"), file_name or os.path.basename(urlparse(url).path))
    if not os.path.exists(path):
        _no_network("load_state_dict_from_url")
    from .serialization import load as load_file

    return load_file(path, map_location=map_location)
