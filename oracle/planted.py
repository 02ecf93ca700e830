"""Defects to be found: torch behind a wall, with one thing wrong. Each says where it must show."""
import dataclasses
import os
import signal
import time
import types

import numpy as np
import torch

from wall import walled


@dataclasses.dataclass
class Defect:
    path: str                   # what of torch is wrong
    how: object                 # original -> the wrong function; None: the name is missing
    entry: str                  # of op_db, where it must be found
    kind: str                   # and by which check
    dtypes: str = "float32"


def result(change):
    """A function whose result is changed."""
    return lambda original: lambda *args, **kwargs: change(original(*args, **kwargs))


def off_by_one_element(tensor):
    made = tensor.clone()
    if made.numel():
        made.view(-1)[-1] += 1
    return made


def value_error(original):
    def wrong(*args, **kwargs):
        try:
            return original(*args, **kwargs)
        except RuntimeError as error:
            raise ValueError(str(error)) from None
    return wrong


def accepts_all(original):
    def wrong(*args, **kwargs):
        try:
            return original(*args, **kwargs)
        except Exception:
            return torch.zeros(1)
    return wrong


def ignores_out(original):
    def wrong(*args, out=None, **kwargs):
        return original(*args, **kwargs)
    return wrong


def writes_a_copy_of_out(original):
    """Writes and returns the right values, but not in the tensor that was given when its shape is another."""
    def wrong(*args, out=None, **kwargs):
        value = original(*args, **kwargs)
        if out is not None and out.shape == value.shape and out.dtype == value.dtype and not out.requires_grad:
            return out.copy_(value)
        return value if out is not None and out.dtype == value.dtype else original(*args, out=out, **kwargs)
    return wrong


def writes_anything(original):
    """out= of any dtype, with or without requires_grad."""
    def wrong(*args, out=None, **kwargs):
        value = original(*args, **kwargs)
        if out is None:
            return value
        out.data.resize_(value.shape).copy_(value)
        return out
    return wrong


def forgets_strides(original):
    """Reads the memory of its argument as if it were contiguous."""
    def wrong(tensor, *args, **kwargs):
        flat = tensor.as_strided((tensor.numel(),), (1,)) if not tensor.requires_grad else tensor.reshape(-1)
        return original(flat.view(tensor.shape), *args, **kwargs)
    return wrong


def changes_argument(original):
    def wrong(tensor, *args, **kwargs):
        made = original(tensor, *args, **kwargs)
        if not tensor.requires_grad and tensor.numel():
            tensor.data.view(-1)[0] = 0.25
        return made
    return wrong


def not_in_place(original):
    return lambda tensor, *args, **kwargs: original(tensor.clone(), *args, **kwargs)


def returns_other_tensor(original):
    def wrong(tensor, *args, **kwargs):
        return original(tensor, *args, **kwargs).view(tensor.shape)
    return wrong


class FirstOrderOnly(torch.autograd.Function):
    """exp with a gradient that is right and not differentiable."""
    @staticmethod
    def forward(ctx, tensor):
        ctx.save_for_backward(tensor)
        return tensor.exp()

    @staticmethod
    def backward(ctx, gradient):
        return (gradient * ctx.saved_tensors[0].detach().exp())


def wrong_gradient(original):
    def wrong(tensor, *args, **kwargs):
        value = original(tensor, *args, **kwargs)
        return value + (tensor - tensor.detach()) * 1e-3 if tensor.is_floating_point() else value
    return wrong


def crash(_):
    return lambda *args, **kwargs: os.kill(os.getpid(), signal.SIGSEGV)


def hang(_):
    return lambda *args, **kwargs: time.sleep(3600)


def stale_indices(original):
    """sort whose indices name other elements when there are equal ones next to them."""
    def wrong(*args, **kwargs):
        values, indices = original(*args, **kwargs)
        return torch.return_types.sort((values, indices.flip(-1) if indices.dim() else indices))
    return wrong


