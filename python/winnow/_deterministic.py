"""torch.use_deterministic_algorithms and its kin. winnow's results are the same for any thread count in any case: the settings are kept, and change nothing."""
__all__ = ["use_deterministic_algorithms", "are_deterministic_algorithms_enabled", "is_deterministic_algorithms_warn_only_enabled",
           "set_deterministic_debug_mode", "get_deterministic_debug_mode"]

_MODES = {"default": 0, "warn": 1, "error": 2}
_enabled = _warn_only = False


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Accepted: winnow's results are the same for any thread count in any case."""
    global _enabled, _warn_only
    if not isinstance(mode, bool):
        raise TypeError(f"_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not {type(mode).__name__}")
    if not isinstance(warn_only, bool):
        raise TypeError(f"_set_deterministic_algorithms(): argument 'warn_only' must be bool, not {type(warn_only).__name__}")
    _enabled, _warn_only = mode, warn_only


def are_deterministic_algorithms_enabled():
    """What use_deterministic_algorithms was given last."""
    return _enabled


def is_deterministic_algorithms_warn_only_enabled():
    """The warn_only that use_deterministic_algorithms was given last. Nothing in winnow is nondeterministic, so nothing warns."""
    return _warn_only


def set_deterministic_debug_mode(debug_mode):
    """The same settings as one: "default" or 0, "warn" or 1, "error" or 2."""
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    mode = _MODES.get(debug_mode) if isinstance(debug_mode, str) else debug_mode
    if mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, or 0, 1, 2, but got {debug_mode}")
    use_deterministic_algorithms(mode != 0, warn_only=mode == 1)


def get_deterministic_debug_mode():
    """0: not enabled; 1: enabled, and to warn only; 2: enabled."""
    return 0 if not _enabled else 1 if _warn_only else 2
