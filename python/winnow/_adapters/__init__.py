"""Where torch's function is more than a row's signature: Python functions that take the place of a row's, a file for each family."""
from . import general, index, linalg, losses, order, point  # noqa: F401
from .general import install  # noqa: F401
