"""nn.functional over spatial dimensions: where torch's Python function is more than a row (return_indices, sizes from scale factors,
inplace=, optional arguments in another order)."""
import warnings
from operator import index

from .. import _C
from .._construct import Tensor
from .._kinds import need
from .._recording import recording
from .._stand_in import answers as _answers

_rows = {**_C.functions(256), **_C.functions(1), **_C.functions(4)}
__all__ = []


def _public(f):
    f.__module__ = "torch.nn.functional"
    __all__.append(f.__name__)
    return f


def _alias(name, f):
    globals()[name] = f
    __all__.append(name)


def _tuple(x, n):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n


def _or_empty(x):
    return [] if x is None else x


# ------------------------------------------------------------------ pools


def _sizes(input, output_size, name):
    """output_size with None for the input's own size."""
    if not isinstance(output_size, (tuple, list)):
        return output_size
    need(name, Tensor, input=input)
    if input.dim() <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}, got {input.dim()}")
    return [s if o is None else o for o, s in zip(output_size, input.shape[-len(output_size):])]


def _around_rows(functions):
    """Functions of one expression, in which _name is a row: (signature, expression, the row that help() shows)."""
    for f in _answers(globals(), [(signature, result, _rows[row].__doc__) for signature, result, row in functions]):
        _public(f)


globals().update({f"_{_name}": _row for _name, _row in _rows.items() if "pool" in _name})
for _n in (1, 2, 3):
    _max, _size = f"max_pool{_n}d", f"_sizes(input, output_size, 'adaptive_{{}}_pool{_n}d')"
    _given = "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
    _call = "(input, kernel_size, _or_empty(stride), padding, dilation, ceil_mode)"
    _more, _also = (", divisor_override=None, *, out=None", ", divisor_override, out=out") if _n > 1 else ("", "")
    _around_rows([
        (f"{_max}_with_indices({_given})", f"_{_max}_with_indices{_call}", f"{_max}_with_indices"),
        (f"{_max}({_given})", f"(_{_max}_with_indices if return_indices else _{_max}){_call}", _max),
        (f"avg_pool{_n}d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True{_more})",
         f"_avg_pool{_n}d(input, kernel_size, _or_empty(stride), padding, ceil_mode, count_include_pad{_also})",
         f"avg_pool{_n}d"),
        (f"lp_pool{_n}d(input, norm_type, kernel_size, stride=None, ceil_mode=False)",
         f"_lp_pool{_n}d(input, norm_type, kernel_size, _or_empty(stride), ceil_mode)", f"lp_pool{_n}d"),
        (f"adaptive_avg_pool{_n}d(input, output_size)", f"_adaptive_avg_pool{_n}d(input, {_size.format('avg')})",
         f"adaptive_avg_pool{_n}d"),
        (f"adaptive_{_max}_with_indices(input, output_size, return_indices=False)",
         f"_adaptive_{_max}(input, {_size.format('max')})", f"adaptive_{_max}"),
        (f"adaptive_{_max}(input, output_size, return_indices=False)",
         f"_adaptive_{_max}(input, {_size.format('max')})[slice(None) if return_indices else 0]", f"adaptive_{_max}")])

_rand = _rows["rand"]


