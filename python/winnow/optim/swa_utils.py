"""Averaged weights: stochastic weight averaging (Izmailov et al. 2018) and exponential moving averages."""
from copy import deepcopy
from itertools import chain
from math import cos, pi

from .. import _C
from .._types import int64
from ..nn import Module
from .lr_scheduler import LRScheduler, _check_optimizer, _for_each, _values
from .._recording import recording

__all__ = ["AveragedModel", "update_bn", "SWALR", "get_ema_multi_avg_fn", "get_swa_multi_avg_fn", "get_ema_avg_fn", "get_swa_avg_fn"]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    """averages = decay*averages + (1-decay)*values, for lists."""
    _check_decay(decay)
    one = get_ema_avg_fn(decay)

    def ema_update(ema_param_list, current_param_list, _):
        with recording(False):
            for average, value in zip(ema_param_list, current_param_list):
                if average.is_floating_point():
                    average.lerp_(value, 1 - decay)
                else:
                    average.copy_(one(average, value, _))

    return ema_update


def get_swa_multi_avg_fn():
    """averages of all values so far, for lists."""

    def swa_update(averaged_param_list, current_param_list, num_averaged):
        n = int(num_averaged)
        with recording(False):
            for average, value in zip(averaged_param_list, current_param_list):
                if average.is_floating_point():
                    average.lerp_(value, 1 / (n + 1))
                else:
                    average.add_((value - average) // (n + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    """decay*average + (1-decay)*value."""
    _check_decay(decay)

    def ema_update(ema_param, current_param, num_averaged):
        with recording(False):
            return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """The average of all values so far."""

    def swa_update(averaged_param, current_param, num_averaged):
        with recording(False):
            return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of model whose parameters (and buffers, with use_buffers) average those of the models given to update_parameters()."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", _C._tensor(0, int64))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        parts = (model.parameters(), model.buffers()) if self.use_buffers else (model.parameters(),)
        return [t.detach() for t in chain(*parts)]

    def update_parameters(self, model):
        """Averages model in."""
        own, new = self._averaged(self.module), self._averaged(model)
        if int(self.n_averaged) == 0:
            for average, value in zip(own, new):
                average.copy_(value)
        elif self.avg_fn is not None:
            for average, value in zip(own, new):
                average.copy_(self.avg_fn(average, value, self.n_averaged))
        else:
            (self.multi_avg_fn or get_swa_multi_avg_fn())(own, new, self.n_averaged)
        if not self.use_buffers:
            for average, value in zip(self.module.buffers(), model.buffers()):
                average.detach().copy_(value.detach())
        self.n_averaged.add_(1)


def update_bn(loader, model, device=None):
    """Sets the running statistics of model's BatchNorm layers to those of the data in loader."""
    norms = [m for m in model.modules() if any(c.__name__ == "_BatchNorm" for c in type(m).__mro__)]
    if not norms:
        return
    momenta = [m.momentum for m in norms]
    was_training = model.training
    for m in norms:
        m.reset_running_stats()
        m.momentum = None  # the plain mean of all batches
    try:
        model.train()
        with recording(False):
            for batch in loader:
                if isinstance(batch, (list, tuple)):
                    batch = batch[0]
                model(batch if device is None else batch.to(device))
    finally:
        for m, momentum in zip(norms, momenta):
            m.momentum = momentum
        model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the rate that is set to swa_lr in anneal_epochs epochs, and stays."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        _check_optimizer(self, optimizer)
        for rate, group in zip(_for_each(optimizer, "swa_lr", swa_lr), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _weight(self, t):
        """How much of swa_lr there is in the mixture at the part t of the way."""
        return (1 - cos(pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self):
        self._warn_outside_step()
        step, n = self._step_count - 1, self.anneal_epochs
        if n == 0:
            step = max(1, step)
        before = self._weight(max(0, min(1, (step - 1) / max(1, n))))
        now = self._weight(max(0, min(1, step / max(1, n))))
        rates = []
        for group, lr in zip(self.optimizer.param_groups, _values(self.optimizer, "lr")):
            target = group["swa_lr"]
            start = target if before == 1 else (lr - before * target) / (1 - before)
            rates.append(target * now + start * (1 - now))
        return rates
