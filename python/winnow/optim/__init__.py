"""torch.optim: optimisers, learning rate schedules (lr_scheduler), averaged weights (swa_utils)."""
from .._hook import _shown
from .optimizer import Optimizer
from ._adafactor import Adafactor
from ._muon import Muon
from .adadelta import Adadelta
from .adagrad import Adagrad
from .adam import Adam
from .adamax import Adamax
from .adamw import AdamW
from .asgd import ASGD
from .lbfgs import LBFGS
from .nadam import NAdam
from .radam import RAdam
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD
from .sparse_adam import SparseAdam
from . import lr_scheduler

__all__ = ["Adafactor", "Adadelta", "Adagrad", "Adam", "Adamax", "AdamW", "ASGD", "LBFGS", "lr_scheduler", "Muon", "NAdam", "Optimizer",
           "RAdam", "RMSprop", "Rprop", "SGD", "SparseAdam", "swa_utils"]

for _class in (Optimizer, Adadelta, Adagrad, Adam, Adamax, AdamW, ASGD, LBFGS, NAdam, RAdam, RMSprop, Rprop, SGD, SparseAdam):
    _class.__module__ = _shown(_class.__module__)  # what pickles name
Adafactor.__module__ = Muon.__module__ = _shown(__name__)
for _name in lr_scheduler.__all__:
    getattr(lr_scheduler, _name).__module__ = _shown(lr_scheduler.__name__)
del _class, _name


def __getattr__(name):
    if name[:2] == "__":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    if name == "swa_utils":  # which needs nn.Module
        import importlib

        return importlib.import_module("." + name, __name__)
    from .._hook import missing

    raise missing("torch.optim", name, __all__)
