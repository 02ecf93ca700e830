"""Optimisers whose step sizes follow the gradients: Adadelta, Adagrad, Adamax, NAdam, RAdam, RMSprop.

Each step is a chain of pointwise operations on one parameter. On large parameters they are deferred and run as one program, in one
pass over memory: nothing in a chain but its last operations changes p, and nothing reads a value in between.
"""
from .._construct import Tensor
from .optimizer import (Optimizer, _rows, check_betas, check_fused, check_lr, count, decayed, not_negative, number, scalar, signed, stepping,
                        with_gradient, zeros_like)

__all__ = ["Adadelta", "Adagrad", "Adamax", "NAdam", "RAdam", "RMSprop"]

_maximum = _rows["maximum"]


class PerParameter(Optimizer):
    """Optimisers that change one parameter after the other: _init fills a new state, _update(group, p, g, state) makes the step."""
    _fill = {"maximize": False, "foreach": None, "differentiable": False, "capturable": False}  # options that old state_dicts lack

    @stepping
    def step(self):
        name = type(self).__name__
        for group in self.param_groups:
            for p, g in with_gradient(group, name):
                state = self.state[p]
                if not state:
                    self._init(group, p, state)
                self._update(group, p, signed(g, group.get("maximize", False)), state)

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, default in self._fill.items():
                group.setdefault(name, default)
            for p in group["params"]:
                own = self.state.get(p)
                if own and "step" in own and not isinstance(own["step"], Tensor):
                    own["step"] = scalar(own["step"])

    def _coupled(self, group, p, g):
        return decayed(g, p, number(group["weight_decay"]))


class Adadelta(PerParameter):
    """Zeiler 2012. v = rho*v + (1-rho)*g*g; d = sqrt(u + eps)/sqrt(v + eps) * g; u = rho*u + (1-rho)*d*d; p -= lr*d."""

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        check_lr(lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        not_negative(epsilon_value=eps, weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize, capturable=capturable,
                                      foreach=foreach, differentiable=differentiable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["square_avg"] = zeros_like(p)
        state["acc_delta"] = zeros_like(p)

    def _update(self, group, p, g, state):
        rho, eps = group["rho"], group["eps"]
        count(state)
        g = self._coupled(group, p, g)
        v, u = state["square_avg"], state["acc_delta"]
        v.mul_(rho).addcmul_(g, g, value=1 - rho)
        delta = u.add(eps).sqrt().div(v.add(eps).sqrt()).mul(g)
        u.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-number(group["lr"]))


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
        step = count(state)
        g = self._coupled(group, p, g)
        total = state["sum"]
        total.addcmul_(g, g, value=1)
        lr = number(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        p.addcdiv_(g, total.sqrt().add(group["eps"]), value=-lr)


class Adamax(PerParameter):
    """Kingma and Ba 2015. m = beta1*m + (1-beta1)*g; u = max(beta2*u, |g| + eps); p -= lr/(1-beta1^t) * m/u."""

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False,
                 capturable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps)
        check_betas(betas)
        not_negative(weight_decay_value=weight_decay)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, foreach=foreach, maximize=maximize,
                                      differentiable=differentiable, capturable=capturable))

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["exp_avg"] = zeros_like(p)
        state["exp_inf"] = zeros_like(p)

    def _update(self, group, p, g, state):
        beta1, beta2 = group["betas"]
        step = count(state)
        g = self._coupled(group, p, g)
        m, u = state["exp_avg"], state["exp_inf"]
        m.lerp_(g, 1 - beta1)
        u.copy_(_maximum(u * beta2, g.abs().add_(group["eps"])))
        p.addcdiv_(m, u, value=-number(group["lr"]) / (1 - beta1**step))


class NAdam(PerParameter):
    """Dozat 2016: Adam with Nesterov's momentum, mu_t = beta1*(1 - .96^(t*momentum_decay)/2)."""
    _fill = {"maximize": False, "foreach": None, "differentiable": False, "capturable": False, "decoupled_weight_decay": False}

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
        (beta1, beta2), lr, weight_decay = group["betas"], number(group["lr"]), number(group["weight_decay"])
        step = count(state)
        if weight_decay != 0 and group["decoupled_weight_decay"]:
            p.mul_(1 - lr * weight_decay)
        else:
            g = decayed(g, p, weight_decay)
        mu, mu_next = (beta1 * (1 - 0.5 * 0.96**(t * group["momentum_decay"])) for t in (step, step + 1))
        product = state["mu_product"]
        product.mul_(mu)
        product = product.item()
        m, v = state["exp_avg"], state["exp_avg_sq"]
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        root = v.div(1 - beta2**step).sqrt().add(group["eps"])
        p.addcdiv_(g, root, value=-lr * (1 - mu) / (1 - product))
        p.addcdiv_(m, root, value=-lr * mu_next / (1 - product * mu_next))


class RAdam(PerParameter):
    """Liu et al. 2020: Adam whose adaptive step begins when the variance of its second moment is small enough."""
    _fill = NAdam._fill

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
        (beta1, beta2), lr, weight_decay = group["betas"], number(group["lr"]), number(group["weight_decay"])
        step = count(state)
        if weight_decay != 0 and group["decoupled_weight_decay"]:
            p.mul_(1 - lr * weight_decay)
        else:
            g = decayed(g, p, weight_decay)
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


class RMSprop(PerParameter):
    """Hinton 2012. v = alpha*v + (1-alpha)*g*g, centered: less the square of the mean gradient; p -= lr * g/(sqrt(v) + eps), which
    momentum averages first."""

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None,
                 maximize=False, differentiable=False):
        check_lr(lr)
        not_negative(epsilon_value=eps, momentum_value=momentum, weight_decay_value=weight_decay, alpha_value=alpha)
        super().__init__(params, dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps, centered=centered, weight_decay=weight_decay,
                                      capturable=capturable, foreach=foreach, maximize=maximize, differentiable=differentiable))

    _fill = {"momentum": 0, "centered": False, **PerParameter._fill}

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        state["square_avg"] = zeros_like(p)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(p)
        if group["centered"]:
            state["grad_avg"] = zeros_like(p)

    def _update(self, group, p, g, state):
        alpha, lr = group["alpha"], number(group["lr"])
        count(state)
        g = self._coupled(group, p, g)
        v = state["square_avg"]
        v.mul_(alpha).addcmul_(g, g, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.lerp_(g, 1 - alpha)
            root = v.addcmul(mean, mean, value=-1).sqrt().add(group["eps"])
        else:
            root = v.sqrt().add(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).addcdiv_(g, root)
            p.add_(buffer, alpha=-lr)
        else:
            p.addcdiv_(g, root, value=-lr)
