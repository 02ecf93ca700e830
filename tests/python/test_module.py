"""nn.Module: registration, names, text, copies, modes, conversion. SPDX-License-Identifier: Apache-2.0"""
import copy
import pickle
import unittest

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(4, 2, bias=False))
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.register_buffer("scratch", torch.ones(2), persistent=False)
        self.note = "plain"

    def forward(self, x, twice=False):
        y = self.rest(self.first(x)) * self.scale
        return y * 2 if twice else y


class Registration(unittest.TestCase):
    def test_names_in_order(self):
        net = Net()
        self.assertEqual([n for n, _ in net.named_parameters()], ["scale", "first.weight", "first.bias", "rest.1.weight"])
        self.assertEqual([n for n, _ in net.named_buffers()], ["steps", "scratch"])
        self.assertEqual([n for n, _ in net.named_modules()], ["", "first", "rest", "rest.0", "rest.1"])
        self.assertEqual([n for n, _ in net.named_children()], ["first", "rest"])
        self.assertEqual([n for n, _ in net.named_parameters(prefix="net", recurse=False)], ["net.scale"])
        self.assertEqual(len(list(net.modules())), 5)

    def test_shared_ones_count_once(self):
        net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
        net[1].weight = net[0].weight
        net.add_module("again", net[0])
        self.assertEqual([n for n, _ in net.named_parameters()], ["0.weight", "0.bias", "1.bias"])
        self.assertEqual([n for n, _ in net.named_parameters(remove_duplicate=False)],
                         ["0.weight", "0.bias", "1.weight", "1.bias", "again.weight", "again.bias"])
        self.assertEqual([n for n, _ in net.named_modules(remove_duplicate=False)], ["", "0", "1", "again"])

    def test_attributes_change_their_kind(self):
        m = nn.Module()
        m.x = 3
        m.x = nn.Parameter(torch.ones(1))
        self.assertNotIn("x", m.__dict__)
        self.assertEqual(list(m._parameters), ["x"])
        m.x = None
        self.assertEqual(m._parameters, {"x": None})
        m.y = nn.ReLU()
        m.y = None
        self.assertEqual(m._modules, {"y": None})
        m.register_buffer("z", torch.ones(1))
        m.z = torch.zeros(2)
        self.assertEqual(m._buffers["z"].tolist(), [0, 0])
        del m.z
        self.assertFalse(hasattr(m, "z"))
        m.b = nn.Buffer(torch.ones(1), persistent=False)
        self.assertEqual((list(m._buffers), m._non_persistent_buffers_set), (["b"], {"b"}))
        m.t = torch.ones(1)  # a plain tensor is no buffer
        self.assertEqual(list(m._buffers), ["b"])

    def test_errors(self):
        linear = nn.Linear(2, 2)
        cases = [
            (AttributeError, "'Linear' object has no attribute 'zork'", lambda: linear.zork),
            (TypeError, "cannot assign 'int' as parameter 'weight' (torch.nn.Parameter or None expected)", lambda: setattr(linear, "weight", 3)),
            (TypeError, "cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None expected)",
             lambda: setattr(linear, "weight", torch.ones(2))),
            (TypeError, "cannot assign 'int' as child module '0' (torch.nn.Module or None expected)", lambda: setattr(nn.Sequential(linear), "0", 3)),
            (TypeError, "cannot assign 'int' as buffer 'running_mean' (torch.nn.Buffer, torch.Tensor or None expected)",
             lambda: setattr(nn.BatchNorm1d(2), "running_mean", 3)),
            (KeyError, "attribute 'weight' already exists", lambda: linear.register_buffer("weight", None)),
            (KeyError, "attribute 'weight' already exists", lambda: linear.add_module("weight", nn.ReLU())),
            (KeyError, 'module name can\'t contain ".", got: a.b', lambda: linear.add_module("a.b", nn.ReLU())),
            (KeyError, 'buffer name can\'t be empty string ""', lambda: linear.register_buffer("", None)),
            (TypeError, "buffer name should be a string. Got int", lambda: linear.register_buffer(3, None)),
            (TypeError, "cannot assign 'int' object to buffer 'b' (torch Tensor or None required)", lambda: linear.register_buffer("b", 3)),
            (TypeError, "cannot assign 'torch.FloatTensor' object to parameter 'q' (torch.nn.Parameter or None required)",
             lambda: linear.register_parameter("q", torch.ones(2))),
            (TypeError, "int is not a Module subclass", lambda: linear.add_module("a", 3)),
            (TypeError, "int is not a Module subclass", lambda: nn.Sequential(3)),
            (AttributeError, "Linear has no attribute `a`", lambda: linear.get_submodule("a")),
            (AttributeError, "`weight` is not an nn.Module", lambda: linear.get_submodule("weight")),
            (AttributeError, "`weight` is not a buffer", lambda: linear.get_buffer("weight")),
            (TypeError, "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.int32",
             lambda: linear.to(torch.int32)),
            (ValueError, "training mode is expected to be boolean", lambda: linear.train(1)),
            (NotImplementedError, 'Module [Module] is missing the required "forward" function', lambda: nn.Module()(1)),
            (TypeError, "Module.__init__() takes 1 positional argument but 2 were given", lambda: nn.Module(1)),
        ]
        for kind, text, f in cases:
            with self.subTest(text), self.assertRaises(kind) as caught:
                f()
            self.assertIn(text, caught.exception.args[0])

    def test_before_init(self):
        class Bad(nn.Module):
            def __init__(self, what):
                self.x = what

        for what, text in ((nn.Parameter(torch.ones(1)), "cannot assign parameters before Module.__init__() call"),
                           (nn.ReLU(), "cannot assign module before Module.__init__() call")):
            with self.assertRaises(AttributeError) as caught:
                Bad(what)
            self.assertEqual(str(caught.exception), text)

    def test_dotted_names(self):
        net = Net()
        self.assertIs(net.get_submodule("rest.1"), net.rest[1])
        self.assertIs(net.get_submodule(""), net)
        self.assertIs(net.get_parameter("rest.1.weight"), net.rest[1].weight)
        self.assertIs(net.get_buffer("steps"), net.steps)
        net.set_submodule("rest.0", nn.Tanh())
        self.assertIsInstance(net.rest[0], nn.Tanh)

    def test_dir(self):
        names = dir(Net())
        for name in ("first", "scale", "steps", "note", "forward", "parameters"):
            self.assertIn(name, names)
        self.assertFalse([n for n in dir(nn.Sequential(nn.ReLU())) if n.isdigit()])


