"""What a mask left out reaches no gradient through any operation that moves elements, in first and second derivatives; what
nobody read is a zero, as in torch. Expectations are dense: the same computation at x with its poles replaced ("double where").
SPDX-License-Identifier: Apache-2.0"""
import math
import random
import unittest

import torch
import torch.nn.functional as F

from helper import Case, winnow_only

SHAPE = (4, 6)
LONG = torch.tensor


def grid(shape=SHAPE, poles=(1, 4, 10, 15, 23)):
    n = math.prod(shape)
    return torch.tensor([0.0 if i in poles else 0.3 + (i * 7 % n) / n for i in range(n)], dtype=torch.float64).reshape(shape)


def sorted_gather(u):
    return u.gather(1, u.argsort(1))


def assigned(u, place, value=2.0):
    v = u * 1
    v[place] = value
    return v


def as_windows(u):
    return u.as_strided((3, 2, 3), (6, 2, 1), 1)


def fold(u):
    return F.fold(F.unfold(u.reshape(1, 1, 4, 6), 2), (4, 6), 2)


ROWS = LONG([3, 0, 3, 1])
PICKS = LONG([[0, 1, 5, 4], [4, 4, 0, 2], [1, 2, 3, 4], [3, 5, 3, 0]])
TAKEN = LONG([1, 4, 23, 4, 7, 0, 11, 15])
FLAGS = torch.tensor([[(i * 5 + j * 3) % 4 != 1 for j in range(6)] for i in range(4)])
OTHER = torch.linspace(1, 2, 24, dtype=torch.float64).reshape(SHAPE)

