"""GradScaler: the loss is multiplied so that small gradients survive a narrow type; steps with infinite gradients are left out and
the factor adapts."""
import enum
import warnings
from collections import defaultdict

from .. import _C
from .._construct import Tensor, tensor
from .._types import float32

_t = _C.functions(1)


class OptState(enum.Enum):
    """What an optimiser has seen since the last update."""
    READY, UNSCALED, STEPPED = range(3)


READY, UNSCALED, STEPPED = OptState


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
        self._init_growth_tracker = self._tracker = 0
        self._optimizers = defaultdict(lambda: {"stage": READY, "found_inf": False})

    def _factor(self):
        if self._scale is None:
            self._scale = tensor(self._init_scale, dtype=float32)
        return self._scale

    def scale(self, outputs):
        """outputs times the factor: a tensor or nested lists of them."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._factor().to(outputs.dtype)
        if isinstance(outputs, (list, tuple)):
            parts = [self.scale(x) for x in outputs]
            return type(outputs)(*parts) if hasattr(outputs, "_fields") else type(outputs)(parts)
        if hasattr(outputs, "__iter__"):
            return map(self.scale, outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer):
        """Divides the gradients of the optimiser's parameters by the factor, once between updates."""
        if not self._enabled:
            return
        if self._scale is None:
            raise AssertionError("Attempted unscale_ but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) "
                                 "earlier in the iteration.")
        state = self._optimizers[id(optimizer)]
        if state["stage"] == UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] == STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = 1.0 / self._scale.item()
        finite = []
        was = _C._set_grad_enabled(False)
        try:
            for group in optimizer.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        p.grad.mul_(inverse)
                        finite.append(_t["isfinite"](p.grad).all())
        finally:
            _C._set_grad_enabled(was)
        if not finite:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        state["found_inf"] = not all(bool(f) for f in finite)
        state["stage"] = UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """optimizer.step(), unless a gradient is infinite or NaN; unscales first where that has not been done."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        state = self._optimizers[id(optimizer)]
        if state["stage"] == STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if state["stage"] == READY:
            self.unscale_(optimizer)
        state["stage"] = STEPPED
        return None if state["found_inf"] else optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        """Shrinks the factor after infinite gradients, lets it grow after growth_interval steps without."""
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = tensor(float(new_scale), dtype=float32)
        else:
            if not any(s["stage"] != READY for s in self._optimizers.values()):
                raise AssertionError("No inf checks were recorded prior to update.")
            scale = self._factor().item()
            if any(s["found_inf"] for s in self._optimizers.values()):
                scale, self._tracker = scale * self._backoff_factor, 0
            else:
                self._tracker += 1
                if self._tracker == self._growth_interval:
                    grown, self._tracker = scale * self._growth_factor, 0
                    scale = grown if grown < 3.4028235e38 else scale
            self._scale = tensor(scale, dtype=float32)
        self._optimizers.clear()

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

    def state_dict(self):
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._tracker}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.")
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale = tensor(self._init_scale, dtype=float32)
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval, self._tracker = state_dict["growth_interval"], state_dict["_growth_tracker"]

    def __getstate__(self):
        if self._enabled and self._optimizers:
            raise AssertionError("A GradScaler instance may only be pickled at the beginning of an iteration, or at the end after scaler.update().")
        state = dict(self.__dict__)
        if self._enabled:
            state.update(_init_scale=self.get_scale(), _scale=None, _optimizers=None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if self._enabled:
            self._optimizers = defaultdict(lambda: {"stage": READY, "found_inf": False})