class Text(unittest.TestCase):
    def test_tree(self):
        self.assertEqual(repr(Net()), "Net(\n  (first): Linear(in_features=3, out_features=4, bias=True)\n  (rest): Sequential(\n    (0): ReLU()\n"
                                      "    (1): Linear(in_features=4, out_features=2, bias=False)\n  )\n)")
        self.assertEqual(repr(nn.Module()), "Module()")
        self.assertEqual(repr(nn.Sequential()), "Sequential()")
        self.assertEqual(repr(nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Tanh()])), "ModuleList(\n  (0-1): 2 x ReLU()\n  (2): Tanh()\n)")
        self.assertEqual(repr(nn.ModuleDict({"a": nn.ReLU(True)})), "ModuleDict(\n  (a): ReLU(inplace=True)\n)")
        self.assertEqual(repr(nn.ParameterList([torch.ones(2, 3), 3])),
                         "ParameterList(\n    (0): Parameter containing: [torch.float32 of size 2x3]\n    (1): Object of type: int\n)")
        self.assertEqual(repr(nn.ParameterDict({"a": torch.ones(2)})),
                         "ParameterDict(  (a): Parameter containing: [torch.FloatTensor of size 2])")

    def test_extra_lines(self):
        class Two(nn.Module):
            def extra_repr(self):
                return "one\ntwo"

        self.assertEqual(repr(Two()), "Two(\n  one\n  two\n)")

    def test_layers(self):
        for module, text in ((nn.Conv2d(4, 6, 3, padding=1, groups=2, bias=False),
                              "Conv2d(4, 6, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), groups=2, bias=False)"),
                             (nn.ConvTranspose1d(1, 2, 3, output_padding=1, stride=2),
                              "ConvTranspose1d(1, 2, kernel_size=(3,), stride=(2,), output_padding=(1,))"),
                             (nn.MaxPool2d(2), "MaxPool2d(kernel_size=2, stride=2, padding=0, dilation=1, ceil_mode=False)"),
                             (nn.Embedding(5, 3, padding_idx=-1), "Embedding(5, 3, padding_idx=4)"),
                             (nn.LSTM(3, 4, 2, batch_first=True), "LSTM(3, 4, num_layers=2, batch_first=True)"),
                             (nn.GELU(), "GELU(approximate='none')"), (nn.Dropout(0.1), "Dropout(p=0.1, inplace=False)")):
            self.assertEqual(repr(module), text)


