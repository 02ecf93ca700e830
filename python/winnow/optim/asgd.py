"""ASGD: averaged stochastic gradient descent."""
from .._construct import Tensor
from ._per_parameter import PerParameter
from .optimizer import check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["ASGD"]


class ASGD(PerParameter):
    """Polyak and Juditsky 1992: gradient descent with decay lambd, eta_t = lr/(1 + lambd*lr*t)^alpha; ax averages p from step t0 on."""

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
                 capturable=False):
        check_lr(lr)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def __setstate__(self, state):
        super().__setstate__(state)
        for own in self.state.values():
            for name in ("eta", "mu"):
                if name in own and not isinstance(own[name], Tensor):
                    own[name] = scalar(own[name])

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["eta"] = scalar(number(group["lr"]))
        state["mu"] = scalar(1)
        state["ax"] = zeros_like(p)

    def _update(self, group, p, g, state):
        lr, lambd = number(group["lr"]), group["lambd"]
        step, eta, mu = count(state), state["eta"].item(), state["mu"].item()
        g = self._decayed(group, p, g)
        p.mul_(1 - lambd * eta).add_(g, alpha=-eta)
        average = state["ax"]
        if mu == 1:
            average.copy_(p)
        else:
            average.add_(p.sub(average).mul_(mu))
        state["eta"].fill_(lr / (1 + lambd * lr * step)**group["alpha"])
        state["mu"].fill_(1 / max(1, step - group["t0"]))
