"""ASGD, Rprop and SparseAdam."""
from .._construct import Tensor
from .adaptive import PerParameter
from .optimizer import _rows, check_betas, check_lr, count, not_negative, number, scalar, zeros_like

__all__ = ["ASGD", "Rprop", "SparseAdam"]

_where = _rows["where"]


class ASGD(PerParameter):
    """Polyak and Juditsky 1992: gradient descent with decay lambd, eta_t = lr/(1 + lambd*lr*t)^alpha; ax averages p from step t0 on."""

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False,
                 capturable=False):
        check_lr(lr)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def __setstate__(self, state):
        super().__setstate__(state)
        for own in self.state.values():
            for name in ("eta", "mu"):
                if name in own and not isinstance(own[name], Tensor):
                    own[name] = scalar(own[name])

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["eta"] = scalar(number(group["lr"]))
        state["mu"] = scalar(1)
        state["ax"] = zeros_like(p)

    def _update(self, group, p, g, state):
        lr, lambd = number(group["lr"]), group["lambd"]
        step, eta, mu = count(state), state["eta"].item(), state["mu"].item()
        g = self._coupled(group, p, g)
        p.mul_(1 - lambd * eta).add_(g, alpha=-eta)
        average = state["ax"]
        if mu == 1:
            average.copy_(p)
        else:
            average.add_(p.sub(average).mul_(mu))
        state["eta"].fill_(lr / (1 + lambd * lr * step)**group["alpha"])
        state["mu"].fill_(1 / max(1, step - group["t0"]))


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


class SparseAdam(PerParameter):
    """Adam that touches only the rows (along the first dimension) with a gradient: the others keep value and moments. winnow has no
    sparse gradients (embedding(sparse=True) gives dense ones): rows whose gradient is zero are those without one."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        check_lr(lr)
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, maximize=maximize))

    def _init(self, group, p, state):
        state["step"] = 0
        state["exp_avg"] = zeros_like(p)
        state["exp_avg_sq"] = zeros_like(p)

    def _update(self, group, p, g, state):
        beta1, beta2 = group["betas"]
        step = count(state)
        nonzero = g != 0
        rows = (nonzero.flatten(1).any(1) if g.dim() > 1 else nonzero).nonzero().reshape(-1) if g.dim() else None
        parts = [p, g, state["exp_avg"], state["exp_avg_sq"]]
        if rows is not None:
            if rows.numel() == 0:
                return
            parts = [t.index_select(0, rows) for t in parts]
        part, g, m, v = parts
        m.lerp_(g, 1 - beta1)
        v.lerp_(g * g, 1 - beta2)
        part.addcdiv_(m, v.sqrt().add(group["eps"]), value=-number(group["lr"]) * (1 - beta2**step)**0.5 / (1 - beta1**step))
        if rows is not None:
            for whole, new in ((p, part), (state["exp_avg"], m), (state["exp_avg_sq"], v)):
                whole.index_copy_(0, rows, new)


SparseAdam.__setstate__ = lambda self, state: super(PerParameter, self).__setstate__(state)  # its steps are plain numbers
