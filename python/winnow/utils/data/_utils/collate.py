"""default_collate: a list of samples as one batch; default_convert: one sample with arrays as tensors."""
import collections.abc
import copy
import re
import sys

from .... import _C
from ...._construct import Tensor, as_tensor
from ...._types import float64

__all__ = ["default_collate", "default_convert", "collate", "default_collate_fn_map", "default_collate_err_msg_format"]

np_str_obj_array_pattern = re.compile(r"[SaUO]")  # kinds of NumPy's arrays that have no numbers
_stack = _C.functions(1)["stack"]
default_collate_err_msg_format = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def _numpy_kind(x):
    """"array" or "number" for NumPy's objects, None for others."""
    numpy = sys.modules.get("numpy")  # whoever has such an object has imported it
    if numpy is None:
        return None
    if isinstance(x, numpy.ndarray) and x.shape != ():
        return "array"
    return "number" if isinstance(x, (numpy.bool_, numpy.number, numpy.object_, numpy.ndarray)) else None


def _check_array(x):
    if x.dtype.kind in "SUO":
        raise TypeError(default_collate_err_msg_format.format(x.dtype))
    return x


def _rebuilt(original, mapping_or_list):
    """A container of original's class, if that can be made; else the plain one."""
    try:
        if isinstance(original, collections.abc.MutableMapping):
            clone = copy.copy(original)
            clone.update(mapping_or_list)
            return clone
        if isinstance(original, collections.abc.MutableSequence):
            clone = copy.copy(original)
            for i, x in enumerate(mapping_or_list):
                clone[i] = x
            return clone
        return type(original)(mapping_or_list)
    except (TypeError, IndexError):
        return mapping_or_list


def default_convert(data):
    """NumPy arrays and numbers become tensors, inside containers too; everything else stays."""
    if isinstance(data, Tensor):
        return data
    kind = _numpy_kind(data)
    if kind:
        return data if kind == "array" and data.dtype.kind in "SUO" else as_tensor(data)
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        return _rebuilt(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(x) for x in data))
    if isinstance(data, tuple):
        return [default_convert(x) for x in data]
    if isinstance(data, collections.abc.Sequence):
        return _rebuilt(data, [default_convert(x) for x in data])
    return data


def collate(batch, *, collate_fn_map=None):
    """A batch of samples; collate_fn_map: functions (batch, *, collate_fn_map) for elements of given types, which come first."""
    first = batch[0]
    kind = type(first)
    if collate_fn_map is not None:
        for types, function in collate_fn_map.items() if kind not in collate_fn_map else [(kind, collate_fn_map[kind])]:
            if isinstance(first, types):
                return function(batch, collate_fn_map=collate_fn_map)

    def again(samples):
        return collate(samples, collate_fn_map=collate_fn_map)
    if kind is not tuple and kind is not list and isinstance(first, collections.abc.Mapping):  # 40 us when a new worker asks for the first time
        return _rebuilt(first, {key: again([sample[key] for sample in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(again(samples) for samples in zip(*batch, strict=False)))
    if kind is tuple or kind is list or isinstance(first, collections.abc.Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [again(samples) for samples in zip(*batch)]
        return parts if isinstance(first, tuple) else _rebuilt(first, parts)
    kind_of_array = _numpy_kind(first)
    if kind_of_array and collate_fn_map is not None:
        if kind_of_array == "array":
            return again([as_tensor(_check_array(x)) for x in batch])
        return as_tensor(batch) if len(batch) and not hasattr(first, "shape") else _numbers(batch)
    raise TypeError(default_collate_err_msg_format.format(kind))


def _numbers(batch):
    """NumPy's numbers keep their type."""
    import numpy

    return as_tensor(numpy.stack([numpy.asarray(x) for x in batch]))


def _collate_tensors(batch, *, collate_fn_map=None):
    return _stack(list(batch), 0)


def _collate_floats(batch, *, collate_fn_map=None):
    return _C._tensor(list(batch), float64)


def _collate_ints(batch, *, collate_fn_map=None):
    return _C._tensor(list(batch), None)


def _as_they_are(batch, *, collate_fn_map=None):
    return batch


default_collate_fn_map = {Tensor: _collate_tensors, float: _collate_floats, int: _collate_ints, str: _as_they_are, bytes: _as_they_are}


def default_collate(batch):
    """Tensors, arrays and numbers are stacked, strings listed, containers gone into."""
    return collate(batch, collate_fn_map=default_collate_fn_map)