def _fractional(n):
    row = _rows[f"fractional_max_pool{n}d"]
    name = f"fractional_max_pool{n}d"

    def with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
        if output_size is None:
            if isinstance(output_ratio, (tuple, list)) and len(output_ratio) > n:
                raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
            ratio = _tuple(output_ratio, n)
            output_size = [int(s * r) for s, r in zip(input.shape[-n:], ratio)]
        if _random_samples is None:
            batch = 1 if input.dim() == n + 1 else input.shape[0]
            _random_samples = _rand((batch, input.shape[-n - 1], n), dtype=input.dtype)
        return row(input, kernel_size, output_size, _random_samples)

    def plain(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        result, indices = with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
        return (result, indices) if return_indices else result
    with_indices.__name__, plain.__name__ = name + "_with_indices", name
    plain.__doc__ = with_indices.__doc__ = row.__doc__
    for f in (with_indices, plain):
        globals()[f.__name__] = _public(f)


for _n in (2, 3):
    _fractional(_n)


def _unpool_size(input, kernel, stride, padding, output_size):
    n = len(kernel)
    default = [(input.shape[-n + d] - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(n)]
    if output_size is None:
        return default
    if len(output_size) == n + 2:
        output_size = output_size[2:]
    if len(output_size) != n:
        raise ValueError(f"output_size should be a sequence containing {n} or {n + 2} elements, but it has a length of '{len(output_size)}'")
    for d in range(n):
        low, high = default[d] - stride[d], default[d] + stride[d]
        if not low < output_size[d] < high:
            raise ValueError(f'invalid output_size "{output_size}" (dim {d} must be between {low} and {high})')
    return output_size


def _max_unpool(n):
    row = _rows[f"max_unpool{n}d"]

    def f(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        kernel = _tuple(kernel_size, n)
        steps = kernel if stride is None else _tuple(stride, n)
        pads = _tuple(padding, n)
        size = _unpool_size(input, kernel, steps, pads, output_size)
        if n == 3 and any(s <= 0 for s in steps):
            raise RuntimeError(f"strides should be greater than zero, but got stride: {steps}")
        return row(input, indices, list(size))
    f.__name__, f.__doc__ = f"max_unpool{n}d", row.__doc__
    globals()[f.__name__] = _public(f)


for _n in (1, 2, 3):
    _max_unpool(_n)

# ------------------------------------------------------------------ resizing and sampling

_resample = _rows["resample"]
_MODES = {("nearest", 3), ("nearest", 4), ("nearest", 5), ("nearest-exact", 3), ("nearest-exact", 4), ("nearest-exact", 5), ("area", 3), ("area", 4),
          ("area", 5), ("linear", 3), ("bilinear", 4), ("bicubic", 4), ("lanczos", 4), ("trilinear", 5)}


@_public
def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    """Resizes to size, or by scale_factor."""
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear")
    n = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    given = size if size is not None else scale_factor
    what = "size" if size is not None else "scale_factor"
    if isinstance(given, (list, tuple)) and len(given) != n:
        raise ValueError(f"Input and {'output' if what == 'size' else 'scale_factor'} must have the same number of spatial dimensions, but got input with spatial "
                         f"dimensions of {list(input.shape[2:])} and {what} of {given}.")
    given = _tuple(given, n)
    scales = (None,) * 3
    if size is not None:
        if recompute_scale_factor:
            raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
        if not all([_whole(s) for s in given]):
            raise TypeError(f"expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with types {[type(s) for s in given]}")
        out = given
    else:
        out = [int(s * f) for s, f in zip(input.shape[2:], given)]
        if mode != "area" and not recompute_scale_factor:
            scales = (None,) * (3 - n) + tuple(float(f) for f in given)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and input.dim() == 4):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input")
    wanted = {"linear": 3, "bilinear": 4, "trilinear": 5}.get(mode)
    if 3 <= input.dim() <= 5 and wanted not in (None, input.dim()):
        raise NotImplementedError(f"Got {input.dim()}D input, but {mode} mode needs {wanted}D input")
    if (mode, input.dim()) not in _MODES:
        raise NotImplementedError("Input Error: Only 3D, 4D and 5D input Tensors supported "
                                  f"(got {input.dim()}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})")
    if mode == "lanczos" and align_corners:
        raise ValueError("Lanczos mode does not support align_corners=True")
    if mode == "lanczos" and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    return _resample(input, [int(s) for s in out], mode, bool(align_corners), antialias, *scales)


def _whole(s):
    """Is it an integer, of whatever type?"""
    try:
        index(s)
    except TypeError:
        return False
    return True


@_public
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The old name of interpolate."""
    warnings.warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
    return interpolate(input, size, scale_factor, mode, align_corners)


def _upsample_as(mode, **how):
    def f(input, size=None, scale_factor=None):
        warnings.warn(f"`nn.functional.upsample_{mode}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=2)
        return interpolate(input, size, scale_factor, mode=mode, **how)
    f.__name__ = f.__qualname__ = f"upsample_{mode}"
    f.__doc__ = f'The old name of interpolate(mode="{mode}"{"".join([f", {k}={v}" for k, v in how.items()])}).'
    return _public(f)


upsample_nearest, upsample_bilinear = _upsample_as("nearest"), _upsample_as("bilinear", align_corners=True)


_grid_sampler, _affine_grid = _rows["grid_sampler"], _rows["affine_grid_generator"]
_DEFAULT = ("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify align_corners=True if the old "
            "behavior is desired. See the documentation of grid_sample for details.")


GRID_SAMPLE_INTERPOLATION_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
GRID_SAMPLE_PADDING_MODES = {"zeros": 0, "border": 1, "reflection": 2}
__all__ += ["GRID_SAMPLE_INTERPOLATION_MODES", "GRID_SAMPLE_PADDING_MODES"]


@_public
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode not in GRID_SAMPLE_INTERPOLATION_MODES:
        raise ValueError(f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
    if padding_mode not in GRID_SAMPLE_PADDING_MODES:
        raise ValueError(f"nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '{padding_mode}'")
    if align_corners is None:
        warnings.warn(_DEFAULT, stacklevel=2)
        align_corners = False
    return _grid_sampler(input, grid, GRID_SAMPLE_INTERPOLATION_MODES[mode], GRID_SAMPLE_PADDING_MODES[padding_mode], align_corners)


@_public
def affine_grid(theta, size, align_corners=None):
    if align_corners is None:
        warnings.warn(_DEFAULT, stacklevel=2)
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    n = len(size) - 2
    if n not in (2, 3):
        raise NotImplementedError(f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size {size}.")
    if theta.dim() != 3 or theta.shape[-2] != n or theta.shape[-1] != n + 1:
        raise ValueError(f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size {size}. Got {theta.shape}.")
    if align_corners and min(size[-n:]) == 1:
        warnings.warn("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This is not an intended use case of "
                      "affine_grid. See the documentation of affine_grid for details.", stacklevel=2)
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return _affine_grid(theta, list(size), align_corners)


# ------------------------------------------------------------------ tables

_embedding_bag, _embedding_renorm_, _arange = _rows["embedding_bag"], _rows["embedding_renorm_"], _rows["arange"]


def renormed(weight, input, max_norm, norm_type):
    """Changes the weight's rows that are looked up and longer than max_norm, if that is given."""
    if max_norm is not None:
        with recording(False):
            _embedding_renorm_(weight, input, max_norm, norm_type)


@_public
def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False, per_sample_weights=None,
                  include_last_offset=False, padding_idx=None):
    """Sums, means or maxima of rows of weight, bag by bag."""
    if not weight.is_floating_point() and input.is_floating_point():
        warnings.warn("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is deprecated, and should now be "
                      "`embedding_bag(input, weight, ...)`.", stacklevel=2)
        weight, input = input, weight
    if per_sample_weights is not None and input.shape != per_sample_weights.shape:
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same shape as the input ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found "
                             f"offsets of type {type(offsets)}")
        offsets = _arange(0, input.numel(), input.shape[1], dtype=input.dtype)
        include_last_offset = False
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    renormed(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
                                  f"(got mode='{mode}'). Please open a feature request on GitHub.")
    return _embedding_bag(weight, input, offsets, scale_grad_by_freq, ("sum", "mean", "max").index(mode), sparse, per_sample_weights, include_last_offset,
                          padding_idx)[0]


