"""torch.nn.functional: the rows that torch has there, and adapters where its Python function is more than the row: arguments in
another order, inplace=, reductions named by two old flags, None entries."""
from .. import _C
from .._construct import Tensor
from .._kinds import need, wrong_kind
from .._stand_in import answers as _answers, passed as _passed
from ._losses import _legacy as _reduction, _named as _named_reduction
from ._spatial import renormed as _renormed

_rows = _C.functions(4)
_torch = _C.functions(1)
globals().update({k: v for k, v in _rows.items() if not k.startswith("_")})


def _row(name):
    return _rows.get(name) or _torch[name]


# ------------------------------------------------------------------ activations: inplace=


_INPLACE = {"relu": "", "silu": "", "leaky_relu": ", negative_slope=0.01", "elu": ", alpha=1.0", "hardswish": "", "hardsigmoid": "", "mish": "",
            "relu6": "", "selu": "", "celu": ", alpha=1.0", "threshold": ", threshold, value",
            "rrelu": ", lower=1.0 / 8, upper=1.0 / 3, training=False"}
for _name in (*_INPLACE, "hardtanh"):
    globals()["_" + _name] = _row(_name)
    globals()[_name + "_"] = getattr(Tensor, _name + "_", None) or _rows.get(_name + "_") or _torch.get(_name + "_")
for _f in _answers(globals(), [
    (f"{_name}(input{_given}, inplace=False)",
     f"({_name}_ if inplace else _{_name})(input{_given and ', ' + _passed(_given[2:])})", _row(_name).__doc__)
        for _name, _given in _INPLACE.items()]):
    _f.__module__ = "torch.nn.functional"


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (hardtanh_ if inplace else _hardtanh)(input, min_val=min_val, max_val=max_val)

_sigmoid, _tanh = _torch["sigmoid"], _torch["tanh"]


def sigmoid(input):
    """1 / (1 + exp(-input)). A function of Python, as in torch: programs set attributes on it."""
    return _sigmoid(input)


def tanh(input):
    """The hyperbolic tangent, likewise."""
    return _tanh(input)


_softplus = _row("softplus")


def softplus(input, beta=1, threshold=20, *, out=None):
    """beta and threshold may be positional."""
    return _softplus(input, beta=beta, threshold=threshold, out=out)


_dropout = _row("dropout")


def dropout(input, p=0.5, training=True, inplace=False):
    """Zeroes elements with probability p and scales the others by 1/(1-p)."""
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    r = _dropout(input, p, training)
    return input.copy_(r) if inplace else r


def _softmax_dim(name, ndim):
    import warnings

    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.", stacklevel=4)
    return 0 if ndim in (0, 1, 3) else 1


_softmax, _log_softmax = _torch["softmax"], _torch["log_softmax"]


def softmax(input, dim=None, _stacklevel=3, dtype=None, *, where=None):
    """dim=None chooses as torch does, with a warning. where: winnow's mask."""
    return _softmax(input, _softmax_dim("softmax", input.dim()) if dim is None else dim, dtype, where=where)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None, *, where=None):
    return _log_softmax(input, _softmax_dim("log_softmax", input.dim()) if dim is None else dim, dtype, where=where)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax(-input, dim). dim=None chooses as torch does, with a warning."""
    return _softmax(-input, _softmax_dim("softmin", input.dim()) if dim is None else dim, dtype)


# ------------------------------------------------------------------ norms and embedding: another order of arguments

_batch_norm = _torch["batch_norm"]


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5, *, where=None):
    if training:
        n = input.numel() // input.shape[1] if input.dim() > 1 and input.shape[1] else 0
        if n == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
    return _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, where=where)


_group_norm = _torch["group_norm"]


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    need("group_norm", Tensor, input=input)
    if isinstance(num_groups, int) and num_groups > 0 and input.dim() >= 2:
        n, c, *rest = input.shape
        if n * c // num_groups == 1 and all([s == 1 for s in rest]):
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {[1, num_groups, *rest]}")
    return _group_norm(input, num_groups, weight, bias, eps)


_layer_norm = _torch["layer_norm"]


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5, *, where=None):
    return _layer_norm(input, normalized_shape, weight, bias, eps, where=where)


_embedding = _torch["embedding"]


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is not None:
        try:
            n = weight.shape[0]
        except AttributeError:
            raise wrong_kind("embedding", 2, "weight", "Tensor", weight) from None
        if padding_idx >= n or padding_idx < -n:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= n
    _renormed(weight, input, max_norm, norm_type)
    return _embedding(weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse)


# ------------------------------------------------------------------ losses: size_average and reduce


_cross_entropy, _nll_loss, _bce_logits = (_rows[n] for n in ("cross_entropy", "nll_loss", "binary_cross_entropy_with_logits"))


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    reduction = _named_reduction(size_average, reduce, reduction)
    return _cross_entropy(input, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _named_reduction(size_average, reduce, reduction)
    if getattr(input, "ndim", 1) == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    return _nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    reduction = _named_reduction(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    return _bce_logits(input, target, weight, reduction=reduction, pos_weight=pos_weight)


from ._losses import *
from ._attention import *

from ._spatial import *  # noqa: E402,F403

_adaptive_avg_pool2d = _row("adaptive_avg_pool2d")


def adaptive_avg_pool2d(input, output_size):
    """None in output_size keeps the input's size."""
    need("adaptive_avg_pool2d", Tensor, input=input)
    if input.dim() < 3:
        raise ValueError(f"Input dimension should be at least 3, got {input.dim()}")
    if isinstance(output_size, (tuple, list)):
        if len(output_size) != 2:
            raise RuntimeError(f"adaptive_avg_pool2d: output_size must be 2, got {len(output_size)}")
        output_size = [n if o is None else o for o, n in zip(output_size, input.shape[-2:])]
    return _adaptive_avg_pool2d(input, output_size)


def _describe_all():
    """help() shows what the rows say of the functions that stand in their place."""
    from .._adapters.general import describe

    all_rows = {**_C.functions(256), **_torch, **_rows}
    elsewhere = {"unfold": "im2col", "fold": "col2im", "grid_sample": "grid_sampler", "affine_grid": "affine_grid_generator"}
    for name, f in globals().items():
        row = all_rows.get(elsewhere.get(name, name))
        if row is not None and row is not f and type(f) is type(_row) and row.__doc__ not in (f.__doc__ or ""):
            describe(f, row)


_describe_all()

def __getattr__(name):
    if name == "linear_cross_entropy":  # its options are a dataclass: nothing that every import should wait for
        from ._linear_cross_entropy import linear_cross_entropy

        globals()[name] = linear_cross_entropy
        return linear_cross_entropy
    from .._hook import missing

    raise missing("torch.nn.functional", name, [n for n in globals() if not n.startswith("_")])
