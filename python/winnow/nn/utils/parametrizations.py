"""Parametrizations that are there ready-made: weight_norm, spectral_norm and orthogonal."""
import winnow

from .. import functional as F
from ..modules.module import Module
from . import parametrize
from ._orthogonal import MAPS, _Orthogonal
from .spectral_norm import _usual_dim
from .weight_norm import _weight_norm, norm_except_dim

__all__ = ["spectral_norm", "weight_norm", "orthogonal"]


class _WeightNorm(Module):
    """A direction with a length."""

    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return _weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Makes a weight g v / |v|: parametrizations.name.original0 is g, original1 is v."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def old_names(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        g, v = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g in state_dict and v in state_dict:
            state_dict[f"{prefix}parametrizations.{name}.original0"] = state_dict.pop(g)
            state_dict[f"{prefix}parametrizations.{name}.original1"] = state_dict.pop(v)

    module._register_load_state_dict_pre_hook(old_names)
    return module


class _SpectralNorm(Module):
    """A weight divided by its largest singular value, which a few steps of power iteration find."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        n = weight.dim()
        if dim >= n or dim < -n:
            raise IndexError(f"Dimension out of range (expected to be in range of [-{n}, {n - 1}] but got {dim})")
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.dim, self.eps = dim % n, eps
        if n > 1:  # of a vector it is the length
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            h, w = matrix.size()
            self.register_buffer("_u", F.normalize(matrix.new_empty(h).normal_(0, 1), dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(matrix.new_empty(w).normal_(0, 1), dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.flatten(1)

    def _power_method(self, matrix, n):
        with winnow.no_grad():
            for _ in range(n):
                self._u.copy_(F.normalize(winnow.mv(matrix, self._v), dim=0, eps=self.eps))
                self._v.copy_(F.normalize(winnow.mv(matrix.t(), self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()  # the graph keeps these, the next call changes those
        return weight / winnow.dot(u, winnow.mv(matrix, v))

    def right_inverse(self, value):
        return value  # assumed to be one already


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Makes a weight itself divided by its largest singular value."""
    weight = getattr(module, name, None)
    if not isinstance(weight, winnow.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    norm = _SpectralNorm(weight, n_power_iterations, _usual_dim(module) if dim is None else dim, eps)
    return parametrize.register_parametrization(module, name, norm)


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Makes a weight a matrix with orthonormal columns (rows, if it is wide), or a batch of them.

    orthogonal_map: "matrix_exp", "cayley" or "householder"; None: the first for square matrices, the last for others. With use_trivialization
    the weight starts as what it was, orthogonalized if need be, and can be assigned to; otherwise householder alone does."""
    weight = getattr(module, name, None)
    if not isinstance(weight, winnow.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.dim() < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions.")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}')
    return parametrize.register_parametrization(module, name, _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization), unsafe=True)
