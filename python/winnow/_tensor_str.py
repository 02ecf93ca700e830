"""torch._tensor_str: what programs import from there to print tensors."""
from ._info import _print


class _Options:
    """The settings of set_printoptions, read."""

    def __getattr__(self, name):
        if name not in _print:
            raise AttributeError(name)
        return _print[name]

    __repr__ = lambda self: f"PrinterOptions({', '.join(f'{k}={v!r}' for k, v in _print.items())})"


PRINT_OPTS = _Options()


def _tensor_str(self, indent):
    """The numbers of a tensor, lines after the first indented."""
    plain = self.detach()
    text = repr(plain)[len("tensor("):-1]
    suffix = f", dtype={plain.dtype}"
    if text.endswith(suffix):
        text = text[:-len(suffix)]
    return text.replace("\n       ", "\n" + " " * indent)


def _str(self, *, tensor_contents=None):
    """repr(self)"""
    return repr(self)
