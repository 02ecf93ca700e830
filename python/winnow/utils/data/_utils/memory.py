"""Batches as bytes in memory that two processes share.

A worker has one file without a name (a memfd) with a place for each task that may be under way. It writes a batch into its place and fills
the place again when the main process has read the batch, which it has when it sends the task after those. So nothing is pickled but the
structure of a batch, and nothing is left behind however a process ends.

In a place: the sizes of the parts, then the parts one after the other: [structure, bytes of the tensors ..., bytes of the arrays ...].
The structure is a pickle; that of a tensor, or a list or tuple of tensors, is told without one (`_plain`), which in a process that has just
been forked touches fewer pages. Written and read by system calls: mapped, every page would cost two faults before it is warm.
"""
import io
import itertools
import marshal
import os
import pickle
import struct

from .... import _C
from ...._construct import Tensor
from ...._types import BY_NUMBER, bfloat16, int16

_empty = _C.functions(1)["empty"]
_PAGE = 4096
_LEAST = 1 << 16  # bytes of a place when it is first taken
_MOST_BUFFERS = 1024  # IOV_MAX of Linux
_AHEAD = 512  # bytes of the structure that are read along with the sizes


# ------------------------------------------------------------------ a batch in parts

class _Out(pickle.Pickler):
    """Pickles a batch but for the bytes of its tensors and arrays, which it lists."""

    def __init__(self, file):
        self.tensors, self.arrays = [], []
        arrays = self.arrays

        def outside(buffer):  # no method: a cycle would keep the batch until the collector comes
            try:
                arrays.append(buffer.raw())
            except BufferError:  # not contiguous: its bytes go into the pickle
                return True
            return False

        super().__init__(file, protocol=5, buffer_callback=outside)

    def reducer_override(self, obj):
        if _only_values(obj):
            t = obj.contiguous()
            self.tensors.append(_bytes_of(t))
            return _tensor, (len(self.tensors) - 1, tuple(t.shape), t.dtype._number)
        return NotImplemented


def _only_values(obj):
    return type(obj) is Tensor and not obj.requires_grad and not obj.__dict__


def _bytes_of(t):
    return memoryview(t.view(int16) if t.dtype is bfloat16 else t).cast("B") if t.numel() else b""


_places = None  # descriptor of the message that is being read, and where in it the bytes of its tensors begin


def _tensor(i, shape, number):
    return _tensor_at(*_places, i, shape, number)


def _tensor_at(fd, begins, i, shape, number):
    t = _empty(shape, dtype=BY_NUMBER[number])
    _move(os.preadv, fd, [_bytes_of(t)], begins[i])
    return t


def _plain(batch):
    """The parts of a batch that is a tensor, or a list or tuple of different tensors; None for others."""
    kind = type(batch)
    tensors = batch if kind is list or kind is tuple else (batch,)
    if not all(map(_only_values, tensors)) or len(set(map(id, tensors))) < len(tensors):
        return None
    tensors = [t.contiguous() for t in tensors]
    forms = [(tuple(t.shape), t.dtype._number) for t in tensors]
    return [marshal.dumps((1 if kind is list else 2 if kind is tuple else 0, forms)), *map(_bytes_of, tensors)]


def _from_plain(structure, fd, begins):
    kind, forms = marshal.loads(structure)
    tensors = [_tensor_at(fd, begins, i, shape, number) for i, (shape, number) in enumerate(forms)]
    return tensors if kind == 1 else tuple(tensors) if kind == 2 else tensors[0]


def packed(batch):
    """Its parts, and how many of them are tensors; -1 where the structure is no pickle."""
    plain = _plain(batch)
    if plain is not None:
        return plain, -1
    file = io.BytesIO()
    out = _Out(file)
    out.dump(batch)
    return [file.getbuffer(), *out.tensors, *out.arrays], len(out.tensors)


# ------------------------------------------------------------------ the memory

def unnamed_file():
    """A descriptor of memory (where there is none, of a file) that goes with its last user."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("winnow batches", os.MFD_CLOEXEC)
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _move(call, fd, buffers, at):
    """os.preadv or os.pwritev of all bytes of buffers from `at` on: where they end."""
    buffers, i = [b for b in buffers if len(b)], 0
    while i < len(buffers):
        moved = call(fd, buffers[i:i + _MOST_BUFFERS], at)
        if not moved:
            raise EOFError
        at += moved
        while moved and moved >= len(buffers[i]):
            moved -= len(buffers[i])
            i += 1
        if moved:
            buffers[i] = memoryview(buffers[i])[moved:]
    return at


class Writer:
    """The worker's side: places for batches."""

    def __init__(self, fd, places):
        self.fd, self.end = fd, 0
        self.places = [(0, 0)] * places  # (begin, size)

    def _reserve(self, number, size):
        """Where place `number` begins, with room for size bytes: as it is, or larger at the end of the file."""
        begin, room = self.places[number]
        if size > room:
            room = -(-max(2 * room, size + size // 8, _LEAST) // _PAGE) * _PAGE  # doubled at least: all earlier ones are as large as the last
            begin, self.end = self.end, self.end + room
            self.places[number] = begin, room
        return begin

    def put(self, number, parts):
        """Writes parts into a place: where it begins."""
        sizes = struct.pack(f"={len(parts)}q", *map(len, parts))
        begin = self._reserve(number, len(sizes) + sum(map(len, parts)))
        _move(os.pwritev, self.fd, [sizes, *parts], begin)
        return begin


def read(fd, begin, count, tensors):
    """The batch of `count` parts at begin, `tensors` of them tensors (-1: as packed says), in memory of its own: the place will be filled anew."""
    global _places
    table = 8 * count
    ahead = os.pread(fd, table + _AHEAD, begin)
    sizes = struct.unpack_from(f"={count}q", ahead)
    begins = list(itertools.accumulate(sizes, initial=begin + table))
    structure = memoryview(ahead)[table:table + sizes[0]]
    if len(structure) < sizes[0]:
        structure = bytearray(sizes[0])
        _move(os.preadv, fd, [structure], begins[0])
    if tensors < 0:
        return _from_plain(structure, fd, begins[1:])
    arrays = [bytearray(size) for size in sizes[1 + tensors:]]
    _move(os.preadv, fd, arrays, begins[1 + tensors])
    _places = fd, begins[1:]
    try:
        return pickle.loads(structure, buffers=arrays)
    finally:
        _places = None
