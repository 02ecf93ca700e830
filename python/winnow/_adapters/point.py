"""Pointwise functions whose torch spelling a row's signature cannot express."""
from .. import _C
from .._construct import Tensor
from .._kinds import need
from .general import adapter

_rows = _C.functions(1)
_rsub, _polygamma = _rows["rsub"], _rows["polygamma"]


@adapter("fm")
def rsub(input, other, *args, **kwargs):
    """alpha may be positional."""
    if len(args) == 1 and "alpha" not in kwargs:
        return _rsub(input, other, alpha=args[0])
    return _rsub(input, other, *args, **kwargs)


@adapter("fm")
def imag(input):
    """An error, as for every tensor that is not complex: winnow has no complex tensors."""
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


Tensor.real = property(lambda self: self)
Tensor.imag = property(imag)
del adapter.__globals__["methods"]["imag"]


@adapter("fm")
def is_conj(input):
    """False: winnow has no complex tensors."""
    return False


@adapter("fm")
def is_neg(input):
    """False: no tensor has a pending negation."""
    return False


@adapter("m")
def is_nonzero(self):
    """Is the only element unequal to zero? An error for any other number of elements."""
    return bool(self)


@adapter("m")
def __rdiv__(self, other):
    return self.reciprocal() * other


_bernoulli = _rows["bernoulli"]


@adapter("f")
def bernoulli(input, p=None, *, generator=None, out=None):
    """out may be of any dtype."""
    need("bernoulli", Tensor, input=input)
    options = {} if generator is None else {"generator": generator}
    args = (input,) if p is None else (input, p)
    if out is None or out.dtype is input.dtype:
        return _bernoulli(*args, **options) if out is None else _bernoulli(*args, **options, out=out)
    return out.resize_(input.shape).copy_(_bernoulli(*args, **options))


# ------------------------------------------------------------------ methods whose self is not the row's first argument

@adapter("m", "polygamma")
def _polygamma_method(self, n):
    """The n-th derivative of the digamma function, at each element."""
    return _polygamma(n, self)


@adapter("m")
def polygamma_(self, n):
    """self takes the n-th derivative of the digamma function at its elements, and is returned."""
    if not self.dtype.is_floating_point:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {self.dtype}")
    return self.copy_(_polygamma(n, self.clone()))  # its gradient reads the old values


@adapter("m")
def float_power_(self, exponent):
    """self ** exponent in place; self has to be float64, in which float_power computes."""
    from .._types import BY_NUMBER

    if self.dtype is not BY_NUMBER[2]:
        raise RuntimeError(f"the base given to float_power_ has dtype {self.dtype} but the operation's result requires dtype torch.float64")
    return self.pow_(exponent)
