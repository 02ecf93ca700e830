"""What stubs say of functions that are written in Python without annotations and have no row of their name: what they return, the
types that go with a parameter's name, and whole declarations where a signature says nothing (*args).
SPDX-License-Identifier: Apache-2.0
"""
import builtins
import inspect
import keyword

from .rows import CREATES

_RETURNS = {
    "_bool": "allclose equal is_complex is_conj is_floating_point is_inference is_neg is_nonzero is_same_size is_storage is_tensor can_cast "
             "are_deterministic_algorithms_enabled is_deterministic_algorithms_warn_only_enabled is_anomaly_check_nan_enabled "
             "is_anomaly_enabled has_names is_contiguous is_pinned is_set_to is_shared is_signed set_flush_denormal",
    "_int": "numel initial_seed seed get_num_interop_threads get_device",
    "_str": "typename get_float32_matmul_precision",
    "_device": "get_default_device",
    "_dtype": "promote_types result_type",
    "Generator": "manual_seed",
    "Size": "broadcast_shapes",
    "None": "set_anomaly_enabled set_default_device set_default_tensor_type set_float32_matmul_precision set_num_interop_threads "
            "set_printoptions set_rng_state use_deterministic_algorithms backward",
    "tuple[_int, ...]": "dim_order",
    "tuple[Tensor, ...]": "broadcast_tensors split_with_sizes split_with_sizes_copy unbind_copy split_copy gradient",
    "tuple[Tensor, Tensor]": "adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices adaptive_max_pool3d_with_indices "
                             "fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices",
    "tuple[Tensor, Tensor | None]": "multi_head_attention_forward",
    "tuple[Tensor, tuple[Tensor, ...]]": "histogramdd",
    "Any": "unique unique_consecutive type register_hook register_post_accumulate_grad_hook untyped_storage numpy as_subclass lu embedding_bag "
           "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d max_pool1d max_pool2d max_pool3d "
           "nonzero",
    "Tensor": "as_tensor asarray broadcast_to from_dlpack from_numpy frombuffer get_rng_state imag isclose moveaxis normal resize_as_ rsub "
              "tensor trapz view_as_complex view_as_real bfloat16 bool byte char cpu cuda double float half int long short new_empty_strided new_full "
              "new_tensor reshape_as sparse_mask to_dense to_sparse_coo to_sparse_csr type_as view_as contiguous pin_memory gumbel_softmax softmin "
              "normalize dropout1d dropout2d dropout3d affine_grid fold unfold grid_sample max_unpool1d max_unpool2d max_unpool3d upsample "
              "upsample_bilinear upsample_nearest triplet_margin_with_distance_loss",
}
RETURNS = {name: returned for returned, names in _RETURNS.items() for name in names.split()}

_PARAMETERS = {
    "Tensor": "input other target weight_ tensor src mask grad indices theta x1 x2 query key value anchor positive negative log_probs targets",
    "Tensor | None": "running_mean running_var gradient weight bias attn_mask key_padding_mask pos_weight per_sample_weights offsets",
    "_dtype | None": "dtype",
    "_dtype": "from_ to type1 type2",
    "Device": "device",
    "_layout | None": "layout",
    "_memory_format | None": "memory_format",
    "Generator | None": "generator",
    "_bool | None": "size_average reduce align_corners recompute_scale_factor retain_graph",
    "_int | None": "_stacklevel divisor_override padding_idx",
    "_float": "p eps momentum alpha beta threshold k margin rtol atol norm_type lower upper negative_slope tau label_smoothing delta std",
    "_int | Sequence[_int]": "kernel_size padding dilation output_padding split_size_or_sections source destination normalized_shape output_size",
    "_int | Sequence[_int] | None": "stride",
}
PARAMETERS = {name: type_ for type_, names in _PARAMETERS.items() for name in names.split()}

_TENSORS = "*tensors: Tensor"
_SIZE_OF_NEW = f"dtype: _dtype | None = None, {CREATES}"


def _one(name, middle, returned):
    """The only declaration of a function."""
    return [f"def {name}({middle}) -> {returned}: ..."]


