"""torch.special: functions of mathematics under SciPy's names."""
from ._hook import lacking as _lacking
from . import _C

globals().update(_C.functions(16))
_torch = _C.functions(1)
for _alias, _name in {"expit": "sigmoid", "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "erf": "erf", "erfc": "erfc", "round": "round",
                      "logsumexp": "logsumexp", "psi": "digamma", "gammaln": "lgamma", "multigammaln": "mvlgamma", "gammainc": "igamma", "gammaincc": "igammac", "softmax": "softmax", "log_softmax": "log_softmax"}.items():
    if _name in _torch:
        globals().setdefault(_alias, _torch[_name])


__getattr__ = _lacking("torch.special", globals())
