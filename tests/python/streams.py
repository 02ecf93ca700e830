"""Expressions that draw random numbers: values and the state in which they leave the generator are to be PyTorch's under WINNOW_RNG=torch.

    python tests/python/streams.py [thorough] [seed]     a line for each case: what came out (test_streams.py, oracle/streams.py)

x is the input, in each of the forms named here (layouts.py, and turned slices) and each dtype that its list is tried with.
SPDX-License-Identifier: Apache-2.0"""

import math
import os
import sys
import warnings
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import layouts
import torch
import torch.distributions as D
import torch.nn as nn
import torch.nn.functional as F

FORMS = [
    ((2, 4, 3, 5), "plain last order0321 slice turned0321"),
    ((3, 5), "plain order10"),
    ((5, 7), "plain order10 turned10"),
    ((17,), "plain slice"),
    ((), "plain"),
    ((0, 3), "plain"),
]
THOROUGH = [
    ((2, 4, 6, 8), "plain last order0321 order3210 order1023 expand0 expand1 slice halves turned0321"),
    ((1, 3, 2, 5), "plain last order0321 slice"),
    ((2, 4, 2, 3, 3), "plain last order02341"),
    ((3, 5), "plain order10 slice turned10"),
    ((4, 4), "plain order10 expand0 expand1 slice"),
    ((5, 7), "plain order10 expand0 slice turned10"),
    ((17,), "plain slice"),
    ((3,), "plain slice"),
    ((1,), "plain"),
    ((), "plain"),
    ((0, 3), "plain"),
    ((700, 3), "plain order10"),
]
FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")

# Of floats: results, or x itself after a change in place.
FLOATING = """
torch.rand_like(x)
torch.randn_like(x)
torch.rand_like(x,memory_format=torch.contiguous_format)
torch.randn_like(x,memory_format=torch.contiguous_format)
torch.rand(x.shape,dtype=x.dtype)
torch.randn(x.shape,dtype=x.dtype)
torch.normal(x,1.5)
torch.normal(2.0,x.abs())
torch.normal(x,x.abs())
torch.normal(x.contiguous(),x.abs())
torch.normal(x,x.abs().contiguous())
torch.normal(0.5,2.0,x.shape,dtype=x.dtype)
x.clone().uniform_()
x.clone().uniform_(-3,5)
x.clone().normal_()
x.clone().normal_(2,0.5)
x.clone().exponential_()
x.clone().exponential_(2.5)
x.clone().cauchy_()
x.clone().cauchy_(1,0.5)
x.clone().log_normal_()
x.clone().log_normal_(0.5,0.25)
x.bernoulli()
torch.bernoulli(x.abs().clamp(0,1))
torch.bernoulli(x.abs().clamp(0,1).contiguous())
x.bernoulli(0.3)
torch.bernoulli(x,0.3)
F.dropout(x,0.4)
F.dropout(x.requires_grad_(),0.4)
F.dropout(x.clone(),0.4,inplace=True)
torch.dropout(x,0.4,True)
torch.dropout_(x.clone(),0.4,True)
torch.native_dropout(x,0.4,True)
F.alpha_dropout(x,0.4,True)
F.feature_alpha_dropout(x,0.4,True)
torch.feature_dropout(x,0.4,True) if x.dim()>1 else x
F.dropout1d(x,0.4)
F.dropout2d(x,0.4) if x.dim()>2 else x
F.dropout3d(x,0.4) if x.dim()>3 else x
nn.Dropout(0.4)(x)
nn.Dropout2d(0.4)(x) if x.dim()>2 else x
nn.AlphaDropout(0.4)(x)
F.rrelu(x,training=True)
F.rrelu(x,0.2,0.9,True)
F.rrelu(x.requires_grad_(),training=True)
F.rrelu_(x.clone(),training=True)
nn.RReLU()(x)
F.gumbel_softmax(x,hard=True,dim=0) if x.dim() else x
torch.poisson(x.abs()*7)
torch.poisson(x.abs())
torch.binomial(x.abs().round()*20,x.abs().clamp(0,1))
torch.binomial((x*0+7),x.abs().clamp(0,1))
torch._standard_gamma(x.abs()+0.1)
torch._standard_gamma(x.abs()*3)
nn.init.uniform_(x.clone(),-1,1)
nn.init.normal_(x.clone(),0.5,2)
nn.init.trunc_normal_(x.clone())
nn.init.trunc_normal_(x.clone(),1,2,-3,0.5)
nn.init.xavier_uniform_(x.clone()) if x.dim()>1 and x.numel() else x
nn.init.xavier_normal_(x.clone()) if x.dim()>1 and x.numel() else x
nn.init.kaiming_uniform_(x.clone()) if x.dim()>1 and x.numel() else x
nn.init.kaiming_normal_(x.clone()) if x.dim()>1 and x.numel() else x
nn.init.sparse_(x.clone(),0.5) if x.dim()==2 else x
""".strip().split("\n")

