"""torch.backends: libraries that PyTorch may use. winnow uses none of them; their switches can be set and do nothing."""
import enum
import sys
import warnings

from . import _C
from ._hook import lacking as _lacking, missing

__path__ = []  # so that `import torch.backends.cudnn` works: the modules below are in sys.modules already

_Module = type(sys)


def _module(name, doc, **content):
    """A module winnow.backends.<name>."""
    full = f"{__name__}.{name}"
    module = _Module(full, doc)
    for key, value in content.items():
        if callable(value) and not isinstance(value, type):
            value.__name__ = value.__qualname__ = key
        setattr(module, key, value)

    def __getattr__(attribute):
        raise missing(full, attribute, vars(module))

    module.__getattr__ = __getattr__
    sys.modules[full] = module
    globals()[name] = module
    return module


def _no():
    return lambda: False


def _constant(value):
    return lambda *args, **kwargs: value


class _flags:
    """Context in which switches of a module have other values."""

    def __init__(self, **values):
        self._values = values

    def __enter__(self):
        module = sys.modules[self._module]
        self._old = {name: getattr(module, name) for name in self._values}
        vars(module).update(self._values)

    def __exit__(self, *exc):
        vars(sys.modules[self._module]).update(self._old)


def _flags_of(module):
    return type("flags", (_flags,), {"_module": module.__name__, "__doc__": _flags.__doc__})


class _Switches:
    """Attributes that can be set and do nothing."""

    def __init__(self, **values):
        self.__dict__.update(values)


class _SdpSwitch:
    """Which of its kernels scaled_dot_product_attention may use: winnow has one, and it is always used."""

    def __init__(self):
        self.on = True

    def enabled(self):
        return lambda: self.on

    def enable(self):
        def enable(enabled):
            self.on = bool(enabled)

        return enable


def _sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Context in which the switches of attention's kernels have these values."""
    import contextlib

    warnings.warn("`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. Please see "
                  "`torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.", FutureWarning, stacklevel=2)

    @contextlib.contextmanager
    def switched():
        old = {kind: s.on for kind, s in _sdp.items()}
        for kind, on in (("flash", enable_flash), ("math", enable_math), ("mem_efficient", enable_mem_efficient), ("cudnn", enable_cudnn)):
            _sdp[kind].on = bool(on)
        try:
            yield {}
        finally:
            for kind, on in old.items():
                _sdp[kind].on = on
    return switched()


class _SDPAParams:
    """A call of attention, for the questions below."""

    def __init__(self, query, key, value, attn_mask, dropout, is_causal, enable_gqa=False):
        self.query, self.key, self.value, self.attn_mask, self.dropout = query, key, value, attn_mask, dropout
        self.is_causal, self.enable_gqa = is_causal, enable_gqa


def _reduced_sums():
    """Two functions: set whether attention may add up in half precision, and what was set. winnow's attention never does."""
    allowed = []

    def allow(enabled):
        allowed[:] = [True] if enabled else []

    return {"allow_fp16_bf16_reduction_math_sdp": allow, "fp16_bf16_reduction_math_sdp_allowed": lambda: bool(allowed)}


def _preferred(what, kind, default, words, refused):
    """A function that says which library GPUs' `what` would come from: the default one, for there are none."""
    own = enum.Enum(kind, {default: 0})[default]

    def preferred(backend=None):
        if not isinstance(backend, (str, type(None), type(own))):
            raise RuntimeError("Unknown input value type.")
        if isinstance(backend, str):
            if backend not in words:
                raise RuntimeError(f"Unknown input value. Choose from: {', '.join(words)}.")
            if backend in refused:
                raise RuntimeError(f"Cannot set preferred backend to {refused[backend]} if PyTorch has not been compiled with {refused[backend]}.")
        return own

    preferred.__doc__ = f"Which library {what} on GPUs would come from: the default one. Others are refused, as on a PyTorch without CUDA."
    return preferred


_LIBRARIES = {
    "preferred_linalg_library": _preferred("linear algebra", "_LinalgBackend", "Default", ("default", "cusolver", "magma"), {"cusolver": "cuSOLVER", "magma": "MAGMA"}),
    "preferred_blas_library": _preferred("products", "_BlasBackend", "Cublas", ("default", "cublas", "hipblas", "cublaslt", "hipblaslt", "ck"),
                                         {"cublaslt": "cuBLASLt", "hipblaslt": "cuBLASLt", "ck": "CK"})}
_sdp = {kind: _SdpSwitch() for kind in ("flash", "math", "mem_efficient", "cudnn")}

_module("cuda", "NVIDIA's GPUs: not used.", is_built=_no(), matmul=_Switches(allow_tf32=False, allow_fp16_reduced_precision_reduction=True,
                                                                            allow_bf16_reduced_precision_reduction=True, fp32_precision="none"),
        sdp_kernel=_sdp_kernel, **_LIBRARIES, SDPAParams=_SDPAParams, is_flash_attention_available=_no(), **_reduced_sums(),
        **{f"can_use_{kind}_attention": lambda params, debug=False: False for kind in ("flash", "efficient", "cudnn")},
        **{f"{kind}_sdp_enabled": s.enabled() for kind, s in _sdp.items()}, **{f"enable_{kind}_sdp": s.enable() for kind, s in _sdp.items()})
_module("cudnn", "cuDNN: not used.", is_available=_no(), version=_constant(None), is_acceptable=_constant(False), enabled=True, benchmark=False,
        benchmark_limit=None, deterministic=False, allow_tf32=True, fp32_precision="none")
_module("mps", "Apple's GPUs: not used.", is_available=_no(), is_built=_no(), is_macos13_or_newer=_constant(False),
        is_macos_or_newer=_constant(False))
_module("mkldnn", "oneDNN: not used.", is_available=_no(), enabled=True, deterministic=False, allow_tf32=True, fp32_precision="none")
_module("mkl", "MKL: not used.", is_available=_no())
_module("openmp", "OpenMP: not used; winnow has threads of its own.", is_available=_no())
_module("nnpack", "NNPACK: not used.", is_available=_no())
_module("opt_einsum", "opt_einsum: not used.", is_available=_no(), get_opt_einsum=_constant(None), enabled=False, strategy=None)
_module("mha", "The fast path of multi-head attention: there is none.", get_fastpath_enabled=_no(), set_fastpath_enabled=_constant(None))


def _capability():
    return {"avx2": "AVX2", "avx512": "AVX512"}.get(_C._level(), "DEFAULT")


_module("cpu", "The processor.", get_cpu_capability=_capability)
for _m in (cudnn, mkldnn):
    _m.flags = _flags_of(_m)
del _m


__getattr__ = _lacking(__name__, globals())
