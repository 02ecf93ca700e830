"""torch.utils.data: datasets, samplers, DataLoader."""
from .dataset import ChainDataset, ConcatDataset, Dataset, IterableDataset, StackDataset, Subset, TensorDataset, random_split
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler
from .distributed import DistributedSampler
from ._utils.collate import default_collate, default_convert
from ._utils.worker import get_worker_info
from .dataloader import DataLoader, _DatasetKind

__all__ = ["BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler", "IterableDataset", "RandomSampler",
           "Sampler", "SequentialSampler", "StackDataset", "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler",
           "default_collate", "default_convert", "get_worker_info", "random_split"]


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from ..._hook import missing

    pipes = "datapipe" in name.lower() or name in ("DataChunk", "argument_validation", "runtime_validation", "graph")
    raise missing("torch.utils.data", name, __all__, "winnow has no DataPipes: an IterableDataset does the same" if pipes else "")
