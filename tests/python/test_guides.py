"""The listings of efficiency guides, each against the plain loops that it replaces: element loops, broadcasting,
einsum, products with an addend, chains in place, no_grad, rows of a preallocated tensor. Some sizes exceed what winnow
computes at once, so that deferral takes part. SPDX-License-Identifier: Apache-2.0"""
import math
import random
import unittest

import torch

from helper import Case

F = torch.nn.functional
MANY = 20_480


def numbers(n, seed=1):
    """Reproducible numbers in (-2, 2) that are exact in float32."""
    draw = random.Random(seed)
    return [draw.randint(-2047, 2047) / 1024 for _ in range(n)]


def nested(shape, seed=1):
    values = iter(numbers(math.prod(shape), seed))

    def build(dims):
        return [build(dims[1:]) for _ in range(dims[0])] if dims else next(values)

    return build(shape)


def product(a, b):
    """Matrix product of nested lists."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


class ElementLoops(Case):
    def test_loop_over_elements_and_one_expression(self):
        values = numbers(500)
        x = torch.tensor(values)
        looped = torch.empty(len(values))
        for i in range(len(values)):
            looped[i] = x[i] * 2 + 1 if x[i] > 0 else 0.0
        vectorised = torch.where(x > 0, x * 2 + 1, 0.0)
        self.same(vectorised, looped)
        self.values(looped, [v * 2 + 1 if v > 0 else 0.0 for v in values])

    def test_sum_of_squares(self):
        values = numbers(MANY)
        x = torch.tensor(values, dtype=torch.float64)
        self.assertAlmostEqual((x * x).sum().item(), math.fsum(v * v for v in values), delta=1e-8)
        self.assertAlmostEqual(torch.dot(x, x).item(), math.fsum(v * v for v in values), delta=1e-8)

    def test_where_with_a_threshold(self):
        values = numbers(MANY, 3)
        data = torch.tensor(values, requires_grad=True)
        t = 0.5
        result = torch.where(data > t, data * 2, data)
        self.values(result, [v * 2 if v > t else v for v in values])
        result.sum().backward()
        self.values(data.grad, [2.0 if v > t else 1.0 for v in values])

    def test_long_chain_in_one_expression(self):
        values = numbers(MANY, 4)
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        y = torch.tanh(x * 3 - 1).square() + torch.sigmoid(-x) / 2
        expected = [math.tanh(v * 3 - 1) ** 2 + 1 / (1 + math.exp(v)) / 2 for v in values]
        self.close(y, expected, 1e-12)
        y.sum().backward()

        def slope(v):
            th, sg = math.tanh(v * 3 - 1), 1 / (1 + math.exp(v))
            return 2 * th * (1 - th * th) * 3 - sg * (1 - sg) / 2

        self.close(x.grad, [slope(v) for v in values], 1e-12)

    def test_item_once_instead_of_a_thousand_times(self):
        often, total = 0.0, torch.zeros((), dtype=torch.float64)
        x = torch.tensor(numbers(MANY, 5), dtype=torch.float64)
        for i in range(1000):
            part = x[i] * 2
            often += part.item()
            total += part
        self.assertEqual(often, total.item())
        self.assertAlmostEqual((x[:1000] * 2).sum().item(), often, delta=1e-10)

    def test_losses_collected_and_read_at_the_end(self):
        w = torch.tensor(numbers(MANY, 6), requires_grad=True)
        read, kept = [], []
        for step in range(10):
            loss = (w * (step + 1)).mean()
            read.append(loss.item())
            kept.append(loss.detach())
        self.assertEqual(torch.stack(kept).tolist(), read)
        self.assertFalse(torch.stack(kept).requires_grad)


class Broadcasting(Case):
    def test_bias_instead_of_repeated_rows(self):
        x = torch.tensor(nested([160, 130]), requires_grad=True)
        bias = torch.tensor(numbers(130, 2), requires_grad=True)
        broadcast = x + bias
        self.same(broadcast, x + bias.repeat(160, 1))
        self.same(broadcast, x + bias.unsqueeze(0).expand(160, 130))
        self.values(broadcast[7], [a + b for a, b in zip(nested([160, 130])[7], numbers(130, 2))])
        (broadcast * 0.5).sum().backward()
        self.values(bias.grad, [80.0] * 130)
        self.values(x.grad[3], [0.5] * 130)

    def test_columns_against_rows(self):
        a, b = numbers(200, 1), numbers(150, 2)
        x, y = torch.tensor(a), torch.tensor(b)
        self.values(x[:, None] - y[None, :], [[p - q for q in b] for p in a])
        self.same(x[:, None] * y, torch.outer(x, y))

    def test_normalising_rows(self):
        rows = nested([200, 120], 3)
        x = torch.tensor(rows, dtype=torch.float64)
        y = (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, keepdim=True)
        for row, got in zip(rows, y.tolist()):
            mean = math.fsum(row) / 120
            deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in row) / 119)
            self.close(got, [(v - mean) / deviation for v in row], 1e-10)

    def test_expand_takes_no_memory(self):
        row = torch.arange(4.0)
        wide = row.expand(1000, 4)
        self.assertEqual(wide.stride(), (0, 1))
        self.assertEqual(wide.data_ptr(), row.data_ptr())


class Products(Case):
    def test_einsum_batched_product(self):
        a, b = nested([3, 4, 5], 1), nested([3, 5, 2], 2)
        x = torch.tensor(a, dtype=torch.float64, requires_grad=True)
        y = torch.tensor(b, dtype=torch.float64, requires_grad=True)
        expected = [product(p, q) for p, q in zip(a, b)]
        self.close(torch.einsum("bij,bjk->bik", x, y), expected, 1e-12)
        self.close(torch.bmm(x, y), expected, 1e-12)
        self.close(x @ y, expected, 1e-12)
        torch.einsum("bij,bjk->bik", x, y).sum().backward()
        self.close(x.grad, [[[sum(row) for row in q]] * 4 for q in b], 1e-12)
        self.close(y.grad, [[[sum(c)] * 2 for c in zip(*p)] for p in a], 1e-12)

    def test_attention(self):
        batch, heads, queries, keys, depth = 2, 3, 4, 5, 6
        a, b, c = nested([batch, heads, queries, depth], 1), nested([batch, heads, keys, depth], 2), \
            nested([batch, heads, keys, depth], 3)
        q, k, v = (torch.tensor(t, dtype=torch.float64, requires_grad=True) for t in (a, b, c))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(depth)
        weights = torch.softmax(scores, dim=-1)
        out = torch.einsum("bhqk,bhkd->bhqd", weights, v)
        for i in range(batch):
            for h in range(heads):
                plain = product(a[i][h], list(zip(*b[i][h])))
                rows = [[math.exp(s / math.sqrt(depth)) for s in row] for row in plain]
                rows = [[e / sum(row) for e in row] for row in rows]
                self.close(weights[i, h], rows, 1e-12)
                self.close(out[i, h], product(rows, c[i][h]), 1e-12)
        out.sum().backward()
        self.close(v.grad, (weights.sum(dim=2).unsqueeze(-1) * torch.ones_like(v)).detach(), 1e-12)
        numeric = self.derivative(lambda t: torch.einsum(
            "bhqk,bhkd->bhqd", torch.softmax(torch.einsum("bhqd,bhkd->bhqk", t, k) / math.sqrt(depth), -1), v).sum(),
            q, (1, 2, 3, 4))
        self.assertAlmostEqual(q.grad[1, 2, 3, 4].item(), numeric, delta=1e-6)

    @staticmethod
    def derivative(f, x, place, step=1e-5):
        """df/dx[place] by central differences."""
        with torch.no_grad():
            up, down = x.detach().clone(), x.detach().clone()
            up[place] += step
            down[place] -= step
            return ((f(up) - f(down)) / (2 * step)).item()

    def test_addmm_instead_of_product_and_sum(self):
        a, b, c = nested([6, 7], 1), nested([7, 5], 2), numbers(5, 3)
        x, w, bias = torch.tensor(a), torch.tensor(b), torch.tensor(c, requires_grad=True)
        expected = [[s + t for s, t in zip(row, c)] for row in product(a, b)]
        self.close(torch.addmm(bias, x, w), expected)
        self.close(x @ w + bias, expected)
        self.close(F.linear(x, w.t(), bias), expected)
        self.close(torch.addmm(bias, x, w, beta=2, alpha=0.5),
                   [[0.5 * s + 2 * t for s, t in zip(row, c)] for row in product(a, b)])
        torch.addmm(bias, x, w, beta=2, alpha=0.5).sum().backward()
        self.values(bias.grad, [12.0] * 5)

    def test_one_batched_product_instead_of_a_loop(self):
        x, y = torch.tensor(nested([32, 12, 20], 4)), torch.tensor(nested([32, 20, 9], 5))
        looped = torch.empty(32, 12, 9)
        for i in range(32):
            looped[i] = x[i] @ y[i]
        self.close(torch.bmm(x, y), looped)
        self.close(torch.baddbmm(torch.ones(1, 1, 1), x, y), looped + 1)

    def test_product_with_activation(self):
        x, w = torch.tensor(nested([150, 8], 6)), torch.tensor(nested([140, 8], 7), requires_grad=True)
        hidden = F.relu(F.linear(x, w))
        plain = product(nested([150, 8], 6), list(zip(*nested([140, 8], 7))))
        self.close(hidden, [[max(s, 0.0) for s in row] for row in plain])
        hidden.sum().backward()
        live = (x @ w.detach().t() > 0).float()
        self.close(w.grad, live.t() @ x, 1e-4)


class InPlace(Case):
    def test_chain(self):
        values = numbers(MANY, 8)
        x = torch.tensor(values)
        address = x.data_ptr()
        result = x.add_(0.5).relu_().mul_(2)
        self.assertIs(result, x)
        self.assertEqual(x.data_ptr(), address)
        self.values(x, [max(v + 0.5, 0.0) * 2 for v in values])
        x.clamp_(min=0).sub_(1).clamp_(max=1)
        self.values(x, [min(max(v + 0.5, 0.0) * 2 - 1, 1.0) for v in values])

    def test_chain_with_tensors(self):
        a, b = numbers(MANY, 9), numbers(MANY, 10)
        x, y = torch.tensor(a), torch.tensor(b)
        x.add_(y, alpha=2).mul_(y)
        self.values(x, [(p + 2 * q) * q for p, q in zip(a, b)])
        x.copy_(y).zero_()
        self.assertEqual(x.abs().sum().item(), 0.0)

    def test_an_old_result_keeps_its_value(self):
        values = numbers(MANY, 11)
        x = torch.tensor(values)
        before = x * 3
        x.mul_(0)
        x.add_(1)
        self.values(before, [v * 3 for v in values])
        self.values(x, [1.0] * MANY)

    def test_through_a_view(self):
        x = torch.tensor(numbers(MANY, 12))
        expected = numbers(MANY, 12)
        x[100:200].mul_(2)
        x.view(160, 128)[:, 0].zero_()
        expected[100:200] = [v * 2 for v in expected[100:200]]
        expected[0::128] = [0.0] * 160
        self.values(x, expected)

    def test_gradient_of_a_chain(self):
        values = numbers(MANY, 13)
        x = torch.tensor(values, requires_grad=True)
        ((x * 2).add_(0.25).relu_() * 3).sum().backward()
        self.values(x.grad, [6.0 if v * 2 + 0.25 > 0 else 0.0 for v in values])

    def test_a_chain_that_destroys_what_backward_needs(self):
        x = torch.tensor(numbers(MANY, 13), requires_grad=True)
        y = (x * 2).relu_().mul_(3)  # relu's gradient reads its result
        with self.raises(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()

    def test_out_reuses_memory(self):
        x, y = torch.tensor(numbers(MANY, 14)), torch.tensor(numbers(MANY, 15))
        buffer = torch.empty(MANY)
        address = buffer.data_ptr()
        for step in range(3):
            self.assertIs(torch.add(x, y, alpha=step, out=buffer), buffer)
            self.assertEqual(buffer.data_ptr(), address)
            self.same(buffer, x + step * y)


class WithoutGraph(Case):
    def test_update_under_no_grad(self):
        w = torch.tensor(numbers(MANY, 16), requires_grad=True)
        for _ in range(3):
            (w * w).sum().backward()
            with torch.no_grad():
                w -= 0.25 * w.grad  # w - w/2
            w.grad = None
        self.assertTrue(w.is_leaf and w.requires_grad)
        self.values(w.detach(), [v / 8 for v in numbers(MANY, 16)])

    def test_evaluation_records_nothing(self):
        w = torch.tensor(numbers(MANY, 17), requires_grad=True)
        with torch.no_grad():
            y = (w * 2).relu()
        self.assertFalse(y.requires_grad)
        self.assertIsNone(y.grad_fn)

    def test_detach_cuts_and_shares(self):
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = x * 2
        cut = y.detach()
        (cut * y).sum().backward()
        self.values(x.grad, [4.0, 8.0, 12.0])  # d/dx of constant * 2x
        self.assertEqual(cut.data_ptr(), y.data_ptr())


class Rows(Case):
    def test_rows_into_a_preallocated_tensor(self):
        out = torch.empty(64, 330)
        for i in range(64):
            out[i] = torch.arange(330.0) * i
        stacked = torch.stack([torch.arange(330.0) * i for i in range(64)])
        self.same(out, stacked)
        self.values(out[5, :3], [0.0, 5.0, 10.0])

    def test_growing_by_cat_and_filling_give_the_same(self):
        grown = torch.empty(0, 3)
        filled = torch.zeros(50, 3)
        for i in range(50):
            row = torch.tensor([[i, i + 0.5, -i]])
            grown = torch.cat([grown, row])
            filled[i:i + 1].copy_(row)
        self.same(grown, filled)

    def test_gradient_through_stored_rows(self):
        x = torch.tensor(nested([40, 600], 18), requires_grad=True)
        out = torch.zeros(40, 600)
        for i in range(40):
            out[i] = x[i] * (i + 1)
        out.sum().backward()
        self.values(x.grad[:, 0], [float(i + 1) for i in range(40)])
        self.values(x.grad[39], [40.0] * 600)


if __name__ == "__main__":
    unittest.main()
