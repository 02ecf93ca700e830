"""Batches as bytes in memory that two processes see.

A worker has one file without a name (a memfd), mapped by it and by the main process, with a place for each task that may be under way.
It fills a place again when the main process has copied the batch out, which it has when it sends the task after those. So nothing is
pickled but the structure of a batch, and nothing is left behind however a process ends.
"""
import io
import mmap
import os
import pickle
from array import array

from .... import _C
from ...._construct import Tensor
from ...._types import BY_NUMBER, bfloat16, int16

_empty = _C.functions(1)["empty"]
_from_buffer = _C._from_buffer
_ALIGNMENT = 64
_LEAST = 1 << 16  # bytes of a place when it is first taken


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
        if type(obj) is Tensor and not obj.requires_grad and not obj.__dict__:
            t = obj.contiguous()
            raw = t.view(int16) if t.dtype is bfloat16 else t
            self.tensors.append(memoryview(raw).cast("B") if t.numel() else b"")
            return _tensor, (len(self.tensors) - 1, tuple(t.shape), t.dtype._number)
        return NotImplemented


_views = None  # the tensors' bytes of the message that is being read


def _tensor(i, shape, number):
    dtype, view = BY_NUMBER[number], _views[i]
    if not len(view):
        return _empty(shape, dtype=dtype)
    return _from_buffer(view)[0].view(dtype).reshape(shape).clone()


def packed(batch):
    """Its parts: [pickle, bytes of the tensors ..., bytes of the arrays ...], and how many tensors there are."""
    file = io.BytesIO()
    out = _Out(file)
    out.dump(batch)
    return [file.getbuffer(), *out.tensors, *out.arrays], len(out.tensors)


def unpacked(parts, tensors):
    """The batch again, in memory of its own: these views will be filled anew."""
    global _views
    _views = parts[1:1 + tensors]
    try:
        return pickle.loads(parts[0], buffers=map(bytearray, parts[1 + tensors:]))
    finally:
        _views = None


# ------------------------------------------------------------------ the memory

def unnamed_file():
    """A descriptor of memory (where there is none, of a file) that goes with its last user."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("winnow batches", os.MFD_CLOEXEC)
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class Writer:
    """The worker's side: places for batches."""

    def __init__(self, fd, places):
        self.fd, self.end, self.map = fd, 0, None
        self.places = [(0, 0)] * places  # (begin, size)

    def _reserve(self, number, size):
        """Where place `number` begins, with room for size bytes: as it is, or larger at the end of the file."""
        begin, room = self.places[number]
        if size > room:
            room = -(-max(2 * room, size + size // 8, _LEAST) // _LEAST) * _LEAST  # doubled at least: all earlier ones are as large as the last
            begin, end = self.end, self.end + room
            os.ftruncate(self.fd, end)
            self.map = mmap.mmap(self.fd, end)
            self.end, self.places[number] = end, (begin, room)
        return begin

    def put(self, number, parts):
        """Writes parts into a place: where it begins. First a table of where they are in the file."""
        table, at = array("q"), _aligned(16 * len(parts))
        for part in parts:
            table.extend((at, at + len(part)))
            at += _aligned(len(part))
        begin = self._reserve(number, at)
        memory = self.map
        memory[begin:begin + 16 * len(parts)] = table.tobytes()
        for i, part in enumerate(parts):
            if len(part):
                memory[begin + table[2 * i]:begin + table[2 * i + 1]] = part
        return begin


def _aligned(size):
    return -(-size // _ALIGNMENT) * _ALIGNMENT


class Reader:
    """The main process's side."""

    def __init__(self, fd):
        self.fd, self.map = fd, b""

    def get(self, begin, count):
        """Views of the parts of the batch at begin."""
        at = array("q")
        if begin + 16 * count > len(self.map):
            self._follow()
        at.frombytes(self.map[begin:begin + 16 * count])
        if begin + at[-1] > len(self.map):
            self._follow()
        memory = memoryview(self.map)
        return [memory[begin + at[i]:begin + at[i + 1]] for i in range(0, 2 * count, 2)]

    def _follow(self):
        self.map = mmap.mmap(self.fd, os.fstat(self.fd).st_size)
