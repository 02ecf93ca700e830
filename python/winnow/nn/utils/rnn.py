"""Sequences of different lengths: padded to one tensor, or packed to the elements that count."""
from typing import NamedTuple

import winnow
from ... import _C
from ..._construct import Tensor, as_tensor

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pad_packed_sequence", "pad_sequence", "unpad_sequence", "pack_sequence",
           "unpack_sequence"]

_rows = _C.functions(1)


class _Packed(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Packed):
    """The rows of all steps end to end: data; how many sequences each step has: batch_sizes; the order in which they were sorted."""

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is not None:
            if batch_sizes.device.type != "cpu":
                raise ValueError("batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. "
                                 "They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. "
                                 "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence")
        else:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """The data converted; self where it is so already."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        kwargs = {k: v for k, v in kwargs.items() if k in ("device", "non_blocking")}
        sorted_indices = None if self.sorted_indices is None else self.sorted_indices.to(data.device, **{k: v for k, v in kwargs.items() if k != "device"})
        unsorted_indices = None if self.unsorted_indices is None else self.unsorted_indices.to(data.device, **{k: v for k, v in kwargs.items() if k != "device"})
        return type(self)(data, self.batch_sizes, sorted_indices, unsorted_indices)

    def pin_memory(self):
        return self

    def cpu(self, *args, **kwargs):
        return self

    def cuda(self, *args, **kwargs):
        return self.to(*args, device="cuda", **kwargs)

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def is_pinned(self):
        return False


def _converter(name):
    def f(self):
        return self.to(dtype=getattr(winnow, {"double": "float64", "float": "float32", "half": "float16", "long": "int64", "int": "int32", "short": "int16",
                                              "char": "int8", "byte": "uint8"}[name]))
    f.__name__ = name
    setattr(PackedSequence, name, f)


for _name in ("double", "float", "half", "long", "int", "short", "char", "byte"):
    _converter(_name)


def invert_permutation(permutation):
    """p with p[permutation[i]] = i; None for None."""
    if permutation is None:
        return None
    return _rows["empty_like"](permutation).scatter_(0, permutation, _rows["arange"](permutation.numel()))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """The elements that count of input [T, N, ...] ([N, T, ...]: batch_first). enforce_sorted=False: in any order of lengths."""
    lengths = lengths.to(dtype=winnow.int64) if isinstance(lengths, Tensor) else as_tensor(lengths, dtype=winnow.int64)
    sorted_indices = None
    if not enforce_sorted:
        lengths, sorted_indices = winnow.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    data, batch_sizes = _rows["_pack_padded_sequence"](input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The reverse: (padded, lengths)."""
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but got "
                             f"total_length={total_length} and max sequence length being {longest}")
        longest = total_length
    padded, lengths = _rows["_pad_packed_sequence"](sequence.data, sequence.batch_sizes, batch_first, padding_value, longest)
    if sequence.unsorted_indices is not None:
        return padded.index_select(0 if batch_first else 1, sequence.unsorted_indices), lengths[sequence.unsorted_indices]
    return padded, lengths


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Tensors [L_i, ...] as one [T, N, ...], T the largest length."""
    try:
        sequences = tuple(sequences)
    except TypeError:
        raise RuntimeError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}") from None
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    for i, s in enumerate(sequences):
        if not isinstance(s, Tensor):
            raise TypeError(f"pad_sequence(): expected Tensor as element {i} in argument 0, but got {type(s).__name__}")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest, rest = max(s.size(0) for s in sequences), tuple(sequences[0].shape[1:])
    shape = (len(sequences), longest, *rest) if batch_first else (longest, len(sequences), *rest)
    padded = _rows["full"](shape, padding_value, dtype=sequences[0].dtype)
    for i, s in enumerate(sequences):
        n = s.size(0)
        place = padded.select(0 if batch_first else 1, i)
        place.narrow(0, longest - n if padding_side == "left" else 0, n).copy_(s)
    return padded


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The sequences of a padded tensor, each with its own length."""
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    index = _rows["arange"](padded_sequences.shape[1])
    return [s[index < n] for s, n in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences, enforce_sorted=True):
    """Tensors [L_i, ...], packed."""
    lengths = as_tensor([s.size(0) for s in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The sequences of a packed one."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
