"""Which tensors torch._foreach_ functions may take together."""
import winnow as torch

__all__ = []


def _get_foreach_kernels_supported_devices():
    return ["cpu"]


def _get_fused_kernels_supported_devices():
    return ["cpu"]


def _device_has_foreach_support(device):
    return torch.device(device).type == "cpu"


def _has_foreach_support(tensors, device):
    return _device_has_foreach_support(device) and all(t is None or type(t) in (torch.Tensor, torch.nn.Parameter) for t in tensors)


def _group_tensors_by_device_and_dtype(tensorlistlist, with_indices=False):
    """(device, dtype) of the first list's tensors -> (the lists of what stands at these places, the places)."""
    groups = {}
    for i, tensors in enumerate(zip(*tensorlistlist)):
        lists, places = groups.setdefault((tensors[0].device, tensors[0].dtype), ([[] for _ in tensors], []))
        for one, t in zip(lists, tensors):
            one.append(t)
        places.append(i)
    return {key: (lists, places if with_indices else None) for key, (lists, places) in groups.items()}
