"""Norms of gradients, and their limits."""
import winnow
from warnings import warn
from winnow import Tensor


def _tensors(tensors):
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def _grads(parameters):
    return [p.grad for p in _tensors(parameters) if p.grad is not None]


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all the tensors as one vector."""
    with winnow.no_grad():
        tensors = _tensors(tensors)
        norm_type = float(norm_type)
        if not tensors:
            return winnow.tensor(0.0)
        norms = winnow.stack([winnow.norm(t, norm_type) for t in tensors])
        total = norms.max() if norm_type == winnow.inf else norms.min() if norm_type == -winnow.inf else winnow.norm(norms, norm_type)
        if error_if_nonfinite and not bool(winnow.isfinite(total)):
            raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be clipped. To "
                               "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`")
        return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients so that their norm, which is total_norm, is max_norm at most."""
    with winnow.no_grad():
        grads = _grads(parameters)
        if grads:
            factor = winnow.clamp(float(max_norm) / (total_norm + 1e-6), max=1.0)
            for g in grads:
                g.mul_(factor)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients so that their norm together is max_norm at most; returns what it was."""
    if isinstance(parameters, Tensor):
        parameters = [parameters]
    elif not isinstance(parameters, (list, tuple)):
        parameters = list(parameters)
        if not parameters:
            warn("`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3)
    total = get_total_norm(_grads(parameters), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """clip_grad_norm_ under its old name."""
    warn("`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Puts every element of the gradients into [-clip_value, clip_value]."""
    limit = float(clip_value)
    with winnow.no_grad():
        for g in _grads(parameters):
            g.clamp_(-limit, limit)