MOVES = {
    "view": lambda u: u.view(3, 8), "reshape": lambda u: u.t().reshape(8, 3), "permute": lambda u: u.permute(1, 0),
    "transpose": lambda u: u.transpose(0, 1), "t": lambda u: u.t(), "mT": lambda u: u.mT, "movedim": lambda u: u.movedim(0, 1),
    "movedim_list": lambda u: u.movedim((0, 1), (1, 0)), "expand": lambda u: u.unsqueeze(0).expand(3, 4, 6),
    "squeeze": lambda u: u.unsqueeze(1).squeeze(), "squeeze_dim": lambda u: u.unsqueeze(1).squeeze(1),
    "squeeze_dims": lambda u: u.unsqueeze(1).squeeze((0, 1)), "flatten": lambda u: u.flatten(), "unflatten": lambda u: u.unflatten(1, (2, 3)),
    "select": lambda u: u[1], "select column": lambda u: u.select(1, 4), "slice": lambda u: u[1:, ::2], "narrow": lambda u: u.narrow(1, 1, 4),
    "diagonal": lambda u: u.diagonal(1), "as_strided": as_windows, "unfold": lambda u: u.unfold(1, 3, 1), "unfold with gaps": lambda u: u.unfold(1, 2, 4),
    "unbind": lambda u: torch.cat(u.unbind(0)[::-1]), "unbind, some": lambda u: u.unbind(1)[4], "split": lambda u: torch.cat(u.split(4, 1)[::-1], 1),
    "split, some": lambda u: u.split(2, 1)[2], "split_with_sizes": lambda u: torch.cat(u.split([1, 3, 2], 1)[::-1], 1),
    "chunk": lambda u: torch.cat(u.chunk(3, 1)[::-1], 1), "chunk, some": lambda u: u.chunk(2)[0], "tensor_split": lambda u: u.tensor_split(4, 1)[0],
    "hsplit": lambda u: u.hsplit(2)[1], "vsplit": lambda u: u.vsplit(2)[0], "meshgrid": lambda u: torch.meshgrid(u[0], u[1], indexing="ij")[0],
    "cat": lambda u: torch.cat([u, u * 2, u[:2]]), "cat of many": lambda u: torch.cat([u[i % 4:i % 4 + 1] for i in range(20)]),
    "stack": lambda u: torch.stack([u, u + 1], 1), "stack of many": lambda u: torch.stack([u * i for i in range(1, 20)]),
    "hstack": lambda u: torch.hstack([u, u]), "block_diag": lambda u: torch.block_diag(u, u[:2]), "flip": lambda u: u.flip(0, 1), "fliplr": lambda u: u.fliplr(),
    "roll": lambda u: u.roll(2, 1), "roll of all": lambda u: u.roll(5), "roll of both": lambda u: u.roll((1, -2), (0, 1)), "rot90": lambda u: u.rot90(),
    "repeat": lambda u: u.repeat(2, 1), "tile": lambda u: u.tile(2), "repeat_interleave": lambda u: u.repeat_interleave(2, 1),
    "repeat_interleave of each": lambda u: u.repeat_interleave(LONG([1, 0, 2, 1]), 0), "clone": lambda u: u.clone(), "contiguous": lambda u: u.t().contiguous(),
    "to": lambda u: u.to(torch.float32).to(torch.float64), "tril": lambda u: u.tril(2), "triu": lambda u: u.triu(), "diag": lambda u: u[:, :4].diag(),
    "diag_embed": lambda u: u.diag_embed(), "index_select": lambda u: u.index_select(0, ROWS), "x[i]": lambda u: u[ROWS],
    "x[:, i]": lambda u: u[:, LONG([4, 1, 1])], "x[i, j]": lambda u: u[ROWS, LONG([1, 4, 5, 3])], "x[i, None, m]": lambda u: u[:, FLAGS[0]], "x[m]": lambda u: u[FLAGS],
    "gather": lambda u: u.gather(1, PICKS), "gather of columns": lambda u: u.gather(0, PICKS % 4), "take": lambda u: u.take(TAKEN),
    "take_along_dim": lambda u: u.take_along_dim(PICKS, 1), "masked_select": lambda u: u.masked_select(FLAGS), "pad": lambda u: F.pad(u, (1, 2)),
    "pad, negative": lambda u: F.pad(u, (-1, 2, 1, -1)), "pad, reflect": lambda u: F.pad(u[None], (2, 1), mode="reflect"),
    "pad, replicate": lambda u: F.pad(u[None], (2, 1), mode="replicate"), "pad, circular": lambda u: F.pad(u[None], (2, 1), mode="circular"),
    "scatter": lambda u: u.scatter(1, PICKS, OTHER[:, :4]), "scatter, source": lambda u: OTHER.scatter(1, LONG([[5, 0, 2, 1, 3, 4]] * 4), u),
    "scatter, repeats": lambda u: OTHER.scatter(1, PICKS, u), "scatter of a number": lambda u: u.scatter(1, PICKS[:, :2], 3.0),
    "scatter_add": lambda u: u.scatter_add(1, PICKS, OTHER), "scatter_add, source": lambda u: OTHER.scatter_add(1, PICKS, u),
    "scatter_reduce, sum": lambda u: u.scatter_reduce(1, PICKS, OTHER, "sum"), "scatter_reduce, mean": lambda u: OTHER.scatter_reduce(1, PICKS, u, "mean"),
    "index_add": lambda u: u.index_add(0, ROWS, OTHER), "index_add, source": lambda u: OTHER.index_add(0, ROWS, u, alpha=-2), "index_copy": lambda u: u.index_copy(0, LONG([2, 1]), OTHER[:2]),
    "index_copy, source": lambda u: OTHER.index_copy(0, LONG([2, 1, 3, 0]), u), "index_fill": lambda u: u.index_fill(1, LONG([3, 0]), 2.0),
    "index_put": lambda u: u.index_put((ROWS, LONG([0, 2, 5, 3])), OTHER[0, :4]), "index_put, values": lambda u: OTHER.index_put((LONG([2, 0, 1, 3]),), u),
    "index_put, added": lambda u: OTHER.index_put((ROWS,), u, accumulate=True), "x[i] = v": lambda u: assigned(u, (slice(None), LONG([0, 3]))),
    "put": lambda u: u.put(LONG([0, 7]), OTHER[0, :2]), "put, source": lambda u: OTHER.put(torch.arange(23, -1, -1), u), "masked_scatter": lambda u: u.masked_scatter(FLAGS, OTHER),
    "masked_scatter, source": lambda u: OTHER.masked_scatter(FLAGS, u), "select_scatter": lambda u: u.select_scatter(OTHER[0], 0, 2),
    "select_scatter, source": lambda u: OTHER.select_scatter(u[0], 0, 2), "slice_scatter": lambda u: u.slice_scatter(OTHER[:2], 0, 1, 3),
    "slice_scatter, source": lambda u: OTHER.slice_scatter(u[:2], 0, 1, 3), "diagonal_scatter": lambda u: u.diagonal_scatter(OTHER[0, :4], 2),
    "diagonal_scatter, source": lambda u: OTHER.diagonal_scatter(u[0, :4], 2),
    "sort": lambda u: u.sort(1)[0], "sort, descending": lambda u: u.sort(0, descending=True)[0], "sort and gather": sorted_gather, "msort": lambda u: u.msort(),
    "topk": lambda u: u.topk(3, 1, largest=False)[0], "max": lambda u: u.max(1)[0], "min": lambda u: u.min(0)[0], "amax": lambda u: u.amax(1), "amin": lambda u: u.amin(1),
    "median": lambda u: u.median(1)[0], "kthvalue": lambda u: u.kthvalue(1, 1)[0], "mode": lambda u: u.mode(0)[0], "cummax": lambda u: u.cummax(1)[0], "cummin": lambda u: u.cummin(1)[0],
    "sum": lambda u: u.sum(1), "mean": lambda u: u.mean(0), "cumsum": lambda u: u.cumsum(1), "cumsum of columns": lambda u: u.cumsum(0), "embedding": lambda u: F.embedding(ROWS, u),
    "trace": lambda u: u[:, :4].trace()[None], "max_pool1d": lambda u: F.max_pool1d(-u, 2), "max_pool2d": lambda u: F.max_pool2d(-u[None], 2),
    "max_pool3d": lambda u: F.max_pool3d(-u.reshape(1, 2, 2, 6), 2), "adaptive_max_pool1d": lambda u: F.adaptive_max_pool1d(-u, 3),
    "adaptive_max_pool2d": lambda u: F.adaptive_max_pool2d(-u[None], (2, 3)), "avg_pool1d": lambda u: F.avg_pool1d(u, 2),
    "avg_pool2d": lambda u: F.avg_pool2d(u[None], 2, stride=1), "avg_pool3d": lambda u: F.avg_pool3d(u.reshape(1, 2, 2, 6), 2),
    "adaptive_avg_pool1d": lambda u: F.adaptive_avg_pool1d(u, 4), "adaptive_avg_pool2d": lambda u: F.adaptive_avg_pool2d(u[None], (2, 4)),
    "adaptive_avg_pool3d": lambda u: F.adaptive_avg_pool3d(u.reshape(1, 2, 2, 6), (1, 2, 3)), "max_unpool1d": lambda u: F.max_unpool1d(u, LONG([[0, 2, 5, 6, 9, 11]] * 4), 2),
    "im2col": lambda u: F.unfold(u.reshape(1, 1, 4, 6), 2, stride=2), "col2im": fold, "pixel_shuffle": lambda u: F.pixel_shuffle(u.reshape(1, 4, 2, 3), 2),
    "channel_shuffle": lambda u: F.channel_shuffle(u.reshape(1, 4, 2, 3), 2), "interpolate, nearest": lambda u: F.interpolate(u[None], 9),
    "interpolate, linear": lambda u: F.interpolate(u[None], 9, mode="linear"), "view_copy": lambda u: torch.view_copy(u, (3, 8)), "permute_copy": lambda u: torch.permute_copy(u, (1, 0)),
    "select_copy": lambda u: torch.select_copy(u, 1, 4), "slice_copy": lambda u: torch.slice_copy(u, 1, 1, 5), "unfold_copy": lambda u: torch.unfold_copy(u, 1, 3, 2),
    "split_copy": lambda u: torch.split_copy(u, 2, 1)[2], "unbind_copy": lambda u: torch.unbind_copy(u, 1)[4], "diagonal_copy": lambda u: torch.diagonal_copy(u, 1),
    "expand_copy": lambda u: torch.expand_copy(u[None], (3, 4, 6)), "as_strided_copy": lambda u: torch.as_strided_copy(u, (3, 2, 3), (6, 2, 1), 1),
    "t_copy": lambda u: torch.t_copy(u), "unsqueeze_copy": lambda u: torch.unsqueeze_copy(u, 0), "alias_copy": lambda u: torch.alias_copy(u),
    "copy_": lambda u: torch.zeros(SHAPE, dtype=torch.float64).copy_(u), "x[...] = u": lambda u: assigned(OTHER, slice(None), u),
}

