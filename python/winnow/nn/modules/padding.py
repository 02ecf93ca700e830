"""Paddings: five ways to fill, each over one to three dimensions."""
from .. import functional as F
from .module import Module
from .utils import _ntuple

__all__ = ["CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d",
           "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d",
           "ZeroPad3d"]


class _ConstantPadNd(Module):
    """Pads with one value."""
    __constants__ = ["padding", "value"]

    def __init__(self, padding, value):
        super().__init__()
        self.padding, self.value = self._ntuple(padding), value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad:
    """Pads with zeros."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)

    def extra_repr(self):
        return f"{self.padding}"


class _PadNd(Module):
    """Pads with what is there."""
    __constants__ = ["padding"]

    def __init__(self, padding):
        super().__init__()
        self.padding = self._ntuple(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ReflectionPadNd(_PadNd):
    """Pads with the mirror image, without the edge."""
    _mode = "reflect"


class _ReplicationPadNd(_PadNd):
    """Pads with the edge."""
    _mode = "replicate"


class _CircularPadNd(_PadNd):
    """Pads with the other end."""
    _mode = "circular"

    def _check_input_dim(self, input):
        raise NotImplementedError

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


def _circular_check(n):
    def _check_input_dim(self, input):
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    return _check_input_dim


# A padding is one number or two for each dimension, the last dimension first. That apart, the classes of a kind are the same.
for _n in (1, 2, 3):
    _base = {"_ntuple": staticmethod(_ntuple(2 * _n)), "__module__": __name__}
    for _kind in (_ConstantPadNd, _ReflectionPadNd, _ReplicationPadNd, _CircularPadNd):
        _name = f"{_kind.__name__[1:-2]}{_n}d"
        _more = {"_check_input_dim": _circular_check(_n)} if _kind is _CircularPadNd else {}
        globals()[_name] = type(_name, (_kind,), {**_base, **_more, "__doc__": f"{_kind.__doc__[:-1]}, on {_n} dimension(s)."})
    _constant = globals()[f"ConstantPad{_n}d"]
    globals()[f"ZeroPad{_n}d"] = type(f"ZeroPad{_n}d", (_ZeroPad, _constant), {"__module__": __name__, "__doc__": f"Pads {_n} dimension(s) with zeros."})
del _n, _base, _kind, _name, _more, _constant
