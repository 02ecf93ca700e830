"""torch.nn.parallel.distributed: the name that programs import before they ask whether there is a process group."""

__all__ = ["DistributedDataParallel"]


class DistributedDataParallel:
    """A module whose gradients are averaged over the processes of a group: without a group, which winnow never has, a ValueError."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0, broadcast_buffers=True, *args, **kwargs):
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group. (winnow computes in one "
                         "process: check torch.distributed.is_available() before)")
