"""torch._VF: torch's functions by name, as nn.LSTM and nn.utils.rnn call them. In Python it is the module torch itself."""
import sys
import types


class VFModule(types.ModuleType):
    def __getattr__(self, name):
        if name[:2] == "__":
            raise AttributeError(name)
        if name == "unique_dim":  # which torch itself does not show
            from ._adapters.order import unique_dim

            return unique_dim
        import winnow

        return getattr(winnow, name)


sys.modules[__name__] = VFModule(__name__)
