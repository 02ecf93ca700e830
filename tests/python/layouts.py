"""Expressions whose results and gradients are to lie in memory as PyTorch's (test_layouts.py, oracle/layouts.py). x is the input, in each
of the forms that FORMS names. SPDX-License-Identifier: Apache-2.0"""

import itertools
import random
import warnings

import torch
import torch.nn.functional as F


def made(shape, form):
    """The same numbers in every form but the expanded ones."""
    n = 1
    for s in shape:
        n *= s
    if form == "plain":
        return (torch.arange(n) % 7 * 0.5 - 1).reshape(shape)
    if form.startswith("order"):  # order0321: dimension 0 outermost, then 3, 2, 1
        order = [int(c) for c in form[5:]]
        return made([shape[i] for i in order], "plain").permute([order.index(i) for i in range(len(order))])
    if form == "last":
        return made(shape, "plain").contiguous(memory_format=torch.channels_last if len(shape) == 4 else torch.channels_last_3d)
    if form == "expand0":
        return made([1, *shape[1:]], "plain").expand(shape)
    if form == "expand1":
        return made([shape[0], 1, *shape[2:]], "plain").expand(shape)
    if form == "slice":
        return made([s * 2 for s in shape], "plain")[(slice(None, None, 2),) * len(shape)]
    if form == "halves":
        return made([*shape[:-1], shape[-1] * 2], "plain")[..., : shape[-1]]
    raise ValueError(form)


FORMS = [
    ((2, 4, 6, 8), "plain last order0321 order3210 order1023 order2301 order0213 expand0 expand1 slice halves"),
    ((1, 4, 6, 8), "plain last order0321"),
    ((2, 1, 6, 8), "plain last order0321"),
    ((2, 4, 4, 6, 6), "plain last order02341 order10234"),
    ((2, 4, 6), "plain order021 order102 order210 order120 expand0 expand1 slice"),
    ((6, 6), "plain order10 expand0 expand1 slice halves"),
    ((1, 6), "plain order10"),
    ((6, 1), "plain order10"),
]

