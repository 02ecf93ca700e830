"""torch.linalg: the rows of that place; those that need LAPACK say so where there is none."""
from ._hook import lacking as _lacking
from . import _C

globals().update(_C.functions(8))
_torch = _C.functions(1)
matmul = _torch["matmul"]
_vector_norm = _C.functions(8)["vector_norm"]
LinAlgError = _C._LinAlgError


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None, where=None, axis=None):
    dim = axis if dim is None else dim
    _real(ord)
    if dim is not None and not isinstance(dim, int):
        dim = tuple(dim)
    kwargs = {} if out is None else {"out": out}
    return _vector_norm(x, ord, dim, keepdim, dtype=dtype, where=where, **kwargs)


def _real(ord):
    if isinstance(ord, complex):
        raise RuntimeError("linalg: Expected a non-complex scalar as the order of norm.")


_matrix_norm = _C.functions(8)["matrix_norm"]


def matrix_norm(*args, **kwargs):
    _real(args[1] if len(args) > 1 else kwargs.get("ord"))
    return _matrix_norm(*args, **kwargs)


matrix_norm.__doc__ = _matrix_norm.__doc__
vector_norm.__doc__ = _vector_norm.__doc__


def _complex(name):
    def f(input, *, out=None):
        raise NotImplementedError(f"linalg.{name}: the eigenvalues of a matrix that need not be symmetric are complex, and winnow has no complex "
                                  f"numbers; linalg.{name}h takes symmetric matrices")
    f.__name__ = f.__qualname__ = name
    f.__doc__ = f"An error: the eigenvalues of a general matrix are complex numbers, which winnow has not. {name}h takes symmetric matrices."
    return f


eig, eigvals = _complex("eig"), _complex("eigvals")


__getattr__ = _lacking("torch.linalg", globals())
