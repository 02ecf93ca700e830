"""torch.cpu.amp and torch.cuda.amp: autocast and GradScaler of one kind of device, which are old names."""
import warnings

from . import autocast_mode as _mode
from . import grad_scaler as _scaler


def old_names(kind, fast_dtype, autocast_does, scaler_does):
    """(autocast, GradScaler) of a kind of device."""
    def warn_of(name):
        warnings.warn(f"`torch.{kind}.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('{kind}', args...)` instead.", FutureWarning,
                      stacklevel=3)

    class autocast(_mode.autocast):
        __doc__ = f'autocast("{kind}"){autocast_does}. The newer name is torch.amp.autocast.'

        def __init__(self, enabled=True, dtype=fast_dtype, cache_enabled=True):
            warn_of("autocast")
            super().__init__(kind, enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)

    class GradScaler(_scaler.GradScaler):
        __doc__ = f'GradScaler("{kind}"){scaler_does}. The newer name is torch.amp.GradScaler.'

        def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
            warn_of("GradScaler")
            super().__init__(kind, init_scale, growth_factor, backoff_factor, growth_interval, enabled)

    for made in (autocast, GradScaler):
        made.__module__, made.__qualname__ = f"{__package__.rpartition('.')[0]}.{kind}.amp", made.__name__
        made.__init__.__qualname__ = f"{made.__name__}.__init__"
    return autocast, GradScaler
