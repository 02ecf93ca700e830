"""copy.copy, copy.deepcopy and pickle of tensors, parameters, subclasses, dtypes, sizes, devices.
SPDX-License-Identifier: Apache-2.0"""
import copy
import io
import pickle
import os
import subprocess
import sys
import unittest

import torch
from torch.nn import Parameter

from helper import DTYPES, Case, winnow_only

PROTOCOLS = (2, 3, 4, 5)


class Mine(torch.Tensor):
    pass


def there_and_back(value, protocol=2):
    return pickle.loads(pickle.dumps(value, protocol))


class Pickle(Case):
    @staticmethod
    def each(value):
        return [there_and_back(value, protocol) for protocol in PROTOCOLS]

    def test_every_dtype(self):
        for dtype in DTYPES:
            x = torch.tensor([[1, 0, 2], [3, 1, 0]], dtype=dtype)
            for y in self.each(x):
                self.same(y, x)
                self.assertNotEqual(y.data_ptr(), x.data_ptr())

    def test_special_values(self):
        x = torch.tensor([float("nan"), float("inf"), -0.0, 1e-45])
        y = there_and_back(x)
        self.values(y, x.tolist())
        self.assertEqual(str(y), str(x))

    def test_shapes(self):
        for x in (torch.tensor(5), torch.zeros(0), torch.zeros(2, 0, 3), torch.ones(1, 2, 3, 4, 5)):
            for y in self.each(x):
                self.same(y, x)

    def test_strides_are_kept(self):
        x = torch.arange(6).reshape(2, 3).t()
        for y in self.each(x):
            self.same(y, x)
            self.assertEqual(y.stride(), (1, 3))

    def test_requires_grad(self):
        for y in self.each(torch.ones(2, requires_grad=True)):
            self.assertTrue(y.requires_grad and y.is_leaf)

    def test_results_waiting_to_be_computed(self):
        x = torch.arange(20_000.0) * 2 + 1
        y = there_and_back(x)
        self.assertEqual(y[12_345].item(), 24_691.0)
        self.assertEqual(torch.ne(x, y).sum().item(), 0)

    def test_one_tensor_twice(self):
        x = torch.zeros(4)
        for a, b in self.each((x, x)):
            self.assertIs(a, b)

    @winnow_only
    def test_views_share_inside_one_pickle(self):
        x = torch.zeros(4)  # PyTorch has this only in torch.save
        for a, b in self.each((x, x[1:3])):
            b.fill_(7)
            self.values(a, [0.0, 7.0, 7.0, 0.0])
            self.assertEqual(b.storage_offset(), 1)

    def test_a_view_brings_its_place(self):
        for y in self.each(torch.arange(10)[3:7:2]):
            self.values(y, [3, 5])
            self.assertEqual((y.storage_offset(), y.stride()), (3, (2,)))

    def test_containers(self):
        state = {"w": torch.ones(2), "steps": [torch.tensor(1), (torch.zeros(1), None)], "lr": 0.1}
        for back in self.each(state):
            self.same(back["w"], state["w"])
            self.same(back["steps"][1][0], torch.zeros(1))

    def test_parameter(self):
        for p in self.each(Parameter(torch.ones(2))):
            self.assertIs(type(p), Parameter)
            self.assertTrue(p.requires_grad)
        for p in self.each(Parameter(torch.ones(2), requires_grad=False)):
            self.assertFalse(p.requires_grad)

    def test_subclass_and_attributes(self):
        x = torch.ones(2).as_subclass(Mine)
        x.note = ["a"]
        for y in self.each(x):
            self.assertIs(type(y), Mine)
            self.assertEqual(y.note, ["a"])
            self.values(y, [1.0, 1.0])
        plain = torch.ones(1)
        plain.note = "b"
        self.assertEqual(there_and_back(plain).note, "b")

    def test_gradient_stays_behind(self):
        x = torch.ones(2, requires_grad=True)
        x.sum().backward()
        self.assertIsNone(there_and_back(x).grad)

    def test_types(self):
        for value in (torch.Size([2, 3]), torch.device("cpu"), torch.float32):
            for back in self.each(value):
                self.assertEqual(back, value)
                self.assertIs(type(back), type(value))
        for dtype in DTYPES:
            self.assertIs(there_and_back(dtype), dtype)
        self.assertIs(there_and_back(torch.strided), torch.strided)

    def test_functions(self):
        self.assertIs(there_and_back(torch.add), torch.add)
        self.assertIs(there_and_back(torch.Tensor), torch.Tensor)

    def test_several_in_one_file(self):
        file = io.BytesIO()
        pickle.dump(torch.ones(2), file)
        pickle.dump(torch.zeros(3), file)
        file.seek(0)
        self.values(pickle.load(file), [1.0, 1.0])
        self.values(pickle.load(file), [0.0] * 3)