def other_tie(original):
    """No defect: where elements are equal, the index of another one of them."""
    def allowed(tensor, *args, **kwargs):
        if tensor.dim() == 0 or args or "dim" in kwargs or kwargs.get("stable"):
            return original(tensor, *args, **kwargs)
        order = np.lexsort((-np.arange(tensor.shape[-1]) * np.ones(tensor.shape), tensor.double().numpy()), axis=-1)
        if kwargs.get("descending"):
            return original(tensor, *args, **kwargs)
        indices = torch.from_numpy(order)
        return torch.return_types.sort((tensor.gather(-1, indices), indices))
    return allowed


DEFECTS = {
    "dtype": Defect("sum", result(lambda tensor: tensor.double()), "sum", "value"),
    "shape": Defect("mean", result(lambda tensor: tensor.reshape((1, *tensor.shape))), "mean", "value"),
    "value": Defect("add", result(off_by_one_element), "add", "value"),
    "integer value": Defect("bitwise_and", result(off_by_one_element), "bitwise_and", "value", "int16"),
    "rounding": Defect("tanh", result(lambda tensor: tensor * (1 + 3e-5)), "tanh", "value"),
    "bfloat16": Defect("exp", result(lambda tensor: tensor * 1.1), "exp", "value", "bfloat16"),
    "no named tuple": Defect("max", result(lambda value: tuple(value) if isinstance(value, tuple) else value),
                             "max.reduction_with_dim", "value"),
    "list for tuple": Defect("unbind", result(list), "unbind", "value"),
    "number type": Defect("Tensor.item", result(int), "item", "value"),
    "copy for view": Defect("transpose", result(torch.clone), "transpose", "memory"),
    "view for copy": Defect("ravel", lambda original: lambda tensor: tensor.view(-1).clone(), "ravel", "memory"),
    "changed argument": Defect("sin", changes_argument, "sin", "arguments"),
    "strides": Defect("tan", forgets_strides, "tan", "noncontiguous"),
    "method": Defect("Tensor.mul", result(off_by_one_element), "mul", "method"),
    "missing method": Defect("Tensor.amax", None, "amax", "name"),
    "operator": Defect("Tensor.__sub__", result(off_by_one_element), "sub", "operator"),
    "reflected operator": Defect("Tensor.__rsub__", result(lambda tensor: -tensor), "sub", "reflected"),
    "in-place operator": Defect("Tensor.__imul__", not_in_place, "mul", "inplace-operator"),
    "not in place": Defect("Tensor.sub_", not_in_place, "sub", "inplace"),
    "in place, another tensor": Defect("Tensor.neg_", returns_other_tensor, "neg", "inplace"),
    "out ignored": Defect("div", ignores_out, "div.no_rounding_mode", "out"),
    "out not resized": Defect("cumsum", writes_a_copy_of_out, "cumsum", "out"),
    "out of any dtype": Defect("sqrt", writes_anything, "sqrt", "out-dtype"),
    "out with a gradient": Defect("floor", writes_anything, "floor", "out-grad"),
    "random shape": Defect("randn", result(lambda tensor: tensor.reshape(-1)), "randn", "value"),
    "alias": Defect("absolute", result(off_by_one_element), "abs", "alias"),
    "no gradient": Defect("mul", result(torch.detach), "mul", "grad", "float64"),
    "wrong gradient": Defect("sigmoid", wrong_gradient, "sigmoid", "grad", "float64"),
    "gradient, strided": Defect("cos", lambda original: lambda tensor: original(
        tensor if tensor.is_contiguous() else tensor.detach().requires_grad_(tensor.requires_grad) * 1.0), "cos",
        "noncontiguous-grad", "float64"),
    "second gradient": Defect("exp", lambda _: FirstOrderOnly.apply, "exp", "gradgrad", "float64"),
    "in-place gradient": Defect("Tensor.sin_", lambda original: lambda tensor: (tensor.data.sin_(), tensor)[1],
                                "sin", "inplace-grad", "float64"),
    "error class": Defect("cat", value_error, "cat", "error"),
    "no error": Defect("gather", accepts_all, "gather", "error"),
    "wrong indices": Defect("sort", stale_indices, "sort", "value"),
    "crash": Defect("neg", crash, "neg", "crash"),
    "hang": Defect("abs", hang, "abs", "crash"),
}

