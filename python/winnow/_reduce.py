"""What pickles of tensors call: torch's functions by torch's names, so that PyTorch reads our pickles, and we read PyTorch's."""
import io
import sys
from collections import OrderedDict

from ._construct import Tensor
from ._globals import (_rebuild_meta_tensor_no_storage, _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_tensor, _rebuild_tensor_v2,
                       _rebuild_tensor_v3, rebuild_sparse)

__all__ = []


def _load_from_bytes(b):
    """A storage, out of what torch.save wrote of it before 1.6: a tensor of one dimension with its elements."""
    from ._load import OldLoader, Options

    return OldLoader(io.BytesIO(b), Options()).load()


class _Trusted:
    """The machine of _globals for pickles that Python itself reads: no limits."""

    @staticmethod
    def charge(count):
        pass


def _rebuild_sparse_tensor(layout, data):
    return rebuild_sparse(_Trusted, layout, tuple(data))


def _rebuild_from_type_v2(func, new_type, args, state):
    t = func(*args)
    if type(t) is not new_type:
        t = t.as_subclass(new_type)
    if hasattr(type(t), "__setstate__") and getattr(type(t), "__setstate__") is not getattr(Tensor, "__setstate__", None):
        t.__setstate__(state)
    elif state:
        t.__dict__.update(state[0] if isinstance(state, tuple) else state)
    return t


def reduced_meta(t, state):
    """The same of a tensor on the meta device, which has no storage to speak of."""
    args = (t.dtype, tuple(t.shape), tuple(t.stride()), t.requires_grad)
    if type(t) is Tensor and not state:
        return _rebuild_meta_tensor_no_storage, args
    return _rebuild_from_type_v2, (_rebuild_meta_tensor_no_storage, type(t), args, state)


def reduced(t, storage, state):
    """What Tensor.__reduce_ex__ returns for a tensor with these attributes in this storage."""
    args = (storage, t.storage_offset(), tuple(t.shape), tuple(t.stride()), t.requires_grad, OrderedDict())
    if type(t) is Tensor and not state:
        return _rebuild_tensor_v2, args
    return _rebuild_from_type_v2, (_rebuild_tensor_v2, type(t), args, state)


_PLACES = {"storage": (_load_from_bytes,), "_tensor": (_rebuild_from_type_v2,),
           "_utils": (_rebuild_tensor_v2, _rebuild_tensor_v3, _rebuild_tensor, _rebuild_parameter, _rebuild_parameter_with_state, _rebuild_sparse_tensor, _rebuild_meta_tensor_no_storage)}


def name_after(package):
    """The functions are those of this package's modules."""
    for module, functions in _PLACES.items():
        for f in functions:
            f.__module__ = f"{package}.{module}"


name_after("torch" if sys.modules.get("torch") is sys.modules[__package__] else __package__)
