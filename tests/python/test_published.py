"""What published programs on PyTorch do that stopped before: graph networks on sparse matrices (pygcn, pyGAT, examples/gcn), vision transformers that choose
attention's kernels, names of types on GPUs, of compilers and of helpers. Programs of ours in their manner; their losses are PyTorch's."""
import contextlib
import importlib
import os
import tempfile
import unittest
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

from helper import Case, needs_numpy, numpy, winnow_only

ONCE = True  # programs: deferral as users have it


def ring(n, width, seed):
    """Features, labels and edges of a graph: each vertex with the next three and itself, in both directions; numbers from sines, so that every library has them."""
    x = (torch.arange(n * width, dtype=torch.float64) * (1.3 + seed)).sin().view(n, width).float()
    label = torch.arange(n) * 7 // n
    at = torch.arange(n)
    pairs = [torch.stack([at, (at + k) % n]) for k in range(4)]
    edges = torch.cat([p for q in pairs for p in (q, q.flip(0))], 1)
    return x, label, edges


def sines(*shape):
    n = 1
    for s in shape:
        n *= s
    return nn.Parameter(((torch.arange(n, dtype=torch.float64) * 0.7).sin() * 0.3).view(shape).float())


class GraphConvolution(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.weight, self.bias = sines(width, out), nn.Parameter(torch.FloatTensor(out))
        self.bias.data.fill_(0.125)

    def forward(self, x, adjacency):
        return torch.spmm(adjacency, torch.mm(x, self.weight)) + self.bias


class SparseProduct(torch.autograd.Function):
    """A sparse matrix of given values with a dense one, differentiated by hand."""

    @staticmethod
    def forward(ctx, indices, values, shape, b):
        a = torch.sparse_coo_tensor(indices, values, shape)
        ctx.save_for_backward(a, b)
        ctx.n = shape[0]
        return torch.matmul(a, b)

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        dense = grad.matmul(b.t())
        place = a._indices()[0, :] * ctx.n + a._indices()[1, :]
        return None, dense.view(-1)[place], None, a.t().matmul(grad)


class SparseAttention(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        self.w, self.a = sines(width, out), sines(1, 2 * out)

    def forward(self, x, adjacency):
        n, edge = x.size()[0], adjacency.nonzero().t()
        h = torch.mm(x, self.w)
        assert not torch.isnan(h).any()
        ends = torch.cat((h[edge[0, :], :], h[edge[1, :], :]), dim=1).t()
        e = torch.exp(-F.leaky_relu(self.a.mm(ends).squeeze(), 0.2))
        row = SparseProduct.apply(edge, e, torch.Size([n, n]), torch.ones(size=(n, 1), device="cpu"))
        return F.elu(SparseProduct.apply(edge, e, torch.Size([n, n]), h).div(row))


def losses(parameters, forward, steps=8):
    """Of some steps of Adam."""
    optimizer = torch.optim.Adam(parameters, lr=0.02, weight_decay=5e-4)
    out = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = forward()
        loss.backward()
        optimizer.step()
        out.append(loss.item())
    return out


class Graphs(Case):
    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")

    def test_convolution(self):
        """pygcn: torch.sparse.FloatTensor, LongTensor of a range, spmm."""
        x, label, edges = ring(28, 12, 0)
        adjacency = torch.sparse.FloatTensor(edges, torch.full((edges.shape[1],), 1 / 8), torch.Size([28, 28]))
        self.assertTrue(isinstance(adjacency, torch.sparse.FloatTensor) and adjacency.type() == "torch.sparse.FloatTensor")
        train = torch.LongTensor(range(14))
        first, second = GraphConvolution(12, 8), GraphConvolution(8, 7)

        def forward():
            out = F.log_softmax(second(F.relu(first(x, adjacency)), adjacency), dim=1)
            return F.nll_loss(out[train], label[train])
        got = losses([*first.parameters(), *second.parameters()], forward)
        expected = [1.9684589, 1.9056509, 1.8491873, 1.8008069, 1.7561268, 1.7136749, 1.6731602, 1.6349853]
        self.close(torch.tensor(got), torch.tensor(expected), 2e-5)

    def test_attention(self):
        """pyGAT: a Function that saves a sparse tensor, nonzero of a dense one."""
        x, label, edges = ring(28, 12, 1)
        adjacency = torch.zeros(28, 28)
        adjacency[edges[0], edges[1]] = 1
        layers = [SparseAttention(12, 8), SparseAttention(8, 7)]

        def forward():
            return F.nll_loss(F.log_softmax(layers[1](layers[0](x, adjacency), adjacency), dim=1), label)
        got = losses([p for m in layers for p in m.parameters()], forward)
        expected = [1.9458783, 1.945845, 1.9457864, 1.9455897, 1.9452602, 1.9448339, 1.9443005, 1.9435672]
        self.close(torch.tensor(got), torch.tensor(expected), 2e-5)

    def test_normalised(self):
        """examples/gcn: dense and sparse matrices added and multiplied."""
        x, label, edges = ring(28, 12, 2)
        adjacency = torch.eye(28) + torch.sparse_coo_tensor(edges, torch.ones(edges.shape[1]), (28, 28), dtype=torch.int64)
        degree = torch.diag(torch.sqrt(1 / torch.sum(adjacency, dim=1))).to_sparse()
        adjacency = (degree @ adjacency @ degree).to_sparse()
        weight = sines(12, 7)
        got = losses([weight], lambda: F.nll_loss(F.log_softmax(torch.spmm(adjacency, torch.mm(x.to_sparse(), weight)), 1), label))
        expected = [1.9520614, 1.9394883, 1.9281814, 1.9181042, 1.909212, 1.9014494, 1.8947514, 1.8890318]
        self.close(torch.tensor(got), torch.tensor(expected), 2e-5)


class Attend(nn.Module):
    """Attention as vit-pytorch calls it: the kernels that it may use are named by a tuple."""

    def forward(self, q, k, v, flash):
        if not flash:
            return (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ v
        with torch.backends.cuda.sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True):
            return F.scaled_dot_product_attention(q, k, v)


class Transformers(Case):
    def test_kernels(self):
        b, n, heads, dim = 2, 5, 3, 4
        qkv = ((torch.arange(b * n * 3 * heads * dim, dtype=torch.float64) * 0.9).sin().view(b, n, 3, heads, dim).float()).permute(2, 0, 3, 1, 4).requires_grad_()
        results, grads = [], []
        for flash in (True, False):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                y = Attend()(*qkv.unbind(0), flash).transpose(1, 2).reshape(b, n, heads * dim)
            grads.append(torch.autograd.grad(y.pow(2).sum(), qkv)[0])
            results.append(y)
        self.close(results[0], results[1], 1e-5)
        self.close(grads[0], grads[1], 1e-5)

    def test_switches_come_back(self):
        cuda = torch.backends.cuda
        with self.assertWarnsRegex(FutureWarning, "sdp_kernel"):
            with cuda.sdp_kernel(enable_flash=False, enable_math=True, enable_mem_efficient=False):
                self.assertEqual((cuda.flash_sdp_enabled(), cuda.math_sdp_enabled(), cuda.mem_efficient_sdp_enabled()), (False, True, False))
        self.assertTrue(cuda.flash_sdp_enabled() and cuda.mem_efficient_sdp_enabled())
        q = torch.ones(1, 1, 2, 4)
        call = cuda.SDPAParams(q, q, q, None, 0.0, False, False)
        self.assertFalse(cuda.can_use_flash_attention(call) or cuda.can_use_efficient_attention(call) or cuda.is_flash_attention_available())

    def test_standard_normal(self):
        from torch.distributions.utils import _standard_normal

        torch.manual_seed(3)
        x = _standard_normal((2, 3), torch.float64, torch.device("cpu"))
        torch.manual_seed(3)
        self.same(x, torch.normal(torch.zeros(2, 3, dtype=torch.float64), torch.ones(2, 3, dtype=torch.float64)))


class Names(Case):
    def test_types_of_gpus(self):
        for kind in (torch.cuda.FloatTensor, torch.cuda.sparse.FloatTensor):
            self.assertNotIsInstance(torch.ones(2), kind)
            with self.raises(TypeError, "not available"):
                kind(3)
        self.assertEqual((torch.cuda.LongTensor.dtype, torch.cuda.HalfTensor.is_cuda, torch.FloatTensor.is_cuda), (torch.int64, True, False))
        self.assertIs(torch.cuda.DoubleTensor, torch.cuda.DoubleTensor)
        self.assertFalse(hasattr(torch.cuda, "NoSuchTensor"))

    def test_compilers(self):
        """What setup scripts ask before they decide what to build."""
        from torch.utils import cpp_extension
        from torch.utils.cpp_extension import CUDA_HOME, ROCM_HOME, BuildExtension, CppExtension, CUDAExtension, load, load_inline  # noqa: F401

        self.assertEqual((CUDA_HOME, ROCM_HOME, cpp_extension.IS_HIP_EXTENSION), (None, None, False))
        self.assertIsInstance(cpp_extension.is_ninja_available(), bool)

    @winnow_only
    def test_nothing_is_built(self):
        from torch.utils import cpp_extension

        for call in (lambda: cpp_extension.load("x", ["x.cpp"]), lambda: cpp_extension.CUDAExtension("x", ["x.cu"]), cpp_extension.include_paths):
            with self.raises(NotImplementedError, "winnow.h"):
                call()

    def test_helpers(self):
        from torch._jit_internal import _copy_to_script_wrapper

        @_copy_to_script_wrapper
        def f(x):
            return x + 1
        self.assertEqual(f(1), 2)
        self.assertIn("copy the python method", f._torchscript_modifier)
        deterministic = importlib.import_module("torch.utils.deterministic")
        self.assertIs(deterministic.fill_uninitialized_memory, True)
        deterministic.fill_uninitialized_memory = False
        self.assertIs(torch.utils.deterministic.fill_uninitialized_memory, False)
        deterministic.fill_uninitialized_memory = True

    def test_sort_without_a_word_on_ties(self):
        x = torch.tensor([3, 1, 2])
        for sort in (lambda **k: torch.sort(x, **k), lambda **k: x.sort(**k)):
            self.assertEqual([t.tolist() for t in sort(stable=None, descending=True)], [[3, 2, 1], [0, 2, 1]])

    def test_sparse_products(self):
        a = torch.sparse_coo_tensor(torch.tensor([[0, 1, 1], [2, 0, 2]]), torch.tensor([3.0, 4.0, 5.0]), (4, 3))
        b = torch.arange(6.0).view(3, 2)
        whole = a.to_dense() @ b
        for product in (torch.spmm, torch.dsmm, torch.sparse.mm):
            self.same(product(a, b), whole)
        for product in (torch.smm, torch.hspmm, torch.hsmm, lambda a, b: a.smm(b)):
            self.assertTrue(product(a, b).is_sparse)
            self.same(product(a, b).to_dense(), whole)
        self.same(torch.spmm(a.to_dense(), b), whole)
        c = torch.tensor([[0.0, 1.0]] * 4)
        for product in (torch.sspaddmm, torch.saddmm, lambda c, a, b, **k: c.sspaddmm(a, b, **k)):
            self.assertTrue(product(c.to_sparse(), a, b).is_sparse)
            self.same(product(c.to_sparse(), a, b).to_dense(), c + whole)
            self.same(product(c.to_sparse(), a, b, beta=2, alpha=-1).to_dense(), 2 * c - whole)
        for wrong in ((c, a, b), (c.to_sparse(), a.to_dense(), b), (c.to_sparse(), a, b.t()), (torch.ones(2, 2).to_sparse(), a, b)):
            with self.assertRaises(RuntimeError):
                torch.sspaddmm(*wrong)
        self.same(a.type(torch.sparse.DoubleTensor).to_dense(), a.to_dense().double())

    @needs_numpy
    def test_an_array_divided(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for dtype in (numpy.float32, numpy.float64):
                y = numpy.ones(3, dtype) / torch.full((3,), 2.0)
                self.values(y, [0.5] * 3)
                self.assertEqual(y.dtype, torch.from_numpy(numpy.ones(1, dtype)).dtype)

    @needs_numpy
    def test_shifts_and_frequencies(self):
        fft = torch.fft
        for n in (5, 6):
            x = numpy.arange(n * 2).reshape(2, n)
            for dim in (None, 1, (0, 1)):
                self.assertEqual(fft.fftshift(torch.from_numpy(x), dim).tolist(), numpy.fft.fftshift(x, dim).tolist())
                self.assertEqual(fft.ifftshift(torch.from_numpy(x), dim).tolist(), numpy.fft.ifftshift(x, dim).tolist())
            self.close(fft.fftfreq(n, 0.1), torch.from_numpy(numpy.fft.fftfreq(n, 0.1)).float(), 1e-6)
            self.close(fft.rfftfreq(n, 0.1), torch.from_numpy(numpy.fft.rfftfreq(n, 0.1)).float(), 1e-6)

    @winnow_only
    def test_too_many_dimensions(self):
        one = torch.ones([1] * 16)
        for call in (lambda: torch.ones([1] * 17), lambda: one.unsqueeze(0), lambda: one[None], lambda: torch.stack([one, one]), lambda: one.view([1] * 17),
                     lambda: one.unfold(0, 1, 1), lambda: torch.nn.functional.one_hot(one.long()), lambda: torch.meshgrid([torch.ones(1)] * 17, indexing="ij"),
                     lambda: torch.ones([1] * 12)[torch.zeros([1] * 8, dtype=torch.long)], lambda: torch.tensordot(one, one, 0)):
            with self.raises(RuntimeError, "16"):
                call()


class Scalars(Case):
    @winnow_only
    def test_what_a_scalar_may_be(self):
        from torch.utils.tensorboard import SummaryWriter

        with tempfile.TemporaryDirectory() as folder, SummaryWriter(folder) as writer, warnings.catch_warnings():
            warnings.simplefilter("error")
            for x in (1, 2.5, torch.tensor([[3.0]], requires_grad=True), numpy.float64(1) if numpy else 1.0, numpy.ones((1, 1)) if numpy else True):
                writer.add_scalar("x", x, 0)
                writer.add_scalar("x", x, 0, new_style=True, double_precision=True)
            with self.raises(AssertionError, "one element"):
                writer.add_scalar("x", torch.ones(2))
            with self.raises(NotImplementedError, "are expected"):
                writer.add_scalar("x", "1.0")
            writer.flush()
            self.assertGreater(os.path.getsize(os.path.join(folder, os.listdir(folder)[0])), 400)


try:
    from torchvision import transforms
    from torchvision.transforms import functional as vision
except (ImportError, RuntimeError):
    transforms = None


@unittest.skipIf(transforms is None, "needs torchvision")
class Blur(Case):
    def test_constant_and_point(self):
        self.close(transforms.GaussianBlur(5)(torch.full((3, 8, 8), 0.5)), torch.full((3, 8, 8), 0.5), 1e-6)
        point = torch.zeros(1, 7, 9)
        point[0, 3, 4] = 1
        y = vision.gaussian_blur(point, [5, 3], [1.0, 2.0])
        across = torch.exp(-0.5 * (torch.arange(-2.0, 3) / 1.0) ** 2)
        down = torch.exp(-0.5 * (torch.arange(-1.0, 2) / 2.0) ** 2)
        self.close(y[0, 2:5, 2:7], torch.outer(down / down.sum(), across / across.sum()), 1e-6)
        self.close(y.sum(), torch.tensor(1.0), 1e-6)

    def test_bytes_and_sigma(self):
        x = (torch.arange(3 * 6 * 6) * 5 % 256).to(torch.uint8).view(3, 6, 6)
        y = vision.gaussian_blur(x, 3, 0.5)
        self.assertEqual((y.dtype, y.shape), (torch.uint8, x.shape))
        self.close(y.float(), vision.gaussian_blur(x.float(), 3, 0.5), 0.5)
        for wrong in (lambda: vision.gaussian_blur(x, 2), lambda: transforms.GaussianBlur(3, sigma=(2.0, 1.0)), lambda: transforms.GaussianBlur(4)):
            self.assertRaises(ValueError, wrong)
        with contextlib.suppress(ValueError):
            transforms.GaussianBlur(3, sigma=0.7)(x)
        self.assertEqual(repr(transforms.GaussianBlur(3, sigma=(0.1, 2.0))), "GaussianBlur(kernel_size=(3, 3), sigma=(0.1, 2.0))")


if __name__ == "__main__":
    unittest.main()
