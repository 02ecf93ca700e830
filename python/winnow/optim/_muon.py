"""Muon: momentum whose matrix is made nearly orthogonal."""
from .._types import bfloat16
from ._per_parameter import PerParameter
from .optimizer import _rows, check_lr, number, zeros_like

__all__ = ["Muon"]


class Muon(PerParameter):
    """Jordan et al. 2024: momentum whose matrix is made nearly orthogonal by ns_steps of a Newton-Schulz iteration in bfloat16."""
    _fill = {}

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.7750, 2.0315), eps=1e-7,
                 ns_steps=5, adjust_lr_fn=None):
        check_lr(lr)
        if not 0.0 <= lr:
            raise ValueError(f"Learning rate should be >= 0 but is: {lr}")
        if not 0.0 <= momentum:
            raise ValueError(f"momentum should be >= 0 but is: {momentum}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight decay should be >= 0 but is: {weight_decay}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        if ns_steps >= 100:
            raise ValueError("Number of steps must be less than 100 for computational efficiency")
        if len(ns_coefficients) != 3:
            raise ValueError("Coefficients must be a tuple of exactly 3 values")
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, ns_coefficients=ns_coefficients,
                                      eps=eps, ns_steps=ns_steps, adjust_lr_fn=adjust_lr_fn))
        for group in self.param_groups:
            for p in group["params"]:
                if p.dim() != 2:
                    raise ValueError(f"Muon only supports 2D parameters whereas we found a parameter with size: {p.size()}")

    def _init(self, group, p, state):
        state["momentum_buffer"] = zeros_like(p)

    def _update(self, group, p, g, state):
        momentum, lr = group["momentum"], number(group["lr"])
        buffer = state["momentum_buffer"]
        buffer.lerp_(g, 1 - momentum)
        update = g.lerp(buffer, momentum) if group["nesterov"] else buffer
        update = _orthogonal(update, group["ns_coefficients"], group["ns_steps"], group["eps"])
        a, b = p.shape
        factor = 0.2 * max(a, b)**0.5 if group["adjust_lr_fn"] == "match_rms_adamw" else max(1, a / b)**0.5
        p.mul_(1 - lr * group["weight_decay"])
        p.add_(update.to(p.dtype), alpha=-lr * factor)


def _orthogonal(m, coefficients, steps, eps):
    """x -> a*x + (b*xx' + c*xx'xx')x from m/|m| on: pushes the singular values towards 1."""
    a, b, c = coefficients
    x = m.to(bfloat16)
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.t()
    x = x / x.norm().clamp(min=eps)
    addmm = _rows["addmm"]
    for _ in range(steps):
        gram = x @ x.t()
        x = addmm(x, addmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.t() if tall else x
