"""torch.utils.deterministic: whether empty memory is to be filled where deterministic algorithms are asked for. winnow leaves it as it is."""
import sys
import types


class _Settings(types.ModuleType):
    _fill = True

    @property
    def fill_uninitialized_memory(self):
        """What was set last; True at the start."""
        return self._fill

    @fill_uninitialized_memory.setter
    def fill_uninitialized_memory(self, mode):
        if not isinstance(mode, bool):
            raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
        self._fill = mode


sys.modules[__name__].__class__ = _Settings