LEFT_OUT = "amax", "amin", "x[m]", "x[i, None, m]", "masked_select", "masked_scatter"  # by a mask of their own: absent, not zero


def grads(f, x, mask, twice):
    """Of sum(where(mask, f(log x)^2, 0)): the first gradient, and that of its weighted sum."""
    x = x.clone().requires_grad_()
    loss = torch.where(mask, f(torch.log(x)) ** 2, 0).sum()
    if not twice:
        loss.backward()
        return x.grad
    g, = torch.autograd.grad(loss, x, create_graph=True)
    return torch.autograd.grad((g * torch.linspace(1, 2, g.numel(), dtype=g.dtype).reshape(g.shape)).sum(), x)[0]


def read(f, u):
    """Which elements does f read?"""
    u = u.clone().requires_grad_()
    y = f(u)
    g, = torch.autograd.grad(y, u, torch.ones_like(y))
    return g != 0


@winnow_only
class Moving(Case):
    def check(self, name, f, x):
        pole = x == 0
        u = torch.log(x)
        y = f(u)
        mask = torch.isfinite(y)
        mask &= (torch.arange(mask.numel()).reshape(mask.shape) * 7 % 5) != 1
        seen = read(f, u)
        safe = torch.where(pole, math.exp(-50), x)
        for twice in False, True:
            want = torch.where(pole, 0, grads(f, safe, mask, twice))
            got = grads(f, x, mask, twice)
            with self.subTest(name, twice=twice):
                self.close(got[~pole | seen], want[~pole | seen].tolist(), tolerance=1e-6)
                if not twice:
                    unread = got[pole & ~seen]
                    self.assertTrue((unread == 0 if name in LEFT_OUT else torch.isnan(unread)).all().item(), "what is not read")

    def test_all(self):
        for name, f in MOVES.items():
            self.check(name, f, grid())

    def test_parts_that_meet(self):
        values = torch.tensor([0.0, 2.0, 3.0, 4.0], dtype=torch.float64)
        for name, (times, f) in MEET.items():
            for twice in False, True:
                x = values.clone().requires_grad_()
                with self.subTest(name, twice=twice):
                    if not twice:
                        f(torch.log(x)).backward()
                        self.close(x.grad, [k if k == 0 or not math.isfinite(k) else k / v for k, v in zip(times, values.tolist())])
                    elif times[0] == 0:
                        g, = torch.autograd.grad(f(torch.log(x)), x, create_graph=True)
                        g.sum().backward()
                        self.close(x.grad, [k and -k / v**2 for k, v in zip(times, values.tolist())])

    def test_places_are_not_changed_meanwhile(self):
        x = torch.tensor([0.0, 2.0, 3.0], requires_grad=True)
        at = LONG([1, 2])
        u = torch.log(x)
        y = torch.where(PART[:1], u[:1], 0).sum() + u.index_select(0, at).sum()
        y.backward(retain_graph=True)
        first = x.grad.clone()
        x.grad = None
        y.backward()
        self.values(x.grad, first.tolist())
        with self.raises(RuntimeError, "second time"):
            y.backward()


