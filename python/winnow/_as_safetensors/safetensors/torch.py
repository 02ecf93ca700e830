"""safetensors.torch: dicts of tensors, and the tensors of modules, as files and as bytes."""
import os
import tempfile

from winnow import Tensor
from winnow.io import save_safetensors

from . import SafetensorError, _on_cpu, _read

__all__ = ["save", "save_file", "save_model", "load", "load_file", "load_model"]


# ------------------------------------------------------------------ tensors on one storage

def _groups(tensors):
    """Lists of names whose tensors overlap in memory."""
    places = []
    for name, t in tensors.items():
        if t.numel():
            span = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
            places.append((t.untyped_storage().data_ptr(), t.data_ptr(), t.data_ptr() + span * t.element_size(), name))
    groups, storage, end = [], None, 0
    for place, first, last, name in sorted(places):
        if place == storage and first < end:
            groups[-1].append(name)
            end = max(end, last)
        else:
            groups.append([name])
            storage, end = place, last
    return [g for g in groups if len(g) > 1]


def storage_ptr(tensor):
    """Where a tensor's storage begins."""
    return tensor.untyped_storage().data_ptr()


def storage_size(tensor):
    """The bytes of a tensor's storage."""
    return tensor.untyped_storage().nbytes()


def _is_whole(t):
    storage = t.untyped_storage()
    return t.data_ptr() == storage.data_ptr() and t.numel() * t.element_size() == storage.nbytes()


def _duplicates(tensors, preferred=()):
    """{name to leave out: name that stands for it}. What stands for others has to cover its storage; names in `preferred` come first."""
    left_out = {}
    for group in _groups(tensors):
        whole = sorted(name for name in group if _is_whole(tensors[name]))
        if not whole:
            raise RuntimeError(f"Error while trying to find names to remove to save state dict, but found no suitable name to keep for saving amongst: "
                               f"{sorted(group)}. None is covering the entire storage.")
        kept = next((name for name in whole if name in preferred), whole[0])
        left_out.update((name, kept) for name in group if name != kept)
    return left_out


def _check(tensors):
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, t in tensors.items():
        if not isinstance(t, Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(t)}")
    sparse = [name for name, t in tensors.items() if "strided" not in str(t.layout)]
    if sparse:
        raise ValueError(f"You are trying to save a sparse tensors: `{sparse}` which this library does not support. You can make it a dense tensor "
                         "before saving with `.to_dense()` but be aware this might make a much larger file than needed.")
    shared = _groups(tensors)
    if shared:
        raise RuntimeError(f"Some tensors share memory, this will lead to duplicate memory on disk and potential differences when loading them again: "
                           f"{[set(g) for g in shared]}. A potential way to correctly save your model is to use `save_model`.")
    for name, t in tensors.items():
        if not t.is_contiguous():
            raise ValueError(f"You are trying to save a non contiguous tensor: `{name}` which is not allowed. It either means you are trying to save tensors "
                             "which are reference of each other in which case it's recommended to save only the full tensors, and reslice at load "
                             "time, or simply call `.contiguous()` on your tensor to pack it before saving.")


# ------------------------------------------------------------------ dicts

def save_file(tensors, filename, metadata=None):
    """Writes a dict of tensors, which must be contiguous and share no memory, and a dict of texts."""
    _check(tensors)
    try:
        save_safetensors(filename, tensors, metadata)
    except (ValueError, RuntimeError) as error:
        raise SafetensorError(f"Error while serializing: {error}") from None


def load_file(filename, device="cpu", *, backend="mmap"):
    """The dict of tensors in a file; with backend "mmap" they lie in it and are read when they are used (writing to them leaves the
    file as it is)."""
    _on_cpu(device)
    tensors = _read(filename, backend == "mmap")[0]
    return {name: tensors[name] for name in sorted(tensors)}


def _with_temporary_file(function):
    descriptor, path = tempfile.mkstemp(suffix=".safetensors")
    os.close(descriptor)
    try:
        return function(path)
    finally:
        os.unlink(path)


def save(tensors, metadata=None):
    """The bytes of the file that save_file writes."""
    def through(path):
        save_file(tensors, path, metadata)
        with open(path, "rb") as file:
            return file.read()
    return _with_temporary_file(through)


def load(data):
    """The dict of tensors in the bytes of a file."""
    def through(path):
        with open(path, "wb") as file:
            file.write(data)
        return load_file(path, backend="pread")
    return _with_temporary_file(through)


# ------------------------------------------------------------------ modules

def save_model(model, filename, metadata=None, force_contiguous=True):
    """Writes a module's state_dict. Of tensors that share memory one is written; the metadata says which stands for the others."""
    state = dict(model.state_dict())
    left_out = _duplicates(state)
    metadata = dict(metadata or {})
    for name, kept in left_out.items():
        metadata.setdefault(name, kept)
        del state[name]
    if force_contiguous:
        state = {name: t.contiguous() for name, t in state.items()}
    save_file(state, filename, metadata or None)


def load_model(model, filename, strict=True, device="cpu", *, backend="mmap"):
    """Loads what save_model wrote; returns the names that were missing (a set) and those that were not expected (a list)."""
    state = load_file(filename, device, backend=backend)
    left_out = _duplicates(dict(model.state_dict()), preferred=state)
    missing, unexpected = model.load_state_dict(state, strict=False)
    missing, unexpected = set(missing), list(unexpected)
    for name in left_out:
        if name in missing:
            missing.remove(name)
        else:
            unexpected.append(name)
    if strict and (missing or unexpected):
        lines = [f"Error(s) in loading state_dict for {type(model).__name__}:"]
        if missing:
            lines.append("    Missing key(s) in state_dict: " + ", ".join(f'"{name}"' for name in sorted(missing)))
        if unexpected:
            lines.append("    Unexpected key(s) in state_dict: " + ", ".join(f'"{name}"' for name in sorted(unexpected)))
        raise RuntimeError("\n".join(lines))
    return missing, unexpected