class CopiesAndModes(unittest.TestCase):
    def test_deepcopy(self):
        net = Net()
        net.alias = net.first
        other = copy.deepcopy(net)
        self.assertIs(other.alias, other.first)
        self.assertIsNot(other.first.weight, net.first.weight)
        self.assertTrue(torch.equal(other.first.weight, net.first.weight))
        with torch.no_grad():
            other.first.weight.zero_()
        self.assertFalse(torch.equal(other.first.weight, net.first.weight))
        self.assertIsInstance(other.scale, nn.Parameter)
        x = torch.randn(5, 3)
        self.assertEqual(net(x).shape, other(x).shape)

    def test_pickle(self):
        net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.ReLU()).eval()
        other = pickle.loads(pickle.dumps(net))
        x = torch.randn(4, 3)
        self.assertTrue(torch.equal(net(x), other(x)))
        self.assertEqual(list(other.state_dict()), list(net.state_dict()))
        self.assertFalse(other.training)
        self.assertIsInstance(other[0].weight, nn.Parameter)

    def test_old_pickles_lack_dictionaries(self):
        m = nn.ReLU()
        state = {k: v for k, v in m.__dict__.items() if k not in ("_backward_pre_hooks", "_forward_hooks_with_kwargs")}
        other = nn.ReLU.__new__(nn.ReLU)
        other.__setstate__(state)
        self.assertEqual(other(torch.tensor([-1.0, 2.0])).tolist(), [0, 2])
        self.assertEqual(len(other._backward_pre_hooks), 0)

    def test_modes(self):
        net = Net()
        self.assertIs(net.eval(), net)
        self.assertFalse(net.rest[1].training)
        net.train()
        self.assertTrue(net.rest[1].training)

    def test_apply(self):
        seen = []
        net = Net()
        self.assertIs(net.apply(lambda m: seen.append(type(m).__name__)), net)
        self.assertEqual(seen, ["Linear", "ReLU", "Linear", "Sequential", "Net"])

    def test_gradients(self):
        net = Net()
        net(torch.randn(2, 3), twice=True).sum().backward()
        self.assertTrue(all(p.grad is not None for p in net.parameters()))
        net.zero_grad(set_to_none=False)
        self.assertEqual(net.scale.grad.tolist(), [0, 0])
        net.zero_grad()
        self.assertIsNone(net.scale.grad)
        net.requires_grad_(False)
        self.assertFalse(net(torch.randn(2, 3)).requires_grad)


class Conversion(unittest.TestCase):
    def test_dtypes(self):
        net = Net()
        weight = net.first.weight
        for convert, dtype in ((lambda m: m.double(), torch.float64), (lambda m: m.half(), torch.float16), (lambda m: m.float(), torch.float32),
                               (lambda m: m.bfloat16(), torch.bfloat16), (lambda m: m.to(torch.float64), torch.float64),
                               (lambda m: m.to("cpu", torch.float32), torch.float32), (lambda m: m.to(torch.ones(1).double()), torch.float64),
                               (lambda m: m.to(dtype=torch.float32, non_blocking=True), torch.float32),
                               (lambda m: m.to(device="cpu"), torch.float32), (lambda m: m.cpu(), torch.float32),
                               (lambda m: m.type(torch.float64), torch.float64)):
            self.assertIs(convert(net), net)
            self.assertIs(net.first.weight, weight)  # the optimizer has it
            self.assertEqual((weight.dtype, net.scratch.dtype), (dtype, dtype))
            if convert(Net()).steps.dtype != torch.float64:  # type() alone converts integers
                self.assertEqual(convert(Net()).steps.dtype, torch.int64)
        self.assertIsInstance(weight, nn.Parameter)
        self.assertTrue(weight.requires_grad and weight.is_leaf)

    def test_gradients_go_along(self):
        net = Net()
        net(torch.randn(2, 3)).sum().backward()
        grad = net.scale.grad
        net.double()
        self.assertIs(net.scale.grad, grad)
        self.assertEqual(grad.dtype, torch.float64)

    def test_to_empty(self):
        net = Net()
        weight = net.first.weight
        net.to_empty(device="cpu")
        self.assertIs(net.first.weight, weight)
        self.assertEqual(net.first.weight.shape, (4, 3))

    def test_memory_format(self):
        conv = nn.Conv2d(4, 6, 3).to(memory_format=torch.channels_last)
        self.assertTrue(conv.weight.is_contiguous(memory_format=torch.channels_last))

    def test_bad_arguments(self):
        with self.assertRaises(TypeError):
            Net().to({})


class Lazy(unittest.TestCase):
    def test_linear(self):
        m = nn.LazyLinear(4)
        self.assertTrue(m.has_uninitialized_params())
        with self.assertRaises(RuntimeError):
            m.weight.shape
        self.assertIsInstance(m.weight, nn.UninitializedParameter)
        self.assertEqual(m(torch.ones(2, 3)).shape, (2, 4))
        self.assertIs(type(m), nn.Linear)
        self.assertIs(type(m.weight), nn.Parameter)
        self.assertEqual((m.in_features, m.weight.shape, len(m._forward_pre_hooks)), (3, (4, 3), 0))

    def test_conversion_before(self):
        m = nn.LazyLinear(4).double()
        m(torch.ones(2, 3, dtype=torch.float64))
        self.assertEqual(m.weight.dtype, torch.float64)

    def test_convolution_and_norm(self):
        net = nn.Sequential(nn.LazyConv2d(6, 3), nn.LazyBatchNorm2d())
        self.assertEqual(net(torch.randn(2, 4, 8, 8)).shape, (2, 6, 6, 6))
        self.assertEqual((type(net[0]), type(net[1]), net[1].running_mean.shape), (nn.Conv2d, nn.BatchNorm2d, (6,)))

    def test_loading_decides(self):
        m = nn.LazyLinear(4)
        m.load_state_dict(nn.Linear(5, 4).state_dict())
        self.assertEqual(m(torch.ones(2, 5)).shape, (2, 4))


if __name__ == "__main__":
    unittest.main()
