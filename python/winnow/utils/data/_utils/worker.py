"""The side of a worker process: it takes tasks from a socket, makes batches, and puts their bytes into memory that both sides see.

Memory goes through `Slot`s: files without a name (memfd), one for each task that may be under way. The worker passes a slot's
descriptor once, and fills it again when the main process has copied the batch out, which it has when it sends the task after next. So
nothing is pickled but the structure of a batch, and nothing is left behind however a process ends.
"""
import io
import mmap
import os
import pickle
import random
import sys
import tempfile
import traceback

from .... import _C
from ...._construct import Tensor
from ...._types import BY_NUMBER, bfloat16, int16

_empty = _C.functions(1)["empty"]
_ALIGNMENT = 64
_LEAST = 1 << 16  # a slot's first size

_info = None


class WorkerInfo:
    """id, num_workers, seed and dataset (the worker's copy) of the process that asks."""

    def __init__(self, **values):
        self.__dict__.update(values)
        self.__dict__["_names"] = tuple(values)

    def __setattr__(self, name, value):
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self._names)})"


def get_worker_info():
    """The WorkerInfo in a worker process of a DataLoader, None elsewhere."""
    return _info


# ------------------------------------------------------------------ batches as bytes

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
    return _C._from_buffer(view)[0].view(dtype).reshape(shape).clone()


def packed(batch):
    """Its pickle, the bytes of its tensors, those of its arrays."""
    file = io.BytesIO()
    out = _Out(file)
    out.dump(batch)
    return file.getbuffer(), out.tensors, out.arrays


def unpacked(data, tensors, arrays):
    """The batch again, in memory of its own: these views will be filled anew."""
    global _views
    _views = tensors
    try:
        return pickle.loads(data, buffers=map(bytearray, arrays))
    finally:
        _views = None


class Slot:
    """Memory that two processes see."""

    def __init__(self, fd=None):
        if fd is None:
            fd = os.memfd_create("winnow batch", os.MFD_CLOEXEC) if hasattr(os, "memfd_create") else _unnamed_file()
        self.fd, self.map, self.size, self.fresh = fd, None, 0, True

    def need(self, size):
        """At least that many bytes; the writing side makes the file longer."""
        if size > self.size:
            self.size = max(size + size // 8, _LEAST)
            os.ftruncate(self.fd, self.size)
            self.map = mmap.mmap(self.fd, self.size)

    def follow(self, size):
        """The reading side: the file has this size."""
        if size != self.size:
            self.map, self.size = mmap.mmap(self.fd, size), size

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = self.map = None


def _unnamed_file():
    file = tempfile.TemporaryFile()
    fd = os.dup(file.fileno())
    file.close()
    return fd


# ------------------------------------------------------------------ the process

class Failure:
    """An exception on its way to the main process."""

    def __init__(self, where):
        self.text = "".join(traceback.format_exception(*sys.exc_info()))
        self.where, self.kind = where, sys.exc_info()[0]
        try:
            pickle.loads(pickle.dumps(self.kind))
        except Exception:  # a class of __main__ in a spawned process, a local one
            self.kind = RuntimeError

    def reraise(self):
        message = f"Caught {self.kind.__name__} {self.where}.\nOriginal {self.text}"
        if self.kind is KeyError:
            message = _Message(message)
        try:
            error = self.kind(message)
        except Exception:  # its constructor wants something else
            raise RuntimeError(message) from None
        raise error from None


class _Message(str):
    """KeyError shows the repr of its argument."""

    def __repr__(self):
        return str(self)


def seed_worker(base_seed, number):
    seed = base_seed + number
    random.seed(seed)
    _C.default_generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        words = [number, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
        numpy.random.seed(numpy.random.SeedSequence(words).generate_state(4))
    return seed


def worker_main(number, count, channel, others, make_fetcher, dataset, base_seed, worker_init_fn, slots):
    """Serves tasks until it is told to stop or the main process is gone. others: ends of sockets that this process must not keep open
    (after a fork), lest it outlive the main process's end."""
    global _info
    import signal

    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's business
        for other in others:
            other.close()
        _C.set_num_threads(1)
        seed = seed_worker(base_seed, number)
        _info = WorkerInfo(id=number, num_workers=count, seed=seed, dataset=dataset)
        failure = None
        try:
            if worker_init_fn is not None:
                worker_init_fn(number)
        except Exception:
            failure = Failure(f"in DataLoader worker process {number}")
        _serve(number, channel, make_fetcher, dataset, failure, [None] * slots)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the main process is gone, or does not want more


def _serve(number, channel, make_fetcher, dataset, failure, slots):
    fetcher, turn = None, 0
    while True:
        task = channel.recv()
        if task is None:
            return
        if task == "epoch":
            fetcher = None
            continue
        index, indices = task
        kind = "batch"
        try:
            if failure is not None:
                kind, batch, failure = "failed", failure, None
            else:
                if fetcher is None:
                    fetcher = make_fetcher(dataset)
                try:
                    batch = fetcher.fetch(indices)
                except StopIteration:
                    if not hasattr(fetcher, "samples"):
                        raise
                    kind, batch = "ended", None
            message = packed(batch)
        except Exception:
            kind = "failed"
            message = packed(Failure(f"in DataLoader worker process {number}"))
        _send(channel, slots, turn, index, kind, *message)
        batch = message = indices = task = None
        turn = (turn + 1) % len(slots)


def _send(channel, slots, turn, index, kind, data, tensors, arrays):
    """The bytes go into the slot, their places over the socket."""
    from multiprocessing.reduction import send_handle

    if slots[turn] is None:
        slots[turn] = Slot()
    slot, views, places, at = slots[turn], (data, *tensors, *arrays), [], 0
    for view in views:
        places.append((at, at + len(view)))
        at += -(-len(view) // _ALIGNMENT) * _ALIGNMENT
    slot.need(at)
    for view, (begin, end) in zip(views, places):
        if end > begin:
            slot.map[begin:end] = view
    fresh, slot.fresh = slot.fresh, False
    channel.send((index, kind, turn, fresh, slot.size, places, len(tensors)))
    if fresh:
        send_handle(channel, slot.fd, None)


def receive(channel, slots):
    """In the main process: (index, kind, batch) of the next message."""
    index, kind, turn, fresh, size, places, tensors = channel.recv()
    if fresh:
        from multiprocessing.reduction import recv_handle

        if slots[turn] is not None:
            slots[turn].close()
        slots[turn] = Slot(recv_handle(channel))
    slot = slots[turn]
    slot.follow(size)
    memory = memoryview(slot.map)
    views = [memory[begin:end] for begin, end in places]
    return index, kind, unpacked(views[0], views[1:1 + tensors], views[1 + tensors:])
