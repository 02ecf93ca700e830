"""Adam, in one pass over memory for each parameter."""
from .. import _C
from .._construct import Tensor
from .optimizer import (Optimizer, check_betas, check_fused, check_lr, count, decayed, gathered, not_negative, number,
                        scalar, signed, stepping, with_gradient, zeros_like)

__all__ = ["Adam"]

_NAMES = ("step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq")
_count, _fused_adam_ = _C._count, _C.functions(256)["_fused_adam_"]


def _check_kinds(betas, foreach, capturable):
    """betas are two floats or two tensors of one element."""
    tensors = [isinstance(beta, Tensor) for beta in betas]
    if tensors[0] != tensors[1] or not all(isinstance(beta, (float, Tensor)) for beta in betas):
        raise ValueError("betas must be either both floats or both Tensors")
    for i in (0, 1) if tensors[0] else ():
        if foreach and not capturable:
            raise ValueError(f"betas[{i}] as a Tensor is not supported for capturable=False and foreach=True")
        if betas[i].numel() != 1:
            raise ValueError(f"Tensor betas[{i}] must be 1-element")


class Adam(Optimizer):
    """Kingma and Ba 2015. m = beta1*m + (1-beta1)*g; v = beta2*v + (1-beta2)*g*g;
    p -= lr/(1-beta1^t) * m / (sqrt(v)/sqrt(1-beta2^t) + eps). amsgrad: v's running maximum instead of v."""
    _fill = {"amsgrad": False, "maximize": False, "foreach": None, "capturable": False, "differentiable": False,
             "decoupled_weight_decay": False, "fused": None}

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False,
                 capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        check_lr(lr, foreach, capturable)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        _check_kinds(betas, foreach, capturable)
        check_fused(fused, differentiable, foreach)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
                                      foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
                                      decoupled_weight_decay=decoupled_weight_decay))

    def __setstate__(self, state):
        super().__setstate__(state)
        self._counts_as_tensors()

    def _state_of(self, p, group):
        state = self.state[p]
        if not state:
            state["step"] = scalar(0)
            state["exp_avg"] = zeros_like(p)
            state["exp_avg_sq"] = zeros_like(p)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(p)
        return state

    @stepping
    def step(self):
        for group in self.param_groups:
            if group["differentiable"]:
                for p, g in with_gradient(group, "Adam"):
                    self._one(group, p, g, self._state_of(p, group))
            else:
                self._fused(group)

    def _begin(self, group):
        for p, _ in with_gradient(group, "Adam"):
            self._state_of(p, group)

    def _fused(self, group):
        amsgrad = bool(group["amsgrad"])
        lists = gathered(group, self.state, _NAMES[:3 + amsgrad], lambda: self._begin(group))
        counts = _count(lists[2])
        if counts and counts.count(counts[0]) == len(counts):
            return self._update(group, counts[0], amsgrad, *lists)
        for step in set(counts):  # parameters that joined later count their own
            self._update(group, step, amsgrad, *([x for x, n in zip(items, counts) if n == step] for items in lists))

    @staticmethod
    def _update(group, step, amsgrad, parameters, grads, steps, averages, squares, largest=()):
        beta1, beta2 = group["betas"]
        _fused_adam_(parameters, grads, averages, squares, largest, step=step, lr=number(group["lr"]), beta1=number(beta1), beta2=number(beta2),
                     weight_decay=number(group["weight_decay"]), eps=group["eps"], amsgrad=amsgrad, maximize=bool(group["maximize"]),
                     decoupled=bool(group["decoupled_weight_decay"]))

    def _one(self, group, p, g, state):
        """The same out of operations that are recorded: lr and betas may be tensors that want a gradient."""
        step, lr, (beta1, beta2) = count(state), group["lr"], group["betas"]
        weight_decay = group["weight_decay"]
        g = signed(g, group["maximize"])
        if group["decoupled_weight_decay"]:
            if weight_decay != 0:
                p.mul_(1 - lr * weight_decay)
        else:
            g = decayed(g, p, number(weight_decay))
        state["exp_avg"] = m = state["exp_avg"] * beta1 + g * (1 - beta1)
        state["exp_avg_sq"] = v = state["exp_avg_sq"] * beta2 + g * g * (1 - beta2)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = v = state["max_exp_avg_sq"].maximum(v)
        root = (1 - beta2**step)**0.5
        p.sub_(m / (v.sqrt() / root + group["eps"]) * (lr / (1 - beta1**step)))
