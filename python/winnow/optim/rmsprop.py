"""RMSprop."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_lr, count, not_negative, zeros_like

__all__ = ["RMSprop"]


class RMSprop(PerParameter):
    """Hinton 2012. v = alpha*v + (1-alpha)*g*g, centered: less the square of the mean gradient; p -= lr * g/(sqrt(v) + eps), which
    momentum averages first."""

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps, momentum_value=momentum, weight_decay_value=weight_decay, alpha_value=alpha)
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                                      capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))

    _fill = {"momentum": 0, "centered": False, **PerParameter._fill}
    _zeros = ("square_avg",)

    def _init(self, group, p, state):
        super()._init(group, p, state)
        for name, wanted in (("momentum_buffer", group["momentum"] > 0), ("grad_avg", group["centered"])):
            if wanted:
                state[name] = zeros_like(p)

    def _update(self, group, p, g, state):
        count(state)
        buffer, mean = state["momentum_buffer"] if group["momentum"] > 0 else None, state["grad_avg"] if group["centered"] else None
        rows["_fused_rmsprop_"](p, g, state["square_avg"], buffer, mean, rho=group["alpha"],
                                **numbers(group, "lr", "eps", "momentum", "weight_decay"))
