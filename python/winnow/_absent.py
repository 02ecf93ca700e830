"""What torch has and winnow has not, with the reason that errors give."""

_COMPLEX = "it needs complex numbers, which winnow has not"
_GRAPHS = "winnow runs programs, it does not turn them into graphs"
_QUANTIZED = "winnow has no quantized tensors"

REASONS = {
    **dict.fromkeys(("fft", "complex", "polar", "view_as_complex", "view_as_real", "stft", "istft", "angle"), _COMPLEX),
    **dict.fromkeys(("fx", "export", "onnx", "_inductor", "_export", "_functorch", "mobile"), _GRAPHS),
    **dict.fromkeys(("ao", "quantization", "quantize_per_tensor", "quantize_per_channel", "quantize_per_tensor_dynamic", "dequantize"), _QUANTIZED),
    **dict.fromkeys(("ops", "classes", "library"), "winnow's operations are functions of torch, and others cannot be registered"),
    "nested": "winnow has no nested tensors; masks (torch.masked) say which elements count",
    "quasirandom": "winnow has no quasi-random sequences",
    "package": "winnow has no archives of code",
    "futures": "winnow has no asynchronous calls",
    "monitor": "winnow has no monitoring",
}
