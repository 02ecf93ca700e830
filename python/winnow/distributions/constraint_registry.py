"""Transforms from the reals to constrained sets: biject_to one to one, transform_to maybe not."""
from . import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Class of a constraint (or the constraint itself, of those without parameters) -> function that makes its transform."""

    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        """Registers a factory; without one it is a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        key = self._key(constraint)
        if not issubclass(key, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[key] = factory
        return factory

    @staticmethod
    def _key(constraint):
        return constraint if isinstance(constraint, type) else type(constraint)

    def __call__(self, constraint):
        factory = self._registry.get(self._key(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _both(*sets):
    def decorate(factory):
        for s in sets:
            biject_to.register(s, factory)
            transform_to.register(s, factory)
        return factory

    return decorate


@_both(constraints.real)
def _real(constraint):
    return transforms.identity_transform


def _independent(registry):
    def factory(constraint):
        return transforms.IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)

    registry.register(constraints.independent, factory)


_independent(biject_to)
_independent(transform_to)


@_both(constraints.greater_than, constraints.greater_than_eq)
def _above(constraint):
    moved = isinstance(constraint.lower_bound, (int, float)) and constraint.lower_bound == 0
    tail = [] if moved and constraint in (constraints.positive, constraints.nonnegative) else [transforms.AffineTransform(constraint.lower_bound, 1)]
    return transforms.ComposeTransform([transforms.ExpTransform()] + tail) if tail else transforms.ExpTransform()


@_both(constraints.less_than)
def _below(constraint):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)])


@_both(constraints.interval, constraints.half_open_interval)
def _between(constraint):
    lower, upper = constraint.lower_bound, constraint.upper_bound
    if isinstance(lower, (int, float)) and isinstance(upper, (int, float)) and (lower, upper) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(lower, upper - lower)])


biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
_both(constraints.corr_cholesky)(lambda c: transforms.CorrCholeskyTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
for _set in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_set, lambda c: transforms.PositiveDefiniteTransform())
del _set


def _pieces(registry):
    registry.register(constraints.cat, lambda c: transforms.CatTransform([registry(p) for p in c.cseq], c.dim, c.lengths))
    registry.register(constraints.stack, lambda c: transforms.StackTransform([registry(p) for p in c.cseq], c.dim))


_pieces(biject_to)
_pieces(transform_to)