ANY = """
x+1
x*x
-x
x.exp()
x.abs()
x.relu()
x.sigmoid()
x.clamp(0,1)
x>0
x.isnan()
x.double()
x.to(torch.int64)
x.half()
x.clone()
x.contiguous()
torch.zeros_like(x)
torch.empty_like(x)
torch.full_like(x,2)
torch.rand_like(x)
torch.randn_like(x)
torch.randint_like(x,5)
torch.ones_like(x, memory_format=torch.contiguous_format)
x.clone(memory_format=torch.contiguous_format)
torch.where(x>0,x,0)
torch.where(x>0,x,-x)
x.masked_fill(x>0,1)
x.masked_fill(x.contiguous()>0,1)
x.contiguous()+x
x+x.contiguous()
F.gelu(x)
F.silu(x)
F.softplus(x)
F.elu(x)
F.hardtanh(x)
F.leaky_relu(x)
F.dropout(x,0.5)
F.dropout(x,0.5,False)
F.hardswish(x)
F.logsigmoid(x)
x.lerp(x,0.5)
torch.addcmul(x,x,x)
x.pow(2)
x.bool()
x.logical_not()
x.round()
torch.maximum(x,x)
x.nan_to_num()
x.fmod(2)
x.float()
x.type(torch.float64)
x.cumsum(0)
x.cumsum(-1)
x.cumprod(0)
x.softmax(0)
x.softmax(-1)
x.log_softmax(0)
x.sort(0)
x.sort(-1)
x.argsort(0)
x.topk(2,0)
x.topk(1,-1)
x.flip(0)
x.flip(-1)
x.roll(1,0)
x.roll(1)
torch.cat([x,x],0)
torch.cat([x,x],-1)
torch.cat([x,x.contiguous()],0)
torch.stack([x,x],0)
torch.stack([x,x],-1)
x.sum(0)
x.sum(-1)
x.sum(0,keepdim=True)
x.mean(-1,keepdim=True)
x.amax(0)
x.max(0)
x.max(-1,keepdim=True)
x.argmax(0)
x.var(0)
x.std(-1)
x.norm(dim=0)
x.logsumexp(0)
x.prod(0)
x.any(0)
x.median(0)
x.kthvalue(1,0)
x.cummax(0)
x.index_select(0,torch.tensor([0,0]))
x.index_select(-1,torch.tensor([0,0]))
x[torch.tensor([0,0])]
x[:,torch.tensor([0,0])]
x[...,torch.tensor([0,0])]
x.gather(0,torch.zeros(1,*x.shape[1:],dtype=torch.int64))
x.take_along_dim(torch.zeros(1,*x.shape[1:],dtype=torch.int64),0)
x.repeat_interleave(2,0)
x.repeat([2]*x.dim())
x.tril() if x.dim()>1 else x
x.unfold(0,1,1)
x.diff(dim=0)
x.masked_fill(torch.ones(x.shape[-1],dtype=torch.bool),0)
x.reshape(-1)
x.flatten(1) if x.dim()>1 else x
x.scatter(0,torch.zeros(x.shape,dtype=torch.int64),1.0)
x.index_add(0,torch.tensor([0]),x[:1])
x.index_fill(0,torch.tensor([0]),1)
x.index_copy(0,torch.tensor([0]),x[:1])
x.scatter_add(0,torch.zeros(x.shape,dtype=torch.int64),x)
torch.nn.functional.pad(x,(1,1))
torch.nn.functional.pad(x,(1,1,1,1)) if x.dim()>1 else x
x.new_zeros(x.shape)
x.bernoulli(0.5)
torch.bernoulli(x.abs().clamp(0,1))
torch.normal(x,1.0)
F.normalize(x,dim=0)
F.layer_norm(x,x.shape[-1:])
x.renorm(2,0,1.0)
torch.special.expit(x)
x.sign()
x.frac()
torch.frexp(x)
x.nonzero()
x.masked_select(x>0)
F.one_hot(x.long().clamp(0))
x.tile((2,))
x.rot90() if x.dim()>1 else x
x.trace() if x.dim()==2 else x
x.expand_as(x)
x.movedim(0,-1)
torch.atleast_3d(x)
x.nanmedian(0)
x.mode(0)
x.quantile(0.5,0)
x.nansum(0)
x.count_nonzero(0)
x.logcumsumexp(0)
torch.searchsorted(torch.arange(4.),x)
torch.bucketize(x,torch.arange(4.))
x.isin(x)
x.copysign(x)
x.hypot(x)
torch.erfinv(x)
x.put(torch.tensor([0]),torch.tensor([1.]))
x.take(torch.zeros(x.shape,dtype=torch.int64).contiguous())
x.index_put((torch.tensor([0]),),torch.tensor(1.))
torch.empty_permuted(x.shape, tuple(range(x.dim()))[::-1])
x.double()+x
x+torch.ones(x.shape[-1])
torch.ones(x.shape[-1])+x
(x>0)&(x<1)
torch.add(x,x,alpha=2)
x.div(2,rounding_mode='floor')
""".strip().split("\n")

MATRIX = """
x@x
x@x.t()
x.t()@x
torch.mm(x,x)
torch.addmm(x,x,x)
x.matmul(x[0])
F.linear(x,x)
F.linear(x,x,x[0])
torch.einsum('ij,jk->ki',x,x)
torch.einsum('ij,jk->ik',x,x)
torch.outer(x[0],x[0])
torch.kron(x,x)
torch.cdist(x,x)
F.embedding(torch.zeros(2,3,dtype=torch.int64),x)
torch.linalg.inv(x+9*torch.eye(6))
torch.linalg.qr(x)
torch.linalg.cholesky(x@x.t()+9*torch.eye(6))
torch.linalg.svd(x)
torch.linalg.solve(x+9*torch.eye(6),x)
torch.linalg.eigh(x+x.t())
torch.cov(x)
torch.block_diag(x,x)
torch.tensordot(x,x,1)
F.glu(x,1)
torch.linalg.lu_factor(x+9*torch.eye(6))
torch.linalg.pinv(x)
torch.linalg.matrix_exp(x)
torch.linalg.det(x)
torch.triangular_solve(x,x.tril()+torch.eye(6))
torch.cholesky_inverse(torch.eye(6)+0*x)
""".strip().split("\n")

