"""Adafactor and Muon: steps that look at a parameter as a matrix."""
from .._types import bfloat16, finfo
from .adaptive import PerParameter
from .optimizer import _rows, check_lr, count, number, scalar, zeros_like

__all__ = ["Adafactor", "Muon"]


class Adafactor(PerParameter):
    """Shazeer and Stern 2018: the second moment of a matrix as the product of its rows' and its columns' means."""
    _fill = {"foreach": None, "maximize": False}

    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False):
        check_lr(lr)
        if not 0.0 >= beta2_decay:
            raise ValueError(f"beta2_decay should be <= 0 but is: {beta2_decay}")
        if eps[0] is not None and not 0.0 <= eps[0]:
            raise ValueError(f"epsilon1 should be >= 0 but is: {eps[0]}")
        if not 0.0 <= eps[1]:
            raise ValueError(f"epsilon2 should be >= 0 but is: {eps[1]}")
        if not 1.0 <= d:
            raise ValueError(f"Clipping threshold d should be >= 1 but is: {d}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"weight_decay should be >= 0 but is: {weight_decay}")
        super().__init__(params, dict(lr=lr, beta2_decay=beta2_decay, eps=eps, d=d, weight_decay=weight_decay, foreach=foreach, maximize=maximize))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        if p.dim() > 1:
            rows, columns = list(p.shape), list(p.shape)
            rows[-1] = columns[-2] = 1
            state["row_var"] = p.new_zeros(rows)
            state["col_var"] = p.new_zeros(columns)
        else:
            state["variance"] = zeros_like(p)

    def _update(self, group, p, g, state):
        eps1, eps2 = group["eps"]
        if eps1 is None:
            eps1 = finfo(p.dtype).eps
        step, lr = count(state), number(group["lr"])
        weight = step**group["beta2_decay"]
        alpha = max(eps2, p.norm(2).item() / p.numel()**0.5) * min(lr, 1 / step**0.5)
        if group["weight_decay"] != 0:
            p.mul_(1 - lr * group["weight_decay"])
        square = g * g
        if g.dim() > 1:
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_(square.mean(-1, keepdim=True), weight)
            columns.lerp_(square.mean(-2, keepdim=True), weight)
            variance = (rows @ columns).div_(rows.mean(-2, keepdim=True).clamp_(min=eps1))
        else:
            state["variance"].lerp_(square, weight)
            variance = state["variance"]
        update = variance.clamp(min=eps1 * eps1).rsqrt_().mul_(g)
        size = max(1.0, update.norm(2).item() / (update.numel()**0.5 * group["d"]))
        p.add_(update, alpha=-alpha / size)


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
