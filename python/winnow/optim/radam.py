"""RAdam: rectified Adam."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_betas, check_lr, count, not_negative

__all__ = ["RAdam"]


class RAdam(PerParameter):
    """Liu et al. 2020: Adam whose adaptive step begins when the variance of its second moment is small enough."""
    _fill = {**PerParameter._fill, "decoupled_weight_decay": False}
    _zeros = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None,
                 maximize=False, capturable=False, differentiable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, decoupled_weight_decay=decoupled_weight_decay, differentiable=differentiable))

    def _update(self, group, p, g, state):
        rows["_fused_radam_"](p, g, state["exp_avg"], state["exp_avg_sq"], step=int(count(state)), decoupled=group["decoupled_weight_decay"],
                              **numbers(group, "lr", "eps", "weight_decay"))
