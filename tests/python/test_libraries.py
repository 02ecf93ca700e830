"""What libraries written on PyTorch import and use, as timm, transformers, Lightning, PyG, Pyro and GPyTorch do: modes, paths of containers, futures,
operators with names, torch's version where packages are listed."""
import importlib.metadata
import unittest

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode

from helper import needs_numpy


class Log(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append(getattr(func, "__name__", "?"))
        return func(*args, **(kwargs or {}))


class Modes(unittest.TestCase):
    def test_all_calls_are_seen(self):
        x = torch.ones(3)
        with Log() as log:
            y = torch.zeros(3) + x
            y.sum()
            y[1:] = 2
        z = x * 2
        self.assertEqual([n for n in log.names if n in ("zeros", "sum", "mul")], ["zeros", "sum"])
        self.assertTrue(any("add" in n for n in log.names) and "__setitem__" in log.names)
        self.assertEqual((y.tolist(), z.tolist()), ([1, 2, 2], [2, 2, 2]))

    def test_answers_replace(self):
        class NoInit(TorchFunctionMode):
            """As Lightning leaves out the filling of parameters."""

            def __torch_function__(self, func, types, args=(), kwargs=None):
                if getattr(func, "__name__", "") == "uniform_":
                    return args[0]
                return func(*args, **(kwargs or {}))

        x = torch.zeros(4)
        with NoInit():
            self.assertIs(x.uniform_(1, 2), x)
        self.assertEqual(x.tolist(), [0] * 4)

    def test_nested_ones_and_errors(self):
        with Log() as outer, Log() as inner:
            torch.ones(2)
        self.assertEqual((outer.names, inner.names), (["ones"], ["ones"]))

        class Raises(TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                raise KeyError("mine")

        with self.assertRaises(KeyError):
            with Raises():
                torch.ones(2)
        self.assertEqual(torch.ones(2).tolist(), [1, 1])  # it was left


class Trees(unittest.TestCase):
    def test_paths(self):
        from collections import namedtuple

        from torch.utils._pytree import keystr, tree_flatten_with_path, tree_leaves_with_path, tree_map_with_path, tree_unflatten

        Point = namedtuple("Point", "x y")
        tree = {"a": [1, (2,)], "b": Point(3, [4])}
        self.assertEqual([(keystr(k), v) for k, v in tree_leaves_with_path(tree)], [("['a'][0]", 1), ("['a'][1][0]", 2), ("['b'].x", 3), ("['b'].y[0]", 4)])
        leaves, spec = tree_flatten_with_path(tree)
        self.assertEqual(tree_unflatten([v for _, v in leaves], spec), tree)
        self.assertEqual(tree_map_with_path(lambda k, v: keystr(k) * v, [1, 2]), ["[0]", "[1][1]"])


class Futures(unittest.TestCase):
    def test_values_come_from_elsewhere(self):
        import threading

        f = torch.futures.Future()
        later = f.then(lambda done: done.value() + 1)
        threading.Thread(target=lambda: f.set_result(41)).start()
        self.assertEqual((later.wait(), f.value()), (42, 41))
        with self.assertRaises(RuntimeError):
            f.set_result(1)
        g = torch.futures.Future()
        g.set_exception(ValueError("no"))
        with self.assertRaisesRegex(ValueError, "no"):
            g.wait()
        a, b = torch.futures.Future(), torch.futures.Future()
        both = torch.futures.collect_all([a, b])
        a.set_result(1)
        self.assertFalse(both.done())
        b.set_result(2)
        self.assertEqual([x.value() for x in both.wait()], [1, 2])


class Operators(unittest.TestCase):
    def test_custom_operator_with_a_gradient(self):
        @torch.library.custom_op("winnow_test::square", mutates_args=())
        def square(x: torch.Tensor) -> torch.Tensor:
            return x * x

        square.register_fake(torch.empty_like)
        x = torch.tensor([1.0, 3.0], requires_grad=True)
        square.register_autograd(lambda ctx, g: 2 * ctx.saved_tensors[0] * g, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
        square(x).sum().backward()
        self.assertEqual(x.grad.tolist(), [2, 6])
        self.assertEqual(torch.ops.winnow_test.square(torch.tensor([2.0])).tolist(), [4])
        with self.assertRaises(AttributeError):
            torch.ops.winnow_test.cube

    def test_aten(self):
        aten = torch.ops.aten
        self.assertEqual(aten.add.Tensor(torch.ones(2), torch.ones(2)).tolist(), [2, 2])
        self.assertIs(aten.mul.Tensor, torch.ops.aten.mul.Tensor)
        self.assertEqual({aten.clone.default: 1}[aten.clone.default], 1)

    @unittest.skipUnless(hasattr(torch, "_winnow"), "winnow lacks it")
    def test_aten_without_a_function(self):
        self.assertIsNone(torch.ops.aten.mul.Tensor.refused)
        with self.assertRaisesRegex(NotImplementedError, "no function"):
            torch.ops.aten._fused_nothing.default(1)


class Names(unittest.TestCase):
    def test_version_of_the_package(self):
        self.assertTrue(torch.__version__.startswith(importlib.metadata.version("torch").partition("+")[0]))

    def test_limits_of_narrow_floats(self):
        self.assertEqual([torch.finfo(d).max for d in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz)], [448, 57344, 240])
        self.assertEqual([d.itemsize for d in (torch.uint16, torch.uint32, torch.uint64)], [2, 4, 8])

    def test_lowrank(self):
        torch.manual_seed(0)
        a = torch.randn(2, 30, 4) @ torch.randn(2, 4, 20)
        for x in (a, a.mT, a[0]):
            u, s, v = torch.svd_lowrank(x, 6)
            torch.testing.assert_close(u * s.unsqueeze(-2) @ v.mT, x, rtol=1e-4, atol=1e-4)
        u, s, v = torch.pca_lowrank(a[0], 4)
        torch.testing.assert_close(s, torch.linalg.svdvals(a[0] - a[0].mean(0))[:4], rtol=1e-4, atol=1e-4)
        with self.assertRaises(ValueError):
            torch.pca_lowrank(a[0], 21)

    def test_constraints_have_classes(self):
        """Pyro derives its own."""
        from torch.distributions import biject_to, constraints, transforms

        class Softplus(type(constraints.lower_cholesky)):
            pass

        own = Softplus()
        self.assertTrue(own.check(torch.eye(2)))
        with self.assertRaises(NotImplementedError):
            biject_to(own)
        biject_to.register(Softplus)(lambda constraint: transforms.LowerCholeskyTransform())
        self.assertIsInstance(biject_to(own), transforms.LowerCholeskyTransform)
        self.assertIsInstance(biject_to(constraints.corr_cholesky), transforms.CorrCholeskyTransform)

    @needs_numpy
    def test_numpy_under_no_grad(self):
        w = torch.ones(2, requires_grad=True)
        with torch.no_grad():
            self.assertEqual(w.numpy().tolist(), [1, 1])
        with self.assertRaises(RuntimeError):
            w.numpy()

    def test_networks_built_on_meta(self):
        """transformers' from_pretrained: a network without values, whose parameters are replaced."""
        with torch.device("meta"):
            net = torch.nn.Linear(2, 1, bias=False)
        net.weight = torch.nn.Parameter(torch.tensor([[1.0, 2.0]]))
        self.assertEqual(net(torch.ones(1, 2)).tolist(), [[3]])

    def test_meta_draws_nothing(self):
        torch.manual_seed(5)
        expected = torch.rand(3)
        torch.manual_seed(5)
        with torch.device("meta"):
            torch.nn.Linear(30, 40)
            with torch.device("meta"):
                torch.nn.Linear(3, 4)
        self.assertTrue(torch.equal(torch.rand(3), expected))

    def test_to_meta(self):
        """The base of an ensemble (PyTorch's tutorial): its parameters are given with each call."""
        models = [torch.nn.Linear(3, 2) for _ in range(4)]
        params, buffers = torch.func.stack_module_state(models)
        base = torch.nn.Linear(3, 2).to("meta")
        f = torch.func.vmap(lambda p, b, x: torch.func.functional_call(base, (p, b), (x,)), in_dims=(0, 0, None))
        x = torch.rand(5, 3)
        y = f(params, buffers, x)
        for i, model in enumerate(models):
            self.assertTrue(torch.allclose(y[i], model(x), atol=1e-6))
        big = torch.zeros(()).expand(1 << 40).to(device="meta", dtype=torch.float64)  # no memory
        self.assertEqual((big.shape, big.dtype), ((1 << 40,), torch.float64))
        self.assertEqual([p.requires_grad for p in base.half().to(torch.device("meta"), torch.float32).parameters()], [True, True])
        self.assertTrue(base.weight.data.add_(1).is_meta)
        base.to_empty(device="cpu").load_state_dict(models[1].state_dict())
        self.assertTrue(torch.equal(base(x), models[1](x)))

    def test_modules_are_no_scripts(self):
        self.assertFalse(isinstance(torch.nn.Linear(1, 1), torch.jit.ScriptModule))
        self.assertEqual(torch.ones(2, dtype=torch.int64).new(3).shape, (3,))
        self.assertEqual(torch.ones(2, dtype=torch.int64).new([4]).dtype, torch.int64)

    def test_imports(self):
        from torch._tensor_str import PRINT_OPTS, _tensor_str
        from torch.distributed.optim import ZeroRedundancyOptimizer  # noqa: F401
        from torch.fx import wrap
        from torch.hub import HASH_REGEX
        from torch.jit.annotations import List  # noqa: F401
        from torch.serialization import MAP_LOCATION  # noqa: F401

        self.assertEqual(_tensor_str(torch.ones(2), 0), "[1., 1.]")
        self.assertEqual((PRINT_OPTS.precision, HASH_REGEX.search("net-0a1b.pth").group(1)), (4, "0a1b"))
        self.assertTrue(callable(wrap))


@unittest.skipUnless(hasattr(torch, "_winnow"), "winnow's own torchvision")
class Vision(unittest.TestCase):
    def setUp(self):
        import torchvision

        if "winnow" not in torchvision.__version__:
            self.skipTest("a torchvision is installed")
        self.vision = torchvision

    def test_models(self):
        """Numbers of parameters as torchvision lists them."""
        for name, count in (("resnet18", 11_689_512), ("resnet50", 25_557_032), ("mobilenet_v2", 3_504_872)):
            self.assertEqual(sum(p.numel() for p in self.vision.models.get_model(name).parameters()), count)
        net = self.vision.models.resnet18(num_classes=3)
        net(torch.randn(2, 3, 32, 32)).sum().backward()
        self.assertIn("layer4.1.bn2.running_var", net.state_dict())
        with self.assertRaisesRegex(NotImplementedError, "weights"):
            self.vision.models.resnet18(weights="DEFAULT")

    def test_boxes(self):
        from torchvision.ops import batched_nms, box_convert, box_iou, nms

        boxes = torch.tensor([[0.0, 0, 2, 2], [1, 1, 3, 3], [0, 0, 2, 1.9]])
        torch.testing.assert_close(box_iou(boxes, boxes)[0], torch.tensor([1, 1 / 7, 0.95]))
        scores = torch.tensor([0.5, 0.9, 0.8])
        self.assertEqual(nms(boxes, scores, 0.5).tolist(), [1, 2])
        self.assertEqual(batched_nms(boxes, scores, torch.tensor([0, 0, 1]), 0.5).tolist(), [1, 2, 0])
        for form in ("xywh", "cxcywh"):
            torch.testing.assert_close(box_convert(box_convert(boxes, "xyxy", form), form, "xyxy"), boxes)

    def test_colours(self):
        import colorsys

        from torchvision.transforms import ColorJitter, RandomResizedCrop, functional as T

        x = torch.rand(3, 4, 5)
        h, s, v = colorsys.rgb_to_hsv(*x[:, 1, 2].tolist())
        torch.testing.assert_close(T.adjust_hue(x, 0.3)[:, 1, 2], torch.tensor(colorsys.hsv_to_rgb((h + 0.3) % 1, s, v)), rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(T.adjust_brightness(x, 0.5), x * 0.5)
        self.assertEqual(T.adjust_contrast((x * 255).to(torch.uint8), 0.0).unique().numel(), 1)
        self.assertEqual(ColorJitter(0.4, 0.4, 0.4, 0.1)(x).shape, x.shape)
        self.assertEqual(RandomResizedCrop(7)(x).shape, (3, 7, 7))
        self.assertEqual(T.hflip(x)[0, 0].tolist(), x[0, 0].flip(0).tolist())

    def test_layers(self):
        from torchvision.ops import MLP, Conv2dNormActivation, FrozenBatchNorm2d, SqueezeExcitation, sigmoid_focal_loss, stochastic_depth

        x = torch.randn(2, 8, 6, 6)
        self.assertEqual(Conv2dNormActivation(8, 4, 3, 2)(x).shape, (2, 4, 3, 3))
        self.assertEqual(SqueezeExcitation(8, 2)(x).shape, x.shape)
        torch.testing.assert_close(FrozenBatchNorm2d(8)(x), x / (1 + 1e-5) ** 0.5)
        self.assertEqual(MLP(8, [4, 2])(torch.randn(3, 8)).shape, (3, 2))
        self.assertEqual(set(stochastic_depth(torch.ones(100, 2), 0.5, "row").sum(1).tolist()), {0.0, 4.0})
        p, t = torch.randn(5), torch.ones(5)
        torch.testing.assert_close(sigmoid_focal_loss(p, t, -1, 0), F.binary_cross_entropy_with_logits(p, t, reduction="none"))


if __name__ == "__main__":
    unittest.main()
