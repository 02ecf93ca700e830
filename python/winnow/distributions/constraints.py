"""Sets of values: what parameters may be, and where samples lie. check(value) says for each event whether it is inside."""
import winnow as torch

__all__ = ["Constraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property", "greater_than", "greater_than_eq", "independent",
           "integer_interval", "interval", "half_open_interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular",
           "MixtureSameFamilyConstraint", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_semidefinite",
           "positive_definite", "positive_integer", "real", "real_vector", "simplex", "square", "stack", "symmetric", "unit_interval"]


class Constraint:
    """A set of values. event_dim: how many of the last dimensions are one value; is_discrete: are there gaps?"""
    is_discrete = False
    event_dim = 0

    def check(self, value):
        """For each value of the batch: is it inside?"""
        raise NotImplementedError

    __repr__ = lambda self: self.__class__.__name__.lstrip("_") + "()"


class _Dependent(Constraint):
    """Of a set that depends on other parameters: nothing can be checked. Called, it says what is known about the set."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return self._is_discrete

    @property
    def event_dim(self):
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return self._event_dim

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return _Dependent(is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
                          event_dim=self._event_dim if event_dim is NotImplemented else event_dim)

    def check(self, x):
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint):
    """Is it a constraint that depends on other parameters?"""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property of a distribution whose value is a constraint; of the class, it is a dependent constraint itself."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    __call__ = lambda self, fn: _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class _IndependentConstraint(Constraint):
    """Values of which the last dimensions together are one."""

    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value):
        result = self.base_constraint.check(value)
        n = self.reinterpreted_batch_ndims
        if result.dim() < n:
            raise ValueError(f"Expected value.dim() >= {self.base_constraint.event_dim + n} but got {value.dim()}")
        return result.reshape(result.shape[:result.dim() - n] + (-1,)).all(-1)

    __repr__ = lambda self: f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """Where the samples of a mixture lie: inside every component's support."""

    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim)

    def check(self, value):
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return result.all(-1)

    __repr__ = lambda self: f"{self.__class__.__name__}({self.base_constraint!r})"


class _Set(Constraint):
    """A constraint that is a function of the value."""

    def __init__(self, name, check, event_dim=0, is_discrete=False):
        self._name, self._check, self.event_dim, self.is_discrete = name, check, event_dim, is_discrete

    check = lambda self, value: self._check(value)
    __repr__ = lambda self: self._name + "()"
    __reduce__ = lambda self: (_named, (self._name,))


_sets = {}


def _named(name):
    return _sets[name]


def _set(name, check, **options):
    """The one object of a class of its own, from which programs derive theirs."""
    kind = type("_" + name, (_Set,), {"__init__": lambda self: _Set.__init__(self, name, check, **options), "__module__": __name__, "__doc__": _Set.__doc__})
    globals()["_" + name] = kind
    _sets[name] = made = kind()
    return made


class _Bounds(Constraint):
    """Between bounds; _names are those of the bounds."""
    _names = ()

    def __init__(self, *bounds):
        for name, b in zip(self._names, bounds, strict=True):
            setattr(self, name, b)

    def __repr__(self):
        return self.__class__.__name__.lstrip("_") + "(" + ", ".join([f"{n}={getattr(self, n)}" for n in self._names]) + ")"


class _IntegerInterval(_Bounds):
    """Whole numbers from lower_bound to upper_bound, both included."""
    is_discrete = True
    _names = "lower_bound", "upper_bound"

    def __init__(self, lower_bound, upper_bound):
        super().__init__(lower_bound, upper_bound)

    check = lambda self, value: (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Bounds):
    """Whole numbers from lower_bound on."""
    is_discrete = True
    _names = ("lower_bound",)

    def __init__(self, lower_bound):
        super().__init__(lower_bound)

    check = lambda self, value: (value % 1 == 0) & (value >= self.lower_bound)


class _GreaterThan(_Bounds):
    """Numbers above lower_bound."""
    _names = ("lower_bound",)

    def __init__(self, lower_bound):
        super().__init__(lower_bound)

    check = lambda self, value: self.lower_bound < value


class _GreaterThanEq(_GreaterThan):
    """Numbers from lower_bound on."""

    check = lambda self, value: self.lower_bound <= value


