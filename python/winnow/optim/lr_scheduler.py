"""Learning rate schedules. Each sets its optimiser's "lr" (and momentum, the cyclic ones) at every step()."""
from bisect import bisect_right
from collections import Counter
from functools import wraps
from math import cos, pi
import warnings
import weakref

from .._construct import Tensor
from .optimizer import Optimizer

__all__ = ["LambdaLR", "MultiplicativeLR", "StepLR", "MultiStepLR", "ConstantLR", "LinearLR", "ExponentialLR", "SequentialLR",
           "CosineAnnealingLR", "ChainedScheduler", "ReduceLROnPlateau", "CyclicLR", "CosineAnnealingWarmRestarts", "OneCycleLR",
           "PolynomialLR", "LRScheduler"]

EPOCH_DEPRECATION_WARNING = ("The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
                             "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed form "
                             "is used instead of the new chainable form, where available. Please open an issue if you are unable to replicate "
                             "your use case: https://github.com/pytorch/pytorch/issues/new/choose.")


def _values(optimizer, key):
    """An option of all groups; tensors copied, since set() changes them in place."""
    return [g[key].detach().clone() if isinstance(g[key], Tensor) else g[key] for g in optimizer.param_groups]


def _set(group, key, value):
    """Options that are tensors stay the tensors they are."""
    if isinstance(group[key], Tensor):
        group[key].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


def _for_each(optimizer, name, value):
    """value, or its items, one for each group; tensors copied, since their owner may change them."""
    if isinstance(value, (list, tuple)):
        if len(value) != len(optimizer.param_groups):
            raise ValueError(f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, param_groups has "
                             f"{len(optimizer.param_groups)}.")
    else:
        value = [value] * len(optimizer.param_groups)
    return [v.clone() if isinstance(v, Tensor) else v for v in value]


