"""PerParameter: what optimisers share that change one parameter after the other.

Each step is a chain of pointwise operations on one parameter. On large parameters they are deferred and run as one program, in one
pass over memory: nothing in a chain but its last operations changes p, and nothing reads a value in between.
"""
from .. import _C
from .optimizer import Optimizer, decayed, number, scalar, signed, stepping, with_gradient, zeros_like

rows = _C.functions(256)  # most steps are one of the rows that the optimisers of C take, too (src/ops/optim/optim.def)


def numbers(group, *names):
    """Options of a group for a row; betas as beta1 and beta2."""
    options = {name: float(number(group[name])) for name in names}
    if "betas" in group:
        options["beta1"], options["beta2"] = (float(number(beta)) for beta in group["betas"])
    return options


class PerParameter(Optimizer):
    """Optimisers that change one parameter after the other: _init fills a new state, _update(group, p, g, state) makes the step."""
    _zeros = ()  # the tensors of a new state beside its count of steps
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

    def _init(self, group, p, state):
        state["step"] = scalar(0)
        for name in self._zeros:
            state[name] = zeros_like(p)

    def __setstate__(self, state):
        super().__setstate__(state)
        self._counts_as_tensors()

    def _decayed(self, group, p, g):
        """g with the penalty's gradient; where the group's weight decay is decoupled, p decays instead."""
        weight_decay = number(group["weight_decay"])
        if not group.get("decoupled_weight_decay"):
            return decayed(g, p, weight_decay)
        if weight_decay != 0:
            p.mul_(1 - number(group["lr"]) * weight_decay)
        return g