def twice_read(f, g, m):
    """f under the mask, g everywhere."""
    return lambda u: torch.where(m, f(u), 0).sum() + g(u).sum()


PART = torch.tensor([False, True])
MEET = {  # of log([0, 2, 3, 4]): the gradient is [0, 1/2, 1/3, 1/4] times these numbers
    "slices": ([0, 1, 1, 1], twice_read(lambda u: u[:2], lambda u: u[2:], PART)),
    "slices, the mask last": ([0, 1, 1, 1], lambda u: u[2:].sum() + torch.where(PART, u[:2], 0).sum()),
    "three parts": ([0, 1, 1, 1], lambda u: u[3:].sum() + torch.where(PART, u[:2], 0).sum() + u[2:3].sum()),
    "places": ([0, 2, 2, 1], twice_read(lambda u: u[LONG([0, 1])], lambda u: u[LONG([1, 2, 3, 2])], PART)),
    "places, the mask last": ([0, 1, 2, 1], lambda u: u.gather(0, LONG([2, 3, 2])).sum() + torch.where(PART, u.take(LONG([0, 1])), 0).sum()),
    "elements": ([0, 1, 1, 1], lambda u: sum(u[i] if i else torch.where(PART[0], u[i], 0) for i in range(4))),
    "elements, backwards": ([0, 1, 1, 1], lambda u: sum(u[i] if i else torch.where(PART[0], u[i], 0) for i in range(3, -1, -1))),
    "split": ([0, 1, 1, 1], lambda u: torch.where(PART, u.split(2)[0], 0).sum() + u.split(2)[1].sum()),
    "a mask and its opposite": ([0, 1, 1, 1], lambda u: torch.where(PART, u[:2], u[2:]).sum() + torch.where(PART, u[2:], 0)[1] * 0 + torch.where(PART, 0, u[2:])[1] + u[2:][1] * 0 + u[3]),
    "read by both": ([math.inf, 1, 0, 0], lambda u: torch.where(PART, u[:2], 0).sum() + u[:1].sum()),
    "read by nobody": ([math.nan, 1, 1, 1], lambda u: u[1:].sum() * 1 + u[2:].sum() * 0),
}