# ------------------------------------------------------------------ norms, dropout, folds

_instance_norm = _rows["instance_norm"]


@_public
def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    if use_input_stats:
        n = 1
        for s in input.shape[2:]:
            n *= s
        if n == 1:
            raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    return _instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


def _check_p(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _drop(name, input, p, training, inplace):
    f = _rows[name]
    return _rows[name + "_"](input, p, training) if inplace else f(input, p, training)


def _drop_one(input, p, training, inplace):
    """Of one image without a batch dimension."""
    if inplace:
        _rows["feature_dropout_"](input.unsqueeze(0), p, training)
        return input
    return _rows["feature_dropout"](input.unsqueeze(0), p, training).squeeze(0)


@_public
def dropout1d(input, p=0.5, training=True, inplace=False):
    """Zeroes whole channels of (N, C, L) or (C, L) with probability p and scales the others by 1/(1-p)."""
    _check_p(p)
    n = input.dim()
    if n not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {n}D input. Note that dropout1d exists to provide channel-wise dropout on inputs "
                           "with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).")
    return _drop("feature_dropout", input, p, training, inplace) if n == 3 else _drop_one(input, p, training, inplace)


@_public
def dropout2d(input, p=0.5, training=True, inplace=False):
    """Zeroes whole channels of (N, C, H, W) with probability p and scales the others by 1/(1-p). 3-D input is read as (N, C, L)."""
    _check_p(p)
    n = input.dim()
    if n not in (3, 4):
        warnings.warn(f"dropout2d: Received a {n}-D input to dropout2d, which is deprecated and will result in an error in a future release. To retain the behavior "
                      "and silence this warning, please use dropout instead.", stacklevel=2)
    if n == 3:
        warnings.warn("dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape "
                      "(N, C, L), where C is the channel dim.", stacklevel=2)
    return _drop("feature_dropout", input, p, training, inplace)


@_public
def dropout3d(input, p=0.5, training=True, inplace=False):
    """Zeroes whole channels of (N, C, D, H, W) or (C, D, H, W) with probability p and scales the others by 1/(1-p)."""
    _check_p(p)
    n = input.dim()
    if n not in (4, 5):
        warnings.warn(f"dropout3d: Received a {n}-D input to dropout3d, which is deprecated and will result in an error in a future release. To retain the behavior "
                      "and silence this warning, please use dropout instead.", stacklevel=2)
    return _drop("feature_dropout", input, p, training, inplace) if n == 5 else _drop_one(input, p, training, inplace)


def _plain_dropout(name):
    def f(input, p=0.5, training=False, inplace=False):
        _check_p(p)
        return _drop(name, input, p, training, inplace)
    f.__name__ = f.__qualname__ = name
    return _public(f)


alpha_dropout, feature_alpha_dropout = _plain_dropout("alpha_dropout"), _plain_dropout("feature_alpha_dropout")
_im2col, _col2im, _local_response_norm = _rows["im2col"], _rows["col2im"], _rows["local_response_norm"]
_around_rows([
    ("unfold(input, kernel_size, dilation=1, padding=0, stride=1)", "_im2col(input, kernel_size, dilation, padding, stride)", "im2col"),
    ("fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1)",
     "_col2im(input, output_size, kernel_size, dilation, padding, stride)", "col2im"),
    ("local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0)", "_local_response_norm(input, size, alpha, beta, k)", "local_response_norm")])