class Copies(Case):
    def test_shallow(self):
        x = torch.arange(6.0).reshape(2, 3).t()
        x.note = [1]
        y = copy.copy(x)
        self.assertIsNot(y, x)
        self.assertEqual((y.data_ptr(), y.stride()), (x.data_ptr(), x.stride()))
        y.zero_()
        self.assertEqual(x.sum().item(), 0.0)
        self.assertIs(y.note, x.note)

    def test_shallow_parameter(self):
        p = Parameter(torch.ones(2))
        q = copy.copy(p)
        self.assertIs(type(q), Parameter)
        self.assertEqual(q.data_ptr(), p.data_ptr())
        self.assertTrue(q.requires_grad)

    def test_deep(self):
        x = torch.arange(6.0).reshape(2, 3).t()
        x.note = [1]
        y = copy.deepcopy(x)
        self.same(y, x)
        self.assertEqual(y.stride(), x.stride())
        self.assertIsNot(y.note, x.note)
        self.assertEqual(y.note, [1])
        y.zero_()
        self.assertEqual(x.sum().item(), 15.0)

    def test_deep_keeps_sharing(self):
        x = torch.zeros(3)
        a, b = copy.deepcopy([x, x[1:]])
        b.fill_(4)
        self.values(a, [0.0, 4.0, 4.0])
        c, d = copy.deepcopy((x, x))
        self.assertIs(c, d)

    def test_deep_leaf(self):
        x = torch.ones(2, requires_grad=True)
        x.sum().backward()
        y = copy.deepcopy(x)
        self.assertTrue(y.requires_grad and y.is_leaf)
        self.values(y.grad, [1.0, 1.0])
        y.grad.zero_()
        self.values(x.grad, [1.0, 1.0])

    def test_deep_parameter(self):
        p = Parameter(torch.ones(2))
        p.sum().backward()
        q = copy.deepcopy(p)
        self.assertIs(type(q), Parameter)
        self.assertTrue(q.requires_grad and q.is_leaf)
        self.assertNotEqual(q.data_ptr(), p.data_ptr())
        self.assertIsNone(q.grad)  # unlike a plain tensor's

    def test_deep_of_a_result_with_history_is_refused(self):
        with self.raises(RuntimeError, "deepcopy protocol"):
            copy.deepcopy(torch.ones(2, requires_grad=True) * 2)
        self.assertFalse(copy.deepcopy((torch.ones(2, requires_grad=True) * 2).detach()).requires_grad)

    def test_clone_keeps_the_graph_and_drops_attributes(self):
        x = torch.ones(2, requires_grad=True)
        x.note = 1
        y = x.clone()
        self.assertFalse(hasattr(y, "note"))
        y.sum().backward()
        self.values(x.grad, [1.0, 1.0])

    def test_types(self):
        for value in (torch.float32, torch.strided, torch.contiguous_format):
            self.assertIs(copy.copy(value), value)
            self.assertIs(copy.deepcopy(value), value)
        self.assertEqual(copy.deepcopy(torch.device("cpu")), torch.device("cpu"))
        self.assertIs(type(copy.deepcopy(torch.Size([1]))), torch.Size)


@winnow_only
class Plain(Case):
    def test_without_standing_for_torch(self):
        here = os.path.dirname(os.path.abspath(__file__))
        package = os.path.dirname(os.path.dirname(torch.__file__))
        done = subprocess.run([sys.executable, os.path.join(here, "plain_pickle.py")], env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("found again\n", ""))


if __name__ == "__main__":
    unittest.main()
