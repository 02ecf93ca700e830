"""winnow: a tensor engine that computes only what counts, under PyTorch's names.

    import winnow as torch

or `python -m winnow script.py`, which runs a script with `import torch` resolving to this package.
"""
import sys

if sys.version_info < (3, 11):
    raise ImportError(f"winnow needs Python 3.11 or newer; this is {sys.version.split()[0]}")
try:
    from . import _C
except ImportError as error:
    raise ImportError(f"winnow's extension module is not built: run `make python` in its source directory ({error})") from error

from . import _types
from ._types import (LAYOUTS, FORMATS, NAMES, Size, device, dtype, finfo, iinfo, layout, memory_format, qscheme)
from . import _construct
from ._construct import Tensor, as_tensor, asarray, from_dlpack, from_numpy, frombuffer, tensor

for _name in NAMES + LAYOUTS + FORMATS:
    globals()[_name] = getattr(_types, _name)
globals().update(_C.functions(1))

from . import _adapters, _c_names

_adapters.install(globals())
_c_names.install()
del globals()["unique_dim"]  # torch has it in _VF alone

from . import _tensor

_tensor.install()
_C._link()

from . import _lapack

_lapack.tell()

from ._info import *
from ._deterministic import *
from . import autograd
from .autograd import enable_grad, inference_mode, no_grad, set_grad_enabled
from .autograd import _tensor_methods
from .random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state

for _name in ("backward", "register_hook", "register_post_accumulate_grad_hook"):
    setattr(Tensor, _name, getattr(_tensor_methods, _name))

Generator = _C.Generator
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled, set_anomaly_enabled

OutOfMemoryError = _C.OutOfMemoryError
is_grad_enabled = _C.is_grad_enabled
is_inference_mode_enabled = _C.is_inference_mode_enabled
set_num_threads, get_num_threads = _C.set_num_threads, _C.get_num_threads
get_default_dtype = _C.get_default_dtype

_winnow = _C._version  # what tells winnow from PyTorch
__version__ = f"2.13.0+winnow.{_winnow}"  # PyTorch's interface as of the one, the engine is the other
import math as _math

e, pi, inf, nan, newaxis = _math.e, _math.pi, _math.inf, _math.nan, None

# Seldom used: imported when somebody asks for them.
_TYPED = {w + "Tensor": n for w, n in (("Float", "float32"), ("Double", "float64"), ("Half", "float16"), ("BFloat16", "bfloat16"), ("Char", "int8"),
                                        ("Short", "int16"), ("Int", "int32"), ("Long", "int64"), ("Byte", "uint8"), ("Bool", "bool"))}
_LAZY = {"__config__", "__future__", "_VF", "_dynamo", "_jit_internal", "_linalg_utils", "_lobpcg", "_utils", "accelerator", "amp", "backends", "compiler", "cpu", "cuda", "distributed", "distributions", "func", "functional", "futures", "hub",
         "io", "jit", "library", "linalg", "masked", "mps", "multiprocessing", "nn", "optim", "overrides", "profiler", "quasirandom", "random", "serialization", "signal", "sparse", "special",
         "storage", "testing", "types", "utils", "version", "xpu"}

_CHECKS = ("_check", "_check_index", "_check_value", "_check_type", "_check_not_implemented", "_check_is_size", "_check_with", "_check_tensor_all",
           "_check_tensor_all_with", "_assert_async")
_ELSEWHERE = {n: module for module, names in (
    ("serialization", ("save", "load")), ("_draws", ("poisson", "binomial", "_standard_gamma", "_standard_gamma_grad", "_sample_dirichlet", "_dirichlet_grad")),
    ("_windows", ("bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window")), ("amp", ("GradScaler",)),
    ("_checks", _CHECKS), ("amp._scaling", ("_amp_foreach_non_finite_check_and_unscale_", "_amp_update_scale_")),
    ("storage", ("TypedStorage", "UntypedStorage")), ("sparse._former", ("spmm", "dsmm", "smm", "hspmm", "hsmm", "sspaddmm", "saddmm")), ("_ops", ("ops",)), ("_report", ("report",)), ("compiler", ("compile",)), ("_warn", ("set_warn_always", "is_warn_always_enabled")), ("_from_file", ("from_file",)), ("_lowrank", ("svd_lowrank", "pca_lowrank")), ("_lobpcg", ("lobpcg",)), ("_linalg_utils", ("matrix_rank", "solve", "lstsq", "eig")), ("jit", ("ScriptModule", "ScriptFunction")), ("cpu", ("Stream", "Event")), ("_vmap", ("vmap",)), ("sparse", ("sparse_coo_tensor", "sparse_csr_tensor"))) for n in names}


def __getattr__(name):
    if name in _ELSEWHERE:
        from importlib import import_module

        value = globals()[name] = getattr(import_module("." + _ELSEWHERE[name], __package__), name)
        return value
    if name == "torch":  # torch.torch, which PyTorch has by accident
        return sys.modules[__package__]
    if name in _LAZY:
        from importlib import import_module

        return import_module("." + name, __package__)
    if "autocast" in name and name[0] != "_":
        if name == "clear_autocast_cache":
            return _C.clear_autocast_cache
        from .amp import autocast, state

        if name == "autocast" or name in state.__all__:
            return autocast if name == "autocast" else getattr(state, name)
    if name[-7:] == "Storage" and (name == "Storage" or name[:-7] + "Tensor" in _TYPED):
        from .storage import _class

        return _class(name if name != "Storage" else _construct._word(get_default_dtype()) + "Storage")
    if name in _TYPED:
        from ._typed import make

        globals()[name] = kind = make(name, getattr(_types, _TYPED[name]))
        return kind
    if name.startswith("_foreach_"):
        from ._foreach import make

        value = make(name)
        if value is not None:
            globals()[name] = value
            return value
    if name[:2] == "__":
        raise AttributeError(f"module 'winnow' has no attribute '{name}'")
    from ._absent import FUNCTIONS, NAMES, REASONS, module, refused
    from ._hook import missing

    if name in NAMES:
        return module(name)
    if name in FUNCTIONS:
        globals()[name] = value = refused(name)
        return value
    raise missing("torch", name, [] if name in REASONS else [n for n in globals() if n[0] != "_"], REASONS.get(name, ""))


def _named_after(package):
    """What torch calls torch.X says so itself where `import torch` is winnow; otherwise it is winnow.X, where pickles must find it."""
    for value in list(globals().values()):
        if isinstance(value, type) and value.__module__ in ("torch", __package__):
            value.__module__ = package
    globals()["__name__"] = package


_named_after(__name__)
del _name
