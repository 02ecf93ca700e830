"""The two steps of a scaler that PyTorch has as operations: gradients divided by the factor and looked at, and the factor's next value."""
from .. import _C
from .._recording import recording

_rows = _C.functions(1)


def _amp_foreach_non_finite_check_and_unscale_(self, found_inf, inv_scale):
    """Multiplies the tensors of the list self by inv_scale, and makes found_inf 1 if an element of one is infinite or NaN."""
    with recording(False):
        finite = [_rows["isfinite"](t).all() for t in self]
        factor = inv_scale.reshape(())
        for t in self:
            t.mul_(factor.to(t.dtype))
        if not all([bool(f) for f in finite]):
            found_inf.fill_(1.0)


def _amp_update_scale_(self, growth_tracker, found_inf, scale_growth_factor, scale_backoff_factor, growth_interval):
    """self, the factor, shrinks where found_inf is not 0; after growth_interval steps without it grows, while it stays finite. Returns self."""
    if found_inf.item():
        self.mul_(scale_backoff_factor)
        growth_tracker.fill_(0)
    elif growth_tracker.item() + 1 == growth_interval:
        grown = self * scale_growth_factor
        if grown.isfinite().all():
            self.copy_(grown)
        growth_tracker.fill_(0)
    else:
        growth_tracker.add_(1)
    return self
