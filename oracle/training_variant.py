"""Runs a script as `python script` would, but in another arithmetic: `training_variant.py KIND SEED script arguments`.

weights     the parameters that a module meets for the first time are moved by one unit in the last place, up, down or not, by chance
outputs     so are the outputs of all modules, each time (up or not): what another order of the sums does
onednn-off  torch's own convolutions and products instead of oneDNN's
double      float64 throughout: default dtype, `.float()` and `torch.float` are float64, so that rounding begins nine digits further down

The first three tell how far rounding alone carries a program away from itself; with `double` both modules run, and what differs by more
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
    def nudge(module, inputs, output):
        if isinstance(output, torch.Tensor) and output.is_floating_point():
            return moved(output, torch.randint(0, 2, output.shape, generator=chance))
        return None

    torch.nn.modules.module.register_module_forward_hook(nudge)


def onednn_off(chance):
    torch.backends.mkldnn.enabled = False


def double(chance):
    torch.set_default_dtype(torch.float64)
    torch.float = torch.float64
    torch.Tensor.float = torch.Tensor.double


KINDS = {"weights": weights, "outputs": outputs, "onednn-off": onednn_off, "double": double}


if __name__ == "__main__":
    kind, seed = sys.argv[1:3]
    sys.argv = sys.argv[3:]
    sys.path[0] = sys.argv[0].rpartition("/")[0]
    KINDS[kind](torch.Generator().manual_seed(int(seed)))
    runpy.run_path(sys.argv[0], run_name="__main__")
