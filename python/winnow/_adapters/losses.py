"""torch's own functions for losses: the reduction is a number (0 none, 1 mean, 2 sum), the old flags are not there."""
from .. import _C
from .general import adapter

_rows = dict(_C.functions(4))
_WORDS = ("none", "mean", "sum")


def _numbered(name, parameters):
    row = _rows[name]
    names = [p.split("=")[0] for p in parameters]
    space = {"row": row, "words": _WORDS}
    text = ", ".join(parameters)
    call = ", ".join(f"{n}={n}" for n in names if n != "reduction")
    exec(compile(f"def {name}({text}):\n    return row({call}, reduction=words[reduction] if type(reduction) is int else reduction)", f"{__file__}:{name}", "exec"), space)
    f = space[name]
    f.__doc__ = row.__doc__
    adapter("f", name)(f)


_numbered("kl_div", ("input", "target", "reduction=1", "log_target=False"))
_numbered("hinge_embedding_loss", ("input", "target", "margin=1.0", "reduction=1"))
_numbered("margin_ranking_loss", ("input1", "input2", "target", "margin=0.0", "reduction=1"))
_numbered("cosine_embedding_loss", ("input1", "input2", "target", "margin=0.0", "reduction=1"))
_numbered("triplet_margin_loss", ("anchor", "positive", "negative", "margin=1.0", "p=2", "eps=1e-6", "swap=False", "reduction=1"))
_numbered("poisson_nll_loss", ("input", "target", "log_input", "full", "eps", "reduction"))


@adapter("f")
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    """Connectionist temporal classification loss, as torch.nn.functional.ctc_loss, with the reduction as a number: 0 none, 1 mean, 2 sum."""
    from ..nn._losses import ctc_loss as whole

    return whole(log_probs, targets, input_lengths, target_lengths, blank, _WORDS[reduction] if type(reduction) is int else reduction, zero_infinity)