# Behaviour that is allowed and must not be reported.
ALLOWED = {
    "random numbers": Defect("rand_like", result(lambda tensor: 1 - tensor), "rand_like", "*", "float32"),
    "another tie": Defect("sort", other_tie, "sort", "value", "int8"),
    "sign of vectors": Defect("linalg.eigh", result(lambda pair: torch.return_types.linalg_eigh(
        (pair[0], -pair[1]))), "linalg.eigh", "value", "float64"),
    "more exact": Defect("sum", lambda original: lambda tensor, *args, **kwargs: original(
        tensor.double(), *args, **kwargs).to(kwargs.get("dtype", tensor.dtype)), "sum", "value", "float16"),
}


# -------------------------------------------------------------------- for programs.py
def only_contiguous(original):
    """In place, but a view with gaps is left as it was."""
    return lambda tensor, *args, **kwargs: original(tensor, *args, **kwargs) if tensor.is_contiguous() else tensor


def forgets_masks(original):
    def wrong(tensor, index, value):
        if not (isinstance(index, torch.Tensor) and index.dtype == torch.bool and index.dim() > 0):
            original(tensor, index, value)
    return wrong


def one_sided(original):
    """where without a gradient for its second branch."""
    return lambda mask, one, other: original(mask, one, other.detach() if isinstance(other, torch.Tensor) else other)


def changes_leaves(original):
    """In place on a leaf that requires a gradient, where torch refuses."""
    def wrong(tensor, *args):
        if not tensor.is_leaf:
            return original(tensor, *args)
        original(tensor.data, *args)
        return tensor
    return wrong


DEFERRED = []                   # the threshold in force in the module "other bits when deferred"


def last_bit(original):
    def wrong(tensor, *args, **kwargs):
        made = original(tensor, *args, **kwargs)
        if DEFERRED and DEFERRED[-1] == 1 and made.dtype == torch.float64:
            made = made * (1 + 2.0 ** -52)
        return made
    return wrong


def set_defer_from(count):
    before = DEFERRED[-1] if DEFERRED else 0
    DEFERRED.append(count)
    return before


# {name: (path, how, a word of the report)}
PROGRAM_DEFECTS = {
    "views in place": ("Tensor.mul_", only_contiguous, "program"),
    "x[mask] = v": ("Tensor.__setitem__", forgets_masks, "torch "),
    "where's gradient": ("where", one_sided, "grad"),
    "leaf in place": ("Tensor.add_", changes_leaves, "errors by step"),
    "sum of integers": ("Tensor.sum", result(lambda tensor: tensor if tensor.is_floating_point() else tensor.int()),
                        "int64"),
    "first bit of tanh": ("Tensor.tanh", result(lambda tensor: tensor * (1 + 1e-3)), "torch "),
    "other bits when deferred": ("Tensor.sin", last_bit, "set_defer_from(1)"),
    "crash in a program": ("Tensor.relu_", crash, "ended with"),
}


def planted(name):
    """The module with a defect; "none" is the wall alone."""
    if name == "none":
        return walled()
    if name in PROGRAM_DEFECTS:
        path, how, _ = PROGRAM_DEFECTS[name]
        module = walled({path: how})
        if "deferred" in name:
            module._C = types.SimpleNamespace(set_defer_from=set_defer_from)
        return module
    defect = DEFECTS.get(name) or ALLOWED[name]
    return walled({defect.path: defect.how})
