"""Distribution: shapes, checks and what follows from them for every distribution."""
import warnings

import winnow as torch
from . import constraints
from .utils import lazy_property

__all__ = ["Distribution"]

Size, Tensor = torch.Size, torch.Tensor


class Distribution:
    """A distribution over events of shape event_shape, one for each element of batch_shape."""
    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    _copied = _expanded = ()  # what expand() copies, and what it expands, besides the parameters

    @staticmethod
    def set_default_validate_args(value):
        """Whether arguments are checked where validate_args is not given."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=Size(), event_shape=Size(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self):
        try:
            wanted = self.arg_constraints
        except NotImplementedError:
            warnings.warn(f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the distribution "
                          "with `validate_args=False` to turn off validation.")
            return
        for name, constraint in wanted.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name, None), lazy_property):
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} to "
                                 f"satisfy the constraint {constraint!r}, but found invalid values:\n{_shown(value)}")

    def expand(self, batch_shape, _instance=None):
        """The same distribution for a larger batch, without copies."""
        batch_shape = Size(batch_shape)
        new = self._empty(_instance)
        for name, constraint in self.arg_constraints.items():
            if name in self.__dict__:
                value = self.__dict__[name]
                new.__dict__[name] = value.expand(batch_shape + value.shape[value.dim() - constraint.event_dim:])
        for name in self._copied:
            setattr(new, name, getattr(self, name))
        for name in self._expanded:
            setattr(new, name, getattr(self, name).expand(batch_shape))
        return new._with_shapes(self, batch_shape, self._event_shape)

    def _empty(self, instance=None):
        """An instance without content, or the given one."""
        kind = type(self)
        if instance is None and "__init__" in vars(kind) and "expand" not in vars(kind) and not kind.__module__.startswith(__package__):
            raise NotImplementedError(f"Subclass {type(self).__name__} of a distribution that defines a custom __init__ method must also define a "
                                      "custom .expand() method.")
        return type(self).__new__(type(self)) if instance is None else instance

    def _get_checked_instance(self, cls, _instance=None):
        """What distributions outside of torch call in expand(): an instance of their own class, or the given one."""
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must also define a custom "
                                      ".expand() method.")
        return type(self).__new__(type(self)) if _instance is None else _instance

    def _with_shapes(self, old, batch_shape, event_shape):
        self._batch_shape, self._event_shape, self._validate_args = Size(batch_shape), Size(event_shape), old._validate_args
        return self

    batch_shape = property(lambda self: self._batch_shape, doc="The shape of the batch: independent, not identical distributions.")
    event_shape = property(lambda self: self._event_shape, doc="The shape of one sample.")

    def _abstract(self, *args, **kwargs):
        raise NotImplementedError

    arg_constraints = property(_abstract, doc="Name of a parameter -> what it must satisfy.")
    support = property(_abstract, doc="The constraint that samples satisfy.")
    mean = property(_abstract)
    variance = property(_abstract)

    @property
    def mode(self):
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    stddev = property(lambda self: self.variance.sqrt())

    def sample(self, sample_shape=Size()):
        """Draws, without gradients."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):
        """Draws as a differentiable function of the parameters."""
        raise NotImplementedError(f"{type(self).__name__}.rsample: samples of this distribution are no differentiable function of its parameters; "
                                  "use sample()")

    def sample_n(self, n):
        warnings.warn("sample_n(n) will be deprecated. Use .sample((n,)) instead.", UserWarning, stacklevel=2)
        return self.sample(Size((n,)))

    log_prob = cdf = icdf = _abstract
    entropy = enumerate_support = _abstract
    perplexity = lambda self: torch.exp(self.entropy())
    _extended_shape = lambda self, sample_shape=Size(): Size(sample_shape) + self._batch_shape + self._event_shape

    def _spread(self, values, expand):
        """What enumerate_support returns: the values along a new first dimension, for the whole batch (expand) or to be broadcast."""
        values = values.view((-1,) + (1,) * len(self._batch_shape) + self._event_shape)
        return values.expand((-1,) + self._batch_shape + self._event_shape) if expand else values

    def _validate_sample(self, value):
        """The value of log_prob and its like: a tensor, of a shape that fits, inside the support."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        begin = len(value.shape) - len(self._event_shape)
        if value.shape[max(begin, 0):] != self._event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}.")
        actual, expected = value.shape, self._batch_shape + self._event_shape
        for i, j in zip(reversed(actual), reversed(expected)):
            if i != 1 and j != 1 and i != j:
                raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {actual} vs {expected}.")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{self.__class__} does not define `support` to enable sample validation. Please initialize the distribution with "
                          "`validate_args=False` to turn off validation.")
            return
        if not support.check(value).all():
            raise ValueError(f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support ({support!r}) "
                             f"of the distribution {self!r}, but found invalid values:\n{_shown(value)}")

    def _checked(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return value

    def __repr__(self):
        try:
            names = [k for k in self.arg_constraints if k in self.__dict__]
        except NotImplementedError:
            names = []
        return f"{type(self).__name__}({', '.join([f'{n}: {_short(self.__dict__[n])}' for n in names])})"


def _short(value):
    return f"{value}" if value.numel() == 1 else f"{value.size()}"


def _shown(value):
    return f"{value}"
