"""Adafactor: the second moment of a matrix in a row and a column."""
from .._types import finfo
from ._per_parameter import PerParameter
from .optimizer import check_lr, count, number, scalar, zeros_like

__all__ = ["Adafactor"]


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