# Changes of x itself, which is never copied: the layouts that clone() would make dense.
CHANGES = """
x.uniform_()
x.normal_()
x.exponential_()
x.cauchy_()
x.log_normal_()
x.geometric_(0.3)
x.bernoulli_()
x.bernoulli_(0.3)
x.bernoulli_(torch.full(x.shape,0.4))
x.bernoulli_(torch.full(x.shape,0.4,dtype=torch.float64))
x.bernoulli_(torch.full(x.shape[-1:],0.4))
x.random_()
x.random_(5)
x.random_(-3,100)
x.random_(3,None)
F.dropout(x,0.4,inplace=True)
F.rrelu(x,training=True,inplace=True)
F.alpha_dropout(x,0.4,True,inplace=True)
nn.init.trunc_normal_(x)
nn.init.normal_(x)
""".strip().split("\n")

# Of any numbers.
ANY = """
torch.randint_like(x,5)
torch.randint_like(x,2,90)
torch.randint_like(x,5,memory_format=torch.contiguous_format)
torch.randint_like(x,2,90,dtype=torch.float32)
torch.randint_like(x,5,dtype=torch.int64)
torch.rand_like(x,dtype=torch.float32)
torch.randn_like(x,dtype=torch.float64)
torch.randint(5,x.shape,dtype=x.dtype)
torch.randint(-9,100,x.shape,dtype=x.dtype) if x.dtype!=torch.uint8 else x
x.clone().random_()
x.clone().random_(100)
x.clone().random_(3,100)
x.clone().random_(3,None)
x.clone().geometric_(0.3)
x.clone().bernoulli_()
x.clone().bernoulli_(0.3)
x.clone().bernoulli_(torch.full(x.shape,0.4))
x.clone().bernoulli_(torch.full(x.shape,0.4,dtype=torch.float64))
torch.randperm(x.numel(),dtype=x.dtype) if x.numel()<100 else x
""".strip().split("\n")

# Of 2-d floats with numbers of both signs: weights, matrices.
MATRICES = """
torch.multinomial(x.abs()+0.1,1)
torch.multinomial(x.abs()+0.1,3)
torch.multinomial(x.abs()+0.1,8,True)
torch.multinomial(x.abs()[0]+0.1,2)
torch.multinomial(x.abs()[0]+0.1,9,replacement=True)
""".strip().split("\n")
MATRIX_FORMS = [((6, 6), "plain order10 expand1 slice"), ((2, 5), "plain order10")]

