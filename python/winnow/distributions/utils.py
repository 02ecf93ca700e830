"""What distributions share: broadcasting of parameters, values computed at their first use, probabilities and logits."""
from numbers import Number

import winnow as torch
from ..nn import functional as F

__all__ = ["broadcast_all", "logits_to_probs", "clamp_probs", "probs_to_logits", "lazy_property", "tril_matrix_to_vec", "vec_to_tril_matrix"]

Tensor = torch.Tensor
euler_constant = 0.57721566490153286060


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape. Numbers get the dtype of the first tensor, or the default one."""
    if not all([isinstance(v, (Tensor, Number)) or hasattr(v, "__torch_function__") for v in values]):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.")
    if not all([isinstance(v, Tensor) for v in values]):
        dtype = torch.get_default_dtype()
        for v in values:
            if isinstance(v, Tensor):
                dtype = v.dtype
                break
        values = [v if isinstance(v, Tensor) else torch.tensor(v, dtype=dtype) for v in values]
    return torch.broadcast_tensors(*values)


def sum_rightmost(value, dim):
    """value summed over its last dim dimensions."""
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def standard_normal(shape, like):
    """Normal numbers of a shape, of the dtype of a tensor."""
    return _standard_normal(shape, like.dtype, None)


def _standard_normal(shape, dtype, device):
    """The same by the name and with the arguments that programs know."""
    return torch.normal(torch.zeros(shape, dtype=dtype, device=device), torch.ones(shape, dtype=dtype, device=device))


_sum_rightmost = sum_rightmost  # the name that programs import


def clamp_probs(probs):
    """Probabilities kept an eps away from 0 and 1."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def probs_to_logits(probs, is_binary=False):
    p = clamp_probs(probs)
    return torch.log(p) - torch.log1p(-p) if is_binary else torch.log(p)


def one_of(probs, logits):
    """Exactly one of the two must be there."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class lazy_property:
    """A property computed at its first use, recorded for gradients even when that is under no_grad; then kept."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        self.__doc__, self.__name__ = wrapped.__doc__, wrapped.__name__

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        instance.__dict__[self.__name__] = value
        return value


def vec_to_tril_matrix(vec, diag=0):
    """Vectors as lower triangular matrices, row by row."""
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > torch.finfo(vec.dtype).eps:
        raise ValueError(f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower triangular part of a square D x D "
                         "matrix.")
    n = round(n)
    rows, columns = torch.tril_indices(n, n, diag)
    matrix = vec.new_zeros(vec.shape[:-1] + (n * n,))
    return matrix.index_copy(-1, rows * n + columns, vec).reshape(vec.shape[:-1] + (n, n))


def tril_matrix_to_vec(mat, diag=0):
    """The lower triangles of matrices, row by row."""
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    rows, columns = torch.tril_indices(n, n, diag)
    return mat.flatten(-2).index_select(-1, rows * n + columns)