LINES = """
torch.bmm(x,x.transpose(1,2))
x@x.transpose(1,2)
x.transpose(1,2)@x
x@torch.ones(6,5)
F.linear(x,torch.ones(5,6))
F.linear(x,torch.ones(5,6),torch.ones(5))
torch.einsum('bij,bkj->bik',x,x)
torch.einsum('bij,bkj->bki',x,x)
torch.einsum('bnc,cd->bdn',x,torch.ones(6,5))
torch.einsum('bij->jbi',x)
torch.baddbmm(torch.ones(2,4,4),x,x.transpose(1,2))
F.conv1d(x,torch.ones(5,4,3))
F.conv_transpose1d(x,torch.ones(4,5,3))
F.max_pool1d(x,2)
F.avg_pool1d(x,2)
F.adaptive_avg_pool1d(x,3)
F.interpolate(x,scale_factor=2)
F.batch_norm(x,torch.zeros(4),torch.ones(4))
F.batch_norm(x,None,None,training=True)
F.group_norm(x,2)
F.instance_norm(x)
torch.cdist(x,x)
F.glu(x,1)
torch.nn.functional.unfold(x.unsqueeze(2),1)
F.pad(x,(1,1),mode='reflect')
F.pad(x,(1,1),mode='replicate')
F.cross_entropy(x,torch.zeros(2,6,dtype=torch.int64),reduction='none')
""".strip().split("\n")

PLANES = """
F.conv2d(x,torch.ones(5,x.shape[1],3,3))
F.conv2d(x,torch.ones(5,x.shape[1],1,1))
F.conv2d(x,torch.ones(5,x.shape[1],3,3).contiguous(memory_format=torch.channels_last))
F.conv2d(x,torch.ones(5,x.shape[1],3,3),torch.ones(5),padding=1)
F.conv2d(x,torch.ones(x.shape[1],1,3,3),groups=x.shape[1])
F.relu(F.conv2d(x,torch.ones(5,x.shape[1],3,3),torch.ones(5)))
F.conv_transpose2d(x,torch.ones(x.shape[1],5,3,3))
F.conv_transpose2d(x,torch.ones(x.shape[1],5,3,3).contiguous(memory_format=torch.channels_last))
F.max_pool2d(x,2)
F.max_pool2d(x,2,return_indices=True)
F.avg_pool2d(x,2)
F.adaptive_avg_pool2d(x,3)
F.adaptive_avg_pool2d(x,1)
F.adaptive_max_pool2d(x,3)
F.interpolate(x,scale_factor=2)
F.interpolate(x,scale_factor=2,mode='bilinear')
F.interpolate(x,scale_factor=2,mode='bicubic')
F.interpolate(x,size=(3,4),mode='area')
F.batch_norm(x,torch.zeros(x.shape[1]),torch.ones(x.shape[1]))
F.batch_norm(x,None,None,training=True)
F.batch_norm(x,None,None,torch.ones(x.shape[1]),torch.ones(x.shape[1]),training=True)
F.group_norm(x,1)
F.instance_norm(x)
F.pixel_shuffle(x,2) if x.shape[1]==4 else x
F.pixel_unshuffle(x,2)
F.channel_shuffle(x,2) if x.shape[1]==4 else x
F.pad(x,(1,1,1,1),mode='reflect')
F.pad(x,(1,1,1,1),mode='replicate')
F.pad(x,(1,1,1,1),mode='circular')
F.unfold(x,2)
F.scaled_dot_product_attention(x,x,x)
F.scaled_dot_product_attention(x,x,x,is_causal=True)
F.scaled_dot_product_attention(x,x,x,attn_mask=torch.ones(6,6,dtype=torch.bool))
x@x.transpose(2,3)
x.transpose(2,3)@x
F.grid_sample(x,torch.zeros(x.shape[0],3,3,2),align_corners=False)
F.local_response_norm(x,2)
F.dropout2d(x)
F.softmax(x,1)
F.log_softmax(x,1)
torch.cat([x,x],1)
x.to(memory_format=torch.channels_last)
x.contiguous(memory_format=torch.channels_last)
x.clone(memory_format=torch.channels_last)
torch.empty_like(x,memory_format=torch.channels_last)
x.to(torch.float64,memory_format=torch.channels_last)
F.cross_entropy(x,torch.zeros(x.shape[0],6,8,dtype=torch.int64),reduction='none')
F.glu(x,2)
F.normalize(x)
F.lp_pool2d(x,2,2)
F.prelu(x,torch.ones(x.shape[1]))
F.rrelu(x)
F.layer_norm(x,x.shape[1:])
F.alpha_dropout(x,0.5,True)
F.max_unpool2d(*F.max_pool2d(x,2,return_indices=True),2)
F.fold(F.unfold(x,2),(6,8),2)
torch.einsum('bhid,bhjd->bhij',x,x)
torch.einsum('nchw->nhwc',x)
x.mean((2,3))
x.mean((2,3),keepdim=True)
x.sum(1)
x.sum(1,keepdim=True)
x.amax((1,))
x+torch.ones(1,x.shape[1],1,1)
torch.ones(1,x.shape[1],1,1)+x
torch.ones(x.shape[0],1,1,1)*x
""".strip().split("\n")

