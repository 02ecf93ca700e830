"""NAdam: Adam with Nesterov's momentum."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_betas, check_lr, count, not_negative, scalar

__all__ = ["NAdam"]


class NAdam(PerParameter):
    """Dozat 2016: Adam with Nesterov's momentum, mu_t = beta1*(1 - .96^(t*momentum_decay)/2)."""
    _fill = {**PerParameter._fill, "decoupled_weight_decay": False}
    _zeros = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, *,
                 foreach=None, maximize=False, capturable=False, differentiable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay, momentum_decay_value=momentum_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay,
                                      decoupled_weight_decay=decoupled_weight_decay, maximize=maximize, foreach=foreach,
                                      capturable=capturable, differentiable=differentiable))

    def _init(self, group, p, state):
        state.update(step=None, mu_product=scalar(1))  # in the order of torch's files
        super()._init(group, p, state)

    def _update(self, group, p, g, state):
        step, options = int(count(state)), numbers(group, "lr", "eps", "weight_decay", "momentum_decay")
        mu, mu_next = (options["beta1"] * (1 - 0.5 * 0.96**(t * options["momentum_decay"])) for t in (step, step + 1))
        product, m, v = state["mu_product"].mul_(mu), state["exp_avg"], state["exp_avg_sq"]
        if not group["differentiable"]:
            rows["_fused_nadam_"](p, g, m, v, step=step, mu_product=product.item(), decoupled=group["decoupled_weight_decay"], **options)
            return
        g, lr = self._decayed(group, p, g), options["lr"]  # the product may want a gradient, too
        m.lerp_(g, 1 - options["beta1"])
        v.mul_(options["beta2"]).addcmul_(g, g, value=1 - options["beta2"])
        now, later = -lr * (1 - mu) / (1 - product), -lr * mu_next / (1 - product * mu_next)
        p.add_((g * now + m * later) / v.div(1 - options["beta2"]**step).sqrt().add(options["eps"]))
