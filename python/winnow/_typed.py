"""torch.FloatTensor and its kin: old names for tensors of one dtype. They make tensors and answer isinstance."""
from ._construct import Tensor, _legacy


class _Typed(type):
    def __new__(cls, name, bases, namespace):
        if bases:
            raise TypeError(f"type 'torch.{bases[0].__name__}' is not an acceptable base type")
        return super().__new__(cls, name, bases, namespace)

    __instancecheck__ = lambda cls, x: isinstance(x, Tensor) and x.dtype is cls._dtype

    def __call__(cls, *args, device=None):
        if len(args) == 1 and isinstance(args[0], Tensor) and args[0].dtype is not cls._dtype:
            raise TypeError(f"expected a tensor of dtype {cls._dtype}, got {args[0].dtype}")
        return _legacy(*args, device=device, dtype=cls._dtype)

    __repr__ = lambda cls: f"<class 'torch.{cls.__name__}'>"


def make(name, dtype):
    text = f"Tensors of {dtype}: {name}(...) makes one, isinstance looks at the dtype. torch.tensor(..., dtype={dtype}) is the newer way."
    return _Typed(name, (), {"_dtype": dtype, "dtype": dtype, "is_cuda": False, "__module__": Tensor.__module__, "__doc__": text})
