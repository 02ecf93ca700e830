"""Adadelta."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_lr, count, not_negative

__all__ = ["Adadelta"]


class Adadelta(PerParameter):
    """Zeiler 2012. v = rho*v + (1-rho)*g*g; d = sqrt(u + eps)/sqrt(v + eps) * g; u = rho*u + (1-rho)*d*d; p -= lr*d."""
    _zeros = ("square_avg", "acc_delta")

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        not_negative(epsilon_value=eps, weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                                      foreach=foreach, differentiable=differentiable))

    def _update(self, group, p, g, state):
        count(state)
        rows["_fused_adadelta_"](p, g, state["square_avg"], state["acc_delta"], **numbers(group, "lr", "rho", "eps", "weight_decay"))
