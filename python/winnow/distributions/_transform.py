"""What transforms share: the base class, the inverse, and transforms made of others."""
import weakref

import winnow as torch
from . import constraints
from .utils import sum_rightmost


def enough(shape, n):
    """The shape, which needs n dimensions."""
    if len(shape) < n:
        raise ValueError("Too few dimensions on input")
    return shape


class Transform:
    """y = t(x) from domain to codomain. cache_size=1: the last pair is kept, so that t.inv(t(x)) is x itself."""
    bijective = False  # a class with arguments in __init__ names in _arguments the attributes that keep them

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size, self._inv = cache_size, None
        self._cached_x_y = None, None

    __getstate__ = lambda self: {**self.__dict__, "_inv": None}

    @property
    def event_dim(self):
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self):
        """The inverse transform."""
        inverse = self._inv() if self._inv is not None else None
        if inverse is None:
            inverse = _InverseTransform(self)
            self._inv = weakref.ref(inverse)
        return inverse

    @property
    def sign(self):
        """1 if it is increasing, -1 if decreasing."""
        raise NotImplementedError

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        for kind in type(self).__mro__:
            if "_arguments" in vars(kind):
                return kind(*[getattr(self, name) for name in kind._arguments], cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    __eq__ = lambda self, other: self is other
    __ne__ = lambda self, other: not self == other

    __hash__ = object.__hash__

    def __call__(self, x):
        if self._cache_size == 0:
            return self._call(x)
        if x is not self._cached_x_y[0]:
            self._cached_x_y = x, self._call(x)
        return self._cached_x_y[1]

    def _inv_call(self, y):
        if self._cache_size == 0:
            return self._inverse(y)
        if y is not self._cached_x_y[1]:
            self._cached_x_y = self._inverse(y), y
        return self._cached_x_y[0]

    def _call(self, x):
        raise NotImplementedError

    def _inverse(self, y):
        raise NotImplementedError

    def log_abs_det_jacobian(self, x, y):
        """log |dy/dx|."""
        raise NotImplementedError

    __repr__ = lambda self: self.__class__.__name__ + "()"
    forward_shape = lambda self, shape: shape
    inverse_shape = lambda self, shape: shape


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    domain = property(lambda self: self._inv.codomain)
    codomain = property(lambda self: self._inv.domain)
    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)
    inv = property(lambda self: self._inv)
    __getstate__ = lambda self: self.__dict__
    with_cache = lambda self, cache_size=1: self.inv.with_cache(cache_size).inv
    __eq__ = lambda self, other: isinstance(other, _InverseTransform) and self._inv == other._inv

    __hash__ = object.__hash__
    __repr__ = lambda self: f"{self.__class__.__name__}({self._inv!r})"
    __call__ = lambda self, x: self._inv._inv_call(x)
    log_abs_det_jacobian = lambda self, x, y: -self._inv.log_abs_det_jacobian(y, x)
    forward_shape = lambda self, shape: self._inv.inverse_shape(shape)
    inverse_shape = lambda self, shape: self._inv.forward_shape(shape)


class ComposeTransform(Transform):
    """One transform after the other."""

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = [p.with_cache(cache_size) for p in parts] if cache_size else list(parts)

    __eq__ = lambda self, other: isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    @property
    def domain(self):
        if not self.parts:
            return constraints.real
        first = self.parts[0].domain
        event_dim = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            event_dim = max(event_dim + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        more = event_dim - first.event_dim
        return constraints.independent(first, more) if more else first

    @property
    def codomain(self):
        if not self.parts:
            return constraints.real
        last = self.parts[-1].codomain
        event_dim = self.parts[0].domain.event_dim
        for part in self.parts:
            event_dim = max(event_dim + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        more = event_dim - last.event_dim
        return constraints.independent(last, more) if more else last

    bijective = property(lambda self: all([p.bijective for p in self.parts]))

    @property
    def sign(self):
        sign = 1
        for p in self.parts:
            sign = sign * p.sign
        return sign

    @property
    def inv(self):
        inverse = self._inv() if self._inv is not None else None
        if inverse is None:
            inverse = ComposeTransform([p.inv for p in reversed(self.parts)])
            self._inv = weakref.ref(inverse)
            inverse._inv = weakref.ref(self)
        return inverse

    _arguments = ("parts",)

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return torch.zeros_like(x)
        points = [x]
        for part in self.parts[:-1]:
            points.append(part(points[-1]))
        points.append(y)
        event_dim, total = self.domain.event_dim, 0
        for part, a, b in zip(self.parts, points, points[1:]):
            total = total + sum_rightmost(part.log_abs_det_jacobian(a, b), event_dim - part.domain.event_dim)
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    __repr__ = lambda self: self.__class__.__name__ + "(\n    " + ",\n    ".join([repr(p) for p in self.parts]) + "\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform of which the last dimensions together are one event."""

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform, self.reinterpreted_batch_ndims = base_transform.with_cache(cache_size), reinterpreted_batch_ndims

    domain = property(lambda self: constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims))
    codomain = property(lambda self: constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims))
    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    _arguments = "base_transform", "reinterpreted_batch_ndims"

    def _call(self, x):
        enough(x.shape, self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y):
        enough(y.shape, self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    forward_shape = lambda self, shape: self.base_transform.forward_shape(shape)
    inverse_shape = lambda self, shape: self.base_transform.inverse_shape(shape)
    __repr__ = lambda self: f"{self.__class__.__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


class ReshapeTransform(Transform):
    """The last dimensions in another shape."""
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = torch.Size(in_shape), torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    domain = property(lambda self: constraints.independent(constraints.real, len(self.in_shape)))
    codomain = property(lambda self: constraints.independent(constraints.real, len(self.out_shape)))

    _arguments = "in_shape", "out_shape"

    _call = lambda self, x: x.reshape(x.shape[:x.dim() - len(self.in_shape)] + self.out_shape)
    _inverse = lambda self, y: y.reshape(y.shape[:y.dim() - len(self.out_shape)] + self.in_shape)
    log_abs_det_jacobian = lambda self, x, y: x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    @staticmethod
    def _exchanged(shape, old, new):
        cut = len(enough(shape, len(old))) - len(old)
        if tuple(shape[cut:]) != tuple(old):
            raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
        return torch.Size(shape[:cut]) + new

    forward_shape = lambda self, shape: self._exchanged(shape, self.in_shape, self.out_shape)
    inverse_shape = lambda self, shape: self._exchanged(shape, self.out_shape, self.in_shape)


class _Same:
    """Transforms without parameters are equal when they are of one class."""

    __eq__ = lambda self, other: type(other) is type(self)

    __hash__ = object.__hash__
