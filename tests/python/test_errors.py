"""Wrong arguments: the exception's class and the words of its message that help. Each case is a line of Python that
must fail. Deliberately loose where winnow's text says more than PyTorch's. SPDX-License-Identifier: Apache-2.0"""
import unittest
import warnings

import torch

from helper import Case, run_child

CALLS = [  # too few, too many, unknown, twice
    ("torch.add()", TypeError, "add()"),
    ("torch.add(x)", TypeError, "add()"),
    ("torch.abs()", TypeError, "abs()", "input"),
    ("x.add()", TypeError, "add()"),
    ("x.permute()", TypeError, "permute()"),
    ("x.transpose(0)", TypeError, "transpose()", "dim1"),
    ("x.cumsum()", TypeError, "cumsum()", "dim"),
    ("x.view()", TypeError, "view()"),
    ("torch.linspace(0, 1)", TypeError, "linspace()"),
    ("torch.add(x, 1, 2, 3)", TypeError, "add()", "positional"),
    ("x.sum(0, 1, 2)", TypeError, "sum()", "positional"),
    ("torch.cat((x, x), 1, 2)", TypeError, "cat()", "positional"),
    ("torch.add(x, 1, foo=2)", TypeError, "add()", "unexpected keyword argument", "foo"),
    ("torch.exp(x, foo=2)", TypeError, "foo"),
    ("torch.add(x, 1, input=x)", TypeError, "add()", "multiple values", "input"),
    ("w.backward(foo=1)", TypeError, "foo"),
    ("torch.ones(2).item(5)", TypeError),
    ("torch.Tensor.add()", TypeError),
]
TYPES = [
    ("torch.add('a', 1)", TypeError, "add()", "must be Tensor, not str"),
    ("torch.add(x, None)", TypeError, "add()", "must be Tensor, not NoneType"),
    ("torch.add(x, [1])", TypeError, "add()", "list"),
    ("torch.add(x, 1, alpha='a')", TypeError, "alpha", "must be Number, not str"),
    ("torch.abs(5)", TypeError, "abs()", "must be Tensor, not int"),
    ("torch.exp([1.0])", TypeError, "exp()", "must be Tensor, not list"),
    ("torch.Tensor.add(5, x)", TypeError, "int"),
    ("x + 'a'", TypeError),
    ("x.sum('a')", TypeError, "sum()", "str"),
    ("x.sum(1.5)", TypeError, "sum()", "float"),
    ("x.sum(dim=[0, 'a'])", TypeError, "dim", "str"),
    ("x.sum(0, keepdim='a')", TypeError, "keepdim", "must be bool, not str"),
    ("x.sum(0, keepdim=1)", TypeError, "keepdim", "must be bool, not int"),
    ("x.sum(dtype='float32')", TypeError, "dtype", "str"),
    ("x.sum(dtype=5)", TypeError, "dtype", "int"),
    ("x.view('a')", TypeError, "view()", "str"),
    ("x.view(2.0, 3)", TypeError, "view()", "float"),
    ("x.squeeze('a')", TypeError, "squeeze()", "str"),
    ("x.requires_grad_('a')", TypeError, "must be bool, not str"),
    ("torch.cat(x)", TypeError, "cat()", "tensors"),
    ("torch.cat([x, 1])", TypeError, "expected Tensor as element 1", "int"),
    ("torch.where(m, 'a', 1)", TypeError, "where()", "str"),
    ("x.clamp(min='a')", TypeError, "clamp()", "str"),
    ("i.fill_('a')", TypeError, "fill_()", "str"),
    ("torch.full((2,), 'a')", TypeError, "full()", "fill_value", "str"),
    ("torch.full(2, 1)", TypeError, "full()", "size", "int"),
    ("torch.einsum(5, x)", TypeError),
    ("torch.rand(2, generator=5)", TypeError, "generator"),
    ("torch.ones(2).size(1.5)", TypeError, "size()", "must be int, not float"),
    ("abs('a')", TypeError),
]
SHAPES = [
    ("x + torch.ones(2, 4)", RuntimeError, "size of tensor a (3)", "size of tensor b (4)", "dimension 1"),
    ("x.add_(torch.ones(4, 2, 3))", RuntimeError, "output with shape [2, 3]", "broadcast shape [4, 2, 3]"),
    ("x.view(7)", RuntimeError, "shape '[7]' is invalid for input of size 6"),
    ("x.reshape(4)", RuntimeError, "shape '[4]' is invalid for input of size 6"),
    ("x.view(-1, -1)", RuntimeError, "only one dimension can be inferred"),
    ("x.t().view(6)", RuntimeError, "view size is not compatible with input tensor's size and stride", "reshape"),
    ("x.permute(0)", RuntimeError, "number of dimensions"),
    ("x.permute(0, 0)", RuntimeError, "duplicate dims"),
    ("torch.ones(1, 2, 3).t()", RuntimeError, "t() expects a tensor with <= 2 dimensions"),
    ("x.expand(4)", RuntimeError, "number of sizes provided (1)"),
    ("x.expand(3, 3)", RuntimeError, "(3)", "(2)", "non-singleton dimension 0"),
    ("x.expand(-1, -1, -1)", RuntimeError, "leading, non-existing dimension"),
    ("torch.cat([x, torch.ones(3, 4)])", RuntimeError, "Sizes of tensors must match except in dimension 0", "number 1"),
    ("torch.cat([x, torch.ones(3, 3, 3)])", RuntimeError, "same number of dimensions", "2", "3"),
    ("torch.stack([x, v])", RuntimeError, "equal size", "[2, 3]", "entry 1"),
    ("torch.stack([])", RuntimeError, "non-empty"),
    ("torch.cat([])", (ValueError, RuntimeError), "non-empty list of Tensors"),
    ("x @ x", RuntimeError, "mat1 and mat2 shapes cannot be multiplied"),
    ("torch.mm(v, x)", RuntimeError, "must be a matrix"),
    ("torch.bmm(x, x)", RuntimeError, "3D"),
    ("torch.dot(x, x)", RuntimeError, "1D tensors expected"),
    ("torch.matmul(x, torch.tensor(1.0))", RuntimeError, "at least 1D"),
    ("torch.einsum('ij,jk', x, x)", RuntimeError, "subscript j", "size 2", "size 3"),
    ("torch.einsum('i', x)", RuntimeError, "number of subscripts", "(1)", "(2)"),
    ("torch.einsum('ij->k', x)", RuntimeError, "output subscript k does not appear"),
    ("F.linear(x, torch.ones(2, 4))", RuntimeError, "shapes cannot be multiplied"),
    ("torch.tril(v)", RuntimeError, "at least 2 dimensions"),
    ("x.diagonal(0, 0, 0)", RuntimeError, "identical"),
    ("x.unflatten(0, (3, 3))", RuntimeError, "[3, 3]", "multiply up to"),
    ("x.split([1, 2])", RuntimeError, "2", "[1, 2]"),
    ("x.masked_fill(m, torch.ones(2))", RuntimeError, "0-dimensional value tensor"),
    ("torch.gather(x, 0, i)", RuntimeError, "dimensions"),
]
RANGES = [
    ("x.sum(5)", IndexError, "Dimension out of range", "[-2, 1]", "5"),
    ("x.sum(-3)", IndexError, "Dimension out of range", "[-2, 1]", "-3"),
    ("x.sum(dim=(0, 0))", RuntimeError, "dim 0 appears multiple times"),
    ("x.transpose(0, 3)", IndexError, "Dimension out of range"),
    ("x.unsqueeze(4)", IndexError, "Dimension out of range", "[-3, 2]"),
    ("x.squeeze(5)", IndexError, "Dimension out of range"),
    ("torch.cat([x], dim=5)", IndexError, "Dimension out of range"),
    ("F.softmax(x, 5)", IndexError, "Dimension out of range"),
    ("x.flip(5)", IndexError, "Dimension out of range"),
    ("x.movedim(0, 5)", IndexError, "Dimension out of range"),
    ("x.std(5)", IndexError, "Dimension out of range"),
    ("x.argmax(5)", IndexError, "Dimension out of range"),
    ("torch.gather(x, 2, torch.zeros(1, 1, dtype=torch.int64))", IndexError, "Dimension out of range"),
    ("x.select(0, 5)", IndexError, "index 5 out of range", "dimension 0"),
    ("x.narrow(0, 0, 5)", RuntimeError, "start (0) + length (5) exceeds dimension size (2)"),
    ("torch.topk(x, 5)", RuntimeError, "k out of range"),
    ("torch.gather(x, 0, torch.tensor([[0, 1, 5]]))", (RuntimeError, IndexError), "index 5 is out of bounds",
     "dimension 0 with size 2"),
    ("x.index_select(0, torch.tensor([5]))", (RuntimeError, IndexError), "index"),
    ("x.scatter_(0, torch.tensor([[5]]), x * 2)", (RuntimeError, IndexError), "index 5 is out of bounds"),
    ("F.cross_entropy(x, torch.tensor([0, 5]))", IndexError, "Target 5 is out of bounds"),
    ("torch.zeros(0).max()", RuntimeError, "max()", "numel() == 0"),
    ("torch.zeros(0).argmax()", IndexError, "argmax()", "numel() == 0"),
    ("torch.zeros(2, 0).max(1)", IndexError, "max()", "non-zero size"),
    ("x.chunk(0)", RuntimeError, "greater than 0"),
    ("torch.arange(1, 5, 0)", RuntimeError, "step must be nonzero"),
    ("torch.arange(5, 1)", RuntimeError, "inconsistent with step sign"),
    ("torch.linspace(0, 1, -1)", RuntimeError, "non-negative"),
    ("torch.eye(-1)", RuntimeError, "-1"),
    ("torch.randperm(-1)", RuntimeError, "-1"),
    ("torch.randint(5, 2, (1,))", RuntimeError, "from=5 >= to=2"),
    ("torch.normal(0.0, -1.0, (2,))", RuntimeError, "std >= 0.0"),
    ("x.bernoulli_(2.0)", RuntimeError, "[0, 1]"),
    ("F.dropout(x, p=2.0)", (ValueError, RuntimeError), "between 0 and 1"),
    ("torch.clamp(x)", RuntimeError, "At least one of 'min' or 'max' must not be None"),
    ("torch.pow(i, -1)", RuntimeError, "Integers to negative integer powers"),
    ("i // 0", RuntimeError, "ZeroDivisionError"),
    ("i % 0", RuntimeError, "ZeroDivisionError"),
]
DTYPES = [
    ("i.add_(1.5)", RuntimeError, "result type Float can't be cast to the desired output type Long"),
    ("i.add_(v)", RuntimeError, "result type Float can't be cast to the desired output type Long"),
    ("i.div_(2)", RuntimeError, "result type Float can't be cast to the desired output type Long"),
    ("i.exp_()", RuntimeError, "result type Float can't be cast to the desired output type Long"),
    ("i.clamp_(min=1.5)", RuntimeError, "result type Float can't be cast"),
    ("i.add_(v.double())", RuntimeError, "result type Double can't be cast to the desired output type Long"),
    ("m.add_(1)", RuntimeError, "result type Long can't be cast to the desired output type Bool"),
    ("m.mul_(2)", RuntimeError, "result type Long can't be cast to the desired output type Bool"),
    ("torch.add(i, 1, alpha=1.5)", RuntimeError, "For integral input tensors", "must not be a floating point number"),
    ("torch.add(x, 1, out=torch.empty(2, 3, dtype=torch.int64))", RuntimeError,
     "result type Float can't be cast to the desired output type Long"),
    ("torch.exp(i, out=torch.empty(2, dtype=torch.int64))", RuntimeError, "result type Float can't be cast"),
    ("torch.add(x, 1, out='a')", TypeError, "out", "must be Tensor, not str"),
    ("torch.add(x, 1, out=[x])", TypeError, "out", "must be Tensor, not list"),
    ("torch.max(x, 0, out=torch.empty(3))", TypeError, "out"),
    ("i.mean()", RuntimeError, "mean()", "floating point", "Long"),
    ("torch.softmax(i, 0)", (NotImplementedError, RuntimeError), "not implemented for 'Long'"),
    ("torch.bitwise_and(x, 1)", (NotImplementedError, RuntimeError), "Float"),
    ("torch.where(x, 1, 2)", RuntimeError, "boolean tensor"),
    ("x.masked_select(x)", RuntimeError, "masked_select", "Bool"),
    ("torch.gather(x, 0, x)", RuntimeError, "gather", "index"),
    ("torch.mm(x, x.t().double())", RuntimeError, "dtype"),
    ("-m", RuntimeError, "bool"),
    ("m - m", RuntimeError, "bool"),
    *[(code, RuntimeError, "Boolean alpha only supported for Boolean results.") for code in
      ("torch.add(x, x, alpha=True)", "x.add_(x, alpha=True)", "torch.add(i, i, alpha=True)", "torch.add(i, i, alpha=False)", "torch.add(m, i[0], alpha=True)",
       "torch.add(x, 1, alpha=True)", "torch.sub(x, x, alpha=True)", "x.sub(1, alpha=True)", "torch.rsub(i, i, alpha=True)")],
    *[(code, RuntimeError, "Integer division with addcdiv is no longer supported") for code in
      ("torch.addcdiv(i, i, i)", "i.addcdiv_(i, i)", "torch.addcdiv(v, i, i)", "torch.addcdiv(x, m, m)", "torch.addcdiv(v, v.bool(), i, value=2)")],
    ("torch.addcmul(m, m, m)", NotImplementedError, "\"addcmul_cpu_out\" not implemented for 'Bool'"),
    ("torch.pow(m, m)", NotImplementedError, "\"pow\" not implemented for 'Bool'"),
    ("torch.lerp(v, v.double(), 0.5)", RuntimeError, "expected dtype float for `end` but got dtype double"),
    ("torch.lerp(v, v.double(), v)", RuntimeError, "expected dtype float for `end` but got dtype double"),
    ("v.lerp_(v.double()[0], 0.5)", RuntimeError, "expected dtype float for `end` but got dtype double"),
    ("torch.lerp(v.half(), v, 0.5)", RuntimeError, "expected dtype c10::Half for `end` but got dtype float"),
    ("torch.lerp(v, i, 0.5)", RuntimeError, "expected dtype float for `end` but got dtype long int"),
    ("torch.lerp(v, v, v.double())", RuntimeError, "expected dtype float for `weight` but got dtype double"),
    ("torch.lerp(v, v, i)", RuntimeError, "expected dtype float for `weight` but got dtype long int"),
    ("torch.lerp(i, i, 0.5)", NotImplementedError, "\"lerp_kernel_scalar\" not implemented for 'Long'"),
    ("torch.lerp(i, i, i)", NotImplementedError, "\"lerp_kernel_tensor\" not implemented for 'Long'"),
    ("torch.linspace(0, 1, 3, dtype=torch.bool)", NotImplementedError, "\"linspace_cpu\" not implemented for 'Bool'"),
    ("torch.linspace(0, 1, 3, out=torch.empty(3, dtype=torch.bool))", NotImplementedError, "\"linspace_cpu\" not implemented for 'Bool'"),
    ("torch.linspace(torch.tensor(0.0), torch.tensor(1.0), 3, dtype=torch.bool)", NotImplementedError, "\"linspace_cpu\" not implemented for 'Bool'"),
    ("torch.logspace(0, 1, 3, dtype=torch.bool)", NotImplementedError, "\"logspace_cpu\" not implemented for 'Bool'"),
    ("torch.randperm(2, dtype=torch.bool)", NotImplementedError, "\"randperm\" not implemented for 'Bool'"),
    ("torch.nonzero(x, as_tuple=True, out=torch.empty(0, dtype=torch.int64))", RuntimeError, "nonzero does not support the out kwarg when as_tuple is True"),
    ("torch.nonzero(x, as_tuple=None)", TypeError, "nonzero(): argument 'as_tuple' must be bool, not NoneType"),
    ("F.scaled_dot_product_attention(x, x, x, attn_mask=torch.ones(2, 2, dtype=torch.bool), is_causal=True)", RuntimeError,
     "Explicit attn_mask should not be set when is_causal=True"),
]
DEVICES = [
    ("torch.ones(1, device='cuda')", (RuntimeError, AssertionError), "CUDA"),
    ("x.to('cuda')", (RuntimeError, AssertionError), "CUDA"),
    ("x.cuda()", (RuntimeError, AssertionError), "CUDA"),
    ("x.to(torch.device('cuda'))", (RuntimeError, AssertionError), "CUDA"),
    ("torch.ones(1, device='foo')", RuntimeError, "foo"),
    ("torch.ones(1, device=1.5)", TypeError, "device", "float"),
    ("torch.ones(1, dtype='float32')", TypeError, "dtype"),
    ("torch.ones(1, layout='strided')", TypeError, "layout"),
]
OVERFLOW = [
    ("x.add(1 << 70)", OverflowError),
    ("i.fill_(1 << 64)", OverflowError),
    ("torch.full((1,), 1 << 63)", RuntimeError, "overflow"),
    ("torch.zeros(1 << 63)", (TypeError, ValueError, OverflowError, RuntimeError)),
    ("x.sum(1 << 70)", (ValueError, OverflowError)),
    ("torch.ones(1, dtype=torch.int8).fill_(300)", RuntimeError, "overflow"),
    ("torch.tensor(float('inf')).long().new_full((1,), float('nan'))", RuntimeError, "overflow"),
]
ATTRIBUTES = [
    ("x.nonexistent", AttributeError, "Tensor' object has no attribute 'nonexistent'"),
    ("torch.nonexistent", AttributeError, "nonexistent"),
    ("F.nonexistent", AttributeError, "nonexistent"),
    ("setattr(x, 'shape', 3)", AttributeError),
    ("setattr(x, 'dtype', torch.int32)", AttributeError),
    ("setattr(x, 'grad_fn', None)", AttributeError),
]


