"""Rprop: resilient backpropagation."""
from ._per_parameter import PerParameter
from .optimizer import _rows, check_lr, count, number, scalar, zeros_like

__all__ = ["Rprop"]

_where = _rows["where"]


class Rprop(PerParameter):
    """Riedmiller and Braun 1993: each element has a step size, which grows by etas[1] while the gradient keeps its sign and shrinks
    by etas[0] when it changes; only the gradient's sign counts."""

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False,
                 differentiable=False):
        check_lr(lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["prev"] = zeros_like(p)
        state["step_size"] = zeros_like(p).fill_(number(group["lr"]))

    def _update(self, group, p, g, state):
        shrink, grow = group["etas"]
        count(state)
        size, previous = state["step_size"], state["prev"]
        product = g.mul(previous)
        turned = product.lt(0)
        factor = _where(turned, size.new_full((), shrink), _where(product.gt(0), size.new_full((), grow), 1.0))
        size.mul_(factor).clamp_(*group["step_sizes"])
        g = _where(turned, 0.0, g)
        p.addcmul_(g.sign(), size, value=-1)
        previous.copy_(g)
