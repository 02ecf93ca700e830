"""Schedules that go up and down: warm restarts, cycles, one cycle."""
from functools import partial
from math import cos, floor, pi
from types import FunctionType

from .lr_scheduler import LRScheduler, _check_optimizer, _for_each, _set

__all__ = ["CosineAnnealingWarmRestarts", "CyclicLR", "OneCycleLR"]


class CosineAnnealingWarmRestarts(LRScheduler):
    """A cosine from the initial lr to eta_min, again and again: T_0 epochs the first time, T_mult times as many each time after."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        self._warn_outside_step()
        return [self.eta_min + (base - self.eta_min) * (1 + cos(pi * self.T_cur / self.T_i)) / 2 for base in self.base_lrs]

    def step(self, epoch=None):
        """May be called after every batch, with the epoch as a fraction: step(epoch + i/batches)."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            if epoch < 0:
                raise ValueError(f"Expected non-negative epoch, but got {epoch}")
            self.T_i, self.T_cur = self.T_0, epoch
            if self.T_mult == 1:
                self.T_cur = epoch % self.T_0
            else:
                while self.T_cur >= self.T_i:
                    self.T_cur -= self.T_i
                    self.T_i *= self.T_mult
        self.last_epoch = floor(epoch)
        self._set_rates(self.get_lr)


def _momentum_name(optimizer):
    """"momentum", or "betas" whose first is one."""
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    return "betas" if "betas" in optimizer.defaults else "momentum"


class _WithMomentum(LRScheduler):
    def _begin_momentum(self, optimizer, base_momentum, max_momentum, begins):
        """Looks for the optimiser's momentum, which begins at its highest. Returns the lowest and highest of each group."""
        self.use_beta1 = _momentum_name(optimizer) == "betas"
        lows, highs = _for_each(optimizer, "base_momentum", base_momentum), _for_each(optimizer, "max_momentum", max_momentum)
        for high, low, group in zip(highs, lows, optimizer.param_groups) if begins else ():
            self._set_momentum(group, high)
            group["max_momentum"], group["base_momentum"] = high, low
        return lows, highs

    def _set_momentum(self, group, value):
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


def _constant(x):
    return 1.0


def _halved(x):
    return 1 / 2.0**(x - 1)


def _exponential(gamma, x):
    return gamma**x


class CyclicLR(_WithMomentum):
    """Smith 2017: from base_lr to max_lr in step_size_up steps and back in step_size_down; the height is constant (triangular), halved
    each cycle (triangular2), or gamma^step (exp_range), or what scale_fn says. The momentum goes the other way."""

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular", gamma=1.0, scale_fn=None,
                 scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        _check_optimizer(self, optimizer)
        self.optimizer = optimizer
        base_lrs = _for_each(optimizer, "base_lr", base_lr)
        if last_epoch == -1:
            for lr, group in zip(base_lrs, optimizer.param_groups):
                _set(group, "lr", lr)
        self.max_lrs = _for_each(optimizer, "max_lr", max_lr)
        up, down = float(step_size_up), float(step_size_up if step_size_down is None else step_size_down)
        self.total_size, self.step_ratio = up + down, up / (up + down)
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma = mode, gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._begin_momentum(optimizer, base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    @property
    def _scale_fn_ref(self):
        """The height of the mode, as a function of the cycle or the step."""
        return partial(_exponential, self.gamma) if self.mode == "exp_range" else _constant if self.mode == "triangular" else _halved

    def scale_fn(self, x):
        """The height of the cycle x, or at the step x."""
        return self._scale_fn_ref(x) if self._scale_fn_custom is None else self._scale_fn_custom(x)

    def get_lr(self):
        self._warn_outside_step()
        cycle = floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for low, high, group in zip(self.base_momentums, self.max_momentums, self.optimizer.param_groups):
                self._set_momentum(group, high - (high - low) * height * scale)
        return [base + (high - base) * height * scale for base, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self):
        """A scale_fn that is a function is not saved, the attributes of a callable object are."""
        state = super().state_dict()
        f = state["_scale_fn_custom"]
        state["_scale_fn_custom"] = None if f is None or isinstance(f, FunctionType) else f.__dict__.copy()
        return state

    def load_state_dict(self, state_dict):
        state = dict(state_dict)
        attributes = state.pop("_scale_fn_custom", None)
        self.__dict__.update(state)
        if attributes is not None and self._scale_fn_custom is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class OneCycleLR(_WithMomentum):
    """Smith and Topin 2018: from max_lr/div_factor up to max_lr during pct_start of the steps, then down to 1/final_div_factor of the
    beginning; three_phase: back to the beginning symmetrically, then down. The momentum goes the other way."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos",
                 cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False,
                 last_epoch=-1):
        _check_optimizer(self, optimizer)
        self.optimizer = optimizer
        self.total_steps = _total_steps(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        rise = float(pct_start * self.total_steps) - 1
        if three_phase:
            self._schedule_phases = [_phase(rise, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                                     _phase(2 * rise, "max_lr", "initial_lr", "base_momentum", "max_momentum"),
                                     _phase(self.total_steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]
        else:
            self._schedule_phases = [_phase(rise, "initial_lr", "max_lr", "max_momentum", "base_momentum"),
                                     _phase(self.total_steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
        self.cycle_momentum = cycle_momentum
        if last_epoch == -1:
            for high, group in zip(_for_each(optimizer, "max_lr", max_lr), optimizer.param_groups):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        if cycle_momentum:
            self._begin_momentum(optimizer, base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)

    def _anneal_func(self, start, end, pct):
        kind = self.__dict__.get("_anneal_func_type")  # state_dicts of old had the function itself
        return self._annealing_linear(start, end, pct) if kind == "linear" else (self._annealing_cos if kind else self.anneal_func)(start, end, pct)

    @staticmethod
    def _annealing_cos(start, end, pct):
        """Between start (pct = 0) and end (pct = 1) along half a wave."""
        return end + (start - end) / 2.0 * (1 + cos(pi * pct))

    @staticmethod
    def _annealing_linear(start, end, pct):
        """Between start and end along a line."""
        return (end - start) * pct + start

    def get_lr(self):
        self._warn_outside_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        begin = 0.0
        for phase in self._schedule_phases:
            end = phase["end_step"]
            if step <= end or phase is self._schedule_phases[-1]:
                break
            begin = end
        part = (step - begin) / (end - begin)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._anneal_func(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                self._set_momentum(group, self._anneal_func(group[phase["start_momentum"]], group[phase["end_momentum"]], part))
        return rates


def _phase(end, start_lr, end_lr, start_momentum, end_momentum):
    return {"end_step": end, "start_lr": start_lr, "end_lr": end_lr, "start_momentum": start_momentum, "end_momentum": end_momentum}


def _total_steps(total_steps, epochs, steps_per_epoch):
    if total_steps is not None:
        if total_steps <= 0 or not isinstance(total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        return total_steps
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    for name, value in (("epochs", epochs), ("steps_per_epoch", steps_per_epoch)):
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
    return epochs * steps_per_epoch
