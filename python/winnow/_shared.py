"""Tensors in memory that several processes share (Tensor.share_memory_).

The memory is an unnamed file, mapped by each process; a forked child has the mapping already, and what multiprocessing pickles takes a
duplicate of the descriptor along. So nothing is left behind however processes end."""
import mmap
import os

import winnow

_files = {}  # address of a mapping -> its descriptor


class _Mapping(mmap.mmap):
    """A mapping whose descriptor is closed with it."""
    address = None

    def __del__(self):
        fd = _files.pop(self.address, None)
        if fd is not None:
            os.close(fd)


def _mapped(fd, size, dtype):
    """The file as a vector."""
    mapping = _Mapping(fd, size)
    vector = winnow.frombuffer(mapping, dtype=dtype)
    mapping.address = vector.data_ptr()
    _files[mapping.address] = fd
    return vector


def _file_of(tensor):
    """The descriptor of a tensor in shared memory, None for others."""
    return _files.get(tensor.untyped_storage().data_ptr()) if tensor.numel() else None


def is_shared(tensor):
    """Is it in memory that other processes may see?"""
    return tensor.numel() == 0 or _file_of(tensor) is not None


def share(tensor):
    """Moves a tensor into shared memory: itself. Other tensors on its old memory stay there."""
    if is_shared(tensor):
        return tensor
    with winnow.no_grad():
        reach = 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride()))  # elements from the first to the last
        size = reach * tensor.element_size()
        fd = os.memfd_create("winnow tensor", os.MFD_CLOEXEC)
        try:
            os.ftruncate(fd, size)
            vector = _mapped(fd, size, tensor.dtype)
        except BaseException:
            if fd not in _files.values():
                os.close(fd)
            raise
        moved = vector.as_strided(tensor.shape, tensor.stride())
        moved.copy_(tensor.detach())
        tensor.data = moved
    return tensor


def _rebuilt(kind, fd, size, dtype, shape, stride, offset, requires_grad):
    vector = _mapped(fd.detach(), size, getattr(winnow, dtype))
    made = vector.as_strided(shape, stride, offset)
    if kind is winnow.Tensor:
        return made.requires_grad_(requires_grad)
    return kind(made, requires_grad)


def reduced(tensor):
    """For multiprocessing's pickler: the descriptor of a shared tensor, the values of others."""
    fd = _file_of(tensor)
    if fd is None:
        return tensor.__reduce_ex__(2)
    if tensor.requires_grad and not tensor.is_leaf:
        raise RuntimeError("Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd does not support crossing process "
                           "boundaries.  If you just want to transfer the data, call detach() on the tensor before serializing (e.g., putting it "
                           "on the queue).")
    from multiprocessing.reduction import DupFd

    values = tensor.detach()
    return _rebuilt, (type(tensor), DupFd(fd), os.fstat(fd).st_size, str(tensor.dtype).partition(".")[2], tuple(values.shape), values.stride(),
                      values.storage_offset(), tensor.requires_grad)


def register():
    """multiprocessing passes shared tensors as such from here on."""
    from multiprocessing.reduction import ForkingPickler

    from .nn import Parameter

    for kind in (winnow.Tensor, Parameter):
        ForkingPickler.register(kind, reduced)
