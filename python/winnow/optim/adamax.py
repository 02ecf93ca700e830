"""Adamax."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_betas, check_lr, count, not_negative

__all__ = ["Adamax"]


class Adamax(PerParameter):
    """Kingma and Ba 2015. m = beta1*m + (1-beta1)*g; u = max(beta2*u, |g| + eps); p -= lr/(1-beta1^t) * m/u."""
    _zeros = ("exp_avg", "exp_inf")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False,
                 capturable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _update(self, group, p, g, state):
        rows["_fused_adamax_"](p, g, state["exp_avg"], state["exp_inf"], step=int(count(state)), **numbers(group, "lr", "eps", "weight_decay"))