# Once: what takes no input, in the default dtype.
ALONE = """
torch.rand(3)
torch.rand(40)
torch.rand(1000)
torch.randn(15)
torch.randn(16)
torch.randn(17)
torch.randn(1000)
torch.randn(3,dtype=torch.float16)
torch.randn(100,dtype=torch.float16)
torch.randn(100,dtype=torch.bfloat16)
torch.randn(100,dtype=torch.float64)
[torch.randn(5),torch.randn(20),torch.randn(5)]
[torch.randn(3,dtype=torch.float64),torch.randn(3),torch.rand(2)]
torch.randint(2**40,(50,))
torch.randint(2**28,(50,))
torch.randint(2**28-1,(50,))
torch.randint(-2**63,2**63-1,(50,))
torch.empty(50,dtype=torch.int64).random_(-2**63,None)
torch.empty(50,dtype=torch.bool).random_()
torch.empty(50,dtype=torch.bool).bernoulli_(0.3)
torch.randperm(1)
torch.randperm(0)
torch.randperm(50)
torch.randperm(300,dtype=torch.int32)
torch.randperm(300,dtype=torch.float64)
torch.randperm(70000)
torch.normal(0.0,1.0,(30,))
torch.normal(0.0,1.0,(3,))
torch.multinomial(torch.ones(50),50)
torch.multinomial(torch.tensor([0.,3.,1.]),2)
torch.multinomial(torch.tensor([[0.,3.,1.],[2.,0.,5.]],dtype=torch.float64),20,True)
torch.empty(100).normal_(generator=torch.Generator().manual_seed(4))
torch.rand(20,generator=torch.Generator().manual_seed(4))
torch.nn.Linear(7,5).weight
torch.nn.Conv2d(3,4,3).weight
list(torch.nn.LSTM(4,5,2).parameters())
list(torch.nn.MultiheadAttention(8,2).parameters())
list(torch.nn.TransformerEncoderLayer(8,2,16).parameters())
torch.nn.Embedding(6,5).weight
torch.nn.EmbeddingBag(6,5).weight
torch.nn.Bilinear(3,4,5).weight
list(torch.nn.ConvTranspose1d(3,4,3).parameters())
F.fractional_max_pool2d(torch.arange(200.).reshape(1,2,10,10),2,output_size=5)
F.fractional_max_pool3d(torch.arange(1024.).reshape(1,2,8,8,8),2,output_size=3)
torch.nn.init.dirac_(torch.empty(4,4,3))
torch.nn.init.eye_(torch.empty(4,4))
torch.nn.init.kaiming_normal_(torch.empty(30,20),mode="fan_out")
torch.quasirandom.SobolEngine(3,scramble=True,seed=5).draw(8)
torch.utils.data.random_split(range(20),[12,8])[0].indices
list(torch.utils.data.RandomSampler(range(20)))
list(torch.utils.data.RandomSampler(range(5),replacement=True,num_samples=40))
list(torch.utils.data.SubsetRandomSampler(list(range(20))))
list(torch.utils.data.WeightedRandomSampler([1.,2.,3.,4.],15))
list(torch.utils.data.WeightedRandomSampler([1.,2.,3.,4.],3,replacement=False))
list(torch.utils.data.DataLoader(list(range(20)),4,shuffle=True))
torch.bernoulli(torch.full((40,),0.5,dtype=torch.float64))
torch.testing.make_tensor((3,4),dtype=torch.float32,device="cpu")
torch.testing.make_tensor((30,),dtype=torch.int64,device="cpu",low=-5,high=7)
torch.poisson(torch.tensor([0.,0.5,5.,9.99,10.,50.,1e4,1e9]))
torch.binomial(torch.tensor([0.,1.,5.,40.,1e3,1e6]),torch.tensor([.5,0.,1.,.9,.01,.3]))
torch._standard_gamma(torch.tensor([1e-3,0.1,0.5,1.,2.,50.,1e5]))
torch._standard_gamma(torch.tensor([1e-3,0.1,0.5,1.,2.,50.,1e5],dtype=torch.float64))
""".strip().split("\n")

# What is computed out of such draws: compared as far as rounding goes.
ROUNDED = """
torch.nn.LSTM(4,5,2,dropout=0.5)(torch.ones(3,2,4))[0]
torch.nn.GRU(4,5,2,dropout=0.5,batch_first=True,bidirectional=True)(torch.ones(3,2,4))[0]
torch.nn.TransformerEncoderLayer(8,2,16)(torch.ones(3,2,8))
torch.nn.MultiheadAttention(8,2,dropout=0.5)(*[torch.ones(3,2,8)]*3)[0]
torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(4,5)).weight
torch.nn.init.orthogonal_(torch.empty(5,3))
torch.nn.init.orthogonal_(torch.empty(3,5))
[u.abs() for u in torch.svd_lowrank(torch.arange(42.).sin().reshape(6,7),2)]
[u.abs() for u in torch.pca_lowrank(torch.arange(42.).sin().reshape(6,7),2)]
F.gumbel_softmax(torch.arange(24.).reshape(4,6).sin())
F.scaled_dot_product_attention(*[torch.arange(24.).reshape(1,4,6).sin()]*3,dropout_p=0.3)
torch._sample_dirichlet(torch.arange(24.).reshape(4,6)+0.2)
""".strip().split("\n")

