"""Lets PyTorch's own tests run on winnow: their helpers (torch.testing._internal and what it imports) come from the files of an installed
PyTorch, whose site-packages TORCH_SITE names, while `torch` is winnow. What the helpers import, and winnow has not, is a stand-in that is
false and does nothing; MISSING collects the names. A test that needs one fails or is skipped, which is the answer that is wanted.
SPDX-License-Identifier: Apache-2.0"""

import contextlib
import importlib
import importlib.abc
import importlib.util
import os
import re
import sys
import types
from unittest.mock import MagicMock

import torch

SITE = os.environ.get("TORCH_SITE", "")
FROM_PYTORCH = ("torch.testing._internal", "torch.testing._comparison", "torch.testing._creation", "torch.testing._utils", "torch._utils_internal",
                "torch.utils._import_utils", "torch._vendor", "torch.utils._mode_utils", "torch.utils._functools")
# Of the helpers these need the whole of PyTorch (its operator database, its modules'): tests that want them are not judged.
LEFT_OUT = ("common_methods_invocations", "common_modules", "common_quantization", "common_quantized")
HELPERS = ("common_utils", "common_device_type", "common_dtype", "common_cuda", "common_nn", "logging_tensor", "common_subclass", "common_jit",
           "autograd_function_db", "two_tensor", "composite_compliance", "common_optimizers")
MISSING = set()


# ------------------------------------------------------------------ stand-ins


def mock(name, **options):
    m = MagicMock(name=name, **options)
    del m.parametrize_fn  # the mark of a test that stands for several
    m.__name__ = name
    return m


class _Class(type):
    def __getattr__(cls, name):
        if name.startswith("__") or name == "parametrize_fn":
            raise AttributeError(name)
        return function(name)


def class_named(name):
    return _Class(name, (), {"__init__": lambda self, *a, **k: None, "__enter__": lambda self: self, "__exit__": lambda self, *a: False})


def function(name):
    """Callable, and false as what it returns is."""
    result = mock(f"{name}()")
    result.__bool__.return_value = False
    result.__len__.return_value = 0
    result.get.return_value = False
    f = mock(name, return_value=result)
    f.__bool__.return_value = False
    return f


def anything(name):
    return class_named(name) if name.lstrip("_")[:1].isupper() else function(name)


class Module(types.ModuleType):
    """A module in which there is whatever somebody asks for."""

    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []
        self.__all__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, mock(f"{self.__name__}.{name}"))
        return getattr(self, name)

    def __call__(self, *a, **k):
        return False

    def __bool__(self):
        return False


def put(module, name, value):
    MISSING.add(f"{module.__name__}.{name}")
    setattr(module, name, value)


# ------------------------------------------------------------------ where modules come from


class FromPyTorch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if not any(name == part or name.startswith(part + ".") for part in FROM_PYTORCH):
            return None
        base = os.path.join(SITE, *name.split("."))
        if os.path.isdir(base):
            return importlib.util.spec_from_file_location(name, base + "/__init__.py", submodule_search_locations=[base])
        return importlib.util.spec_from_file_location(name, base + ".py") if os.path.exists(base + ".py") else None


