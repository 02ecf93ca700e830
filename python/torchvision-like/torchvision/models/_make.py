"""What all models share: the arguments of their functions, and names of weights that nobody has here."""
_models = {}  # name -> function


def model(function):
    """Lists a function and refuses weights that would have to be downloaded."""
    from functools import wraps

    @wraps(function)
    def make(*, weights=None, pretrained=False, progress=True, **options):
        if weights is not None or pretrained:
            raise NotImplementedError(f"torchvision.models.{function.__name__}: winnow's torchvision has no weights to load; make the model without them "
                                      "and load a state_dict")
        return function(**options)

    _models[function.__name__] = make
    return make


def list_models(module=None, include=None, exclude=None):
    """The names of all models."""
    return sorted(_models)


def get_model(name, **config):
    """A model by its name."""
    if name.lower() not in _models:
        raise ValueError(f"Unknown model {name}")
    return _models[name.lower()](**config)


class _Weights:
    """Named weights, which no function here takes."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name

    def __repr__(self):
        return f"{self.kind}.{self.name}"


def weights(kind):
    """The enumeration of a model's weights, by the names that programs use."""
    return type(kind, (), {name: _Weights(kind, name) for name in ("DEFAULT", "IMAGENET1K_V1", "IMAGENET1K_V2")})
