"""Names that programs import at the top or ask about devices, and small packages around the operations: windows, trees of containers,
gradients of convolutions. On winnow they answer as PyTorch does on a machine without GPUs."""
import collections
import importlib
import math
import unittest

import torch
import torch.nn.functional as F

ONCE = True  # in every mode of deferral the same (run.py)


class Devices(unittest.TestCase):
    def test_there_is_no_other_device_than_the_cpu(self):
        for module in (torch.mps, torch.xpu, torch.accelerator):
            self.assertFalse(module.is_available())
            self.assertEqual(module.device_count(), 0)
        self.assertIsNone(torch.accelerator.current_accelerator())
        self.assertEqual(torch.accelerator.is_available() and "accelerator" or "cpu", "cpu")
        with self.assertRaisesRegex(RuntimeError, "accelerator"):
            torch.accelerator.synchronize()
        with self.assertRaisesRegex(AssertionError, "XPU"):
            torch.xpu.current_device()
        with self.assertRaises(RuntimeError):
            torch.mps.synchronize()
        torch.xpu.manual_seed_all(1)
        torch.xpu.empty_cache()
        torch.mps.manual_seed(1)

    def test_cpu(self):
        self.assertTrue(torch.cpu.is_available())
        self.assertEqual((torch.cpu.device_count(), torch.cpu.current_device()), (1, "cpu"))
        torch.cpu.synchronize()
        with torch.cpu.stream(torch.cpu.current_stream()):
            self.assertEqual(torch.ones(2).sum().item(), 2)

    def test_scaler_by_its_shortest_name(self):
        scaler = torch.GradScaler("cpu", init_scale=4.0)
        self.assertEqual(scaler.scale(torch.tensor(2.0)).item(), 8.0)

    def test_nvtx_needs_cuda(self):
        with self.assertRaisesRegex(RuntimeError, "NVTX"):
            torch.cuda.nvtx.range_push("a")


class Imports(unittest.TestCase):
    def test_of_training_scripts(self):
        """What scripts import before they ask whether they run on several processes (nanoGPT's train.py and its like)."""
        from torch.distributed import destroy_process_group, init_process_group  # noqa: F401
        from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: F401
        from torch.nn.common_types import _size_2_t  # noqa: F401
        from torch.nn.parallel import DistributedDataParallel as DDP
        from torch.storage import UntypedStorage  # noqa: F401
        from torch.types import Device, Number  # noqa: F401
        from torch.utils.model_zoo import load_url  # noqa: F401

        with self.assertRaisesRegex(ValueError, "process group has not been initialized"):
            DDP(torch.nn.Linear(2, 2))

    def test_report(self):
        from torch.utils import collect_env

        self.assertIn("Python version", collect_env.get_pretty_env_info())

    def test_older_profiler(self):
        with torch.autograd.profiler.profile() as prof:
            with torch.autograd.profiler.record_function("here"):
                torch.ones(3).sum()
        self.assertIn("here", prof.key_averages().table())


class Attention(unittest.TestCase):
    def test_choice_of_kernel(self):
        from torch.nn.attention import SDPBackend, sdpa_kernel

        q = torch.randn(1, 2, 3, 4)
        expected = F.scaled_dot_product_attention(q, q, q)
        self.assertTrue(torch.backends.cuda.flash_sdp_enabled())
        with sdpa_kernel(SDPBackend.MATH):
            self.assertEqual((torch.backends.cuda.math_sdp_enabled(), torch.backends.cuda.flash_sdp_enabled()), (True, False))
            torch.testing.assert_close(F.scaled_dot_product_attention(q, q, q), expected)
        with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
            self.assertTrue(torch.backends.cuda.flash_sdp_enabled())
            self.assertFalse(torch.backends.cuda.mem_efficient_sdp_enabled())
        self.assertTrue(torch.backends.cuda.mem_efficient_sdp_enabled())
        with self.assertRaisesRegex(AssertionError, "SDPBackend"):
            with sdpa_kernel(3):
                pass


