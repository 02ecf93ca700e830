"""SGD: stochastic gradient descent with momentum, in one pass over memory for each parameter."""
from .. import _C
from .._construct import Tensor
from .optimizer import Optimizer, check_fused, check_lr, decayed, gathered, number, signed, stepping, with_gradient

__all__ = ["SGD"]

_fused_sgd_ = _C.functions(256)["_fused_sgd_"]


class SGD(Optimizer):
    """d = g + weight_decay*p; with momentum: buf = d at first, then momentum*buf + (1-dampening)*d, and d = buf or, with nesterov,
    d + momentum*buf; p -= lr*d."""
    _fill = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False, "fused": False}

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

    @stepping
    def step(self):
        for group in self.param_groups:
            if group["differentiable"]:
                for p, g in with_gradient(group, "SGD"):
                    self._one(group, p, g)
            else:
                self._fused(group)

    def _fused(self, group):
        momentum = float(number(group["momentum"]))
        options = dict(lr=float(number(group["lr"])), momentum=momentum, dampening=float(number(group["dampening"])),
                       weight_decay=float(number(group["weight_decay"])), nesterov=bool(group["nesterov"]), maximize=bool(group["maximize"]))
        first, names = set(), ("momentum_buffer",) if momentum else ()
        parameters, grads, *buffers = gathered(group, self.state, names, lambda: self._begin(group, momentum, first))
        lists = [parameters, grads, *(buffers or [[]])]
        for is_first in (True, False) if first else (False,):
            some = [[x for x, p in zip(items, parameters) if (p in first) == is_first] for items in lists] if first else lists
            if some[0]:
                _fused_sgd_(*some, is_first_step=is_first, **options)

    def _begin(self, group, momentum, first):
        """Buffers for the parameters that have none; first collects these."""
        for p, g in with_gradient(group, "SGD"):
            if momentum and self.state[p].get("momentum_buffer") is None:
                self.state[p]["momentum_buffer"] = g.detach().clone()
                first.add(p)

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
