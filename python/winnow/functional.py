"""torch.functional: a module that names functions of torch."""
import winnow as _torch

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "broadcast_shapes", "broadcast_tensors", "cartesian_prod", "block_diag", "cdist", "chain_matmul", "einsum",
           "istft", "lu", "norm", "meshgrid", "pca_lowrank", "split", "stft", "svd_lowrank", "tensordot", "unique", "unique_consecutive", "unravel_index"]


def __getattr__(name):
    if name not in __all__:
        from ._hook import missing

        raise missing(__name__, name, __all__)
    return getattr(_torch, name)


def __dir__():
    return sorted(__all__)