class Windows(unittest.TestCase):
    def test_hann(self):
        n = 8
        for window, period in ((torch.hann_window(n, dtype=torch.float64), n), (torch.hann_window(n, False, dtype=torch.float64), n - 1),
                               (torch.signal.windows.hann(n, dtype=torch.float64), n - 1)):
            expected = [math.sin(math.pi * k / period) ** 2 for k in range(n)]
            torch.testing.assert_close(window, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-15)

    def test_values(self):
        known = [  # at the second of six points, computed from the formulas
            (torch.bartlett_window(6, False), 0.4), (torch.blackman_window(6, False), 0.2007701432625305),
            (torch.hamming_window(6, False), 0.3978521825875242), (torch.hamming_window(6, False, 0.5, 0.5), 0.3454915028125263),
            (torch.kaiser_window(6, False, 5.0), 0.41490358), (torch.signal.windows.cosine(6), math.sin(1.5 * math.pi / 6)),
            (torch.signal.windows.gaussian(6, std=2.0), math.exp(-(1.5 / 2) ** 2 / 2)), (torch.signal.windows.exponential(6, tau=3.0), math.exp(-1.5 / 3)),
            (torch.signal.windows.exponential(6, center=0, sym=False, tau=3.0), math.exp(-1 / 3)),
            (torch.signal.windows.general_cosine(6, a=[0.4, 0.3, 0.3]), 0.4 - 0.3 * math.cos(0.4 * math.pi) + 0.3 * math.cos(0.8 * math.pi)),
            (torch.signal.windows.general_hamming(6, alpha=0.6), 0.6 - 0.4 * math.cos(0.4 * math.pi)),
            (torch.signal.windows.nuttall(6), 0.3635819 - 0.4891775 * math.cos(0.4 * math.pi) + 0.1365995 * math.cos(0.8 * math.pi)
             - 0.0106411 * math.cos(1.2 * math.pi)), (torch.signal.windows.kaiser(6, beta=5.0), 0.41490358)]
        for i, (window, second) in enumerate(known):
            self.assertEqual((window.shape, window.dtype), ((6,), torch.float32))
            self.assertAlmostEqual(window[1].item(), second, places=6, msg=str(i))

    def test_edges(self):
        self.assertEqual(torch.hann_window(0).shape, (0,))
        self.assertEqual(torch.kaiser_window(1).tolist(), [1.0])
        self.assertEqual(torch.signal.windows.gaussian(1).tolist(), [1.0])
        self.assertTrue(torch.hann_window(4, requires_grad=True).requires_grad)
        with self.assertRaisesRegex(RuntimeError, "non-negative"):
            torch.hann_window(-1)
        with self.assertRaisesRegex(RuntimeError, "floating point"):
            torch.hann_window(4, dtype=torch.int64)
        with self.assertRaises(TypeError):
            torch.hann_window(2.5)
        with self.assertRaisesRegex(ValueError, "non-negative"):
            torch.signal.windows.hann(-1)
        with self.assertRaisesRegex(ValueError, "float32 or float64"):
            torch.signal.windows.hann(4, dtype=torch.float16)
        with self.assertRaisesRegex(ValueError, "ositive"):
            torch.signal.windows.gaussian(4, std=0.0)


