"""SparseAdam: Adam for rows that seldom have a gradient."""
from .._construct import Tensor
from ._per_parameter import PerParameter
from .optimizer import Optimizer, check_betas, check_lr, count, number, zeros_like

__all__ = ["SparseAdam"]


class SparseAdam(PerParameter):
    """Adam that touches only the rows (along the first dimension) with a gradient: the others keep value and moments. winnow has no
    sparse gradients (embedding(sparse=True) gives dense ones): rows whose gradient is zero are those without one."""
    _fill = {}
    __setstate__ = Optimizer.__setstate__  # its steps are plain numbers

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        check_lr(lr)
        if not 0.0 < eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        check_betas(betas)
        params = list(params) if not isinstance(params, Tensor) else params
        for p in (p for item in params for p in (item["params"] if isinstance(item, dict) else [item])):
            if getattr(p[1] if isinstance(p, tuple) else p, "is_sparse", False):
                raise ValueError("SparseAdam requires dense parameter tensors")
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
