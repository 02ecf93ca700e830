"""Runs a script as `python script` would, but in another arithmetic: `training_variant.py KIND SEED script arguments`.

weights     the parameters that a module meets for the first time are moved by one unit in the last place, up, down or not, by chance
outputs     so are the outputs of all modules, each time (up or not): what another order of the sums does
onednn-off  torch's own convolutions and products instead of oneDNN's
norms       gradients' norms for clipping added up in float64 (torch's float32 sum is 1e-6 off for 200,000 elements, always to one side)
double      float64 throughout: default dtype, `.float()` and `tensor(dtype=float)`, so that rounding begins nine digits further down

All but the last tell how far rounding alone carries a program away from itself; with `double` both modules run, and what differs by more
than rounding has nowhere to hide.
"""
import runpy
import sys

import torch


def moved(tensor, steps):
    """tensor with each element moved by so many units in the last place (integers)."""
    return tensor * (1 + steps.to(tensor.dtype) * torch.finfo(tensor.dtype).eps)


def weights(chance):
    seen = set()

    def first(module, inputs):
        for p in module.parameters(recurse=False):
            if id(p) not in seen:
                seen.add(id(p))
                p.data.copy_(moved(p.data, torch.randint(-1, 2, p.shape, generator=chance)))

    torch.nn.modules.module.register_module_forward_pre_hook(first)


def outputs(chance):
    def nudged(output):
        if isinstance(output, tuple):
            return tuple(map(nudged, output))
        if isinstance(output, torch.Tensor) and output.is_floating_point():
            return moved(output, torch.randint(0, 2, output.shape, generator=chance))
        return output

    torch.nn.modules.module.register_module_forward_hook(lambda module, inputs, output: nudged(output))


def onednn_off(chance):
    torch.backends.mkldnn.enabled = False


def norms(chance):
    norm = torch.nn.utils.clip_grad._get_total_norm

    def exact(grads, *arguments):
        return norm([g.double() for g in grads], *arguments).to(torch.get_default_dtype())

    torch.nn.utils.clip_grad._get_total_norm = exact


def double(chance):
    torch.set_default_dtype(torch.float64)
    torch.Tensor.float = torch.Tensor.double
    tensor = torch.tensor
    torch.tensor = lambda data, dtype=None, **options: tensor(data, dtype=torch.float64 if dtype is torch.float32 else dtype, **options)


KINDS = {"weights": weights, "outputs": outputs, "onednn-off": onednn_off, "norms": norms, "double": double}


if __name__ == "__main__":
    kind, seed = sys.argv[1:3]
    sys.argv = sys.argv[3:]
    sys.path[0] = sys.argv[0].rpartition("/")[0]
    KINDS[kind](torch.Generator().manual_seed(int(seed)))
    runpy.run_path(sys.argv[0], run_name="__main__")
