"""Random numbers: seeds, the default generator's state, and what Generator has besides what the engine gives it."""
from functools import partial

from . import _C
from ._recording import inside
from ._types import CPU, uint8

__all__ = ["set_rng_state", "get_rng_state", "manual_seed", "seed", "initial_seed", "fork_rng"]

Generator = _C.Generator
default_generator = _C.default_generator


def manual_seed(seed):
    """Seeds the default generator and returns it."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Seeds the default generator from the system's randomness and returns the seed."""
    return default_generator.seed()


def initial_seed():
    """The seed that the default generator was given last."""
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the default generator, a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Puts the default generator back into a state that get_rng_state returned."""
    default_generator.set_state(new_state)


class fork_rng:
    """Context (or decorator) at whose end the default generator is as it was at its beginning. devices: winnow has the CPU alone."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
        self.enabled = enabled and device_type != "meta"
        if self.enabled and devices is not None and len(list(devices)):
            raise RuntimeError("fork_rng: winnow has no devices besides the CPU: devices must be empty")

    def __enter__(self):
        self.state = default_generator._get_state() if self.enabled else None

    def __exit__(self, *exc):
        if self.enabled:
            default_generator._set_state(self.state)

    def __call__(self, function):
        return inside(partial(fork_rng, enabled=self.enabled), function)


# ------------------------------------------------------------------ Generator's methods

def _method(f):
    f.__qualname__ = f"Generator.{f.__name__}"
    return f


@_method
def get_state(self):
    """The state, a tensor of bytes."""
    return _tensor_of(self._get_state())


@_method
def set_state(self, new_state):
    """Goes back to a state that get_state returned."""
    if not isinstance(new_state, _C.Tensor):
        raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
    if new_state.dtype is not uint8:
        raise TypeError("RNG state must be a torch.ByteTensor")
    state = bytes(new_state.reshape(-1).tolist())
    size = len(self._get_state())
    if len(state) != size:
        raise RuntimeError(f"Expected a CPUGeneratorImplState of size {size} but found the input RNG state size to be {len(state)}")
    self._set_state(state)
    return self


@_method
def _seed(self):
    """Seeds from the system's randomness and returns the seed."""
    from os import urandom

    number = int.from_bytes(urandom(8), "little")
    self.manual_seed(number)
    return number


@_method
def clone_state(self):
    """Another generator in the same state."""
    return _rebuild(self._get_state())


@_method
def __reduce__(self):
    return (_rebuild, (self._get_state(),))


@_method
def __deepcopy__(self, memo):
    return self.clone_state()


def _rebuild(state):
    generator = Generator()
    generator._set_state(state)
    return generator


def _tensor_of(state):
    return _C._tensor(list(state), uint8)


_seed.__name__ = "seed"
for _name, _f in {"get_state": get_state, "set_state": set_state, "seed": _seed, "clone_state": clone_state, "__reduce__": __reduce__,
                  "__deepcopy__": __deepcopy__}.items():
    setattr(Generator, _name, _f)
Generator.device = property(lambda self: CPU)
del _name, _f, get_state, set_state, clone_state, __reduce__, __deepcopy__