# Distributions, drawn from with sample((n,)) and rsample where they have it.
DISTRIBUTIONS = """
D.Bernoulli(probs=t([.3,.7]))
D.Bernoulli(logits=t([.3,-.7]))
D.Beta(t([.5,2.]),t([1.5,3.]))
D.Binomial(10,t([.3,.7]))
D.Binomial(t([100.,5.]),t([.3,.7]))
D.Categorical(t([.2,.3,.5]))
D.Categorical(logits=t([[.2,.3,.5],[1.,2.,3.]]))
D.Cauchy(t([0.,1.]),t([1.,2.]))
D.Chi2(t([1.,5.]))
D.ContinuousBernoulli(t([.3,.499,.7]))
D.Dirichlet(t([.5,1.,3.]))
D.Dirichlet(t([[.5,1.,3.],[5.,1.,.1]]))
D.Exponential(t([.5,2.]))
D.FisherSnedecor(t([3.,10.]),t([5.,8.]))
D.Gamma(t([.5,2.,30.]),t([1.,3.,.2]))
D.GeneralizedPareto(t([0.,1.]),t([1.,2.]),t([.1,.5]))
D.Geometric(t([.3,.7]))
D.Gumbel(t([0.,1.]),t([1.,2.]))
D.HalfCauchy(t([1.,2.]))
D.HalfNormal(t([1.,2.]))
D.InverseGamma(t([2.,3.]),t([1.,.5]))
D.Kumaraswamy(t([.5,2.]),t([1.5,3.]))
D.LKJCholesky(3,0.5)
D.LKJCholesky(4,t([0.7,2.]))
D.Laplace(t([0.,1.]),t([1.,2.]))
D.LogNormal(t([0.,1.]),t([1.,.5]))
D.LogisticNormal(t([0.,1.]),t([1.,.5]))
D.LowRankMultivariateNormal(t([0.,1.,2.]),t([[1.],[.5],[.2]]),t([1.,2.,3.]))
D.MixtureSameFamily(D.Categorical(t([.3,.7])),D.Normal(t([0.,5.]),t([1.,2.])))
D.Multinomial(10,t([.2,.3,.5]))
D.MultivariateNormal(t([0.,1.]),t([[2.,.5],[.5,1.]]))
D.MultivariateNormal(t([0.,1.]),scale_tril=t([[2.,0.],[.5,1.]]))
D.NegativeBinomial(t([5.,2.]),t([.3,.7]))
D.Normal(t([0.,1.]),t([1.,2.]))
D.OneHotCategorical(t([.2,.3,.5]))
D.OneHotCategoricalStraightThrough(t([.2,.3,.5]))
D.Pareto(t([1.,2.]),t([1.,3.]))
D.Poisson(t([.5,4.,30.]))
D.RelaxedBernoulli(t(.7),t([.3,.7]))
D.RelaxedOneHotCategorical(t(.7),t([.2,.3,.5]))
D.StudentT(t([3.,10.]),t([0.,1.]),t([1.,2.]))
D.TransformedDistribution(D.Normal(t([0.,1.]),t([1.,2.])),[D.ExpTransform()])
D.Uniform(t([0.,1.]),t([1.,3.]))
D.VonMises(t([0.,1.]),t([1.,20.]))
D.VonMises(t([.5,-1.,2.]),t([.01,3.,200.]))
D.Weibull(t([1.,2.]),t([.5,3.]))
D.Wishart(t(5.),torch.eye(3,dtype=t(0.).dtype))
D.Wishart(t([3.,4.5]),covariance_matrix=t([[2.,.5],[.5,1.]]))
D.Independent(D.Normal(t([0.,1.]),t([1.,2.])),1)
""".strip().split("\n")


def cases(thorough=False):
    """(expression, shape, form, dtype, are values near enough?), with None where it has no such thing."""
    forms = [(shape, form) for shape, forms in (THOROUGH if thorough else FORMS) for form in forms.split()]
    dense = [(shape, form) for shape, form in forms if not form.startswith("expand")]
    matrices = [(shape, form) for shape in ((6, 6), (2, 5)) for form in ("plain", "order10")]
    for dtype in FLOATS + INTEGERS:
        for expressions, tried in ((FLOATING, forms if dtype in FLOATS else []), (MATRICES, matrices if dtype in FLOATS else []), (ANY, forms), (CHANGES, dense)):
            yield from ((expression, shape, form, dtype, False) for expression in expressions for shape, form in tried)
    yield from ((expression, None, None, None, False) for expression in ALONE)
    yield from ((expression, None, None, None, True) for expression in ROUNDED)
    for dtype in ("float32", "float64"):
        for distribution in DISTRIBUTIONS:
            for draw in ("sample", "rsample"):
                yield from ((f"{distribution}.{draw}({size})", None, None, dtype, True) for size in ((), (7,), (2, 9)))


