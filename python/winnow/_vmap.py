"""torch.vmap: a function of one sample as a function of a batch. Samples are taken one after the other and the results are stacked: the values
and gradients of a vectorised vmap at the speed of a loop."""
from functools import wraps

from . import Tensor, get_rng_state, set_rng_state, stack

__all__ = ["vmap"]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function that maps func over a dimension of its arguments (in_dims: an int, None for what is the same for all, or these in the
    structure of the arguments; keyword arguments are the same for all) and stacks the results (out_dims: likewise). Every sample draws its own
    random numbers, or (randomness="same") the same of the default generator."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and not chunk_size > 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))
    call = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"

    @wraps(func)
    def wrapped(*args, **kwargs):
        _check(name, call, in_dims, args)
        columns = [_column(x, d, call) for x, d in _with_dims(args, in_dims, call)]
        sizes = [len(c) for c in columns if isinstance(c, _Samples)]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension")

        state = get_rng_state() if randomness == "same" else None

        def sample(i):
            if state is not None:
                set_rng_state(state)
            leaves = iter([c.at(i) if isinstance(c, _Samples) else c for c in columns])
            return func(*filled(args, leaves), **kwargs)

        if sizes[0] == 0:
            return _stacked([sample(None)], out_dims, name, 0)
        return _stacked([sample(i) for i in range(sizes[0])], out_dims, name, sizes[0])

    return wrapped


class _Samples:
    """A tensor along one dimension."""

    def __init__(self, x, dim):
        self.x, self.dim = x, dim
        self.parts = x.unbind(dim)

    __len__ = lambda self: len(self.parts)

    def at(self, i):
        """Sample i; None: zeros of its shape."""
        if i is not None:
            return self.parts[i]
        return self.x.new_zeros([n for d, n in enumerate(self.x.shape) if d != self.dim % self.x.dim()])


# ------------------------------------------------------------------ structures: tuples, lists and dictionaries of anything

def _children(x):
    """The parts of a container, None for anything else."""
    if isinstance(x, dict):
        return list(x.values())
    return list(x) if isinstance(x, (tuple, list)) else None


def things(x):
    """What is in a structure and is no container, in order."""
    parts = _children(x)
    return [x] if parts is None else [thing for p in parts for thing in things(p)]


def filled(x, leaves):
    """x with the next of `leaves` for each thing in it that is no container."""
    parts = _children(x)
    if parts is None:
        return next(leaves)
    parts = [filled(p, leaves) for p in parts]
    if isinstance(x, dict):
        return type(x)(zip(x, parts))
    return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)


def _with_dims(x, dims, call):
    """(leaf, its dimension or None) of a structure; dims: one for all of it, or the same structure."""
    parts = _children(x)
    if parts is None or dims is None or isinstance(dims, int):
        return [(thing, dims) for thing in things(x)]
    if not isinstance(x, type(dims)) and not (isinstance(dims, (tuple, list)) and isinstance(x, (tuple, list))) or len(dims) != len(parts):
        raise ValueError(f"{call}: in_dims is not compatible with the structure of `inputs`.")
    each = [dims[k] for k in x] if isinstance(x, dict) else dims
    return [pair for p, d in zip(parts, each) for pair in _with_dims(p, d, call)]


def _check(name, call, in_dims, args):
    if not isinstance(in_dims, (int, tuple, list, dict)):
        raise ValueError(f"{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
                         f"structure of inputs, got: {type(in_dims)}.")
    if not args:
        raise ValueError(f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no "
                         "inputs. The latter is unsupported.")


def _column(x, dim, call):
    """x as samples along dim, or as it is."""
    if dim is None:
        return x
    if not isinstance(dim, int):
        raise ValueError(f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None.")
    if not isinstance(x, Tensor):
        raise ValueError(f"{call}: Got in_dim={dim} for an input but the input is of type {type(x)}. We cannot vmap over "
                         "non-Tensor arguments, please use None as the respective in_dim")
    if not -x.dim() <= dim < x.dim():
        raise ValueError(f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {x.dim()} so "
                         f"expected in_dim to satisfy -{x.dim()} <= in_dim < {x.dim()}.")
    return _Samples(x, dim)


# ------------------------------------------------------------------ results

def _stacked(results, out_dims, name, size):
    """The results of all samples as one, each tensor along its dimension; size 0: results holds a sample that is not there."""
    call = f"vmap({name}, ..., out_dims={out_dims})"
    pairs = [_with_dims(r, out_dims, call) for r in results]

    def joined(leaves, dim):
        if not isinstance(leaves[0], Tensor):
            raise ValueError(f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaves[0])}. Did you mean to set out_dims= to None "
                             "for output?")
        if dim is None:
            return leaves[0]
        return stack(leaves, dim) if size else stack(leaves, dim).narrow(dim, 0, 0)

    return filled(results[0], iter([joined([p[k][0] for p in pairs], pairs[0][k][1]) for k in range(len(pairs[0]))]))
