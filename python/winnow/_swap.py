"""torch.utils.swap_tensors: two tensors exchange what they are, and stay the objects that a program holds."""
from . import _C

_POISONED = ("Trying to execute AccumulateGrad node that was poisoned by swap_tensors this can happen when you try to run backward on a tensor that was "
             "swapped. For a module m with `torch.__future__.set_swap_module_params_on_conversion(True)` you should not change the device or dtype of the "
             "module (e.g. `m.cpu()` or `m.half()`) between running forward and backward. To resolve this, please only change the device/dtype before "
             "running forward (or after both forward and backward).")


def _poison(grad):
    raise RuntimeError(_POISONED)


def _check_uses(tensor, name):
    """Nobody but the object may have its handle: graphs and views would go on with what is another object's from here on. Of a leaf that a graph leads to,
    a backward through that graph is an error."""
    uses = tensor._use_count()
    if uses == 1:
        return
    if not (tensor.is_leaf and tensor.requires_grad):
        raise RuntimeError(f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {uses} make sure you are not holding references to "
                           "the tensor in other places.")
    _C._accumulate_hook(tensor, _poison, True)


def _slots(tensor):
    from copyreg import _slotnames

    return _slotnames(type(tensor))


def _take_slots(tensor, names):
    """{name: value} of the slots that have one, which they lose."""
    values = {name: getattr(tensor, name) for name in names if hasattr(tensor, name)}
    for name in values:
        delattr(tensor, name)
    return values


def swap_tensors(t1, t2):
    """The two tensors exchange class, attributes, memory and all that belongs to it; each stays the object that it is."""
    from weakref import getweakrefs

    for tensor, name in ((t1, "t1"), (t2, "t2")):
        if getweakrefs(tensor):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    names = set(_slots(t1))
    if names != set(_slots(t2)):
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    if t1 is t2:
        return
    _check_uses(t1, "t1")
    _check_uses(t2, "t2")
    values = _take_slots(t1, names), _take_slots(t2, names)
    t1._swap(t2)
    for tensor, taken in zip((t2, t1), values):
        for name, value in taken.items():
            setattr(tensor, name, value)
