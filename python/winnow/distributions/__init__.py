"""torch.distributions: samples, log-probabilities and what belongs to them, of Python over winnow's operations.

Classes of one kind share a file; torch's modules (torch.distributions.normal, ...) are names for these files."""
import sys as _sys

from .._hook import lacking as _lacking
from . import (_compound, _discrete, _matrices, _positive, _real, _relaxed, _transform, constraint_registry, constraints, distribution, kl, transforms,
               utils)
from ._compound import *
from ._discrete import *
from ._matrices import *
from ._positive import *
from ._real import *
from ._relaxed import *
from .constraint_registry import biject_to, transform_to
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .kl import kl_divergence, register_kl
from .transforms import *

__all__ = (_compound.__all__ + _discrete.__all__ + _matrices.__all__ + _positive.__all__ + _real.__all__ + _relaxed.__all__ + transforms.__all__ +
           ["Distribution", "ExponentialFamily", "biject_to", "kl_divergence", "register_kl", "transform_to"])

for _module, _names in ((_real, "normal laplace cauchy half_normal half_cauchy gumbel studentT uniform von_mises"),
                        (_positive, "exponential gamma chi2 inverse_gamma beta dirichlet weibull pareto fishersnedecor generalized_pareto kumaraswamy"),
                        (_discrete, "bernoulli geometric binomial negative_binomial poisson categorical one_hot_categorical multinomial"),
                        (_compound, "multivariate_normal independent transformed_distribution log_normal logistic_normal mixture_same_family"),
                        (_matrices, "lowrank_multivariate_normal wishart lkj_cholesky"),
                        (_relaxed, "continuous_bernoulli relaxed_bernoulli relaxed_categorical")):
    for _name in _names.split():
        _sys.modules[f"{__name__}.{_name}"] = globals()[_name] = _module
del _module, _names, _name

for _module in (_compound, _discrete, _matrices, _positive, _real, _relaxed, _transform, constraints, distribution, transforms):
    for _kind in [k for k in vars(_module).values() if isinstance(k, type) and k.__module__ == _module.__name__]:
        for _name, _formula in vars(_kind).items():
            if getattr(_formula, "__name__", "") == "<lambda>":  # a method of one expression, which errors shall name
                _formula.__name__, _formula.__qualname__ = _name, f"{_kind.__qualname__}.{_name}"
del _module, _kind, _name, _formula


__getattr__ = _lacking(__name__, globals())