class OrStandIn(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """winnow's own finder, and a stand-in for what it does not find."""

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("torch."):
            return None
        with contextlib.suppress(ModuleNotFoundError):
            spec = self.finder.find_spec(name, path, target)
            if spec is not None:
                return spec
        MISSING.add(name)
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


class Engine(types.ModuleType):
    """torch._C: winnow's, and stand-ins for the rest."""

    def __init__(self, real):
        super().__init__("torch._C")
        self.__path__ = []
        self.__dict__["_real"] = real

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(self._real, name)
        except AttributeError:
            pass
        MISSING.add(f"torch._C.{name}")
        value = class_named(name) if name.lstrip("_")[:1].isupper() else (lambda *a, **k: False)
        setattr(self, name, value)
        return value


class NoCheck(contextlib.ContextDecorator):
    """torch.sparse.check_sparse_tensor_invariants, and contexts of the compiler: nothing."""

    def __init__(self, *a, **k):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False

    is_enabled = staticmethod(lambda: False)
    enable = disable = staticmethod(lambda: None)


class Contexts:
    def __getattr__(self, name):
        return NoCheck


def without_forward_mode():
    """gradcheck as winnow has it: of a call that asks for both modes, backward is checked."""
    def wrap(check, names, backward):
        def checked(*a, **k):
            if k.get(backward, True):
                k = {name: value for name, value in k.items() if name not in names}
            return check(*a, **k)
        return checked

    a = torch.autograd
    a.gradcheck = wrap(a.gradcheck, ("check_forward_ad", "check_batched_forward_grad"), "check_backward_ad")
    a.gradgradcheck = wrap(a.gradgradcheck, ("check_fwd_over_rev",), "check_rev_over_rev")


# ------------------------------------------------------------------ importing the helpers


def _missing(error):
    """The module and the name that an import failed for."""
    for pattern in (r"cannot import name '(?P<name>\w+)' from '(?P<module>[\w.]+)'", r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'",
                    r"'?(?P<module>[\w.]+)'? has no (?:attribute )?'?(?P<name>\w+)'?"):
        found = re.search(pattern, str(error))
        if found:
            return re.sub(r"^winnow\b", "torch", found["module"]), found["name"]
    raise error


def supply(load, again=True, tries=150):
    """Calls load until nothing is missing any more. again: the helpers are imported anew each time."""
    for _ in range(tries):
        try:
            return load()
        except (ImportError, AttributeError) as error:
            module, name = _missing(error)
            put(importlib.import_module(module), name, anything(name))
            os.environ["WINNOW_SUITES_NAMES"] = f"{os.environ.get('WINNOW_SUITES_NAMES', '')} {module}:{name}"
            for loaded in [m for m in sys.modules if again and m.startswith(("torch.testing._internal", "torch.testing._comp"))]:
                if loaded.rpartition(".")[2] not in LEFT_OUT:
                    del sys.modules[loaded]
    raise ImportError("the helpers want ever more names")


def supply_as_parent():
    """In a process that a test starts anew: what was missing there is missing here."""
    for module, name in (item.split(":") for item in os.environ.get("WINNOW_SUITES_NAMES", "").split()):
        if module.startswith("torch") and not hasattr(importlib.import_module(module), name):
            put(importlib.import_module(module), name, anything(name))


def some_true(shape):
    """The helper of tests of masks: one of this shape in which something is true."""
    mask = torch.randn(shape).gt(0)
    mask.view(-1)[0] = True
    return mask


def start():
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "child"))  # for processes that are started anew
    sys.path.append(SITE)  # torchgen, which the helpers import
    os.environ["OPINFO_RESTRICT_TO_DSL"] = "1"  # the helpers' word for: lists of operators may be empty
    finder = next(f for f in sys.meta_path if type(f).__module__.startswith("winnow") and type(f).__name__ == "_Finder")
    sys.meta_path[sys.meta_path.index(finder)] = OrStandIn(finder)
    sys.meta_path.insert(0, FromPyTorch())
    engine = Engine(importlib.import_module("torch._C"))
    engine._get_privateuse1_backend_name = lambda: "privateuseone"
    engine._get_accelerator = lambda *a: torch.device("cpu")
    sys.modules["torch._C"] = torch._C = engine
    sys.modules["torch.onnx"] = torch.onnx = Module("torch.onnx")
    for name in ("torch._dynamo", "torch.sparse", "torch.storage", "torch.utils", "torch.testing._utils"):
        importlib.import_module(name)
    without_forward_mode()
    put(torch.sparse, "check_sparse_tensor_invariants", NoCheck)
    put(torch._dynamo, "compiled_autograd", Contexts())
    torch._grid_sampler_2d_cpu_fallback = torch.grid_sampler_2d  # a second kernel of PyTorch's, with which tests compare the first
    for module, name in ((torch.storage, "TypedStorage"), (torch, "TypedStorage")):
        if not hasattr(module, name):
            put(module, name, class_named(name))
    for name in LEFT_OUT:
        full = f"torch.testing._internal.{name}"
        sys.modules[full] = Module(full)
    core = supply(lambda: importlib.import_module("torch.testing._internal.opinfo.core"))
    invocations = sys.modules["torch.testing._internal.common_methods_invocations"]
    invocations.DecorateInfo, invocations.mask_not_all_zeros = core.DecorateInfo, some_true
    for name in HELPERS:
        supply(lambda: [importlib.import_module(f"torch.testing._internal.{n}") for n in ("common_utils", name)])
    internal = sys.modules["torch.testing._internal"]
    for name in LEFT_OUT:
        setattr(internal, name, sys.modules[f"{internal.__name__}.{name}"])
