"""torch.distributed as on a PyTorch that was built without it: it says so, and everything else is an error."""
import os as _os

from .._stand_in import answers as _answers, refusing as _refusing

__all__ = ["is_available", "is_initialized", "get_rank", "get_world_size", "is_mpi_available", "is_nccl_available", "is_gloo_available",
           "is_torchelastic_launched", "init_process_group", "destroy_process_group"]

_ABSENT = ("torch.distributed.{}: winnow computes in one process and has no process groups; check torch.distributed.is_available() or "
           "is_initialized() before")


_answers(globals(), [
    ("is_available()", "False", "Are there process groups? No."),
    ("is_initialized()", "False", "Is there a default process group? No."),
    ("is_backend_available(backend)", "False", "Is there that backend? No."),
    ("is_torchelastic_launched()", '_os.environ.get("TORCHELASTIC_RUN_ID") is not None',
     "Did torchrun start this process?"),
    ("get_rank(group=None)", "0", "0: this process is all there is."),
    ("get_world_size(group=None)", "1", "1: this process is all there is."),
    ("get_node_local_rank(fallback_rank=None)", 'int(_os.environ.get("LOCAL_RANK", 0 if fallback_rank is None else fallback_rank))',
     "$LOCAL_RANK, which launchers set; otherwise fallback_rank, or 0."),
    ("destroy_process_group(group=None)", "None", "There is none to be ended."),
])


is_mpi_available = is_nccl_available = is_gloo_available = is_ucc_available = is_xccl_available = is_available


class ReduceOp:
    """The names of reductions."""
    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = "SUM", "AVG", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR", "PREMUL_SUM"


class _Groups:
    """What `group.WORLD` is without an initialized group."""
    WORLD = None
    NON_GROUP_MEMBER = object()


group = GroupMember = _Groups


class ProcessGroup:
    """Cannot be made."""

    def __new__(cls, *args, **kwargs):
        raise RuntimeError(_ABSENT.format("ProcessGroup"))


for _name in ("init_process_group", "new_group", "get_backend", "all_reduce", "reduce", "broadcast", "all_gather", "all_gather_object", "gather",
              "gather_object", "scatter", "scatter_object_list", "reduce_scatter", "reduce_scatter_tensor", "all_gather_into_tensor", "all_to_all",
              "all_to_all_single", "barrier", "monitored_barrier", "send", "recv", "isend", "irecv", "broadcast_object_list", "batch_isend_irecv",
              "init_device_mesh", "get_process_group_ranks", "get_group_rank", "get_global_rank"):
    globals()[_name] = _refusing(_name, RuntimeError, _ABSENT.format(_name), "Needs a process group, which winnow has not: a RuntimeError.")
del _name


def __getattr__(name):
    from .._absent import NAMES, module
    from .._hook import missing

    if "distributed." + name in NAMES:
        return module("distributed." + name)

    raise missing(__name__, name, globals(), "winnow has no process groups")
