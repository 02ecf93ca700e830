"""Normalization over a batch, with running statistics."""
import winnow

from .. import functional as F, init
from ..parameter import UninitializedBuffer
from .lazy import LazyModuleMixin, make_lazy, materialize
from .module import Module, make_parameters, weight_and_bias

__all__ = ["BatchNorm1d", "LazyBatchNorm1d", "BatchNorm2d", "LazyBatchNorm2d", "BatchNorm3d", "LazyBatchNorm3d", "SyncBatchNorm"]


def reset_scale(module):
    """Ones for weight and zeros for bias, where the module has them."""
    if module.weight is not None:
        init.ones_(module.weight)
    if getattr(module, "bias", None) is not None:
        init.zeros_(module.bias)


class _NormBase(Module):
    """Parameters and buffers of batch and instance norm."""
    _version = 2  # since then with num_batches_tracked
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        make_parameters(self, device, dtype, weight=num_features if affine else False, bias=num_features if affine and bias else False)
        stats = track_running_stats
        self.register_buffer("running_mean", winnow.zeros(num_features, device=device, dtype=dtype) if stats else None)
        self.register_buffer("running_var", winnow.ones(num_features, device=device, dtype=dtype) if stats else None)
        self.register_buffer("num_batches_tracked", winnow.tensor(0, dtype=winnow.long) if stats else None)
        self.reset_parameters()

    def reset_running_stats(self):
        """Forgets the batches so far."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        reset_scale(self)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        version = local_metadata.get("version", None)
        key = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            mine = self.num_batches_tracked
            state_dict[key] = winnow.tensor(0, dtype=winnow.long) if mine is None else mine
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    """The forward of batch norm."""

    def forward(self, input):
        self._check_input_dim(input)
        training, momentum = self.training, self.momentum
        if momentum is None:
            momentum = 0.0
        mean, var = self.running_mean, self.running_var
        if training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches
                momentum = 1.0 / float(self.num_batches_tracked)
        of_batch = training or (mean is None and var is None)
        if training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, *weight_and_bias(self), of_batch, momentum, self.eps)


def _check_dims(*allowed):
    text = " or ".join([f"{n}D" for n in allowed])

    def _check_input_dim(self, input):
        if input.dim() not in allowed:
            raise ValueError(f"expected {text} input (got {input.dim()}D input)")

    return _check_input_dim


class SyncBatchNorm(_BatchNorm):
    """Batch norm over the batches of several processes; winnow's is over the one that there is."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None,
                 dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")

    def forward(self, input):
        if self.training:
            raise ValueError("SyncBatchNorm expected input tensor to be on GPU or privateuseone")
        return super().forward(input)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """A copy of a tree of modules with SyncBatchNorm for every batch norm; it shares the parameters."""
        new = module
        if isinstance(module, _BatchNorm):
            new = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group)
            for name in ("weight", "bias", "running_mean", "running_var", "num_batches_tracked"):
                setattr(new, name, getattr(module, name))
            new.training = module.training
        for name, child in module.named_children():
            new.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return new


class _LazyNormBase(LazyModuleMixin, _NormBase):
    """num_features is that of the first input."""

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__(0, eps, momentum, False, False, device, dtype, bias=bias)  # without parameters: they come next
        self.affine, self.track_running_stats = affine, track_running_stats
        make_lazy(self, device, dtype, weight=affine, bias=affine and bias)
        make_lazy(self, device, dtype, UninitializedBuffer, running_mean=track_running_stats, running_var=track_running_stats)
        if track_running_stats:
            self.num_batches_tracked = winnow.tensor(0, dtype=winnow.long)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        materialize(self, **dict.fromkeys(("weight", "bias", "running_mean", "running_var"), (self.num_features,)))
        self.reset_parameters()


def kinds(space, base, name, kinds_of):
    """Puts the classes name1d, ... and Lazy... of a norm into a file's namespace: (number, attributes, docstring)."""
    for n, attributes, doc in kinds_of:
        own = {**attributes, "__module__": space["__name__"]}
        kind = type(f"{name}{n}d", (base,), {**own, "__doc__": doc})
        lazy = type("Lazy" + kind.__name__, (_LazyNormBase, base), {
            **own, "cls_to_become": kind, "__doc__": f"{kind.__name__} that learns num_features from its first input."})
        space.update({kind.__name__: kind, lazy.__name__: lazy})


kinds(globals(), _BatchNorm, "BatchNorm", [
    (n, {"_check_input_dim": _check_dims(*dims)},
     f"(x - mean) / sqrt(var + eps) * weight + bias for each channel of {shapes}.")
    for n, dims, shapes in (
        (1, (2, 3), "(N, C) or (N, C, L)"), (2, (4,), "(N, C, H, W)"), (3, (5,), "(N, C, D, H, W)"))])
