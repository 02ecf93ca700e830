"""Expressions with numbers at the ends of their types, and processes in which they are tried: what test_hostile.py tests, and what
oracle/hostile.py asks PyTorch. SPDX-License-Identifier: Apache-2.0"""
import os
import resource
import signal
import subprocess
import sys
import warnings

NUMBERS = ("2**31", "2**32-1", "2**32+1", "2**62", "2**63-1", "-2**63")

# N stands for each of the numbers.
FACTORIES = """
torch.empty(N)|torch.zeros(N)|torch.ones(N)|torch.empty(0, N)|torch.empty(N, 0)|torch.empty(N, N)|torch.empty(0, N, 4)|torch.empty(N, 4, 0)
torch.zeros(2, N, 4)|torch.full((N,), 1.0)|torch.full((3,), N)|torch.full((3,), N, dtype=torch.int32)|torch.rand(N)|torch.randn(N, 0, N)|torch.randint(5, (N,))
torch.randperm(N)|torch.arange(N)|torch.arange(0, 3, N)|torch.arange(N, 0, N)|torch.arange(-5, N, N)|torch.arange(N, N + 3)|torch.linspace(0, 1, N)
torch.logspace(0, 1, N)|torch.linspace(0, N, 3, dtype=torch.int64)|torch.eye(N)|torch.eye(N, 0)|torch.eye(0, N)|torch.tril_indices(N, 0)|torch.tril_indices(N, N)
torch.triu_indices(0, N)|torch.triu_indices(3, 3, N)|torch.tril_indices(3, 3, N)|torch.empty_strided((2, 2), (N, 1))|torch.empty_strided((N,), (0,))
torch.empty_strided((N,), (1,))|torch.empty_strided((N, N), (0, 0))|torch.empty_strided((0, 3), (N, N))|x.new_empty(N)|x.new_zeros((N, N))|x.new_full((N,), 3.0)
torch.hann_window(N)|torch.bartlett_window(N)|torch.kaiser_window(N)|torch.vander(v, N=N)|torch.combinations(v, N)|torch.randint(N, (3,))|torch.randint(-5, N, (3,))
torch.tensor(N)|torch.tensor([N])|torch.tensor([N], dtype=torch.int32)|torch.tensor([N], dtype=torch.float16)|torch.zeros(0).resize_(N)
torch.zeros(0).resize_(N, N)|torch.zeros(0).resize_(N, 0)|torch.frombuffer(bytearray(8), dtype=torch.uint8, offset=N)
torch.frombuffer(bytearray(8), dtype=torch.uint8, count=N)|torch.scalar_tensor(N)
"""
VIEWS = """
x.expand(N, 3, 4)|x.expand(-1, N)|x[:, :1].expand(3, N)|s.expand(N)|s.expand(N, N)|s.expand(N, 0, N)|x.reshape(N)|x.reshape(N, -1)|x.reshape(-1, N)|x.view(N)
x.view(-1, N)|x.view(3, N)|z.view(N, -1)|z.reshape(N, 0)|z.view(0, N)|z.reshape(-1, N)|x.unflatten(0, (N, -1))|x.unflatten(0, (N, 3))|x.unflatten(N, (3,))
x.as_strided((N,), (0,))|x.as_strided((2,), (N,))|x.as_strided((2, 2), (N, N))|x.as_strided((2,), (1,), N)|x.as_strided((N, N), (1, 1))|x.as_strided((N,), (1,))
x.as_strided((0,), (N,))|x.as_strided((1,), (N,))|x.as_strided((0,), (1,), N)|x.unfold(0, N, 1)|x.unfold(0, 1, N)|x.unfold(0, 2, N)|x.unfold(N, 1, 1)|z.unfold(0, 0, N)
x.narrow(0, N, 1)|x.narrow(0, 0, N)|x.narrow(0, 1, N)|x.narrow(N, 0, 1)|x.select(0, N)|x.select(N, 0)|x[N]|x[:, N]|x[N:]|x[:N]|x[::N]|x[:, ::N]|x[N::N]|x[:N:N]
x[-N:]|x[N:N]|x[0:N:2]|x[1:N:N]|x[N:, :N]|x[..., N:]|x[N:-N]|x[2:N:2**62]|x[:, 1::N]|x[torch.tensor([N])]|x[idx, N]|x[torch.tensor(N)]|x[[N]]|x[(N, 0)]
x.split(N)|x.split([N, N])|x.split([N, N, N, N])|x.split([N, N, N, N + 3])|x.split([N, 3 - N])|x.split([3, N], 1)|x.unsafe_split(N)|x.split_with_sizes([N, 3])
x.split(N, 1)|x.split(1, N)|z.split(N)|x.tensor_split(-N)|x.tensor_split((N,))|x.tensor_split((1, N))|x.tensor_split((N, 1))|x.tensor_split((N, -N))
x.chunk(N)|x.unsafe_chunk(N)|z.chunk(N)|x.chunk(2, N)|x.vsplit([N])|x.hsplit([N, 1])|x.diagonal(N)|x.diagonal(-N)|x.diagonal(0, N, 0)|x.diag(N)|v.diag(N)
v.diag_embed(N)|v.diag_embed(0, N, 0)|torch.diagflat(v, N)|x.tril(N)|x.triu(N)|x.triu(-N)|x.roll(N)|x.roll(N, 0)|x.roll(0, N)|x.roll((N, N), (0, 1))|z.roll(N, 0)
x.roll((1, 2), (0, N))|x.rot90(N)|x.rot90(1, (0, N))|x.flip(N)|x.flip((0, N))|x.transpose(0, N)|x.permute(0, N)|x.permute(N, N)|x.movedim(0, N)|x.swapaxes(N, 0)
x.squeeze(N)|x.unsqueeze(N)|x.squeeze((0, N))|x.flatten(N)|x.flatten(0, N)|x.unbind(N)|x.repeat(N, 1)|x.repeat(N, N)|x.repeat(0, N)|x.repeat(N)|z.repeat(N, N)
z.repeat(1, N)|x.tile((N, N))|z.tile((N,))|x.repeat_interleave(N)|v.repeat_interleave(N, 0)|z.repeat_interleave(N)|x.repeat_interleave(torch.tensor([N, 1, 1]), 0)
torch.repeat_interleave(torch.tensor([N]))|torch.repeat_interleave(torch.tensor([N, N, N, N]))|x.repeat_interleave(torch.tensor([1, 1, 1]), 0, output_size=N)
x.broadcast_to((N, 3, 4))|x.expand_as(s.expand(2**31, 3, 4))|torch.broadcast_shapes((N,), (1,))|torch.broadcast_shapes((N, 1), (1, N))|torch.stack([x, x], N)|torch.cat([x, x], N)
x.slice_scatter(x[:1], 0, N)|x.slice_scatter(x, 0, 0, N)|x.slice_scatter(x[:1], 0, 0, N, N)|x.select_scatter(x[0], 0, N)|x.diagonal_scatter(v[:3], N)
"""
INDEXES = """
x.take(torch.tensor([N]))|x.index_select(0, torch.tensor([N]))|x.index_select(N, idx)|x.gather(0, torch.tensor([[N]]))|x.scatter(0, torch.tensor([[N]]), 1.0)
x.scatter_add(0, torch.tensor([[N]]), x)|x.index_add(0, torch.tensor([N]), x[:1])|x.index_fill(0, torch.tensor([N]), 1.0)|x.index_copy(0, torch.tensor([N]), x[:1])
x.clone().put_(torch.tensor([N]), torch.tensor([1.0]))|x.take_along_dim(torch.tensor([[N]]), 0)|x.index_put((torch.tensor([N]),), s)|x.index_add(0, idx, x, alpha=N)
torch.unravel_index(torch.tensor([N]), (3, 4))|torch.unravel_index(torch.tensor([3]), (N, N))|F.one_hot(torch.tensor([1]), N)|F.one_hot(torch.tensor([N]))
F.embedding(torch.tensor([N]), x)|F.embedding(torch.tensor([0]), x, padding_idx=N)|F.embedding_bag(torch.tensor([0, 1]), x, torch.tensor([0, N]))
F.embedding_bag(torch.tensor([N]), x, torch.tensor([0]))|F.nll_loss(x, torch.tensor([N, 0, 0]))|F.nll_loss(x, torch.tensor([1, 0, 0]), ignore_index=N)
F.cross_entropy(x, torch.tensor([N, 0, 0]))|torch.nonzero_static(b, size=N)|torch.bincount(torch.tensor([N]))|torch.bincount(torch.tensor([1]), minlength=N)
torch.searchsorted(v, torch.tensor([1.0]), sorter=torch.tensor([N] * 6))|x.index_reduce(0, torch.tensor([N]), x[:1], "amax")|x.scatter_reduce(0, torch.tensor([[N]]), x, "sum")
"""
REDUCTIONS = """
x.sum(N)|x.sum((0, N))|x.cumsum(N)|x.logcumsumexp(N)|x.topk(N)|x.topk(1, N)|x.kthvalue(N)|x.kthvalue(1, N)|x.sort(N)|x.median(N)|x.nanmedian(N)|x.quantile(0.5, N)
x.mode(N)|x.unique(dim=N)|torch.histc(v, N)|torch.histogram(v, N)|torch.multinomial(v, N)|torch.multinomial(v + 1, N, True)|torch.cross(x[:, :3], x[:, :3], N)
x.renorm(2, N, 1.0)|x.var(correction=N)|x.std(0, correction=N)|x.count_nonzero(N)|x.diff(N)|x.diff(1, N)|torch.trapezoid(x, dx=N)|x.argmax(N)|x.logsumexp(N)
x.softmax(N)|x.norm(2, N)|x[:3, :3].matrix_power(N)|torch.tensordot(x, x, N)|torch.tensordot(x, x, ([N], [0]))|torch.gradient(v, spacing=N)|torch.cov(x, correction=N)
x.all(N)|x.aminmax(dim=N)|x.cummax(N)|torch.linalg.vector_norm(x, 2, N)|torch.linalg.norm(x, 2, (0, N))|x.prod(N)|x.unique_consecutive(dim=N)|torch.var_mean(x, N)
"""
NUMBERS_IN = """
i << N|i >> N|i ** N|x ** N|i.add(1, alpha=N)|x.add(1, alpha=N)|i + N|i * N|i // N|i % N|i.fmod(N)|i.clamp(N)|i.clone().fill_(N)|i == N|i.to(torch.uint8) + N
i.to(torch.int32) * N|torch.ldexp(x, torch.tensor(N))|torch.bitwise_and(i, N)|torch.gcd(i, torch.tensor(N))|torch.lcm(i, torch.tensor(N))|torch.polygamma(N, v + 1)
torch.mvlgamma(v + 20, N)|torch.special.polygamma(N, v)|x.round(decimals=N)|torch.nan_to_num(x, N)|torch.float_power(x, N)|torch.addcmul(x, x, x, value=N)|x.masked_fill(b, N)
torch.floor_divide(torch.tensor(-2**63), torch.tensor(N))|torch.remainder(torch.tensor(-2**63), torch.tensor(N))|F.threshold(x, N, N)|torch.where(b, N, 0)|i.abs() - N
"""
LAYERS = """
F.pad(v, (N, 0))|F.pad(v, (0, N))|F.pad(v, (N, N))|F.pad(v, (N, -N))|F.pad(v, (-N, N))|F.pad(v, (N, 1 - N))|F.pad(x, (0, 0, N, N))|F.pad(z, (0, 0, N, 0))|F.pad(z, (N, N))
F.pad(img, (N, N, N, N), mode="reflect")|F.pad(img, (N, 0, 0, 0), mode="replicate")|F.pad(img, (-N, N, 0, 0), mode="replicate")|F.pad(img, (N, 0, 0, 0), mode="circular")
F.conv1d(seq, ker, padding=N)|F.conv1d(seq, ker, stride=N)|F.conv1d(seq, ker, dilation=N)|F.conv1d(seq, ker, groups=N)|F.conv1d(seq, ker, padding=N, dilation=N)
F.conv1d(seq, ker, None, N, N, N)|F.conv2d(img, img, padding=N)|F.conv2d(img, img, stride=N)|F.conv2d(img, img, dilation=N)|F.conv2d(img, img, None, 1, (N, 0), (N, 1))
F.conv_transpose1d(seq, ker, stride=N)|F.conv_transpose1d(seq, ker, padding=N)|F.conv_transpose1d(seq, ker, dilation=N)|F.conv_transpose1d(seq, ker, groups=N)
F.conv_transpose1d(seq, ker, stride=N, output_padding=N - 1)|F.conv_transpose2d(img, img, padding=N)|F.max_pool1d(seq, N)|F.max_pool1d(seq, 1, N)|F.max_pool1d(seq, 2, 1, N)
F.max_pool1d(seq, 2, 1, 0, N)|F.max_pool1d(seq, 2, 1, 0, 1, True)|F.max_pool2d(img, N)|F.max_pool2d(img, 2, N)|F.max_pool2d(img, 2, 1, 1, N)|F.max_pool2d(img, (1, N), 1, 0)
F.max_pool2d(img, 2, N, 1, 1, True)|F.max_pool3d(img, 1, N)|F.avg_pool1d(seq, N)|F.avg_pool1d(seq, 1, N)|F.avg_pool1d(seq, 2, 1, N)|F.avg_pool2d(img, N)|F.avg_pool2d(img, 1, N)
F.avg_pool2d(img, 2, 1, 1, divisor_override=N)|F.avg_pool2d(img, 2, N, 1, True)|F.avg_pool3d(img, N, 1)|F.lp_pool1d(seq, 2.0, N)|F.adaptive_avg_pool1d(seq, N)
F.adaptive_max_pool1d(seq, N)|F.adaptive_avg_pool2d(img, N)|F.adaptive_avg_pool2d(img, (N, N))|F.adaptive_max_pool2d(img, (1, N))|F.adaptive_avg_pool3d(img, N)
F.interpolate(img, size=N)|F.interpolate(img, size=(N, N))|F.interpolate(img, scale_factor=N)|F.interpolate(img, size=(1, N), mode="bilinear")|F.interpolate(seq, size=N, mode="linear")
F.unfold(img, N)|F.unfold(img, 1, dilation=N)|F.unfold(img, 2, dilation=N)|F.unfold(img, 1, padding=N)|F.unfold(img, 1, stride=N)|F.unfold(img, 1, 1, N, N)
F.fold(torch.rand(1, 4, 9), (N, N), 2)|F.fold(torch.rand(1, 4, 9), 4, N)|F.fold(torch.rand(1, 4, 9), 4, 2, dilation=N)|F.fold(torch.rand(1, 4, 9), 4, 2, padding=N)
F.fold(torch.rand(1, 4, 9), 4, 2, stride=N)|F.pixel_shuffle(img, N)|F.pixel_unshuffle(img, N)|F.channel_shuffle(img, N)|F.group_norm(img, N)|F.group_norm(torch.rand(4, 0), N)
F.layer_norm(x, (N,))|F.local_response_norm(img, N)|F.glu(v, N)|F.affine_grid(torch.rand(1, 2, 3), (1, 1, N, N))|F.affine_grid(torch.rand(1, 2, 3), (1, 1, N, 0))
F.max_unpool1d(seq, torch.zeros(1, 1, 5, dtype=torch.int64), 1, output_size=(N,))|F.max_unpool1d(seq, torch.full((1, 1, 5), N), 1)|F.max_unpool1d(seq, torch.zeros(1, 1, 5, dtype=torch.int64), N)
F.fractional_max_pool2d(img, N, 1)|F.fractional_max_pool2d(img, 2, N)|F.rms_norm(x, (N,))|torch.nn.Embedding(N, 2)|torch.nn.Linear(N, N)|torch.nn.Conv2d(1, N, N)|torch.nn.GRU(N, 2)
F.upsample(img, N)|F.cosine_similarity(x, x, N)|F.pairwise_distance(x, x, N)|F.normalize(x, 2.0, N)|F.gumbel_softmax(x, dim=N)|F.ctc_loss(torch.rand(3, 1, 4), torch.ones(1, 2, dtype=torch.int64), [N], [2])
F.ctc_loss(torch.rand(3, 1, 4), torch.ones(1, 2, dtype=torch.int64), [3], [N])|F.ctc_loss(torch.rand(3, 1, 4), torch.ones(1, 2, dtype=torch.int64), [3], [2], blank=N)
torch.nn.utils.rnn.pack_padded_sequence(x[None], [N], batch_first=True)|torch.nn.ZeroPad1d(N)(v[None])|torch.nn.Flatten(0, N)(x)|torch.nn.Unflatten(0, (N, 3))(x)
torch.sparse_coo_tensor(torch.tensor([[0]]), torch.tensor([1.0]), (N,))|torch.sparse_coo_tensor(torch.tensor([[N]]), torch.tensor([1.0]))|torch.sparse_coo_tensor(torch.tensor([[N - 1]]), torch.tensor([1.0]), (N,)).to_dense()
torch.sparse_coo_tensor(torch.tensor([[0], [0]]), torch.tensor([1.0]), (N, N)).coalesce()|torch.sparse_coo_tensor(torch.tensor([[0], [0]]), torch.tensor([1.0]), (N, N)).to_dense()
"""
# E stands for tensors of up to 2^62 elements that are one. Nothing here has to look at them all.
WIDE = ("s.expand(2**31)", "s.expand(2**31, 2**31)", "s.expand(2**62)", "s.expand(2**47, 2)", "b[0, 0].expand(2**62)", "i[0, 0].expand(2**61, 2)", "s.half().expand(3, 2**60)")
ON_WIDE = """
E.clone()|E + 1|E * E|E.to(torch.float64)|E.contiguous()|E.flatten()|E.outer(E)|E @ E.T|torch.cat([E, E])|torch.stack([E, E])|torch.stack([E, E, E, E])|torch.meshgrid(E, E, indexing="ij")
E.repeat(4)|E.tile((2, 2))|E.reshape(-1)|E.view(-1, 2)|E.sort()|E.argsort()|E.cumsum(0)|E.flip(0)|E.roll(1, 0)|E.kthvalue(1)|E.median(0)|E.nanmedian()|E.median()|E.diff()
E[idx]|E[E > 0]|E[:, None]|E[::2**31]|E[2**30:]|E.split(2**60)|E.chunk(3)|E.unfold(0, 2**31, 2**31)|E.expand(4, *E.shape)|E.expand(2, *E.shape).clone()|E[None].expand(4, *E.shape)
F.pad(E, (1, 1))|F.pad(E, (2**62, 2**62))|torch.cdist(E[None], E[None])|E.diag_embed()|torch.diag(E)|E.unflatten(0, (2, -1))|E.repeat_interleave(2)|torch.where(E > 0, E, E)|E.softmax(0)
E.clone(memory_format=torch.preserve_format)|torch.empty_like(E)|torch.rand_like(E.float())|E.new_empty(E.shape)|E.fill_(1)|E.add_(1)|E.zero_()|E.uniform_()|E.float().requires_grad_()
torch.broadcast_tensors(E, E[..., None])|E.masked_fill(E > 0, 1)|E.unique()|E.bincount()|E.histc()|E.index_select(0, idx)|torch.kron(E, E)|torch.block_diag(E, E)|torch.combinations(E)
torch.cartesian_prod(E, E)|torch.vander(E)|E.unsqueeze(0).transpose(0, 1)|torch.tensordot(E, E, 0)|torch.einsum("...i,...j->...ij", E, E)|F.adaptive_avg_pool1d(E[None], 2**40)|E.storage_offset()
E.tolist()[:0]|E.numpy().shape|torch.nn.Parameter(E.float())|E.untyped_storage().nbytes()|E.nbytes|E.data_ptr() > 0|E.stride()|E.is_contiguous()|E.detach().shape|E.numel()|str(E.shape)|E.element_size()
"""
SPECIAL = """
torch.rand(1).expand(2**32, 2**32)|torch.rand(1).expand(2**32, 2**32).clone()|torch.rand(1).expand(2**32, 2**32) + 1|torch.rand(1).expand(2**31, 2**31, 4)|torch.rand(1).expand(2**63 - 1, 3)
torch.rand(3).split([2**62, 2**62, 2**62, 2**62 + 3])|torch.rand(3).split([2**63 - 1, 2**63 - 1, 5])|torch.rand(3).unsafe_split_with_sizes([2**62, 2**62, 2**62, 2**62 + 3])
torch.rand(3, 0).expand(3, 0)|torch.rand(1, 0).expand(2**62, 0).expand(4, 2**62, 0)|torch.empty(2**62, 4, 0)|torch.empty(0, 2**62, 4)|torch.empty(0, 2**62)|torch.empty(2**32, 2**32, 0)
torch.zeros(6148914691236517205, 3)|torch.zeros(3, 6148914691236517206, 0)|torch.zeros(12297829382473034411)|torch.zeros(2**64)|torch.zeros(-2**64)|torch.zeros(2**64, 0)
torch.arange(12.0).as_strided((3, 2**61), (4, 2**61))|torch.arange(12.0).as_strided((2, 2), (2**62, -2**62))|torch.arange(12.0).as_strided((2**32, 2**32), (2**32, 2**32))
torch.arange(12.0).as_strided((5,), (2**62,), 0)|torch.arange(12.0).as_strided((3, 3), (2**63 - 1, 2), 0)|torch.arange(12.0).reshape(2**32, 2**32)|torch.empty(0).view(2**32, 2**32)
torch.empty(0).reshape(2**32, 2**32, 0)|torch.arange(12.0).view(2**62, 4, 12)|torch.arange(12.0).unflatten(0, (2**32, 2**32, 12))|torch.arange(12.0).repeat(2**62, 4)
torch.arange(3).repeat_interleave(torch.tensor([2**62, 2**62, 2**63 - 1]))|torch.arange(4).repeat_interleave(torch.tensor([2**62] * 4))|F.pad(torch.rand(3), (2**63 - 1, 2**63 - 1))
F.pad(torch.rand(3), (2**62, 2**62, ))|F.pad(torch.rand(3, 3), (2**62, 2**62, 2**62, 2**62))|F.unfold(torch.rand(1, 1, 4, 4), 2, padding=2**62)|F.conv1d(seq, ker, padding=2**62, stride=2**62)
F.max_pool2d(img, 3, 1, 1, 2**62)|F.avg_pool2d(img, (2**32, 2**32), 1, (2**31, 2**31))|F.fold(torch.rand(1, 4, 9), (2**33, 2**31), 2, stride=(2**33, 1))|F.interpolate(img, scale_factor=1e300)
F.interpolate(img, scale_factor=float("inf"))|F.interpolate(img, scale_factor=float("nan"))|torch.arange(0.0, 1e300)|torch.arange(0, float("inf"))|torch.arange(0.0, 1.0, 1e-300)
torch.arange(-2**63, 2**63 - 1, 2**62)|torch.arange(2**63 - 2, 2**63 - 1)|torch.arange(2**63 - 1, -2**63, -2**63)|torch.linspace(-2**63, 2**63 - 1, 5, dtype=torch.int64)
torch.tril_indices(2**31, 2**31)|torch.triu_indices(2**58, 1)|torch.tril_indices(1, 2**58)|torch.triu_indices(2**40, 1, -2**63)|torch.combinations(torch.arange(70), 35)|torch.einsum("i,j->ij", s.expand(2**32), s.expand(2**32))
torch.tensor([1, 2, 3])[torch.tensor([2**62, -2**62])]|x.index_put((torch.tensor([-2**63]),), s)|x[:, torch.tensor([2**32])]|x[torch.tensor([2**32 + 1], dtype=torch.int64)]
torch.ones(3, dtype=torch.uint8).view(torch.int64)|torch.ones(2, 2**62 - 2**62).view(torch.uint8)|torch.rand(1).expand(2**61).view(torch.float64)|torch.rand(1).expand(2**62).view(torch.uint8)
torch.rand(2).expand(2**61, 2).view(torch.uint8)|torch.rand(2).expand(2**61, 2).view(torch.float64)|torch.rand(1, 0).expand(2**62, 0).clone()|torch.rand(1, 0).expand(2**62, 0) @ torch.rand(0, 3)
torch.rand(1, 0).expand(2**62, 0).sum(1)|torch.rand(1, 0).expand(2**40, 0).sum(1)|torch.rand(0, 1).expand(0, 2**62).sum(0)|torch.rand(0, 1).expand(0, 2**62).cumsum(1)|torch.rand(0, 1).expand(0, 2**62).sort(1)
torch.rand(0, 1).expand(0, 2**62).t() @ torch.rand(0, 1).expand(0, 2**62)|torch.cat([torch.rand(0, 1).expand(0, 2**62)] * 5, 1)|torch.cat([torch.rand(1, 0).expand(2**62, 0)] * 5)
torch.stack([torch.rand(1, 0).expand(2**62, 0)] * 5)|torch.nn.functional.one_hot(torch.tensor([2**62]), 2**62 + 1)|torch.bincount(torch.tensor([2**63 - 1]))|torch.block_diag(*[torch.rand(1, 0).expand(2**62, 0)] * 5)
torch.rand(3, 3).roll((2**63 - 1, 2**63 - 1), (0, 0))|torch.nn.functional.group_norm(torch.rand(4, 0), 2**62)|torch.rand(0).tensor_split(2**20)[0]|torch.ones(1).expand(70000).unbind()[3]
torch.rand(1, 2).expand(131072, 2).requires_grad_().unbind(0)[5].backward(torch.ones(2))|torch.rand(65536).requires_grad_().split(1)[5].backward(torch.ones(1))
x[:1, :0].expand(2**62, 0).clone().fill_diagonal_(1.0, True)|x[:1, :0].expand(2**62, 0).fill_diagonal_(1.0, True)|x[:1, :3].expand(2**62, 3).fill_diagonal_(1.0, True)
"""


