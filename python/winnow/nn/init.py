"""Initial values of tensors, drawn as PyTorch draws them."""
import math
from warnings import warn

import winnow
from winnow import Tensor, _C

_rows = _C.functions(256)
_LINEAR = ["linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


def _no_grad_uniform_(tensor, a, b, generator=None):
    with winnow.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def _no_grad_normal_(tensor, mean, std, generator=None):
    with winnow.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _no_grad_fill_(tensor, val):
    with winnow.no_grad():
        return tensor.fill_(val)


def _no_grad_zero_(tensor):
    with winnow.no_grad():
        return tensor.zero_()


def _no_grad_trunc_normal_(tensor, mean, std, a, b, generator=None):
    if mean < a - 2 * std or mean > b + 2 * std:
        warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.", stacklevel=2)
    with winnow.no_grad():
        return _rows["_trunc_normal_"](tensor, mean, std, a, b, generator=generator)


def calculate_gain(nonlinearity, param=None):
    """The factor by which a nonlinearity wants the standard deviation of its weights."""
    if nonlinearity in _LINEAR or nonlinearity == "sigmoid":
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif not isinstance(param, bool) and isinstance(param, (int, float)):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


# ------------------------------------------------------------------ simple distributions and constants

def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Uniform in [a, b)."""
    return _no_grad_uniform_(tensor, a, b, generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Normal."""
    return _no_grad_normal_(tensor, mean, std, generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Normal, within [a, b]."""
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator)


def constant_(tensor, val):
    """One value."""
    return _no_grad_fill_(tensor, val)


def ones_(tensor):
    """Ones."""
    return _no_grad_fill_(tensor, 1.0)


def zeros_(tensor):
    """Zeros."""
    return _no_grad_zero_(tensor)


def eye_(tensor):
    """The identity, of two dimensions."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with winnow.no_grad():
        return tensor.copy_(winnow.eye(*tensor.shape))


def dirac_(tensor, groups=1):
    """What makes a convolution the identity, in each group."""
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    out, within, *kernel = tensor.size()
    if out % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    each = out // groups
    with winnow.no_grad():
        tensor.zero_()
        for g in range(groups):
            for c in range(min(each, within)):
                tensor[(g * each + c, c, *[k // 2 for k in kernel])] = 1
    return tensor


# ------------------------------------------------------------------ by the number of inputs and outputs

def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    out, within, *kernel = tensor.shape
    field = math.prod(kernel)
    return within * field, out * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Uniform with variance 2 gain^2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return _no_grad_uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Normal with variance 2 gain^2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return _no_grad_normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _is_empty(tensor):
    if 0 in tensor.shape:
        warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Uniform with variance gain^2 / fan."""
    if _is_empty(tensor):
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    with winnow.no_grad():
        return tensor.uniform_(-bound, bound, generator=generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Normal with variance gain^2 / fan."""
    if _is_empty(tensor):
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))
    with winnow.no_grad():
        return tensor.normal_(0, std, generator=generator)


# ------------------------------------------------------------------ orthogonal, sparse

def _orthonormal(a):
    """Orthonormal columns out of a tall matrix's, as a QR decomposition whose R has a positive diagonal gives them."""
    q, r = winnow.linalg.qr(a)
    return q * winnow.diagonal(r, 0).sign()


def orthogonal_(tensor, gain=1, generator=None):
    """(Semi-)orthogonal rows or columns."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows, cols = tensor.size(0), tensor.numel() // tensor.size(0)
    with winnow.no_grad():
        flat = tensor.new_empty((rows, cols)).normal_(0, 1, generator=generator)
        q = _orthonormal(flat.t() if rows < cols else flat)
        tensor.view_as(q.t() if rows < cols else q).copy_(q.t() if rows < cols else q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Normal, with the same number of zeros in each column."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, cols = tensor.shape
    zeros = int(math.ceil(sparsity * rows))
    with winnow.no_grad():
        tensor.normal_(0, std, generator=generator)
        for col in range(cols):
            tensor[winnow.randperm(rows)[:zeros], col] = 0
    return tensor


# ------------------------------------------------------------------ old names

def _make_deprecate(meth):
    new, old = meth.__name__, meth.__name__[:-1]

    def deprecated_init(*args, **kwargs):
        warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return meth(*args, **kwargs)

    deprecated_init.__name__ = old
    deprecated_init.__doc__ = f"{new} under its old name."
    return deprecated_init


uniform, normal, constant, eye, dirac, xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal, orthogonal, sparse = map(
    _make_deprecate, (uniform_, normal_, constant_, eye_, dirac_, xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_,
                      orthogonal_, sparse_))
