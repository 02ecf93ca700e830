"""Recurrent layers: RNN, LSTM and GRU over sequences."""
import numbers
from warnings import warn

import winnow
from ._cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from .module import Module, make_parameters, unusual

__all__ = ["RNNBase", "RNN", "LSTM", "GRU", "RNNCellBase", "RNNCell", "LSTMCell", "GRUCell"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """The weights of all layers and directions, and the checks of inputs and states."""
    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional", "proj_size"]

    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False,
                 proj_size=0, device=None, dtype=None):
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._check_arguments(dropout)
        gates = _GATES[mode] * hidden_size
        width = proj_size if proj_size > 0 else hidden_size
        directions = 2 if bidirectional else 1
        self._flat_weights_names, self._all_weights = [], []
        for layer in range(num_layers):
            for direction in range(directions):
                size = input_size if layer == 0 else width * directions
                shapes = {"weight_ih": (gates, size), "weight_hh": (gates, width)}
                if bias:
                    shapes.update(bias_ih=(gates,), bias_hh=(gates,))
                if proj_size > 0:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                shapes = {f"{name}_l{layer}{'_reverse' if direction else ''}": shape for name, shape in shapes.items()}
                make_parameters(self, device, dtype, **shapes)
                self._flat_weights_names += shapes
                self._all_weights.append(list(shapes))
        self.reset_parameters()

    def _check_arguments(self, dropout):
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being zeroed")
        if dropout > 0 and self.num_layers == 1:
            warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got "
                 f"dropout={dropout} and num_layers={self.num_layers}", stacklevel=4)
        for name in ("input_size", "hidden_size"):
            if not isinstance(getattr(self, name), int):
                raise TypeError(f"{name} should be of type int, got: {type(getattr(self, name)).__name__}")
        if self.hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if self.num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if self.proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if self.proj_size >= self.hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        if self.mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + self.mode)

    reset_parameters = RNNCellBase.reset_parameters

    def flatten_parameters(self):
        """Nothing: the weights need not be in one piece."""

    def __getstate__(self):
        """PyTorch's layers keep the list of their weights: a pickle has it, too."""
        return {**super().__getstate__(), "_flat_weights": self._flat_weights}

    def __setstate__(self, state):
        super().__setstate__({name: value for name, value in state.items() if name != "_flat_weights"})

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        """The weights by layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    # ------------------------------------------------------------------ checks

    def check_input(self, input, batch_sizes):
        """Raises unless the input is one of this layer."""
        if not input.is_floating_point() or input.dtype is not self.weight_ih_l0.dtype:
            if not winnow.is_autocast_enabled():
                raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype ({self.weight_ih_l0.dtype}). Convert input: "
                                 "input.to({0}), or convert model: model.to({1})".format(self.weight_ih_l0.dtype, input.dtype))
        expected = 2 if batch_sizes is not None else 3
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}")

    def get_expected_hidden_size(self, input, batch_sizes):
        """The shape of h_0."""
        batch = int(batch_sizes[0]) if batch_sizes is not None else input.size(0) if self.batch_first else input.size(1)
        return (self.num_layers * (2 if self.bidirectional else 1), batch, self.proj_size if self.proj_size > 0 else self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        """Raises unless the state has that shape."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        """Raises unless input and state fit."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """The state in another order of the batch."""
        return hx if permutation is None else hx.index_select(1, permutation)

    # ------------------------------------------------------------------ forward

    def forward(self, input, hx=None):
        if _is_packed(input):
            return self._forward_packed(input, hx)
        if input.dim() not in (2, 3):
            what = " tensor" if self.mode[:3] == "RNN" else ""
            raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D{what} instead")
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        hx = self._state(input, hx, None, batched)
        self.check_forward_args(input, hx, None)
        output, *last = self._run(hx, input, None)
        if not batched:
            output = output.squeeze(0 if self.batch_first else 1)
            last = [h.squeeze(1) for h in last]
        return output, self._state_out(last)

    def _forward_packed(self, packed, hx):
        """A batch of sequences of several lengths, without its gaps."""
        from ..utils.rnn import PackedSequence

        input, batch_sizes, sorted_indices, unsorted_indices = packed
        hx = self._state(input, hx, batch_sizes, True)
        if hx is not None and sorted_indices is not None:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        output, *last = self._run(hx, input, batch_sizes)
        return (PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices),
                self.permute_hidden(self._state_out(last), unsorted_indices))

    def _state(self, input, hx, batch_sizes, batched):
        """h_0: the given one with a batch dimension, or zeros."""
        if hx is None:
            return winnow.zeros(self.get_expected_hidden_size(input, batch_sizes), dtype=input.dtype)
        if hx.dim() != (3 if batched else 2):
            raise RuntimeError(f"For {'' if batched else 'un'}batched {3 if batched else 2}-D input, hx should also be {3 if batched else 2}-D but got "
                               f"{hx.dim()}-D tensor")
        return hx if batched else hx.unsqueeze(1)

    def _state_out(self, last):
        return last[0]

    def _run(self, hx, input, batch_sizes):
        f = getattr(winnow, self.mode.lower())
        rest = hx, self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional
        return f(input, *rest, self.batch_first) if batch_sizes is None else f(input, batch_sizes, *rest)

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}" + unusual(self, proj_size=0, num_layers=1, bias=True, batch_first=False, dropout=0,
                                                                  bidirectional=False)

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)


def _is_packed(input):
    """Is it a PackedSequence? Those are tuples; their module is loaded only where there is one."""
    if not isinstance(input, tuple):
        return False
    from ..utils.rnn import PackedSequence

    return isinstance(input, PackedSequence)


class RNN(RNNBase):
    """h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh), or with relu"""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity
        super().__init__("RNN_" + nonlinearity.upper(), input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
                         device=device, dtype=dtype, **kwargs)


class GRU(RNNBase):
    """h_t = (1 - z) n + z h_{t-1} with the gates r, z and the new state n"""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None,
                 dtype=None, **kwargs):
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device=device, dtype=dtype,
                         **kwargs)


class LSTM(RNNBase):
    """c_t = f c_{t-1} + i g, h_t = o tanh(c_t) with the gates i, f, g, o; with proj_size, h is projected"""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0,
                 device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, device, dtype)

    def get_expected_cell_size(self, input, batch_sizes):
        """The shape of c_0."""
        layers, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return layers, batch, self.hidden_size

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx, permutation):
        return hx if permutation is None else tuple([h.index_select(1, permutation) for h in hx])

    def _state(self, input, hx, batch_sizes, batched):
        if hx is None:
            shapes = self.get_expected_hidden_size(input, batch_sizes), self.get_expected_cell_size(input, batch_sizes)
            return tuple([winnow.zeros(shape, dtype=input.dtype) for shape in shapes])
        n = 3 if batched else 2
        if hx[0].dim() != n or hx[1].dim() != n:
            raise RuntimeError(f"For {'' if batched else 'un'}batched {n}-D input, hx and cx should also be {n}-D but got ({hx[0].dim()}-D, "
                               f"{hx[1].dim()}-D) tensors")
        return hx if batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))

    def _state_out(self, last):
        return tuple(last)