def listed(text):
    return [e for line in text.strip().splitlines() for e in line.split("|")]


def expressions():
    """All of them, in a fixed order."""
    with_n = [e for part in (FACTORIES, VIEWS, INDEXES, REDUCTIONS, NUMBERS_IN, LAYERS) for e in listed(part)]
    out = [substituted(e, "N", f"({n})") for e in with_n for n in NUMBERS]
    return out + [substituted(e, "E", w) for e in listed(ON_WIDE) for w in WIDE] + listed(SPECIAL)


def substituted(expression, name, value):
    import re

    return re.sub(rf"\b{name}\b(?!=)", value, expression)


# ------------------------------------------------------------------ the process in which they are tried

def outside(t):
    """What is wrong with a tensor's geometry; None: nothing."""
    import torch

    if t.layout != torch.strided:
        return outside(t._indices()) or outside(t._values()) if t.layout == torch.sparse_coo else None
    sizes, strides, low, numel = list(t.shape), list(t.stride()), t.storage_offset(), 1
    high = low
    for size in sizes:
        numel *= size
        if size < 0:
            return f"size {size}"
    if t.numel() != numel or numel >= 2**63:
        return f"numel {t.numel()} of {sizes}"
    if numel:
        for size, stride in zip(sizes, strides, strict=True):
            low, high = low + min((size - 1) * stride, 0), high + max((size - 1) * stride, 0)
        if low < 0 or (high + 1) * t.element_size() > t.untyped_storage().nbytes():
            return f"sizes {sizes}, strides {strides}, offset {t.storage_offset()} in {t.untyped_storage().nbytes()} bytes"
        first = t[(0,) * len(sizes)].item(), t[tuple(n - 1 for n in sizes)].item()
        del first
    return None


