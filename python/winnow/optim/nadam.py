"""NAdam: Adam with Nesterov's momentum."""
from ._per_parameter import PerParameter
from .optimizer import check_betas, check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["NAdam"]


class NAdam(PerParameter):
    """Dozat 2016: Adam with Nesterov's momentum, mu_t = beta1*(1 - .96^(t*momentum_decay)/2)."""
    _fill = {**PerParameter._fill, "decoupled_weight_decay": False}

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
        state["step"] = scalar(0)
        state["mu_product"] = scalar(1)
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)

    def _update(self, group, p, g, state):
        (beta1, beta2), lr = group["betas"], number(group["lr"])
        step = count(state)
        g = self._decayed(group, p, g)
        mu, mu_next = (beta1 * (1 - 0.5 * 0.96**(t * group["momentum_decay"])) for t in (step, step + 1))
        product = state["mu_product"]
        product.mul_(mu)
        if not group["differentiable"]:
            product = product.item()
        m, v = state["exp_avg"], state["exp_avg_sq"]
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        root = v.div(1 - beta2**step).sqrt().add(group["eps"])
        now, later = -lr * (1 - mu) / (1 - product), -lr * mu_next / (1 - product * mu_next)
        if group["differentiable"]:
            p.add_((g * now + m * later) / root)
        else:
            p.addcdiv_(g, root, value=now)
            p.addcdiv_(m, root, value=later)
