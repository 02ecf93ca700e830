"""RAdam: rectified Adam."""
from ._per_parameter import PerParameter
from .optimizer import check_betas, check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["RAdam"]


class RAdam(PerParameter):
    """Liu et al. 2020: Adam whose adaptive step begins when the variance of its second moment is small enough."""
    _fill = {**PerParameter._fill, "decoupled_weight_decay": False}

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)

    def _update(self, group, p, g, state):
        (beta1, beta2), lr = group["betas"], number(group["lr"])
        step = count(state)
        g = self._decayed(group, p, g)
        m, v = state["exp_avg"], state["exp_avg_sq"]
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        correction1, correction2 = 1 - beta1**step, 1 - beta2**step
        longest = 2 / (1 - beta2) - 1  # the length of the averages in the limit, and now
        length = longest - 2 * step * beta2**step / correction2
        if length > 5:
            rectified = ((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length))**0.5
            p.addcdiv_(m, v.sqrt().add(group["eps"]), value=-lr * rectified * correction2**0.5 / correction1)
        else:
            p.add_(m, alpha=-lr / correction1)