def tensors(value, depth=0):
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, torch.nn.Module):
        yield from value.parameters()
    elif isinstance(value, (list, tuple)) and depth < 3:
        for item in value[:50]:
            yield from tensors(item, depth + 1)


def outcome(expression, names):
    """What happens: ok, the names of the error's class and its bases, or what is wrong."""
    try:
        value = eval(expression, names)  # pylint: disable=eval-used
        for t in tensors(value):
            wrong = outside(t)
            if wrong:
                return f"OUTSIDE {wrong}"
        return "ok"
    except Exception as e:  # pylint: disable=broad-except
        return " ".join(c.__name__ for c in type(e).__mro__[:-3] or type(e).__mro__[:1])


def child(first, last):
    """Tries a part of the list and prints a line for each."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with open("/proc/self/statm", encoding="ascii") as file:  # of a sanitizer, too, which has its terabytes of addresses already
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), resource.RLIM_INFINITY))
    for k, expression in list(enumerate(expressions()))[first:last]:
        x = torch.arange(12.0).reshape(3, 4)
        names = {"torch": torch, "F": torch.nn.functional, "x": x, "i": torch.arange(12).reshape(3, 4), "v": torch.arange(6.0), "b": x > 4, "z": torch.zeros(0, 4),
                 "s": torch.tensor(2.5), "img": torch.ones(1, 2, 5, 5), "seq": torch.ones(1, 1, 5), "ker": torch.ones(1, 1, 3), "idx": torch.tensor([0, 2, 1])}
        signal.setitimer(signal.ITIMER_VIRTUAL, 20)  # of processor time: the machine may be busy
        signal.setitimer(signal.ITIMER_REAL, 200)
        print(k, outcome(expression, names), flush=True)


def outcomes(command):
    """What happens with each expression when `command` (a list) runs this file. A process that dies is one outcome."""
    count, got = len(expressions()), {}
    environment = dict(os.environ)
    if "libasan" in environment.get("LD_PRELOAD", ""):
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0"
    while len(got) < count:
        first = len(got)
        done = subprocess.run(command + [os.path.abspath(__file__), str(first), str(count)], capture_output=True, text=True, env=environment, check=False)
        for line in done.stdout.splitlines():
            k, _, what = line.partition(" ")
            got[int(k)] = what
        if len(got) < count and done.returncode == 0:
            raise RuntimeError(f"the process ended early: {done.stderr[-1000:]}")
        if len(got) < count:
            how = "LONGER than 20 s" if done.returncode in (-signal.SIGVTALRM, -signal.SIGALRM) else f"DIED with {done.returncode}"
            got[len(got)] = f"{how}: {done.stderr.strip()[-600:]}"
    return [got[k] for k in range(count)]


if __name__ == "__main__":
    child(int(sys.argv[1]), int(sys.argv[2]))
