"""torch._utils: the private helpers that programs use all the same."""
import winnow as torch

from ._failure import ExceptionWrapper, KeyErrorMessage  # noqa: F401
from ._reduce import (_rebuild_parameter, _rebuild_parameter_with_state, _rebuild_meta_tensor_no_storage, _rebuild_sparse_tensor, _rebuild_tensor,  # noqa: F401
                      _rebuild_tensor_v2, _rebuild_tensor_v3)

__all__ = []


def _flatten_dense_tensors(tensors):
    """One dimension with the elements of all."""
    return torch.cat([t.reshape(-1) for t in tensors]) if tensors else torch.empty(0)


def _unflatten_dense_tensors(flat, tensors):
    """The pieces of flat, shaped like tensors."""
    pieces, at = [], 0
    for t in tensors:
        pieces.append(flat[at:at + t.numel()].view_as(t))
        at += t.numel()
    return tuple(pieces)


def _reorder_tensors_as(tensors, ordered_tensors):
    """tensors in the order in which their types come in ordered_tensors."""
    kinds = {}
    for t in tensors:
        kinds.setdefault(t.type(), []).append(t)
    parts = {kind: iter(ts) for kind, ts in kinds.items()}
    return tuple(next(parts[t.type()]) for t in ordered_tensors)


def _take_tensors(tensors, size_limit):
    """Lists of tensors of one type with at most size_limit bytes each (or one tensor)."""
    open_lists = {}
    for t in tensors:
        size = t.numel() * t.element_size()
        held, total = open_lists.get(t.type(), ([], 0))
        if held and total + size > size_limit:
            yield held
            held, total = [], 0
        open_lists[t.type()] = (held + [t], total + size)
    yield from (held for held, _ in open_lists.values() if held)


def _get_available_device_type():
    """None: there is no accelerator."""


def _get_device_module(device_type=None):
    """torch.cpu, whatever device it is."""
    return torch.cpu


def _get_device_index(device, optional=False, allow_cpu=False):
    """The number of a device; the CPU's is -1."""
    if isinstance(device, int):
        return device
    return -1


def _element_size(dtype):
    return dtype.itemsize


def _import_dotted_name(name):
    """The object that a dotted name means."""
    first, *rest = name.split(".")
    found = __import__(first)
    for part in rest:
        found = getattr(found, part)
    return found


class classproperty:
    """A property of the class."""

    def __init__(self, function):
        self.function = function

    __get__ = lambda self, instance, owner=None: self.function(type(instance) if owner is None else owner)
