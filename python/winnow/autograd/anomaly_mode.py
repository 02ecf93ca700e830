"""detect_anomaly: backward stops at the first operation whose gradient is NaN, and names it.

Unlike PyTorch's it does not remember where in the program that operation was called."""
from .. import _C
from ._tasks import asking

__all__ = ["detect_anomaly", "set_detect_anomaly"]

_enabled, _check_nan = False, True


def is_anomaly_enabled():
    """Is anomaly detection on?"""
    return _enabled


def is_anomaly_check_nan_enabled():
    """Does anomaly detection look for NaN?"""
    return _check_nan


def set_anomaly_enabled(mode, check_nan=True):
    """Switches anomaly detection on or off, for all threads."""
    global _enabled, _check_nan
    asking[0] += bool(mode) - _enabled  # backward looks at nothing else
    _enabled, _check_nan = bool(mode), bool(check_nan)


class set_detect_anomaly:
    """Switches anomaly detection at once; at the end of a `with` back to what it was."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _enabled, _check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly:
    """Context in which a backward that makes a NaN raises an error that names the operation."""

    def __init__(self, check_nan=True):
        import warnings

        self.prev, self.prev_check_nan, self.check_nan = _enabled, _check_nan, check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
                      stacklevel=2)

    def __enter__(self):
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *exc):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class watched:
    """While open, every node behind the roots checks what it gives to its inputs."""

    def __init__(self, roots):
        self.roots = roots

    def __enter__(self):
        from .graph import reachable

        self.numbers = []
        if not (_enabled and _check_nan):
            return
        for node in reachable([t.grad_fn for t in self.roots]):
            if not hasattr(node, "variable"):
                self.numbers.append((node, _C._node_register_hook(node, _checker(node.name()), False)))

    def __exit__(self, *exc):
        for node, number in self.numbers:
            _C._node_remove_hook(node, number)


def _checker(name):
    def check(grad_inputs, grad_outputs):
        for i, g in enumerate(grad_inputs):
            if g is not None and bool((g != g).any()):
                import warnings

                warnings.warn(f"Error detected in {name}. No forward pass information available. Enable detect anomaly during forward pass for more "
                              "information.", UserWarning, stacklevel=2)
                raise RuntimeError(f"Function '{name}' returned nan values in its {i}th output.")

    return check
