"""Flatten and Unflatten."""
from ._of_functions import define
from .module import Module

__all__ = ["Flatten", "Unflatten"]


define(globals(), [("Flatten", None, "start_dim=1, end_dim=-1", "input.flatten(start_dim, end_dim)",
                    "Makes the dimensions from start_dim to end_dim one.")])


class Unflatten(Module):
    """Makes one dimension several."""
    __constants__ = ["dim", "unflattened_size"]

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if isinstance(dim, int):
            _sizes(unflattened_size)
        elif isinstance(dim, str):
            raise NotImplementedError("winnow has no named dimensions: Unflatten wants a number")
        else:
            raise TypeError("invalid argument type for dim parameter")
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


def _sizes(sizes):
    if not isinstance(sizes, (tuple, list)):
        raise TypeError(f"unflattened_size must be a tuple of ints, but found type {type(sizes).__name__}")
    for i, n in enumerate(sizes):
        if not isinstance(n, int):
            raise TypeError(f"unflattened_size must be tuple of ints, but found element of type {type(n).__name__} at pos {i}")
