"""SGD: stochastic gradient descent with momentum, in one pass over memory for each parameter."""
from .. import _C
from .._construct import Tensor
from .optimizer import Optimizer, check_fused, check_lr, decayed, number, signed, stepping, with_gradient

__all__ = ["SGD"]

_fused_sgd_ = _C.functions(256)["_fused_sgd_"]


class SGD(Optimizer):
    """d = g + weight_decay*p; with momentum: buf = d at first, then momentum*buf + (1-dampening)*d, and d = buf or, with nesterov,
    d + momentum*buf; p -= lr*d."""

    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None,
                 differentiable=False, fused=None):
        check_lr(lr)
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        check_fused(fused, differentiable, foreach)
        super().__init__(params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
                                      maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused))

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, default in (("nesterov", False), ("maximize", False), ("foreach", None), ("differentiable", False), ("fused", False)):
                group.setdefault(name, default)

    @stepping
    def step(self):
        for group in self.param_groups:
            pairs = list(with_gradient(group, "SGD"))
            if group["differentiable"]:
                for p, g in pairs:
                    self._one(group, p, g)
            elif pairs:
                self._fused(group, pairs)

    def _fused(self, group, pairs):
        momentum = number(group["momentum"])
        options = dict(lr=float(number(group["lr"])), momentum=float(momentum), dampening=float(number(group["dampening"])),
                       weight_decay=float(number(group["weight_decay"])), nesterov=bool(group["nesterov"]), maximize=bool(group["maximize"]))
        if momentum == 0:
            _fused_sgd_([p for p, _ in pairs], [g for _, g in pairs], [], **options)
            return
        first, later = ([], [], []), ([], [], [])
        for p, g in pairs:
            state = self.state[p]
            buffer = state.get("momentum_buffer")
            lists = later
            if buffer is None:
                buffer, lists = g.detach().clone(), first
                state["momentum_buffer"] = buffer
            for items, item in zip(lists, (p, g, buffer)):
                items.append(item)
        for lists, is_first in ((first, True), (later, False)):
            if lists[0]:
                _fused_sgd_(*lists, is_first_step=is_first, **options)

    def _one(self, group, p, g):
        """The same out of operations that are recorded."""
        momentum, lr = group["momentum"], group["lr"]
        d = decayed(signed(g, group["maximize"]), p, number(group["weight_decay"]))
        if momentum != 0:
            state = self.state[p]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = d.clone()
            else:
                buffer.mul_(momentum).add_(d, alpha=1 - group["dampening"])
            state["momentum_buffer"] = buffer
            d = d.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        if isinstance(lr, Tensor) and lr.requires_grad:
            p.sub_(d * lr)
        else:
            p.add_(d, alpha=-number(lr))
