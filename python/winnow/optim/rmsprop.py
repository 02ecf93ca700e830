"""RMSprop."""
from ._per_parameter import PerParameter
from .optimizer import check_lr, count, not_negative, number, scalar, zeros_like

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

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["square_avg"] = zeros_like(p)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = zeros_like(p)

    def _update(self, group, p, g, state):
        alpha, lr = group["alpha"], number(group["lr"])
        count(state)
        g = self._decayed(group, p, g)
        v = state["square_avg"]
        v.mul_(alpha).addcmul_(g, g, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.lerp_(g, 1 - alpha)
            root = v.addcmul(mean, mean, value=-1).sqrt().add(group["eps"])
        else:
            root = v.sqrt().add(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).addcdiv_(g, root)
            p.add_(buffer, alpha=-lr)
        else:
            p.addcdiv_(g, root, value=-lr)