DECLARED = {
    **{n: _one(n, _TENSORS, "Any") for n in ("atleast_1d", "atleast_2d", "atleast_3d")},
    "block_diag": _one("block_diag", _TENSORS, "Tensor"),
    "cartesian_prod": _one("cartesian_prod", _TENSORS, "Tensor"),
    "broadcast_tensors": _one("broadcast_tensors", _TENSORS, "tuple[Tensor, ...]"),
    "broadcast_shapes": _one("broadcast_shapes", "*shapes: _int | Sequence[_int]", "Size"),
    "chain_matmul": _one("chain_matmul", "*matrices: Tensor, out: Tensor | None = None", "Tensor"),
    "meshgrid": _one("meshgrid", "*tensors: Tensor | Sequence[Tensor], indexing: _str | None = None", "tuple[Tensor, ...]"),
    "einsum": _one("einsum", "equation: _str, *operands: Any", "Tensor"),
    "randint": [f"def randint({bounds}, size: Sequence[_int], *, generator: Generator | None = None, out: Tensor | None = None, "
                f"dtype: _dtype | None = None, {CREATES}) -> Tensor: ..." for bounds in ("high: _int", "low: _int, high: _int")],
    "split_copy": _one("split_copy", "input: Tensor, split_size: _int, dim: _int = 0, *, out: Sequence[Tensor] | None = None", "Any"),
    "split_with_sizes_copy": _one("split_with_sizes_copy", "input: Tensor, split_sizes: Sequence[_int], dim: _int = 0, *, "
                                   "out: Sequence[Tensor] | None = None", "Any"),
    "unbind_copy": _one("unbind_copy", "input: Tensor, dim: _int = 0, *, out: Sequence[Tensor] | None = None", "Any"),
    "where": ["def where(condition: Tensor) -> tuple[Tensor, ...]: ...",
              "def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor: ..."],
}
METHODS = {
    "to": ["def to(self, dtype: _dtype, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format = ...) -> Tensor: ...",
           "def to(self, other: Tensor, non_blocking: _bool = False, copy: _bool = False, *, memory_format: _memory_format = ...) -> Tensor: ...",
           "def to(self, device: Device = None, dtype: _dtype | None = None, non_blocking: _bool = False, copy: _bool = False, *, "
           "memory_format: _memory_format = ...) -> Tensor: ..."],
    **{n: [f"def {n}(self, size: Sequence[_int], *, {_SIZE_OF_NEW}) -> Tensor: ...", f"def {n}(self, *size: _int, {_SIZE_OF_NEW}) -> Tensor: ..."]
       for n in ("new_empty", "new_ones", "new_zeros")},
    "where": _one("where", "self, condition: Tensor, other: Tensor | Number", "Tensor"),
    "resize_": _one("resize_", "self, *sizes: Any, memory_format: _memory_format | None = None", "Self"),
    "as_strided_": _one("as_strided_", "self, size: Sequence[_int], stride: Sequence[_int], storage_offset: _int | None = None", "Self"),
    "unsqueeze_": _one("unsqueeze_", "self, dim: _int", "Self"),
    "t_": _one("t_", "self", "Self"),
    **{n: _one(n, "self, dim0: _int, dim1: _int", "Self") for n in ("transpose_", "swapaxes_", "swapdims_")},
    "to_sparse": _one("to_sparse", "self, *args: Any, **kwargs: Any", "Tensor"),
    "to_sparse_csr": _one("to_sparse_csr", "self, *args: Any, **kwargs: Any", "Tensor"),
    "size": ["def size(self) -> Size: ...", "def size(self, dim: _int) -> _int: ..."],
    "stride": ["def stride(self) -> tuple[_int, ...]: ...", "def stride(self, dim: _int) -> _int: ..."],
    "item": _one("item", "self", "Number"),
    "tolist": _one("tolist", "self", "Any"),
    **{n: _one(n, "self", "_int") for n in ("dim", "ndimension", "numel", "nelement", "element_size", "storage_offset", "data_ptr")},
    "is_inference": _one("is_inference", "self", "_bool"),
    "requires_grad_": _one("requires_grad_", "self, requires_grad: _bool = True", "Self"),
    "retain_grad": _one("retain_grad", "self", "None"),
}
ATTRIBUTES = {"shape": "Size", "dtype": "_dtype", "device": "_device", "layout": "_layout", "grad_fn": "Any", "is_leaf": "_bool", "ndim": "_int",
              "itemsize": "_int", "nbytes": "_int", "names": "tuple[None, ...]", "name": "None", "_base": "Tensor | None", "_version": "_int",
              "output_nr": "_int", "retains_grad": "_bool", **dict.fromkeys(("T", "H", "mT", "mH", "real", "imag"), "Tensor")}