class Trees(unittest.TestCase):
    def test_there_and_back(self):
        from torch.utils import _pytree as trees

        Point = collections.namedtuple("Point", "x y")
        tree = {"a": [1, (2, 3)], "b": Point(4, collections.OrderedDict(c=5, d=None)), "e": collections.deque([6, 7])}
        leaves, spec = trees.tree_flatten(tree)
        self.assertEqual(leaves, [1, 2, 3, 4, 5, None, 6, 7])
        self.assertEqual(trees.tree_unflatten(leaves, spec), tree)
        doubled = trees.tree_map(lambda x: x and 2 * x, tree)
        self.assertEqual(doubled["b"], Point(8, collections.OrderedDict(c=10, d=None)))
        self.assertIsInstance(doubled["b"], Point)
        self.assertEqual(spec, trees.tree_structure(doubled))
        self.assertNotEqual(spec, trees.tree_structure([1]))
        self.assertEqual(spec.num_leaves, 8)
        with self.assertRaises(ValueError):
            trees.tree_unflatten([1], spec)

    def test_results_and_sizes_are_containers(self):
        from torch.utils import _pytree as trees

        both = torch.tensor([3, 5, 4]).max(0)
        leaves, spec = trees.tree_flatten([both, torch.Size([7, 8])])
        self.assertEqual(leaves, [torch.tensor(5), torch.tensor(1), 7, 8])
        again = trees.tree_unflatten(leaves, spec)
        self.assertIs(type(again[0]), type(both))
        self.assertIs(again[0].indices, both.indices)
        self.assertEqual(again[1], (7, 8))

    def test_functions(self):
        from torch.utils._pytree import tree_all, tree_any, tree_leaves, tree_map, tree_map_only

        tree = [torch.ones(2), {"a": 3}]
        self.assertEqual(tree_map_only(int, lambda x: x + 1, tree)[1], {"a": 4})
        self.assertEqual(tree_map_only(torch.Tensor, lambda x: x.sum().item(), tree)[0], 2.0)
        self.assertEqual(tree_map(lambda a, b: a + b, [1, (2,)], [10, (20,)]), [11, (22,)])
        self.assertEqual(len(tree_leaves(tree)), 2)
        self.assertTrue(tree_any(lambda x: isinstance(x, int), tree))
        self.assertFalse(tree_all(lambda x: isinstance(x, int), tree))
        with self.assertRaises(ValueError):
            tree_map(lambda a, b: a, [1, 2], [1, 2, 3])

    def test_own_containers(self):
        from torch.utils._pytree import register_pytree_node, tree_leaves, tree_map

        class Pair:
            def __init__(self, a, b):
                self.a, self.b = a, b

        register_pytree_node(Pair, lambda p: ([p.a, p.b], None), lambda children, _: Pair(*children))
        self.assertEqual(tree_leaves([Pair(1, 2), 3]), [1, 2, 3])
        self.assertEqual(tree_map(lambda x: -x, Pair(1, 2)).b, -2)


class ConvolutionGradients(unittest.TestCase):
    def test_all(self):
        for n in (1, 2, 3):
            x = torch.randn(2, 4, *(5,) * n, requires_grad=True)
            w = torch.randn(6, 2, *(3,) * n, requires_grad=True)
            y = getattr(F, f"conv{n}d")(x, w, None, 2, 1, 1, 2)
            g = torch.randn_like(y)
            gx, gw = torch.autograd.grad(y, (x, w), g)
            torch.testing.assert_close(getattr(torch.nn.grad, f"conv{n}d_input")(x.shape, w, g, 2, 1, 1, 2), gx)
            torch.testing.assert_close(getattr(torch.nn.grad, f"conv{n}d_weight")(x, w.shape, g, 2, 1, 1, 2), gw)


@unittest.skipUnless(hasattr(torch, "_winnow"), "winnow's own messages")
class Absent(unittest.TestCase):
    def test_large_beta_does_not_overflow(self):
        self.assertTrue(torch.isfinite(torch.kaiser_window(8, True, 1000.0)).all())

    def test_reasons(self):
        """What is absent can be imported, subclassed and compared with; called, it says why it is absent."""
        from torch.fx import GraphModule, Tracer

        class Own(Tracer):
            pass

        self.assertFalse(isinstance(torch.nn.Linear(1, 1), GraphModule))
        for call, reason in ((lambda: torch.fft.fft(torch.ones(2)), "complex"), (Own, "graphs"), (lambda: torch.complex(1, 2), "complex"),
                             (lambda: importlib.import_module("torch.quantization").quantize_dynamic(1), "quantized"), (torch.nested.nested_tensor, "masks"),
                             (lambda: importlib.import_module("torch.distributed.fsdp").FullyShardedDataParallel(1), "process groups")):
            with self.assertRaisesRegex(NotImplementedError, reason):
                call()
        for call in (lambda: torch.fft.fourier, lambda: importlib.import_module("torch.fx.graphs")):
            with self.assertRaises((AttributeError, ModuleNotFoundError)):
                call()
        self.assertIn("rfft", dir(torch.fft))


if __name__ == "__main__":
    unittest.main()
