"""torch's names of linear algebra where a row's signature is not enough."""
from .general import _construct_out, adapter, linalg_rows, rows

_cdist, _chain_matmul = rows["cdist"], rows["chain_matmul"]
_MODES = {"use_mm_for_euclid_dist_if_necessary": None, "use_mm_for_euclid_dist": 1, "donot_use_mm_for_euclid_dist": 2}


@adapter("f")
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """compute_mode is a word."""
    if compute_mode not in _MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return _cdist(x1, x2, p, _MODES[compute_mode])


@adapter("f")
def chain_matmul(*matrices, out=None):
    """The matrices come one by one, or as a list."""
    if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)):
        matrices = tuple(matrices[0])
    r = _chain_matmul(list(matrices))
    return r if out is None else _construct_out("chain_matmul", r, out)


def _removed(name):
    """What PyTorch removed in favour of torch.linalg's: a function of _linalg_utils that says so."""
    def f(self, *args, **kwargs):
        from .. import _linalg_utils

        getattr(_linalg_utils, name)(self, *args, **kwargs)

    f.__name__ = f.__qualname__ = name.lstrip("_")
    f.__doc__ = f"Removed from PyTorch: raises, and says what to use instead of {f.__name__}."
    return f


adapter("fm")(_removed("_symeig"))
for _name in ("solve", "eig", "lstsq", "matrix_rank"):
    adapter("m")(_removed(_name))

_addmm = rows["addmm"]


@adapter("f")
def _addmm_activation(self, mat1, mat2, *, beta=1, alpha=1, use_gelu=False, out=None):
    """relu, or gelu, of addmm: one pass, as addmm waits for what follows it."""
    from ..nn.functional import gelu

    y = _addmm(self, mat1, mat2, beta=beta, alpha=alpha)
    r = gelu(y) if use_gelu else rows["relu"](y)
    return r if out is None else _construct_out("_addmm_activation", r, out)


_lu_factor, _lu_factor_ex = linalg_rows["lu_factor"], linalg_rows["lu_factor_ex"]


@adapter("fm")
def lu(A, pivot=True, get_infos=False, out=None):
    """torch.lu: the factors as lu_factor packs them."""
    r = _lu_factor_ex(A, pivot=pivot) if get_infos else _lu_factor(A, pivot=pivot)
    return r if out is None else _construct_out("lu", r, out)


_matrix_norm = linalg_rows["matrix_norm"]


def nuclear(input, dim, keepdim, dtype=None, out=None):
    """norm(p='nuc')."""
    if dim is None:
        if input.dim() != 2:
            raise RuntimeError(f"Expected a tensor with 2 dimensions, but got a tensor with {input.dim()} dimensions instead.")
        dim = (0, 1)
    elif isinstance(dim, int):
        dim = (dim,)
    kwargs = {} if out is None else {"out": out}
    return _matrix_norm(input, "nuc", tuple(dim), keepdim, dtype=dtype, **kwargs)
