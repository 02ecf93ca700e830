"""torch.special: functions of mathematics under SciPy's names."""
from . import _C

globals().update(_C.functions(16))
_torch = _C.functions(1)
for _alias, _name in {"expit": "sigmoid", "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "erf": "erf", "erfc": "erfc", "round": "round",
                      "logsumexp": "logsumexp", "psi": "digamma", "gammaln": "lgamma", "multigammaln": "mvlgamma", "gammainc": "igamma", "gammaincc": "igammac", "softmax": "softmax", "log_softmax": "log_softmax"}.items():
    if _name in _torch:
        globals().setdefault(_alias, _torch[_name])


def __getattr__(name):
    from ._hook import missing

    raise missing("torch.special", name, [n for n in globals() if not n.startswith("_")])
