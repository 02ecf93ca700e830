"""torch.masked: reductions and normalisations over the elements that a mask lets through (True = counts).

In winnow every reduction takes where=, and leaves masked elements unread: these functions are torch's spelling of that, with
torch's dtypes and its results where nothing counts."""
from .._hook import lacking as _lacking
from ._ops import *  # noqa: F401,F403
from ._ops import __all__  # noqa: F401


__getattr__ = _lacking("torch.masked", __all__)
