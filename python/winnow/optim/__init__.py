"""torch.optim: optimisers, learning rate schedules (lr_scheduler), averaged weights (swa_utils)."""
from .optimizer import Optimizer
from .adam import Adam, AdamW
from .sgd import SGD
from .adaptive import Adadelta, Adagrad, Adamax, NAdam, RAdam, RMSprop
from .classic import ASGD, Rprop, SparseAdam
from .matrix import Adafactor, Muon
from .lbfgs import LBFGS
from . import lr_scheduler

__all__ = ["Adafactor", "Adadelta", "Adagrad", "Adam", "Adamax", "AdamW", "ASGD", "LBFGS", "lr_scheduler", "Muon", "NAdam", "Optimizer",
           "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam", "swa_utils"]


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    if name == "swa_utils":  # which needs nn.Module
        import importlib

        return importlib.import_module("." + name, __name__)
    from .._hook import missing

    raise missing("torch.optim", name, __all__)
