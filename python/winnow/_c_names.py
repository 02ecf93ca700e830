"""Names of torch._C that libraries use although they are not public: what they answer where there is nothing behind them."""
import sys
from types import ModuleType, SimpleNamespace

from . import _C, _c_autograd


def _parse_to(*args, **kwargs):
    """(device, dtype, non_blocking, memory_format) of the arguments of to()."""
    from .nn.modules._convert import _parse_to

    return _parse_to(args, kwargs)


def _infer_size(first, second):
    """The shape that two shapes broadcast to."""
    import winnow

    return winnow.broadcast_shapes(first, second)


def _nothing(*args):
    """Accepted: there is nothing to set, or to note."""


def _no(*args):
    """False: there are no functional transforms, GPUs or scripts."""
    return False


class DisableTorchFunctionSubclass:
    """Within, subclasses are not asked by __torch_function__."""

    def __enter__(self):
        _C._torch_function_off(1)

    def __exit__(self, *exception):
        _C._torch_function_off(-1)


def _is_alias_of(a, b):
    """Do both have the same storage?"""
    return a.untyped_storage()._cdata == b.untyped_storage()._cdata


def _functorch():
    """torch._C._functorch: vmap takes samples one by one here, so no tensor is a batch of them."""
    from ._stand_in import refusing

    text = "winnow's vmap takes samples one after the other; no tensor stands for a batch of them"
    module = ModuleType(_C.__name__ + "._functorch", "Questions about batches inside vmap, of which there are none.")
    module.is_batchedtensor = module.is_functorch_wrapped_tensor = module.is_gradtrackingtensor = _no
    module.get_unwrapped = lambda tensor: tensor
    for name in ("_add_batch_dim", "_remove_batch_dim", "_vmap_increment_nesting", "_vmap_decrement_nesting"):
        setattr(module, name, refusing(name, NotImplementedError, f"torch._C._functorch.{name}: {text}", f"Not in winnow: {text}."))
    return module


def install():
    """Sets them in the extension module, which is torch._C."""
    _C.__path__ = []
    _C._functorch = sys.modules[_C.__name__ + "._functorch"] = _functorch()
    _C.has_lapack = True
    _C._infer_size = _infer_size
    _C._is_alias_of = _is_alias_of
    _C._TensorMeta = type(_C.Tensor)
    _C._nn = SimpleNamespace(_parse_to=_parse_to)
    _C.DisableTorchFunctionSubclass = _C.DisableTorchFunction = DisableTorchFunctionSubclass
    _C._get_tracing_state = _C._log_api_usage_once = _nothing
    _C._are_functorch_transforms_active = _C._cuda_isInBadFork = _no
    for name in ("texpr_fuser_enabled", "profiling_mode", "profiling_executor", "nvfuser_enabled"):
        setattr(_C, "_jit_set_" + name, _nothing)
    _c_autograd.install()
    _C._jit_override_can_fuse_on_cpu = _C._jit_override_can_fuse_on_gpu = _nothing
