"""FakeTensorMode: shapes, dtypes, devices and history without values."""
import unittest

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode


class TestFake(unittest.TestCase):
    def test_factories_and_functions(self):
        with FakeTensorMode() as mode:
            a, b = torch.randn(2, 3), torch.empty(3, 4, dtype=torch.float64)
            made = [a, b, torch.tensor([1.0, 2.0]), torch.zeros(2, device="cpu"), torch.arange(5), torch.ones_like(a)]
            results = [a @ b.float(), a + 1, a.sum(), a.t(), torch.cat([a, a]), *torch.split(a, 1), torch.max(a, 1).values, a[0], a.to(torch.int64), a > 0]
        for t in made + results:
            self.assertIsInstance(t, FakeTensor)
            self.assertEqual(t.device, torch.device("cpu"))
            self.assertIs(t.fake_mode, mode)
        self.assertEqual([tuple(t.shape) for t in results[:5]], [(2, 4), (2, 3), (), (3, 2), (4, 3)])
        self.assertEqual(results[-2].dtype, torch.int64)
        self.assertEqual(repr(a), "FakeTensor(..., size=(2, 3))")
        self.assertEqual((a * 2).device, torch.device("cpu"))  # outside the mode it still is one
        self.assertFalse(isinstance(torch.ones(2), FakeTensor))

    def test_a_module_forward_and_backward(self):
        with FakeTensorMode():
            model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 36, 10))
            out = model(torch.randn(4, 3, 8, 8))
            loss = torch.nn.functional.cross_entropy(out, torch.zeros(4, dtype=torch.int64))
            loss.backward()
            optimizer = torch.optim.AdamW(model.parameters())
            optimizer.step()
        self.assertEqual(out.shape, (4, 10))
        for p in model.parameters():
            self.assertIsInstance(p, FakeTensor)
            self.assertIsInstance(p, torch.nn.Parameter)
            self.assertIsInstance(p.grad, FakeTensor)
            self.assertEqual(p.grad.shape, p.shape)
            self.assertEqual(p.device.type, "cpu")

    def test_real_tensors(self):
        real = torch.arange(6.0).reshape(2, 3).t().requires_grad_()
        mode = FakeTensorMode()
        fake = mode.from_tensor(real)
        self.assertEqual((fake.shape, fake.stride(), fake.dtype, fake.requires_grad), (real.shape, real.stride(), real.dtype, True))
        parameter = mode.from_tensor(torch.nn.Parameter(torch.ones(3)))
        self.assertIsInstance(parameter, torch.nn.Parameter)
        with mode, self.assertRaisesRegex(AssertionError, "Please convert all Tensors to FakeTensors first"):
            real + 1
        with self.assertRaisesRegex(AssertionError, "Please convert all Tensors to FakeTensors first"):
            fake + real
        with FakeTensorMode(allow_non_fake_inputs=True):
            self.assertEqual((real + 1).shape, (3, 2))
        self.assertEqual(real.sum().item(), 15.0)

    def test_no_values(self):
        from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException

        with FakeTensorMode():
            a = torch.randn(4)
            for read in (lambda: a.sum().item(), lambda: bool(a.sum() > 0), lambda: a.tolist(), lambda: float(a[0])):
                with self.assertRaises(DataDependentOutputException):
                    read()
            for sized in (lambda: torch.nonzero(a), lambda: torch.masked_select(a, a > 0)):
                with self.assertRaises(DynamicOutputShapeException):
                    sized()
        with self.assertRaisesRegex(RuntimeError, "numpy"):
            a.numpy()


if __name__ == "__main__":
    unittest.main()