def numbers(shape, start=1):
    return torch.arange(start, start + math.prod(shape), dtype=torch.float64).reshape(shape)


ADDEND = numbers((3, 4), 0.5)
PRODUCTS = {  # name: shapes of the operands, the product, and its factor
    "matmul": ((3, 2), (2, 4), torch.matmul), "mm": ((3, 2), (2, 4), torch.mm), "matmul, vector first": ((2,), (2, 4), torch.matmul),
    "matmul, vector last": ((3, 2), (2,), torch.matmul), "matmul of vectors": ((3,), (3,), torch.matmul), "bmm": ((2, 3, 2), (2, 2, 3), torch.bmm),
    "matmul, batches": ((2, 3, 2), (2, 2, 3), torch.matmul), "matmul, one batch": ((2, 3, 2), (2, 4), torch.matmul),
    "matmul, broadcast": ((2, 1, 3, 2), (2, 2, 3), torch.matmul), "matmul, vector and batch": ((2,), (3, 2, 2), torch.matmul), "mv": ((3, 2), (2,), torch.mv),
    "dot": ((3,), (3,), torch.dot), "addmm": ((3, 2), (2, 4), lambda a, b: torch.addmm(ADDEND, a, b, alpha=-2), -2),
    "addmv": ((3, 2), (2,), lambda a, b: torch.addmv(ADDEND[:, 0], a, b)), "baddbmm": ((2, 3, 2), (2, 2, 4), lambda a, b: torch.baddbmm(ADDEND, a, b, beta=3)),
    "addbmm": ((2, 3, 2), (2, 2, 4), lambda a, b: torch.addbmm(ADDEND, a, b)), "linear": ((3, 2), (4, 2), F.linear),
    "linear, batches": ((2, 3, 2), (4, 2), lambda a, b: F.linear(a, b, ADDEND[0])), "linear, one output": ((3, 2), (2,), F.linear),
    "linear of a vector": ((2,), (4, 2), F.linear), "einsum": ((2, 3, 2), (2, 4, 2), lambda a, b: torch.einsum("bik,bjk->bij", a, b)),
    "einsum, turned": ((3, 2), (2, 4), lambda a, b: torch.einsum("ik,kj->ji", a, b)), "einsum, a diagonal": ((2, 2), (2, 4), lambda a, b: torch.einsum("kk,kj->j", a, b)),
    "tensordot": ((3, 2, 2), (2, 2, 4), torch.tensordot), "inner": ((3, 2), (4, 2), torch.inner), "outer": ((3,), (4,), torch.outer),
    "conv1d": ((1, 2, 5), (2, 2, 2), F.conv1d), "conv2d": ((1, 1, 4, 4), (2, 1, 2, 2), lambda a, b: F.conv2d(a, b, torch.ones(2, dtype=torch.float64), padding=1)),
    "conv3d": ((1, 1, 3, 2, 2), (1, 1, 2, 1, 2), F.conv3d), "conv_transpose1d": ((1, 2, 3), (2, 2, 2), F.conv_transpose1d), "conv, groups": ((1, 2, 4), (2, 1, 2), lambda a, b: F.conv1d(a, b, groups=2)),
}
NO_LINES = "conv", "einsum, a diagonal"  # their gradients exist everywhere


