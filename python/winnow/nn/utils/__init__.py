"""torch.nn.utils: gradients clipped, parameters as vectors, weights reparametrized."""
from .clip_grad import clip_grad_norm, clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .convert_parameters import parameters_to_vector, vector_to_parameters
from .spectral_norm import remove_spectral_norm, spectral_norm  # at once: later, the files would take the functions' names
from .weight_norm import remove_weight_norm, weight_norm

_WHERE = {"skip_init": "init", "fuse_conv_bn_eval": "fusion", "fuse_conv_bn_weights": "fusion",
          "fuse_linear_bn_eval": "fusion", "fuse_linear_bn_weights": "fusion", "convert_conv2d_weight_memory_format": "memory_format",
          "convert_conv3d_weight_memory_format": "memory_format"}
_FILES = ("rnn", "parametrize", "parametrizations", "prune", "stateless", "fusion", "init", "memory_format", "clip_grad", "convert_parameters")


def __getattr__(name):
    import importlib
    import os

    if name in _WHERE:
        return getattr(importlib.import_module("." + _WHERE[name], __name__), name)
    if name in _FILES and os.path.exists(os.path.join(__path__[0], name + ".py")):
        return importlib.import_module("." + name, __name__)
    from ..._hook import missing

    raise missing(__name__, name, [*globals(), *_WHERE, *_FILES])
