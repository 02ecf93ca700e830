"""Adamax."""
from ._per_parameter import PerParameter
from .optimizer import _rows, check_betas, check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["Adamax"]

_maximum = _rows["maximum"]


class Adamax(PerParameter):
    """Kingma and Ba 2015. m = beta1*m + (1-beta1)*g; u = max(beta2*u, |g| + eps); p -= lr/(1-beta1^t) * m/u."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False,
                 capturable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["exp_avg"] = zeros_like(p)
        state["exp_inf"] = zeros_like(p)

    def _update(self, group, p, g, state):
        beta1, beta2 = group["betas"]
        step = count(state)
        g = self._decayed(group, p, g)
        m, u = state["exp_avg"], state["exp_inf"]
        m.lerp_(g, 1 - beta1)
        u.copy_(_maximum(u * beta2, g.abs().add_(group["eps"])))
        p.addcdiv_(m, u, value=-number(group["lr"]) / (1 - beta1**step))