@winnow_only
class Products(Case):
    """Gradients of where(mask, product, 0), term by term: those whose result the mask leaves out are not there."""

    def terms(self, f, a, b, which, factor):
        """For each element of the result and of operand `which`: which element of the other one they meet in, or None."""
        pair = [a.clone().requires_grad_(), b.clone().requires_grad_()]
        y = f(*pair).flatten()
        other = (b if which == 0 else a).flatten().tolist()
        table = []
        for o in range(y.numel()):
            g, = torch.autograd.grad(y[o], pair[which], retain_graph=True)
            table.append([other.index(v / factor) if v else None for v in g.flatten().tolist()])
        return table

    def check(self, name, shape_a, shape_b, f, factor=1):
        a, b = numbers(shape_a), numbers(shape_b, 101)
        shape = f(a, b).shape
        for seed in range(4):
            draw = random.Random(seed)
            n = math.prod(shape)
            mask = torch.tensor([draw.random() < 0.5 for _ in range(n)]).reshape(shape)
            weight = torch.tensor([draw.choice((-1.0, 1.0, 2.0)) for _ in range(n)], dtype=torch.float64).reshape(shape)
            for which in 0, 1:
                table = self.terms(f, a, b, which, factor)
                pair = [a.clone(), b.clone()]
                odd = pair[1 - which].view(-1)
                for k in range(odd.numel()):
                    if draw.random() < 0.3:
                        odd[k] = draw.choice((math.inf, -math.inf, math.nan))
                other = odd.tolist()
                terms = [[w * factor * other[row[k]] for row, m, w in zip(table, mask.flatten().tolist(), weight.flatten().tolist())
                          if m and row[k] is not None] for k in range(pair[which].numel())]
                zero = torch.zeros_like(pair[which]).requires_grad_()
                x = (pair[which] + zero).detach().requires_grad_()
                pole = pair[which] + zero.sqrt()  # its gradient is 0 only where that of the operand is absent
                for made in x, pole:
                    pair[which] = made
                    (torch.where(mask, f(*pair), 0) * weight).sum().backward()
                with self.subTest(name, seed=seed, which=which):
                    self.close(x.grad.flatten(), [math.fsum(t) if all(map(math.isfinite, t)) else sum(t) for t in terms], tolerance=1e-9)
                    if not name.startswith(NO_LINES):
                        got = zero.grad.flatten().tolist()
                        for k, t in enumerate(terms):
                            self.assertEqual(got[k] == 0, not t, f"element {k}: {got[k]} of {t}")

    def test_all(self):
        for name, product in PRODUCTS.items():
            self.check(name, *product)

    def test_promise(self):
        m = torch.tensor([[True, False], [False, False], [True, True]])
        A = torch.tensor([[1.0, 2.0], [math.inf, math.nan], [3.0, 4.0]], requires_grad=True)
        W = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        torch.where(m, A @ W, 0).sum().backward()
        self.values(W.grad, [[4.0, 3.0], [6.0, 4.0]])
        self.values(A.grad, [[1.0, 3.0], [0.0, 0.0], [3.0, 7.0]])
        A.grad = W.grad = None
        (A @ W)[[0, 2]].sum().backward()  # not read, without a mask: a zero, as in torch
        self.assertTrue(torch.isnan(W.grad).all().item())

    def test_kinds_of_masks(self):
        m = torch.tensor([True, False, True])[:, None].expand(3, 4)
        a = numbers((3, 2))
        a[1] = math.nan
        w = numbers((2, 4)).requires_grad_()
        want = [[6.0] * 4, [8.0] * 4]
        y = lambda: a @ w
        for name, loss in {"masked_fill": lambda: y().masked_fill(~m, 0.0).sum(), "where=": lambda: torch.sum(y(), where=m), "x[m]": lambda: y()[m].sum(),
                           "masked_select": lambda: y().masked_select(m).sum(), "masked_fill_": lambda: y().masked_fill_(~m, 0.0).sum(),
                           "moved": lambda: torch.where(m.T.roll(1, 1), y().T.roll(1, 1), 0).sum(), "then a function": lambda: torch.where(m, y() * 1.0, 0).sum(),
                           "assigned": lambda: assigned(y(), ~m, 0.0).sum()}.items():
            w.grad = None
            loss().backward()
            with self.subTest(name):
                self.values(w.grad, want)

    def test_second_derivative(self):
        for name, f in {"matmul": lambda u: u @ OTHER.T, "linear": lambda u: F.linear(u, OTHER, OTHER[:, 0]), "both": lambda u: u @ u.T, "addmm": lambda u: torch.addmm(OTHER[:, :4], u, OTHER.T, beta=2, alpha=-1),
                        "bmm": lambda u: torch.bmm(u.reshape(2, 2, 6), OTHER.reshape(2, 6, 2)), "einsum": lambda u: torch.einsum("ik,jk->ji", u, OTHER)}.items():
            Moving.check(self, name, f, grid(poles=(6, 9)))


if __name__ == "__main__":
    unittest.main()