SETTABLE = {"grad": "Tensor | None", "data": "Tensor", "requires_grad": "_bool"}

# What operators take: tensors, numbers, and what NumPy makes arrays of.
PROTOCOLS = ["class _Array(Protocol):", "    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...", "", "_Operand: TypeAlias = Tensor | Number | _Array",
             "_Index: TypeAlias = SupportsIndex | slice | EllipsisType | Tensor | None | list[Any] | tuple[Any, ...] | range | _Array"]
SIZE = ["class Size(tuple[_int, ...]):", "    def __new__(cls, sizes: Sequence[_int] = ...) -> Self: ...", "    def numel(self) -> _int: ...",
        "    @overload", "    def __getitem__(self, key: SupportsIndex, /) -> _int: ...", "    @overload", "    def __getitem__(self, key: slice, /) -> Size: ...",
        "    def __add__(self, other: tuple[_int, ...], /) -> Size: ...  # type: ignore[override]", "    def __mul__(self, other: SupportsIndex, /) -> Size: ...",
        "    def __rmul__(self, other: SupportsIndex, /) -> Size: ..."]
_BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
OPERATORS = {
    **{f"__{r}{n}__": f"other: {'Tensor | _Array' if n == 'matmul' else '_Operand'}, /" for n in _BINARY.split() for r in ("", "r", "i") if r + n != "imatmul"},
    **{f"__{n}__": "other: _Operand, /" for n in ("lt", "le", "gt", "ge")}, **{f"__{n}__": "other: Any, /" for n in ("eq", "ne")},
    **{f"__{n}__": "" for n in ("neg", "pos", "abs", "invert")}, "__getitem__": "index: _Index, /"}
SPECIAL_METHODS = {"__setitem__": ("index: _Index, value: _Operand, /", "None"), "__len__": ("", "_int"), "__bool__": ("", "_bool"), "__int__": ("", "_int"),
                   "__float__": ("", "_float"), "__index__": ("", "_int"), "__iter__": ("", "Iterator[Tensor]"), "__hash__": ("", "_int"),
                   "__contains__": ("element: Any, /", "_bool"), "__reversed__": ("", "Tensor"), "__init__": ("*args: Any, **kwargs: Any", "None"),
                   "__array__": ("dtype: Any = None, copy: Any = None", "Any"), "__dlpack__": ("**kwargs: Any", "Any"),
                   "__dlpack_device__": ("", "tuple[_int, _int]"), "__deepcopy__": ("memo: Any", "Tensor"), "__copy__": ("", "Tensor")}


def _type_of(name, default, of_row):
    """of_row: {parameter: annotation} of the row of the function's name, which counts where the default is of that type."""
    word = {"bool": "_bool", "int": "_int", "float": "_float", "str": "_str"}.get(builtins.type(default).__name__)
    found = of_row.get(name)
    if found and word == "_str" and "Number" in found:  # norm(p="fro")
        found += " | _str"
    if found is None or (word and word not in found and "Number" not in found):
        found = PARAMETERS.get(name)
        if found is None or isinstance(default, (bool, str)):
            return word or "Any"
    return found + " | None" if default is None and not found.endswith("None") and found != "Device" else found


def _shown(default):
    return repr(default) if isinstance(default, (bool, int, float, str, type(None))) else "..."


def declaration(name, function, returned, method=False, of_row=None):
    """The line of a function written in Python: its own signature, with types by the parameters' names and defaults."""
    parts, star = [], False
    for i, p in enumerate(inspect.signature(function).parameters.values()):
        label = p.name + ("_" if keyword.iskeyword(p.name) else "")
        if method and i == 0:
            parts.append("self")
        elif p.kind == p.VAR_POSITIONAL:
            parts.append(f"*{label}: Any")
            star = True
        elif p.kind == p.VAR_KEYWORD:
            parts.append(f"**{label}: Any")
        else:
            if p.kind == p.KEYWORD_ONLY and not star:
                parts.append("*")
                star = True
            default = "" if p.default is p.empty else f" = {_shown(p.default)}"
            parts.append(f"{label}: {_type_of(label, p.default, of_row or {})}{default}")
    return f"def {name}({', '.join(parts)}) -> {returned}: ..."
