"""What gradients_versus_torch.py runs: operations and layers as programs call them, with operands of the sizes that models have.
SPDX-License-Identifier: Apache-2.0"""

UNARY = (
    "exp sin tanh sigmoid sqrt log log1p expm1 abs neg square rsqrt reciprocal erf erfinv atan asinh cosh tan acos lgamma digamma sinc logit relu "
    "frac sgn exp2 log2 log10 atanh"
)
ACTIVATIONS = (
    "gelu silu mish softplus elu selu celu hardtanh hardswish hardsigmoid leaky_relu logsigmoid softsign tanhshrink softshrink hardshrink relu6 glu"
)
BINARY = "mul div add sub maximum minimum atan2 hypot pow fmod remainder logaddexp logaddexp2 copysign fmax xlogy"
ALONG = "sum mean var std amax amin prod logsumexp cumsum cumprod softmax log_softmax norm logcumsumexp median sort cummax"


def cases(torch, dtype, n, m):
    """name -> (function, operands); operands that are lists of sizes become leaves: [...] normal, (...) between 0.1 and 0.9."""
    F, nn, t = torch.nn.functional, torch.nn, {}
    x, u = [n, m], (n, m)
    index = torch.randint(0, n, (n, m)) if n < m else torch.randint(0, min(n, m), (n, m))
    some, mask, few = torch.randint(0, min(n, m), (2000,)), torch.rand(n, m) > 0.5, torch.randint(0, 100, (2000,))
    ones = torch.ones(n, m, dtype=dtype)
    kept, words = torch.rand(2048) < 0.1, torch.randint(0, 8192, (2048,))

    def first(r):
        return r if isinstance(r, torch.Tensor) else r[0]

    for name in UNARY.split():
        t[name] = getattr(torch, name), u
    for name in ACTIVATIONS.split():
        t[name] = getattr(F, name), x
    for name in BINARY.split():
        t[name] = getattr(torch, name), u, u
    t |= {
        "add row": (torch.add, x, [m]),
        "mul column": (torch.mul, x, [n, 1]),
        "mul channel": (torch.mul, [64, 32, 28, 28], [1, 32, 1, 1]),
        "prelu": (F.prelu, [64, 32, 28, 28], [32]),
        "lerp": (lambda a, b: torch.lerp(a, b, 0.3), x, x),
        "addcmul": (torch.addcmul, x, x, x),
        "addcdiv": (torch.addcdiv, x, x, u),
        "where": (lambda a, b: torch.where(a > 0, a, b), x, x),
        "clamp": (lambda a: a.clamp(-1, 1), x),
        "clamp by a row": (lambda a, b: torch.clamp(a, min=b), x, [m]),
        "masked_fill": (lambda a: a.masked_fill(a > 0, 0.0), x),
        "dropout": (lambda a: F.dropout(a, 0.3), x),
        "alpha_dropout": (lambda a: F.alpha_dropout(a, 0.3, True), x),
    }
    for d in (0, 1):
        for name in ALONG.split():
            t[f"{name} {d}"] = (lambda a, f=getattr(torch, name), d=d: first(f(a, dim=d))), u
        t |= {
            f"{k} {d}": (lambda *a, f=f, d=d: f(d, *a), *operands)
            for k, (f, *operands) in {
                "max": (lambda d, a: a.max(d)[0], x),
                "topk": (lambda d, a: a.topk(10, d)[0], x),
                "kthvalue": (lambda d, a: a.kthvalue(10, d)[0], x),
                "flip": (lambda d, a: a.flip(d), x),
                "roll": (lambda d, a: a.roll(3, d), x),
                "diff": (lambda d, a: a.diff(dim=d), x),
                "cat": (lambda d, a, b: torch.cat([a, b], d), x, x),
                "stack": (lambda d, a, b: torch.stack([a, b], d), x, x),
                "chunk": (lambda d, a: torch.cat([c * 2 for c in a.chunk(4, d)], d), x),
                "normalize": (lambda d, a: F.normalize(a, dim=d), x),
                "cosine_similarity": (lambda d, a, b: F.cosine_similarity(a, b, dim=d), x, x),
                "gather": (lambda d, a: a.gather(d, index), x),
                "scatter": (lambda d, a, b: a.scatter(d, index, b), x, x),
                "scatter_add": (lambda d, a, b: a.scatter_add(d, index, b), x, x),
                "index_select": (lambda d, a: a.index_select(d, some), x),
                "narrow": (lambda d, a: a.narrow(d, 1, min(n, m) // 2), x),
                "repeat_interleave": (lambda d, a: a.repeat_interleave(2, d), x),
                "glu": (lambda d, a: F.glu(a, d), x),
            }.items()
        }
    for name in "sum mean var norm max prod median".split():
        t[name + " all"] = (lambda a, f=getattr(torch, name): f(a)), u
    t |= {
        "x[mask]": (lambda a: a[mask], x),
        "masked_scatter": (lambda a, b: a.masked_scatter(mask, b), x, x),
        "x[i, j]": (lambda a: a[some, some], x),
        "x[i]": (lambda a: a[some], x),
        "x[::2, ::2]": (lambda a: a[::2, ::2], x),
        "transposed copy": (lambda a: a.t().contiguous(), x),
        "NCHW to NHWC": (lambda a: a.permute(0, 2, 3, 1).contiguous(), [64, 32, 28, 28]),
        "tril": (torch.tril, x),
        "diagonal": (torch.diagonal, x),
        "outer": (torch.outer, [1000], [1000]),
        "unfold": (lambda a: a.unfold(1, 10, 5), x),
        "im2col": (lambda a: F.unfold(a, 3, padding=1), [16, 16, 32, 32]),
        "fold": (lambda a: F.fold(a, (32, 32), 3, padding=1), [16, 144, 1024]),
        "cross": (lambda a, b: torch.cross(a, b, dim=1), [100000, 3], [100000, 3]),
        "cdist": (torch.cdist, [500, 64], [500, 64]),
        "cdist p=1": (lambda a, b: torch.cdist(a, b, p=1), [300, 64], [300, 64]),
        "pdist": (F.pdist, [500, 64]),
        "pairwise_distance": (F.pairwise_distance, x, x),
        "embedding": (lambda w: F.embedding(some.view(20, 100), w), [max(n, m), 64]),
        "embedding_bag": (lambda w: F.embedding_bag(some.view(20, 100), w), [max(n, m), 64]),
    }
    image, line, cube = [32, 32, 28, 28], [64, 64, 500], [4, 16, 16, 28, 28]
    t |= {
        k: (f, image)
        for k, f in {
            "max_pool2d": lambda a: F.max_pool2d(a, 2),
            "max_pool2d 3 by 1": lambda a: F.max_pool2d(a, 3, 1, 1),
            "max_pool2d 3 by 2": lambda a: F.max_pool2d(a, 3, 2, 1),
            "avg_pool2d": lambda a: F.avg_pool2d(a, 2),
            "avg_pool2d 3 by 1": lambda a: F.avg_pool2d(a, 3, 1, 1),
            "adaptive_avg 1": lambda a: F.adaptive_avg_pool2d(a, 1),
            "adaptive_avg 5": lambda a: F.adaptive_avg_pool2d(a, 5),
            "adaptive_max 5": lambda a: F.adaptive_max_pool2d(a, 5),
            "lp_pool2d": lambda a: F.lp_pool2d(a, 2, 2),
            "nearest": lambda a: F.interpolate(a, scale_factor=2),
            "bilinear": lambda a: F.interpolate(a, scale_factor=2, mode="bilinear"),
            "bicubic": lambda a: F.interpolate(a, scale_factor=2, mode="bicubic"),
            "bilinear down": lambda a: F.interpolate(a, size=(13, 13), mode="bilinear"),
            "area": lambda a: F.interpolate(a, size=(14, 14), mode="area"),
            "antialias": lambda a: F.interpolate(a, size=(14, 14), mode="bilinear", antialias=True),
            "pad": lambda a: F.pad(a, (1, 1, 1, 1)),
            "pad reflect": lambda a: F.pad(a, (1, 1, 1, 1), mode="reflect"),
            "pad replicate": lambda a: F.pad(a, (1, 1, 1, 1), mode="replicate"),
            "pad circular": lambda a: F.pad(a, (1, 1, 1, 1), mode="circular"),
            "pixel_shuffle": lambda a: F.pixel_shuffle(a, 2),
            "pixel_unshuffle": lambda a: F.pixel_unshuffle(a, 2),
            "instance_norm": F.instance_norm,
            "local_response_norm": lambda a: F.local_response_norm(a, 5),
        }.items()
    }
    t |= {
        "max_pool1d": (lambda a: F.max_pool1d(a, 2), line),
        "avg_pool1d": (lambda a: F.avg_pool1d(a, 2), line),
        "linear 1d": (lambda a: F.interpolate(a, scale_factor=2, mode="linear"), [32, 32, 500]),
        "adaptive_avg_pool1d": (lambda a: F.adaptive_avg_pool1d(a, 10), line),
        "max_pool3d": (lambda a: F.max_pool3d(a, 2), cube),
        "avg_pool3d": (lambda a: F.avg_pool3d(a, 2), cube),
        "nearest 3d": (lambda a: F.interpolate(a, scale_factor=2), [2, 8, 8, 16, 16]),
        "trilinear": (lambda a: F.interpolate(a, scale_factor=2, mode="trilinear"), [2, 8, 8, 16, 16]),
        "grid_sample": (lambda a, g: F.grid_sample(a, g * 2 - 1, align_corners=False), [8, 16, 32, 32], (8, 32, 32, 2)),
        "affine_grid": (lambda a: F.affine_grid(a, (8, 3, 64, 64), align_corners=False), [8, 2, 3]),
        "batch_norm": (lambda a, w, b: F.batch_norm(a, None, None, w, b, True), image, [32], [32]),
        "batch_norm 1d": (lambda a, w, b: F.batch_norm(a, None, None, w, b, True), x, [m], [m]),
        "layer_norm": (lambda a, w, b: F.layer_norm(a, (m,), w, b), x, [m], [m]),
        "rms_norm": (lambda a, w: F.rms_norm(a, (m,), w), x, [m]),
        "group_norm": (lambda a, w, b: F.group_norm(a, 8, w, b), image, [32], [32]),
    }

    def conv(name, f, a, w, **how):
        t[name] = (lambda a, w: f(a, w, **how)), a, w

    conv("conv1d", F.conv1d, [16, 64, 500], [64, 64, 5], padding=2)
    conv("conv1d depthwise", F.conv1d, [16, 64, 500], [64, 1, 5], padding=2, groups=64)
    conv("conv2d", F.conv2d, [8, 32, 28, 28], [32, 32, 3, 3], padding=1)
    conv("conv2d stride 2", F.conv2d, [8, 32, 28, 28], [32, 32, 3, 3], padding=1, stride=2)
    conv("conv2d groups", F.conv2d, [8, 32, 28, 28], [32, 8, 3, 3], padding=1, groups=4)
    conv("conv2d depthwise 7x7", F.conv2d, [8, 32, 28, 28], [32, 1, 7, 7], padding=3, groups=32)
    conv("conv2d patches", F.conv2d, [8, 3, 224, 224], [192, 3, 16, 16], stride=16)
    conv("conv2d stem", F.conv2d, [8, 3, 64, 64], [64, 3, 7, 7], stride=2, padding=3)
    conv("conv3d", F.conv3d, [2, 8, 12, 20, 20], [16, 8, 3, 3, 3], padding=1)
    conv("conv_transpose1d", F.conv_transpose1d, [8, 32, 125], [32, 32, 8], stride=4, padding=2)
    conv("conv_transpose2d", F.conv_transpose2d, [8, 32, 14, 14], [32, 32, 4, 4], stride=2, padding=1)
    conv("conv_transpose2d 2x2", F.conv_transpose2d, [8, 64, 14, 14], [64, 32, 2, 2], stride=2)
    t |= {
        "linear": (F.linear, [256, 512], [512, 512], [512]),
        "bilinear layer": (F.bilinear, [128, 64], [128, 64], [32, 64, 64]),
        "bmm": (torch.bmm, [64, 64, 64], [64, 64, 64]),
        "matmul broadcast": (torch.matmul, [64, 64, 64], [64, 64]),
        "matmul transposed": (lambda a, w: a @ w.T, [205, 256], [8192, 256]),
        "matmul transposed, batches": (lambda q, k: q @ k.transpose(1, 2), [8, 512, 64], [8, 512, 64]),
        "matmul of kept rows": (lambda h, w: F.cross_entropy(h[kept] @ w.T, words[kept]), [2048, 256], [8192, 256]),
        "matmul long k": (torch.matmul, [64, 4096], [4096, 64]),
        "einsum permuted": (lambda a, b: torch.einsum("bik,bkj->jbi", a, b) + 1, [8, 256, 64], [8, 64, 256]),
        "matmul few columns, relu": (lambda a, w: F.relu(a @ w), [4096, 64], [64, 10]),
        "mv, relu": (lambda a, v: F.relu(a @ v), [16384, 64], [64]),
        "conv 1x1": (F.conv2d, [8, 64, 28, 28], [128, 64, 1, 1]),
        "mv": (torch.mv, x, [m]),
        "3x3 by its transpose": (lambda a: a @ a.mT, [5000, 3, 3]),
        "points by rotations": (lambda a, b: a @ b.mT, [500, 100, 3], [500, 3, 3]),
        "scores": (lambda a, b: torch.einsum("bhid,bhjd->bhij", a, b), [8, 8, 64, 32], [8, 8, 64, 32]),
        "quadratic form": (lambda a, b, c: torch.einsum("bi,ij,bj->b", a, b, c), [200, 200], [200, 200], [200, 200]),
        "addmm": (torch.addmm, [256, 256], [256, 256], [256, 256]),
        "inv 4x4": (lambda a: torch.linalg.inv(a + 5 * torch.eye(4)), [2000, 4, 4]),
        "det 3x3": (lambda a: torch.linalg.det(a + 5 * torch.eye(3)), [5000, 3, 3]),
        "cholesky 8x8": (lambda a: torch.linalg.cholesky(a @ a.mT + 8 * torch.eye(8)), [500, 8, 8]),
        "solve 64": (lambda a, b: torch.linalg.solve(a + 64 * torch.eye(64), b), [64, 64], [64, 32]),
        "kron": (torch.kron, [32, 32], [32, 32]),
    }
    logits, q = [2000, 100], [4, 8, 128, 32]
    t |= {
        "cross_entropy": (lambda a: F.cross_entropy(a, few), logits),
        "cross_entropy smoothed": (lambda a: F.cross_entropy(a, few, label_smoothing=0.1), logits),
        "cross_entropy planes": (lambda a: F.cross_entropy(a, torch.zeros(8, 64, 64, dtype=torch.long)), [8, 21, 64, 64]),
        "cross_entropy of 10000": (lambda a: F.cross_entropy(a, few[:500]), [500, 10000]),
        "nll_loss": (lambda a: F.nll_loss(a, few), logits),
        "multi_margin_loss": (lambda a: F.multi_margin_loss(a, few), logits),
        "mse_loss": (F.mse_loss, x, x),
        "l1_loss": (F.l1_loss, x, x),
        "smooth_l1_loss": (F.smooth_l1_loss, x, x),
        "huber_loss": (F.huber_loss, x, x),
        "bce": (lambda a: F.binary_cross_entropy(a, ones), u),
        "bce with logits": (lambda a: F.binary_cross_entropy_with_logits(a, ones), x),
        "kl_div": (lambda a: F.kl_div(a, ones / m, reduction="batchmean"), x),
        "poisson_nll_loss": (lambda a: F.poisson_nll_loss(a, ones), u),
        "gaussian_nll_loss": (F.gaussian_nll_loss, x, x, u),
        "soft_margin_loss": (lambda a: F.soft_margin_loss(a, ones), x),
        "cosine_embedding_loss": (lambda a, b: F.cosine_embedding_loss(a, b, ones[:, 0]), x, x),
        "triplet_margin_loss": (F.triplet_margin_loss, x, x, x),
        "multilabel_margin_loss": (lambda a: F.multilabel_margin_loss(a, few.view(20, 100)), [20, 100]),
        "ctc_loss": (
            lambda a: F.ctc_loss(a.log_softmax(2), torch.ones(16, 20, dtype=torch.long), torch.full((16,), 100), torch.full((16,), 20)),
            [100, 16, 30],
        ),
        "attention": (F.scaled_dot_product_attention, q, q, q),
        "attention causal": (lambda *a: F.scaled_dot_product_attention(*a, is_causal=True), q, q, q),
    }
    t |= waiting(torch)
    layers = {
        "LSTM": (nn.LSTM(64, 128), [50, 16, 64]),
        "GRU": (nn.GRU(64, 128), [50, 16, 64]),
        "RNN": (nn.RNN(64, 128), [50, 16, 64]),
        "TransformerEncoderLayer": (nn.TransformerEncoderLayer(128, 8, 256, batch_first=True, dropout=0.0), [8, 64, 128]),
        "residual block": (
            nn.Sequential(
                nn.Conv2d(32, 32, 3, padding=1, bias=False),
                nn.BatchNorm2d(32),
                nn.ReLU(),
                nn.Conv2d(32, 32, 3, padding=1, bias=False),
                nn.BatchNorm2d(32),
            ),
            [8, 32, 28, 28],
        ),
    }
    return t | {k: (lambda *a, f=f.to(dtype): first(f(*a)), *operands) for k, (f, *operands) in layers.items()}


def waiting(torch):
    """Loops over elements of what may still have to be computed, masked functions of memory of NumPy's, sparse tensors that become dense."""
    import numpy

    def elements(a):
        x, s = a * 2, 0.0
        for i in range(300):
            s = s + x[i]
        return s

    def rows(a):
        x, s = a.view(-1, 100) * 2, 0.0
        for row in x:
            s = s + row.sum()
        return s

    def chain(a, x, m):
        return torch.where(m, torch.tanh(torch.log1p(torch.exp(x))), x)[:100] * a

    def dense(v):
        return (torch.sparse_coo_tensor(places, v, (2000, 2000)) * 2).to_dense()

    array, taken = numpy.random.randn(10**6).astype("float32"), numpy.random.rand(10**6) < 0.01
    alone = torch.from_numpy(array + 0), torch.from_numpy(taken | False)
    held, places = (torch.from_numpy(array), torch.from_numpy(taken)), torch.randint(0, 2000, (2, 4000))
    return {
        "loop over elements": (elements, [10**5]),
        "loop over rows": (rows, [10**5]),
        "masked functions, NumPy's alone": (lambda a: chain(a, *alone), [100]),
        "masked functions, NumPy's held": (lambda a: chain(a, *held), [100]),
        "sparse * 2 to dense": (dense, [4000]),
        "dense + sparse": (lambda v, d: d + torch.sparse_coo_tensor(places, v, (2000, 2000)), [4000], [2000, 2000]),
    }
