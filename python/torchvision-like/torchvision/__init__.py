"""What programs use most of torchvision, where torchvision itself is not installed: data sets on disk, transforms of tensors (and of
PIL's images), grids and PNG files, some models and layers."""
__version__ = "0.0+winnow"
_image_backend = "PIL"


def set_image_backend(backend):
    if backend != "PIL":
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL'")


def get_image_backend():
    return _image_backend


def __getattr__(name):
    if name in ("datasets", "io", "models", "ops", "transforms", "utils"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'torchvision' has no attribute '{name}'")
