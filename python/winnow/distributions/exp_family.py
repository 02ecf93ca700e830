"""The name that torch gives to distributions whose density is an exponential of linear statistics."""
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """Says of a distribution that it belongs to the exponential family. Entropies here are each distribution's own formula."""