class _LessThan(_Bounds):
    """Numbers below upper_bound."""
    _names = ("upper_bound",)

    def __init__(self, upper_bound):
        super().__init__(upper_bound)

    check = lambda self, value: value < self.upper_bound


class _Interval(_Bounds):
    """Numbers from lower_bound to upper_bound, both included."""
    _names = "lower_bound", "upper_bound"

    def __init__(self, lower_bound, upper_bound):
        super().__init__(lower_bound, upper_bound)

    check = lambda self, value: (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Interval):
    """Numbers from lower_bound on, below upper_bound."""

    check = lambda self, value: (self.lower_bound <= value) & (value < self.upper_bound)


class _Multinomial(Constraint):
    """Counts with a given sum at most (as torch has it)."""
    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    check = lambda self, x: (x >= 0).all(-1) & (x.sum(-1) <= self.upper_bound)


class _Pieces(Constraint):
    """Several constraints, each for a part of a dimension."""

    def __init__(self, cseq, dim, lengths):
        self.cseq, self.dim, self.lengths = list(cseq), dim, lengths

    is_discrete = property(lambda self: any([c.is_discrete for c in self.cseq]))
    event_dim = property(lambda self: max([c.event_dim for c in self.cseq]))


class _Cat(_Pieces):
    """A constraint for each of the pieces, of these lengths, that a dimension is cut into."""

    def __init__(self, cseq, dim=0, lengths=None):
        super().__init__(cseq, dim, [1] * len(cseq) if lengths is None else list(lengths))

    def check(self, value):
        return torch.cat([c.check(v) for c, v in zip(self.cseq, value.split(self.lengths, self.dim))], self.dim)


class _Stack(_Pieces):
    """A constraint for each index of a dimension."""

    def __init__(self, cseq, dim=0):
        super().__init__(cseq, dim, None)

    def check(self, value):
        return torch.stack([c.check(value.select(self.dim, i)) for i, c in enumerate(self.cseq)], self.dim)


def _each(matrices):
    """Does something hold for a whole matrix?"""
    return matrices.flatten(-2).all(-1)


def _symmetric(x):
    square_ok = torch.full(x.shape[:-2], x.shape[-2] == x.shape[-1], dtype=torch.bool)
    return square_ok & _each((x - x.mT).abs() <= 1e-6) if x.shape[-2] == x.shape[-1] else square_ok


def _positive_definite(x):
    return _symmetric(x) & (torch.linalg.cholesky_ex(x).info == 0)


def _lower(x):
    return _each(x.tril() == x)


def _diagonal_positive(x):
    return (x.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


def _corr_cholesky(x):
    tolerance = torch.finfo(x.dtype).eps * x.size(-1) * 10
    return ((torch.linalg.norm(x, dim=-1) - 1).abs() <= tolerance).all(-1) & _lower(x) & _diagonal_positive(x)


dependent = _Dependent()
dependent_property = _DependentProperty
independent = _IndependentConstraint
boolean = _set("Boolean", lambda x: (x == 0) | (x == 1), is_discrete=True)
one_hot = _set("OneHot", lambda x: ((x == 0) | (x == 1)).all(-1) & (x.sum(-1) == 1), event_dim=1, is_discrete=True)
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _set("Real", lambda x: x == x)
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than, greater_than_eq, less_than = _GreaterThan, _GreaterThanEq, _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval, half_open_interval = _Interval, _HalfOpenInterval
simplex = _set("Simplex", lambda x: (x >= 0).all(-1) & ((x.sum(-1) - 1).abs() < 1e-6), event_dim=1)
lower_triangular = _set("LowerTriangular", _lower, event_dim=2)
lower_cholesky = _set("LowerCholesky", lambda x: _lower(x) & _diagonal_positive(x), event_dim=2)
corr_cholesky = _set("CorrCholesky", _corr_cholesky, event_dim=2)
square = _set("Square", lambda x: torch.full(x.shape[:-2], x.shape[-2] == x.shape[-1], dtype=torch.bool), event_dim=2)
symmetric = _set("Symmetric", _symmetric, event_dim=2)
positive_semidefinite = _set("PositiveSemidefinite", lambda x: _symmetric(x) & (torch.linalg.eigvalsh(x) >= -1e-6).all(-1), event_dim=2)
positive_definite = _set("PositiveDefinite", _positive_definite, event_dim=2)
cat, stack = _Cat, _Stack