class Errors(Case):
    def check(self, cases):
        for code, kind, *words in cases:
            with self.subTest(code=code):
                x, v, i = torch.ones(2, 3), torch.ones(2), torch.tensor([1, 2])
                names = {"torch": torch, "F": torch.nn.functional, "x": x, "v": v, "i": i, "m": x > 0,
                         "w": torch.ones(2, requires_grad=True)}
                with self.raises(kind, *words):
                    eval(code, names)
                self.values(x, [[1.0] * 3] * 2)  # whatever failed, failed before it wrote
                self.values(i, [1, 2])
                self.values(x + 1, [[2.0] * 3] * 2)  # and leaves nothing behind

    def test_calls(self):
        self.check(CALLS)

    def test_types(self):
        self.check(TYPES)

    def test_shapes(self):
        self.check(SHAPES)

    def test_ranges(self):
        self.check(RANGES)

    def test_dtypes(self):
        self.check(DTYPES)
        v, b = torch.ones(2), torch.tensor([True, False])
        self.values(torch.add(b, b, alpha=True), [True, False])  # what is near them, and works
        self.values(torch.add(b, ~b, alpha=False), [True, False])
        self.values(torch.lerp(v, 2 * v, torch.tensor(0.5, dtype=torch.float64)), [1.5, 1.5])
        self.values(torch.addcdiv(v, torch.tensor([1, 2]), 2 * v), [1.5, 2.0])

    def test_devices(self):
        self.check(DEVICES)

    def test_overflow(self):
        self.check(OVERFLOW)

    def test_attributes(self):
        self.check(ATTRIBUTES)


