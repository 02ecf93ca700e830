"""Activations: each is the function of nn.functional with its arguments kept."""
from .. import functional as F, init
from ._of_functions import define
from .module import Module, make_parameters

__all__ = ["Threshold", "ReLU", "RReLU", "Hardtanh", "ReLU6", "Sigmoid", "Hardsigmoid", "Tanh", "SiLU", "Mish", "Hardswish", "ELU", "CELU",
           "SELU", "GLU", "GELU", "Hardshrink", "LeakyReLU", "LogSigmoid", "Softplus", "Softshrink", "MultiheadAttention", "PReLU",
           "Softsign", "Tanhshrink", "Softmin", "Softmax", "Softmax2d", "LogSoftmax"]


define(globals(), [
    ("ReLU", None, "inplace=False", "relu(input, inplace=inplace)", "max(0, x)"),
    ("SiLU", None, "inplace=False", "silu(input, inplace=inplace)", "x sigmoid(x)"),
    ("Mish", None, "inplace=False", "mish(input, inplace=inplace)", "x tanh(softplus(x))"),
    ("SELU", None, "inplace=False", "selu(input, inplace)", "scale (max(0, x) + min(0, alpha (exp(x) - 1))) with the constants that keep mean and variance"),
    ("Hardsigmoid", None, "inplace=False", "hardsigmoid(input, inplace)", "clamp(x / 6 + 1/2, 0, 1)"),
    ("Hardswish", None, "inplace=False", "hardswish(input, inplace)", "x clamp(x + 3, 0, 6) / 6"),
    ("Threshold", None, "threshold, value, inplace=False", "threshold(input, threshold, value, inplace)", "x where x > threshold, else value"),
    ("RReLU", None, "lower=1.0 / 8, upper=1.0 / 3, inplace=False", "rrelu(input, lower, upper, training, inplace)",
     "Leaky ReLU whose slope is drawn for each element in training, and the mean of the bounds in evaluation"),
    ("Sigmoid", None, None, "sigmoid(input)", "1 / (1 + exp(-x))"),
    ("Tanh", None, None, "tanh(input)", "tanh(x)"),
    ("LogSigmoid", None, None, "logsigmoid(input)", "log(sigmoid(x))"),
    ("Softsign", None, None, "softsign(input)", "x / (1 + |x|)"),
    ("Tanhshrink", None, None, "tanhshrink(input)", "x - tanh(x)"),
    ("ELU", None, "alpha=1.0, inplace=False", "elu(input, alpha, inplace)", "x where x > 0, else alpha (exp(x) - 1)"),
    ("CELU", "ELU", None, "celu(input, alpha, inplace)", "max(0, x) + min(0, alpha (exp(x / alpha) - 1))"),
    ("LeakyReLU", None, "negative_slope=1e-2, inplace=False", "leaky_relu(input, negative_slope, inplace)", "x where x > 0, else negative_slope x"),
    ("GLU", None, "dim=-1", "glu(input, dim)", "a sigmoid(b) of the two halves of x along dim"),
    ("GELU", None, "approximate=\"none\"", "gelu(input, approximate=approximate)", "x Phi(x), or its approximation by tanh"),
    ("Hardshrink", None, "lambd=0.5", "hardshrink(input, lambd)", "x where |x| > lambd, else 0", "{lambd}"),
    ("Softshrink", "Hardshrink", None, "softshrink(input, lambd)", "x moved towards 0 by lambd"),
    ("Softplus", None, "beta=1.0, threshold=20.0", "softplus(input, beta, threshold)", "log(1 + exp(beta x)) / beta"),
    ("Softmax", None, "dim=None", "softmax(input, dim, _stacklevel=5)", "exp(x) / sum exp(x) along dim"),
    ("Softmin", "Softmax", None, "softmin(input, dim, _stacklevel=5)", "softmax(-x)"),
    ("LogSoftmax", "Softmax", None, "log_softmax(input, dim, _stacklevel=5)", "log(softmax(x))"),
])
Hardsigmoid.extra_repr = Hardswish.extra_repr = Module.extra_repr
Softmax.dim = None  # of old pickles


class Hardtanh(Module):
    """clamp(x, min_val, max_val)"""
    __constants__ = ["min_val", "max_val", "inplace"]

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        from warnings import warn

        if min_value is not None:
            warn("keyword argument `min_value` is deprecated and rename to `min_val`", FutureWarning, stacklevel=2)
            min_val = min_value
        if max_value is not None:
            warn("keyword argument `max_value` is deprecated and rename to `max_val`", FutureWarning, stacklevel=2)
            max_val = max_value
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return f"min_val={self.min_val}, max_val={self.max_val}{', inplace=True' if self.inplace else ''}"


class ReLU6(Hardtanh):
    """clamp(x, 0, 6)"""

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class PReLU(Module):
    """x where x > 0, else a x with a learned a, one for all channels or one for each"""
    __constants__ = ["num_parameters"]

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        make_parameters(self, device, dtype, weight=num_parameters)
        self.reset_parameters()

    def reset_parameters(self):
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """softmax over the channels of images"""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)


from .attention import MultiheadAttention  # last: its file wants Linear, whose file stands beside this one
