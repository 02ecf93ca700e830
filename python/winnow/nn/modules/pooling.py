"""Pools: maximum, average, power mean; with given windows, with a given output size, with random windows; and back."""
from ._of_functions import define
from .module import Module
from .utils import _pair, _single, _triple

__all__ = ["MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d",
           "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d", "LPPool2d", "LPPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
           "AdaptiveMaxPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d"]


class _AvgPoolNd(Module):
    """Average over windows."""
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


_WINDOW = {"stride": "kernel_size if stride is None else stride"}
define(globals(), [
    ("_MaxPoolNd", None, "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False", None,
     "Maximum over windows.", "kernel_size={kernel_size}, stride={stride}, padding={padding}, dilation={dilation}, ceil_mode={ceil_mode}", _WINDOW),
    ("_MaxUnpoolNd", None, "kernel_size, stride=None, padding=0", None, "Puts maxima back where they were; zeros elsewhere.", None,
     {"kernel_size": "self._ntuple(kernel_size)", "stride": "self._ntuple(kernel_size if stride is None else stride)",
      "padding": "self._ntuple(padding)"}),
    ("_AvgPoolOfTuples", "_AvgPoolNd", "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True", None,
     "Its numbers become tuples.", None,
     {"kernel_size": "_single(kernel_size)", "stride": "_single(kernel_size if stride is None else stride)", "padding": "_single(padding)"}),
    ("_AvgPoolBy", "_AvgPoolNd", "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None", None,
     "Sums are divided by a number of one's own, if one is given.", None, _WINDOW),
    ("_LPPoolNd", None, "norm_type, kernel_size, stride=None, ceil_mode=False", None, "(sum x^p)^(1/p) over windows."),
    ("_AdaptiveMaxPoolNd", None, "output_size, return_indices=False", None, "Maximum over as many windows as the output has elements.",
     "output_size={output_size}"),
    ("_AdaptiveAvgPoolNd", None, "output_size", None, "Average over as many windows as the output has elements."),
])


def _with_old_state(self, state):
    """Old pickles lack some of the arguments."""
    Module.__setstate__(self, state)
    for name, usual in (("padding", 0), ("ceil_mode", False), ("count_include_pad", True)):
        self.__dict__.setdefault(name, usual)


_AvgPoolBy.__setstate__ = _with_old_state


class _FractionalMaxPoolNd(Module):
    """Maximum over windows whose borders are random."""
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _also_kept = ("_random_samples",)

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        name, ntuple = type(self).__name__, self._ntuple
        self.kernel_size, self.return_indices = ntuple(kernel_size), return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = ntuple(output_size) if output_size is not None else None
        self.output_ratio = ntuple(output_ratio) if output_ratio is not None else None
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio")
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all([0 < r < 1 for r in self.output_ratio]):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")


# The classes of a kind differ in their number of dimensions alone.
for _n, _tuple, _images in ((1, _single, "(N, C, L) or (C, L)"), (2, _pair, "(N, C, H, W) or (C, H, W)"),
                            (3, _triple, "(N, C, D, H, W) or (C, D, H, W)")):
    _divisor = ", divisor_override" if _n > 1 else ""
    define(globals(), [
        (f"MaxPool{_n}d", "_MaxPoolNd", None,
         f"max_pool{_n}d(input, kernel_size, stride, padding, dilation, ceil_mode=ceil_mode, return_indices=return_indices)",
         f"Maximum over windows of {_images}."),
        (f"MaxUnpool{_n}d", "_MaxUnpoolNd", None, f"max_unpool{_n}d(input, indices, kernel_size, stride, padding, output_size=None)",
         f"The partial inverse of MaxPool{_n}d."),
        (f"AvgPool{_n}d", "_AvgPoolBy" if _n > 1 else "_AvgPoolOfTuples", None,
         f"avg_pool{_n}d(input, kernel_size, stride, padding, ceil_mode, count_include_pad{_divisor})", f"Average over windows of {_images}."),
        (f"LPPool{_n}d", "_LPPoolNd", None, f"lp_pool{_n}d(input, float(norm_type), kernel_size, stride, ceil_mode)",
         f"(sum x^p)^(1/p) over windows of {_images}."),
        (f"AdaptiveMaxPool{_n}d", "_AdaptiveMaxPoolNd", None, f"adaptive_max_pool{_n}d(input, output_size, return_indices)",
         f"Maxima of {_images}: output_size of them."),
        (f"AdaptiveAvgPool{_n}d", "_AdaptiveAvgPoolNd", None, f"adaptive_avg_pool{_n}d(input, output_size)",
         f"Averages of {_images}: output_size of them."),
    ])
    globals()[f"MaxUnpool{_n}d"]._ntuple = staticmethod(_tuple)
    if _n > 1:
        define(globals(), [(
            f"FractionalMaxPool{_n}d", "_FractionalMaxPoolNd", None,
            f"fractional_max_pool{_n}d(input, kernel_size, output_size, output_ratio, return_indices, _random_samples=_random_samples)",
            f"Maximum over random windows of {_images}.")])
        globals()[f"FractionalMaxPool{_n}d"]._ntuple = staticmethod(_tuple)
del _n, _tuple, _images, _divisor
