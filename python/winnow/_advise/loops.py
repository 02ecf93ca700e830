"""Modules called for their results only, with a graph that nobody walks (no_grad is missing), or in training mode (eval is missing)."""
import copy

import winnow as torch

from .watch import Case, best, ms

MANY = 3
WALKED = 20_000  # nodes of a graph that are looked at


class Kind:
    NAMES = {"module", "backward", "grad"}

    def __init__(self):
        self.depth = 0
        self.lines = {}

    def enter(self, module):
        self.depth += 1

    def leave(self, module):
        self.depth -= 1

    def call(self, c):
        if c.name != "module":
            roots = c.args[0] if c.args else c.kwargs.get("tensors", c.kwargs.get("outputs"))
            self._walked([roots] if isinstance(roots, torch.Tensor) else list(roots or ()))
            return
        if self.depth or not c.direct or not isinstance(c.result, torch.Tensor) or len(c.args) < 2 or type(c.args[0]).__name__.endswith("Loss"):
            return
        line = self.lines.setdefault(c.where, {"n": 0, "graphs": 0, "training": 0, "walked": False, "nodes": [], "module": None, "inputs": None})
        line["n"] += 1
        line["training"] += c.args[0].training
        if c.result.grad_fn is not None:
            line["graphs"] += 1
            line["nodes"] = line["nodes"][-7:] + [c.result.grad_fn]
        if line["inputs"] is None and all(not isinstance(a, torch.Tensor) or not a.requires_grad for a in c.args[1:]):
            line["module"], line["inputs"] = c.args[0], tuple(a.detach() if isinstance(a, torch.Tensor) else a for a in c.args[1:])
            line["kwargs"] = c.kwargs

    def _walked(self, roots):
        """Which places' graphs hang on the roots?"""
        open_ = {id(node): line for line in self.lines.values() for node in line["nodes"] if not line["walked"]}
        seen, todo = set(), [r.grad_fn for r in roots if isinstance(r, torch.Tensor) and r.grad_fn is not None]
        while todo and open_ and len(seen) < WALKED:
            node = todo.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if id(node) in open_:
                open_[id(node)]["walked"] = True
                open_[id(node)]["nodes"] = []
            todo += [n for n, _ in node.next_functions if n is not None]

    def cases(self):
        for where, line in self.lines.items():
            if line["n"] < MANY or line["inputs"] is None or line["walked"]:
                continue
            if line["graphs"] == line["n"]:
                yield Case(where, lambda line=line: _without_graph(**line))
            elif not line["graphs"] and line["training"] == line["n"] and _differs(line["module"]):
                yield Case(where, lambda line=line: _without_training(**line))


def _differs(module):
    return any(getattr(m, "p", 0) and "Dropout" in type(m).__name__ or "BatchNorm" in type(m).__name__ for m in module.modules())


def _forward(module, inputs, kwargs, graph):
    def run():
        with torch.set_grad_enabled(graph):
            return module(*inputs, **kwargs)

    return run


def _without_graph(n, module, inputs, kwargs, **_):
    module = copy.deepcopy(module)
    with_graph, without = best(_forward(module, inputs, kwargs, True), 0.2, 20), best(_forward(module, inputs, kwargs, False), 0.2, 20)
    return (n * (with_graph - without), f"{type(module).__name__} is called {n:,} times with a graph that no backward walks, {ms(with_graph)} each; "
                                        f"under torch.no_grad() (or inference_mode) {ms(without)}.")


def _without_training(n, module, inputs, kwargs, **_):
    module = copy.deepcopy(module)
    training = best(_forward(module, inputs, kwargs, False), 0.2, 20)
    module.eval()
    evaluated = best(_forward(module, inputs, kwargs, False), 0.2, 20)
    return (n * (training - evaluated), f"{type(module).__name__} is called {n:,} times without a graph but in training mode (dropout and batch norm do their work), {ms(training)} each; "
                                        f"after eval() {ms(evaluated)}.")
