"""What programs use most of torchvision, where torchvision itself is not installed: data sets on disk, transforms of tensors (and of
PIL's images), grids and PNG files. Models and operators are not there."""
__version__ = "0.0+winnow"
_image_backend = "PIL"


def set_image_backend(backend):
    if backend != "PIL":
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL'")


def get_image_backend():
    return _image_backend


def __getattr__(name):
    if name in ("datasets", "transforms", "utils", "io"):
        import importlib

        return importlib.import_module("." + name, __name__)
    if name in ("models", "ops"):
        raise AttributeError(f"module 'torchvision' has no attribute '{name}': winnow brings a small torchvision without models and operators")
    raise AttributeError(f"module 'torchvision' has no attribute '{name}'")
