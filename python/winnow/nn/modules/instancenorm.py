"""Normalization of each channel of each sample."""
from .. import functional as F
from .batchnorm import _NormBase, kinds

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d"]


class _InstanceNorm(_NormBase):
    """What the three have: one sample may come without its batch dimension."""
    _ndim = None  # dimensions of a batch

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self):
        return self._ndim - 1

    def _check_input_dim(self, input):
        if input.dim() not in (self._ndim - 1, self._ndim):
            raise ValueError(f"expected {self._ndim - 1}D or {self._ndim}D input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        batched = input.dim() == self._ndim
        channels = input.size(1 if batched else 0)
        if channels != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={1 if batched else 0} to match num_features ({self.num_features}), but got: {channels}.")
            from warnings import warn

            warn(f"input's size at dim={1 if batched else 0} does not match num_features. You can silence this warning by not passing in "
                 "num_features, which is not used because affine=False", stacklevel=2)
        return self._apply_instance_norm(input) if batched else self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats, 0.0 if self.momentum is None else self.momentum, self.eps)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        if local_metadata.get("version", None) is None and not self.track_running_stats:
            stats = [prefix + name for name in ("running_mean", "running_var") if prefix + name in state_dict]
            if stats:
                error_msgs.append("Unexpected running stats buffer(s) {names} for {klass} with track_running_stats=False. If state_dict is a "
                                  "checkpoint saved before 0.4.0, this may be expected because {klass} does not track running stats by default "
                                  "since 0.4.0. Please remove these keys from state_dict. If the running stats are actually needed, instead set "
                                  "track_running_stats=True in {klass} to enable them. See the documentation of {klass} for details.".format(
                                      names=" and ".join([f'"{k}"' for k in stats]), klass=type(self).__name__))
                for key in stats:
                    state_dict.pop(key)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


kinds(globals(), _InstanceNorm, "InstanceNorm", [
    (n, {"_ndim": n + 2}, f"(x - mean) / sqrt(var + eps) over the last {dimensions} of {shapes}.")
    for n, dimensions, shapes in (
        (1, "dimension", "(N, C, L) or (C, L)"), (2, "two dimensions", "(N, C, H, W) or (C, H, W)"),
        (3, "three dimensions", "(N, C, D, H, W) or (C, D, H, W)"))])
