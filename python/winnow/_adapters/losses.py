"""torch's own functions for losses: the reduction is a number (0 none, 1 mean, 2 sum), the old flags are not there."""
from .. import _C
from .._stand_in import answers, passed
from .general import adapter

_rows = dict(_C.functions(4))
_WORDS = ("none", "mean", "sum")


def _word(reduction):
    return _WORDS[reduction] if type(reduction) is int else reduction


_NUMBERED = {"kl_div": "input, target, reduction=1, log_target=False", "hinge_embedding_loss": "input, target, margin=1.0, reduction=1",
             "margin_ranking_loss": "input1, input2, target, margin=0.0, reduction=1",
             "cosine_embedding_loss": "input1, input2, target, margin=0.0, reduction=1",
             "triplet_margin_loss": "anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction=1",
             "poisson_nll_loss": "input, target, log_input, full, eps, reduction"}
for _f in answers(globals(), [
    (f"{_name}({_given})", f"_rows['{_name}']({passed(_given).replace('=reduction', '=_word(reduction)')})", _rows[_name].__doc__)
        for _name, _given in _NUMBERED.items()]):
    adapter("f")(_f)


@adapter("f")
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    """Connectionist temporal classification loss, as torch.nn.functional.ctc_loss, with the reduction as a number: 0 none, 1 mean, 2 sum."""
    from ..nn._losses import ctc_loss as whole

    return whole(log_probs, targets, input_lengths, target_lengths, blank, _word(reduction), zero_infinity)
