"""spectral_norm: a weight divided by its largest singular value. The old form, by a hook; the new one is in parametrizations.py."""
import winnow

from ...utils.hooks import hook_of
from .. import functional as F
from ..parameter import Parameter, is_lazy

__all__ = ["SpectralNorm", "spectral_norm", "remove_spectral_norm"]


class SpectralNorm:
    """The hook before forward that computes the weight; a few steps of power iteration find the singular value."""
    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}")
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    def reshape_weight_to_matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *[d for d in range(weight.dim()) if d != self.dim])
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module, do_power_iteration):
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with winnow.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(winnow.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(winnow.mv(matrix, v), dim=0, eps=self.eps))
                u, v = u.clone(), v.clone()  # the graph keeps these, the next call changes those
        return weight / winnow.dot(u, winnow.mv(matrix, v))

    def remove(self, module):
        with winnow.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        delattr(module, self.name)
        for part in ("_u", "_v", "_orig"):
            delattr(module, self.name + part)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        if hook_of(module, SpectralNorm, name):
            raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        fn = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ValueError("The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy forward "
                             "before applying spectral normalization")
        with winnow.no_grad():
            h, w = fn.reshape_weight_to_matrix(weight).size()
            u = F.normalize(weight.new_empty(h).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(w).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)  # until the first forward
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(fn)
        module._register_state_dict_hook(_SaveVersion(fn))
        module._register_load_state_dict_pre_hook(_LoadOld(fn))
        return fn


class _SaveVersion:
    """Notes in the metadata of a state_dict which version of spectral_norm made it."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, module, state_dict, prefix, local_metadata):
        versions = local_metadata.setdefault("spectral_norm", {})
        key = self.fn.name + ".version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


class _LoadOld:
    """Makes a state_dict from before version 1 (the weight was a buffer, and there was no v) one of now."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        fn, key = self.fn, prefix + self.fn.name
        version = local_metadata.get("spectral_norm", {}).get(fn.name + ".version")
        if version is not None and version >= 1:
            return
        if version is None and key not in state_dict and all(key + part in state_dict for part in ("_orig", "_u", "_v")):
            return  # of now, only without its metadata
        missing = [key + part for part in ("_orig", "", "_u") if key + part not in state_dict]
        if strict:
            missing_keys.extend(missing)
        if not missing:
            with winnow.no_grad():
                original, u = state_dict[key + "_orig"], state_dict[key + "_u"]
                sigma = (original / state_dict.pop(key)).mean()
                state_dict[key + "_v"] = _vector_for(fn.reshape_weight_to_matrix(original), u, sigma)


def _vector_for(matrix, u, sigma):
    """The v with u = normalize(matrix @ v) and u @ matrix @ v = sigma, by least squares."""
    v = winnow.linalg.multi_dot([matrix.t().mm(matrix).pinverse(), matrix.t(), u.unsqueeze(1)]).squeeze(1)
    return v.mul_(sigma / winnow.dot(u, winnow.mv(matrix, v)))


def _usual_dim(module):
    """Transposed convolutions have their outputs in the second dimension."""
    from ..modules import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

    return 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Replaces a parameter by itself divided by its largest singular value."""
    SpectralNorm.apply(module, name, n_power_iterations, _usual_dim(module) if dim is None else dim, eps)
    return module


def remove_spectral_norm(module, name="weight"):
    """Makes it a parameter again."""
    found = hook_of(module, SpectralNorm, name)
    if found is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    found[1].remove(module)
    del module._forward_pre_hooks[found[0]]
    for hooks in (module._state_dict_hooks, module._load_state_dict_pre_hooks):
        for k, hook in list(hooks.items()):
            hook = getattr(hook, "hook", hook)
            if isinstance(hook, (_SaveVersion, _LoadOld)) and hook.fn.name == name:
                del hooks[k]
    return module
