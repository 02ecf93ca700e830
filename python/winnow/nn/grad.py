"""torch.nn.grad: the gradients of convolutions by themselves."""
import winnow

from . import functional

__all__ = [f"conv{n}d_{of}" for n in (1, 2, 3) for of in ("input", "weight")]


def _gradient(n, of_input):
    convolution = getattr(functional, f"conv{n}d")

    def of_what(size, other, grad_output, stride, padding, dilation, groups):
        missing = winnow.zeros(size, dtype=other.dtype, requires_grad=True)
        with winnow.enable_grad():
            x, w = (missing, other.detach()) if of_input else (other.detach(), missing)
            y = convolution(x, w, None, stride, padding, dilation, groups)
            return winnow.autograd.grad(y, missing, grad_output)[0]

    if of_input:
        def f(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
            return of_what(input_size, weight, grad_output, stride, padding, dilation, groups)
    else:
        def f(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
            return of_what(weight_size, input, grad_output, stride, padding, dilation, groups)
    what = "input" if of_input else "weight"
    f.__name__ = f.__qualname__ = f"conv{n}d_{what}"
    f.__doc__ = f"The gradient of conv{n}d with respect to its {what}, of the size given, for grad_output."
    return f


for _n in (1, 2, 3):
    globals()[f"conv{_n}d_input"], globals()[f"conv{_n}d_weight"] = _gradient(_n, True), _gradient(_n, False)
del _n
