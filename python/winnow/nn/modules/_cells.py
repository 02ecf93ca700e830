"""Recurrent cells: one step."""
import math

import winnow

from .. import init
from .module import Module, make_parameters


class RNNCellBase(Module):
    """The weights of one step."""
    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        each = rows if bias else False
        make_parameters(self, device, dtype, weight_ih=(rows, input_size), weight_hh=(rows, hidden_size), bias_ih=each, bias_hh=each)
        self.reset_parameters()

    def reset_parameters(self):
        """Uniform within 1/sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _check(self, input, states):
        """Raises unless the dimensions are those of a step, with a batch or without."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        for i, h in enumerate(states):
            if h.dim() not in (1, 2):
                which = f"hx[{i}]" if len(states) > 1 else "hidden"
                raise ValueError(f"{name}: Expected {which} to be 1D or 2D, got {h.dim()}D instead")

    def _step(self, f, input, state):
        """f over a batch; one sample gets a batch dimension for it."""
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if state is None:
            state = winnow.zeros(input.size(0), self.hidden_size, dtype=input.dtype)
        elif not batched:
            state = state.unsqueeze(0)
        h = f(input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return h if batched else h.squeeze(0)


class RNNCell(RNNCellBase):
    """tanh(W_ih x + b_ih + W_hh h + b_hh), or with relu"""
    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else (hx,))
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(winnow.rnn_tanh_cell if self.nonlinearity == "tanh" else winnow.rnn_relu_cell, input, hx)


class GRUCell(RNNCellBase):
    """(1 - z) n + z h with the gates r, z and the new state n"""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else (hx,))
        return self._step(winnow.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    """(h, c): c' = f c + i g, h' = o tanh(c')"""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        self._check(input, () if hx is None else hx)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = winnow.zeros(input.size(0), self.hidden_size, dtype=input.dtype)
            hx = (zeros, zeros)
        elif not batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = winnow.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h, c) if batched else (h.squeeze(0), c.squeeze(0))
