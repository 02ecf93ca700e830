"""torch._check and its kin: assertions as functions, whose message is made only when it is needed."""
from ._construct import Tensor
from ._types import bool as bool_


def _check_with(error_type, cond, message):
    """Raises error_type with what message() returns unless cond."""
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        raise error_type("Expected cond to be True, but got False. (Could this error message be improved?  If so, please report an enhancement request.)")
    if not callable(message):
        raise TypeError("message must be a callable")
    raise error_type(str(message()))


def _raising(name, error):
    def check(cond, message=None):
        _check_with(error, cond, message)
    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"Raises {error.__name__} with what message() returns unless cond, which is a bool."
    return check


_check = _raising("_check", RuntimeError)
_check_index = _raising("_check_index", IndexError)
_check_value = _raising("_check_value", ValueError)
_check_type = _raising("_check_type", TypeError)
_check_not_implemented = _raising("_check_not_implemented", NotImplementedError)


def _check_is_size(i, message=None, *, max=None):
    """Raises unless i is a size: not negative, and at most max."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all_with(error_type, cond, message=None):
    """Raises error_type with what message() returns unless all elements of cond, a tensor of bools, are true."""
    if not isinstance(cond, Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype is not bool_:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, cond.all().item(), message)


def _check_tensor_all(cond, message=None):
    """Raises RuntimeError with what message() returns unless all elements of cond, a tensor of bools, are true."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _assert_async(input, assert_msg=None):
    """Raises unless the only element of input is not zero."""
    if not input.is_nonzero():
        raise RuntimeError(assert_msg if assert_msg is not None else "Expected Tensor with single nonzero value, but got zero")