class Mixes(Case):
    """Positional and keyword forms that must work."""

    def test_equal_calls(self):
        x, y = torch.arange(6.0).reshape(2, 3), torch.ones(2, 3)
        for a, b in [(torch.add(x, y), torch.add(input=x, other=y)), (torch.add(x, y, alpha=2), x.add(y, alpha=2)),
                     (x.sum(0, True), torch.sum(x, dim=0, keepdim=True)), (x.sum(axis=0), x.sum(dim=0)),
                     (x.permute(1, 0), x.permute((1, 0))), (x.permute(dims=(1, 0)), x.permute([1, 0])),
                     (x.view(3, 2), x.view((3, 2))), (x.reshape(shape=(3, 2)), x.reshape(3, 2)),
                     (torch.cat([x, y], 1), torch.cat(tensors=(x, y), dim=1)),
                     (torch.clamp(x, 1, 2), x.clamp(max=2, min=1)),
                     (torch.where(x > 2, x, y), torch.where(condition=x > 2, input=x, other=y)),
                     (x.transpose(0, 1), x.transpose(dim1=1, dim0=0)), (torch.softmax(x, -1), x.softmax(dim=-1)),
                     (x.expand(4, 2, 3), x.expand((4, 2, 3))),
                     (torch.full((2,), 1.0), torch.full(size=[2], fill_value=1.0))]:
            self.same(a, b)

    def test_out(self):
        x = torch.arange(6.0).reshape(2, 3)
        wide = torch.empty(2, 3, dtype=torch.float64)
        self.assertIs(torch.add(x, 1, out=wide), wide)
        self.values(wide, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        self.values(torch.add(x, 1, out=None), wide.tolist())
        transposed = torch.empty(3, 2).t()
        torch.mul(x, 2, out=transposed)
        self.same(transposed, x * 2)
        self.assertEqual(transposed.stride(), (1, 2))
        values, indices = torch.empty(0), torch.empty(0, dtype=torch.int64)
        result = torch.max(x, 0, out=(values, indices))
        self.assertIs(result[0], values)
        self.values(indices, [1, 1, 1])

    def test_out_of_another_size(self):
        x = torch.arange(6.0).reshape(2, 3)
        out = torch.zeros(5)
        with self.assertWarnsRegex(UserWarning, "resized"):
            torch.add(x, 1, out=out)
        self.values(out, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        empty = torch.empty(0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            torch.add(x, 1, out=empty)  # of no elements: resized without a word
        self.assertEqual(empty.shape, (2, 3))

    def test_nothing_is_printed(self):
        status, out, err = run_child("""
            import torch
            for _ in range(3):
                for wrong in (lambda: torch.ones(2) + torch.ones(3), lambda: torch.ones(2)[5],
                              lambda: torch.add("a", 1)):
                    try:
                        wrong()
                    except (RuntimeError, IndexError, TypeError):
                        pass
                    else:
                        raise SystemExit("no error")
            print((torch.ones(1) + 1).item())
        """)
        self.assertEqual((status, out, err), (0, "2.0\n", ""))


if __name__ == "__main__":
    unittest.main()
