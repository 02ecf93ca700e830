"""GradScaler: the loss is multiplied so that small gradients survive a narrow type; steps with infinite gradients are left out and
the factor adapts."""
import enum
import inspect
import warnings
from collections import defaultdict

from .._construct import Tensor, tensor
from .._types import CPU, float16, float32, int32
from ._scaling import _amp_foreach_non_finite_check_and_unscale_, _amp_update_scale_


class OptState(enum.Enum):
    """What an optimiser has seen since the last update."""
    READY, UNSCALED, STEPPED = range(3)


READY, UNSCALED, STEPPED = OptState


def _refresh_per_optimizer_state():
    return {"stage": READY, "found_inf_per_device": {}}


class GradScaler:
    """scale(loss).backward(); step(optimizer); update(). Disabled (and silent but for a warning) for devices that are not there."""

    def __init__(self, device="cuda", init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._device = device
        if enabled and device != "cpu":
            warnings.warn(f"torch.{device}.amp.GradScaler is enabled, but {str(device).upper()} is not available.  Disabling.", stacklevel=2)
            enabled = False
        self._enabled = enabled
        if not enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._scale = float(init_scale), None
        self._growth_factor, self._backoff_factor, self._growth_interval = growth_factor, backoff_factor, growth_interval
        self._init_growth_tracker, self._growth_tracker = 0, None
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _lazy_init_scale_growth_tracker(self, dev=None):
        if self._growth_tracker is not None:
            raise AssertionError("_growth_tracker initialized before _scale")
        self._scale = tensor(self._init_scale, dtype=float32)
        self._growth_tracker = tensor(self._init_growth_tracker, dtype=int32)

    def _check_scale_growth_tracker(self, funcname):
        """The factor and the count of steps, which scale() makes."""
        for name in ("_scale", "_growth_tracker"):
            if getattr(self, name) is None:
                raise AssertionError(f"Attempted {funcname} but {name} is None.  This may indicate your script did not use scaler.scale(loss or outputs) "
                                     "earlier in the iteration.")
        return self._scale, self._growth_tracker

    def _get_scale_async(self):
        return self._scale

    def scale(self, outputs):
        """outputs times the factor: a tensor or nested lists of them."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._lazy_init_scale_growth_tracker()
            return outputs * self._scale.to(outputs.dtype)
        if isinstance(outputs, (list, tuple)):
            parts = [self.scale(x) for x in outputs]
            return type(outputs)(*parts) if hasattr(outputs, "_fields") else type(outputs)(parts)
        if hasattr(outputs, "__iter__"):
            return map(self.scale, outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads_(self, optimizer, inv_scale, found_inf, allow_fp16):
        """Multiplies the gradients of the optimiser's parameters by inv_scale. Returns {device: 1 where one is infinite or NaN, else 0}."""
        grads = []
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if not allow_fp16 and p.grad.dtype is float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                grads.append(p.grad._values() if p.grad.is_sparse else p.grad)
        if not grads:
            return {}
        _amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)
        return {CPU: found_inf}

    def unscale_(self, optimizer):
        """Divides the gradients of the optimiser's parameters by the factor, once between updates."""
        if not self._enabled:
            return
        self._check_scale_growth_tracker("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = tensor(1.0 / self._scale.item(), dtype=float32)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inverse, tensor(0.0), False)
        state["stage"] = UNSCALED

    def _maybe_opt_step(self, optimizer, optimizer_state, *args, **kwargs):
        if any(found.item() for found in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def step(self, optimizer, *args, **kwargs):
        """optimizer.step(), unless a gradient is infinite or NaN; unscales first where that has not been done."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale_growth_tracker("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            out = self._step_that_scales(optimizer, state, args, kwargs)
        else:
            if state["stage"] is READY:
                self.unscale_(optimizer)
            if not state["found_inf_per_device"]:
                raise AssertionError("No inf checks were recorded for this optimizer.")
            out = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = STEPPED
        return out

    def _step_that_scales(self, optimizer, state, args, kwargs):
        """A step of an optimiser that unscales by itself: it is told the factor and what was found, or is given the scaler."""
        if "grad_scaler" in inspect.signature(optimizer.step).parameters:
            warnings.warn("GradScaler is going to stop passing itself as a keyword argument to the passed optimizer. In the near future GradScaler registers "
                          "`grad_scale: Tensor` and `found_inf: Tensor` to the passed optimizer and let the optimizer use them directly.", FutureWarning,
                          stacklevel=3)
            return optimizer.step(*args, **kwargs, grad_scaler=self)
        if state["stage"] is READY:
            self._check_inf_per_device(optimizer)
        given = getattr(optimizer, "grad_scale", None)
        optimizer.grad_scale = given if state["stage"] is UNSCALED else self._scale if given is None else self._scale * given
        optimizer.found_inf = sum(state["found_inf_per_device"].values())
        out = optimizer.step(*args, **kwargs)
        del optimizer.grad_scale, optimizer.found_inf
        return out

    def _check_inf_per_device(self, optimizer):
        """Looks at the gradients, which stay scaled."""
        self._check_scale_growth_tracker("_check_inf_per_device")
        found = self._unscale_grads_(optimizer, tensor(1.0), tensor(0.0), True)
        self._per_optimizer_states[id(optimizer)]["found_inf_per_device"] = found
        return found

    def _found_inf_per_device(self, optimizer):
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]

    def update(self, new_scale=None):
        """Shrinks the factor after infinite gradients, lets it grow after growth_interval steps without."""
        if not self._enabled:
            return
        scale, tracker = self._check_scale_growth_tracker("update")
        if new_scale is not None:
            scale.fill_(float(new_scale))
        else:
            found = [f for state in self._per_optimizer_states.values() for f in state["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            _amp_update_scale_(scale, tracker, sum(found), self._growth_factor, self._backoff_factor, self._growth_interval)
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def get_scale(self):
        return (self._init_scale if self._scale is None else self._scale.item()) if self._enabled else 1.0

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def is_enabled(self):
        return self._enabled

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker.item()

    def state_dict(self):
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._get_growth_tracker()}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.")
        self._init_scale, self._init_growth_tracker = state_dict["scale"], state_dict["_growth_tracker"]
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self):
        state = dict(self.__dict__)
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError("A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after scaler.update().")
            state.update(_init_scale=self.get_scale(), _init_growth_tracker=self._get_growth_tracker(), _scale=None, _growth_tracker=None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
