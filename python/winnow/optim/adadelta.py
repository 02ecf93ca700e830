"""Adadelta."""
from ._per_parameter import PerParameter
from .optimizer import check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["Adadelta"]


class Adadelta(PerParameter):
    """Zeiler 2012. v = rho*v + (1-rho)*g*g; d = sqrt(u + eps)/sqrt(v + eps) * g; u = rho*u + (1-rho)*d*d; p -= lr*d."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        not_negative(epsilon_value=eps, weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                                      foreach=foreach, differentiable=differentiable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["square_avg"] = zeros_like(p)
        state["acc_delta"] = zeros_like(p)

    def _update(self, group, p, g, state):
        rho, eps = group["rho"], group["eps"]
        count(state)
        g = self._decayed(group, p, g)
        v, u = state["square_avg"], state["acc_delta"]
        v.mul_(rho).addcmul_(g, g, value=1 - rho)
        delta = u.add(eps).sqrt().div(v.add(eps).sqrt()).mul(g)
        u.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-number(group["lr"]))