def _check_optimizer(self, optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """The common part. Subclasses say in get_lr() what the learning rates become, from last_epoch and from those that are set; and in
    _get_closed_form_lr(), where they can, from last_epoch alone."""
    _get_lr_called_within_step = False

    def __init__(self, optimizer, last_epoch=-1):
        _check_optimizer(self, optimizer)
        if last_epoch == -1:
            for group in optimizer.param_groups:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, Tensor) else lr)
        else:
            for i, group in enumerate(optimizer.param_groups):
                if "initial_lr" not in group:
                    raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with last_epoch >= 0: load the "
                                   "optimizer's state first")
        self.base_lrs = _values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        self.optimizer = optimizer
        _note_steps(optimizer)
        self._initial_step()

    def _initial_step(self):
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self):
        """Everything but the optimiser."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Goes on where the scheduler of that state_dict was."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """The learning rates that the last step set."""
        return self._last_lr

    def get_lr(self):
        """The learning rates of this step."""
        raise NotImplementedError

    def step(self, epoch=None):
        """One step; epoch (deprecated): to that one."""
        if self._step_count == 1:
            _warn_of_order(self.optimizer)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch=None):
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set_rates(self.get_lr if epoch is None else getattr(self, "_get_closed_form_lr", self.get_lr))

    def _set_rates(self, compute):
        """Sets the learning rates to what compute() returns."""
        self._get_lr_called_within_step = True
        try:
            rates = compute()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, rates):
            _set(group, "lr", lr)
        self._last_lr = _values(self.optimizer, "lr")

    def _warn_outside_step(self):
        if not self._get_lr_called_within_step:
            warnings.warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.", UserWarning, stacklevel=3)

    def _scaled(self, factor):
        """The learning rates that are set, times factor."""
        return [lr * factor for lr in _values(self.optimizer, "lr")]


def _note_steps(optimizer):
    """Makes the optimiser remember that it has stepped: for the warning about the order of steps."""
    step = optimizer.step
    if getattr(step, "_wrapped_by_lr_sched", False):
        return
    owner, function = weakref.ref(optimizer), step.__func__

    @wraps(function)
    def noted(*args, **kwargs):
        optimizer = owner()
        optimizer._opt_called = True
        return function.__get__(optimizer, type(optimizer))(*args, **kwargs)

    noted._wrapped_by_lr_sched = True
    optimizer.step = noted


def _warn_of_order(optimizer):
    if not getattr(optimizer.step, "_wrapped_by_lr_sched", False):
        warnings.warn("Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to call "
                      "`optimizer.step()` before `lr_scheduler.step()`. See more details at "
                      "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate", UserWarning, stacklevel=3)
    elif not getattr(optimizer, "_opt_called", False):
        warnings.warn("Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the "
                      "opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the "
                      "first value of the learning rate schedule. See more details at "
                      "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate", UserWarning, stacklevel=3)


_LRScheduler = LRScheduler  # its old name


# ------------------------------------------------------------------ factors given by functions

class _ByFunction(LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.optimizer = optimizer
        if isinstance(lr_lambda, (list, tuple)):
            if len(lr_lambda) != len(optimizer.param_groups):
                raise ValueError(f"Expected {len(optimizer.param_groups)} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        else:
            self.lr_lambdas = [lr_lambda] * len(optimizer.param_groups)
        super().__init__(optimizer, last_epoch)

    def state_dict(self):
        """Functions are not saved, the attributes of callable objects are."""
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [None if _is_function(f) else f.__dict__.copy() for f in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict):
        state = dict(state_dict)
        saved = state.pop("lr_lambdas")
        self.__dict__.update(state)
        for f, attributes in zip(self.lr_lambdas, saved):
            if attributes is not None:
                f.__dict__.update(attributes)


def _is_function(f):
    return type(f).__name__ in ("function", "builtin_function_or_method")


class LambdaLR(_ByFunction):
    """lr = initial lr * lr_lambda(epoch)."""

    def get_lr(self):
        self._warn_outside_step()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_ByFunction):
    """lr *= lr_lambda(epoch)."""

    def get_lr(self):
        self._warn_outside_step()
        rates = _values(self.optimizer, "lr")
        return rates if self._is_initial else [lr * f(self.last_epoch) for f, lr in zip(self.lr_lambdas, rates)]


# ------------------------------------------------------------------ factors at given epochs

class StepLR(LRScheduler):
    """lr *= gamma every step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        return self._scaled(1) if self.last_epoch == 0 or self.last_epoch % self.step_size else self._scaled(self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma**(self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """lr *= gamma at each of the milestones."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        times = self.milestones.get(self.last_epoch, 0)
        return self._scaled(self.gamma**times) if times else self._scaled(1)

    def _get_closed_form_lr(self):
        times = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**times for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """lr = initial lr * factor until epoch total_iters."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor) if self.last_epoch == self.total_iters else self._scaled(1)

    def _get_closed_form_lr(self):
        return [base * (self.factor if self.last_epoch < self.total_iters else 1) for base in self.base_lrs]


class LinearLR(LRScheduler):
    """lr = initial lr * a factor that goes linearly from start_factor to end_factor in total_iters epochs."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1.0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1.0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._scaled(1)
        rise = self.end_factor - self.start_factor
        return self._scaled(1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))

    def _get_closed_form_lr(self):
        rise = self.end_factor - self.start_factor
        return [base * (self.start_factor + rise * min(self.total_iters, self.last_epoch) / self.total_iters) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """lr *= gamma every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        return self._scaled(1) if self._is_initial else self._scaled(self.gamma)

    def _get_closed_form_lr(self):
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """lr = initial lr * (1 - epoch/total_iters)^power until epoch total_iters, 0 from there."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._scaled(1)
        n = self.total_iters
        return self._scaled(((1.0 - self.last_epoch / n) / (1.0 - (self.last_epoch - 1) / n))**self.power)

    def _get_closed_form_lr(self):
        done = min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * (1.0 - done)**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """lr = eta_min + (initial lr - eta_min) * (1 + cos(pi * epoch/T_max))/2, in steps from the rate that is set."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        rates, low, n, t = _values(self.optimizer, "lr"), self.eta_min, self.T_max, self.last_epoch
        if self._is_initial:
            return rates
        if self._step_count == 1 and t > 0:
            return [low + (base - low) * (1 + cos(t * pi / n)) / 2 for base in self.base_lrs]
        if (t - 1 - n) % (2 * n) == 0:  # leaving the lowest point, from which no factor leads up
            return [lr + (base - low) * (1 - cos(pi / n)) / 2 for base, lr in zip(self.base_lrs, rates)]
        factor = (1 + cos(pi * t / n)) / (1 + cos(pi * (t - 1) / n))
        return [factor * (lr - low) + low for lr in rates]

    def _get_closed_form_lr(self):
        return [self.eta_min + (base - self.eta_min) * (1 + cos(pi * self.last_epoch / self.T_max)) / 2 for base in self.base_lrs]


from ._combined_schedules import ChainedScheduler, ReduceLROnPlateau, SequentialLR
from ._cyclic_schedules import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