def tensors(y):
    if isinstance(y, torch.Tensor):
        return [y]
    if isinstance(y, (list, tuple)) and any(isinstance(part, torch.Tensor) for part in y):
        return [part for part in y if isinstance(part, torch.Tensor)]
    return [torch.tensor(y)]


def made(shape, form):
    """layouts.made, and turned slices: neither dense nor in order."""
    if not form.startswith("turned"):
        return layouts.made(shape, form)
    order = [int(c) for c in form[6:]]
    return layouts.made([shape[i] for i in order], "slice").permute([order.index(i) for i in range(len(order))])


def of_dtype(like, dtype):
    """`like` in another dtype with the same strides: conversion would make it dense."""
    x = like.to(dtype)
    if x.stride() == like.stride():
        return x
    room = 1 + sum((n - 1) * s for n, s in zip(like.shape, like.stride())) if like.numel() else 0
    y = torch.zeros(room, dtype=dtype).as_strided(like.shape, like.stride())
    chosen = tuple(slice(0, 1) if s == 0 else slice(None) for s in like.stride())
    y[chosen].copy_(x[chosen])
    return y


def drawn(expression, shape, form, dtype, _near, seed=7):
    """What the expression gives: tensors. For every other number of dimensions the generator has a normal number in store."""
    torch.manual_seed(seed)
    kind = getattr(torch, dtype or "float32")
    names = {"torch": torch, "F": F, "nn": nn, "D": D, "t": lambda v: torch.tensor(v, dtype=kind)}
    if form:
        names["x"] = of_dtype(made(shape, form), kind)
        if len(shape) % 2:
            torch.randn(3)
    return tensors(eval(expression, names))


def checksum(t):
    """Of the elements, row by row; float64 as float32 has them, for its last bits are the C library's."""
    t = t.detach().contiguous().reshape(-1)
    if t.dtype.is_floating_point:
        t = t.to(torch.float32) + 0.0  # the sign of a zero does not count
    t = t.to(torch.uint8) if t.dtype == torch.bool else t.view(torch.uint8)
    return f"{zlib.crc32(bytes(t.tolist())):08x}"


def listed(t):
    return ",".join(f"{v:.7g}" for v in t.detach().double().reshape(-1).tolist())


def outcome(case, seed=7):
    """A text: values, or their checksums, and the checksum of the generator's end state; or the name of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            values = drawn(*case, seed=seed)
        except Exception as error:  # noqa: BLE001
            return type(error).__name__
        return " ".join([checksum(torch.get_rng_state())] + [(listed if case[-1] else checksum)(v) for v in values])


def agree(first, second, case):
    """Are two outcomes of a case the same, values as far as rounding goes?"""
    if first == second or not case[-1]:
        return first == second
    (state, *some), (other_state, *others) = first.split(" "), second.split(" ")
    return state == other_state and len(some) == len(others) and all(near(a.split(","), b.split(",")) for a, b in zip(some, others))


def near(some, others):
    pairs = list(zip(map(float, some), map(float, others)))
    size = max((abs(a) for a, _ in pairs if math.isfinite(a)), default=0)
    return len(some) == len(others) and all(a == b or abs(a - b) <= 1e-5 * max(abs(a), size) for a, b in pairs)


def together(outcomes):
    """A line for each expression and dtype: its outcome, or the checksum of those of all forms; an error's name where PyTorch always refuses."""
    grouped = {}
    for case, text in zip(cases(), outcomes, strict=True):
        grouped.setdefault((case[0], case[3]), []).append(text)
    return [summary(texts) for texts in grouped.values()]


def summary(texts):
    if len(texts) == 1 or all(text.endswith("Error") for text in texts):
        return texts[0]
    return f"{zlib.crc32(' '.join(texts).encode()):08x}"


if __name__ == "__main__":
    for one in cases("thorough" in sys.argv):
        print(outcome(one, int(sys.argv[-1]) if sys.argv[-1].isdigit() else 7))
