"""torch.utils.tensorboard: event files, without TensorBoard's own package."""
from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
