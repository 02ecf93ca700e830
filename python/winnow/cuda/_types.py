"""torch.cuda.FloatTensor and its kin: names of types that no tensor has here, for programs that compare with them."""
import sys

from .._construct import _word
from .._types import BY_NUMBER

_DTYPES = {_word(d) + "Tensor": d for d in BY_NUMBER[1:11]}


class _Absent(type):
    """isinstance is never true; a call is refused with PyTorch's words."""

    __instancecheck__ = lambda cls, x: False

    def __call__(cls, *args, **kwargs):
        raise TypeError(f"type {cls.__module__}.{cls.__name__} not available. Torch not compiled with CUDA enabled.")


def kind(module, name):
    """The class of that name, one for each."""
    if name not in _DTYPES:
        from .._hook import missing

        raise missing(module, name, _DTYPES, "winnow computes on the CPU")
    made = _Absent(name, (), {"dtype": _DTYPES[name], "is_cuda": True, "__module__": "torch." + module.partition(".")[2],
                              "__doc__": "The name of a type on GPUs: no tensor is one."})
    setattr(sys.modules[module], name, made)
    return made


SPARSE = type(sys)(__package__ + ".sparse", "torch.cuda.sparse: names of types on GPUs.")
SPARSE.__getattr__ = lambda name: kind(SPARSE.__name__, name)
sys.modules[SPARSE.__name__] = SPARSE
