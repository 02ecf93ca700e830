"""Adagrad."""
from ._per_parameter import PerParameter, numbers, rows
from .optimizer import check_fused, check_lr, count, not_negative, scalar, zeros_like

__all__ = ["Adagrad"]


class Adagrad(PerParameter):
    """Duchi, Hazan, Singer 2011. s += g*g; p -= lr/(1 + (t-1)*lr_decay) * g/(sqrt(s) + eps)."""
    _fill = {"maximize": False, "foreach": None, "differentiable": False, "fused": None}

    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False,
                 differentiable=False, fused=None):
        check_lr(lr)
        not_negative(lr_decay_value=lr_decay, weight_decay_value=weight_decay, initial_accumulator_value_value=initial_accumulator_value,
                     epsilon_value=eps)
        check_fused(fused, differentiable, foreach)
        super().__init__(params, dict(lr=lr, lr_decay=lr_decay, eps=eps, weight_decay=weight_decay,
                                      initial_accumulator_value=initial_accumulator_value, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, fused=fused))
        for group in self.param_groups:
            for p in group["params"]:
                self._init(group, p, self.state[p])

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["sum"] = zeros_like(p).fill_(group["initial_accumulator_value"])

    def share_memory(self):
        """Nothing to do: torch moves the state to memory that processes share, winnow's tensors have none."""

    def _update(self, group, p, g, state):
        rows["_fused_adagrad_"](p, g, state["sum"], step=int(count(state)), **numbers(group, "lr", "lr_decay", "eps", "weight_decay"))