VOLUMES = """
F.conv3d(x,torch.ones(5,4,3,3,3))
F.conv3d(x,torch.ones(5,4,3,3,3).contiguous(memory_format=torch.channels_last_3d))
F.conv_transpose3d(x,torch.ones(4,5,3,3,3))
F.max_pool3d(x,2)
F.avg_pool3d(x,2)
F.adaptive_avg_pool3d(x,2)
F.adaptive_avg_pool3d(x,1)
F.adaptive_max_pool3d(x,2)
F.interpolate(x,scale_factor=2)
F.interpolate(x,scale_factor=2,mode='trilinear')
F.batch_norm(x,None,None,training=True)
F.batch_norm(x,torch.zeros(4),torch.ones(4))
F.group_norm(x,2)
F.instance_norm(x)
F.pad(x,(1,1,1,1,1,1),mode='replicate')
F.grid_sample(x,torch.zeros(2,2,2,2,3),align_corners=False)
x.to(memory_format=torch.channels_last_3d)
F.dropout3d(x)
""".strip().split("\n")

BY_DIMENSIONS = {2: MATRIX, 3: LINES, 4: PLANES, 5: VOLUMES}


def cases():
    for shape, forms in FORMS:
        for form in forms.split():
            more = [] if 1 in shape and len(shape) == 2 else BY_DIMENSIONS[len(shape)]
            for expression in ANY + more:
                yield shape, form, expression


def equations():
    """Products of two tensors of up to four labels; sizes from 2 to 5."""
    chosen = random.Random(5)
    while True:
        first, second = (chosen.sample("abcde", chosen.randint(1, 4)) for _ in range(2))
        labels = sorted({*first, *second})
        result = chosen.sample(labels, chosen.randint(0, len(labels)))
        if {*first} & {*second}:
            yield "".join([*first, ",", *second, "->", *result])


EQUATIONS = list(itertools.islice(equations(), 500))


def einsum_strides(equation):
    sizes = dict(zip("abcde", (3, 5, 2, 4, 3)))
    operands = [torch.ones([sizes[label] for label in labels]) for labels in equation.split("->")[0].split(",")]
    return str(torch.einsum(equation, *operands).stride())


def tensors(y):
    return [y] if isinstance(y, torch.Tensor) else [t for t in y if isinstance(t, torch.Tensor)]


def outcome(shape, form, expression):
    """The results' strides, and those of the gradient of the first one, as a text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        x = made(shape, form)
        try:
            results = tensors(eval(expression, {"torch": torch, "F": F, "x": x}))
        except Exception as error:  # noqa: BLE001
            return type(error).__name__, ""
        text = " ".join(f"{tuple(y.shape)}:{y.stride()}".replace(", ", ",") for y in results)
        x = made(shape, form).requires_grad_()
        torch.manual_seed(0)
        y = tensors(eval(expression, {"torch": torch, "F": F, "x": x}))[0]
        if not y.requires_grad or not y.numel():
            return text, ""
        try:
            (gradient,) = torch.autograd.grad(y, x, torch.ones_like(y))
        except Exception as error:  # noqa: BLE001
            return text, type(error).__name__
        return text, str(gradient.stride()).replace(", ", ",")
