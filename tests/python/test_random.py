"""Random numbers: seeds and generators, states, shapes and dtypes, statistics within six standard errors. The numbers
themselves are not PyTorch's. SPDX-License-Identifier: Apache-2.0"""
import math
import unittest

import torch

from helper import Case

MANY = 100_000
DRAWS = {
    "rand": lambda n, **k: torch.rand(n, **k),
    "randn": lambda n, **k: torch.randn(n, **k),
    "randint": lambda n, **k: torch.randint(0, 1000, (n,), **k),
    "randperm": lambda n, **k: torch.randperm(n, **k),
    "normal": lambda n, **k: torch.normal(1.0, 2.0, (n,), **k),
    "bernoulli": lambda n, **k: torch.bernoulli(torch.full((n,), 0.5), **k),
    "uniform_": lambda n, **k: torch.empty(n).uniform_(-1, 1, **k),
    "normal_": lambda n, **k: torch.empty(n).normal_(1, 2, **k),
    "exponential_": lambda n, **k: torch.empty(n).exponential_(1.5, **k),
    "random_": lambda n, **k: torch.empty(n).random_(5, 500, **k),
    "bernoulli_": lambda n, **k: torch.empty(n).bernoulli_(0.5, **k),
}


def different(a, b):
    return (a != b).sum().item() > 0


class Seeds(Case):
    def setUp(self):
        state = torch.get_rng_state()
        self.addCleanup(torch.set_rng_state, state)

    def test_manual_seed_repeats(self):
        for name, draw in DRAWS.items():
            for n in (100, 20_480):
                with self.subTest(name=name, n=n):
                    torch.manual_seed(7)
                    first, second = draw(n), draw(n)
                    torch.manual_seed(7)
                    self.same(draw(n), first)
                    self.same(draw(n), second)
                    torch.manual_seed(8)
                    self.assertTrue(different(draw(n), first))
                    self.assertTrue(different(first, second))

    def test_the_default_generator(self):
        g = torch.manual_seed(123)
        self.assertIs(g, torch.default_generator)
        self.assertEqual((g.initial_seed(), torch.initial_seed()), (123, 123))
        self.assertIs(torch.random.manual_seed(5), g)
        self.assertEqual(torch.manual_seed(-1).initial_seed(), 2**64 - 1)

    def test_seed_is_another_every_time(self):
        a, b = torch.seed(), torch.seed()
        self.assertNotEqual(a, b)
        self.assertEqual(torch.initial_seed(), b)
        torch.manual_seed(b)
        x = torch.rand(5)
        torch.manual_seed(b)
        self.same(torch.rand(5), x)

    def test_state(self):
        torch.manual_seed(3)
        torch.rand(10)
        state = torch.get_rng_state()
        self.assertEqual((state.dtype, state.dim(), state.device.type), (torch.uint8, 1, "cpu"))
        first = {name: draw(1000) for name, draw in DRAWS.items()}
        torch.set_rng_state(state)
        for name, draw in DRAWS.items():
            self.same(draw(1000), first[name])
        self.assertTrue(different(state, torch.get_rng_state()))

    def test_a_draw_that_nobody_reads_has_advanced(self):
        torch.manual_seed(1)
        torch.randn(20_480)
        after = torch.rand(4)
        torch.manual_seed(1)
        kept = torch.randn(20_480)
        self.same(torch.rand(4), after)
        torch.manual_seed(1)
        self.same(torch.randn(20_480), kept)

    def test_a_later_seed_changes_nothing_before(self):
        torch.manual_seed(1)
        expected = torch.rand(20_480).tolist()
        torch.manual_seed(1)
        waiting = torch.rand(20_480)
        torch.manual_seed(2)
        torch.rand(3)
        self.assertEqual(waiting.tolist(), expected)

    def test_threads_do_not_matter(self):
        self.addCleanup(torch.set_num_threads, torch.get_num_threads())
        results = []
        for threads in (1, 3):
            torch.set_num_threads(threads)
            torch.manual_seed(11)
            results.append([draw(MANY) for draw in DRAWS.values()])
        for a, b in zip(*results):
            self.assertFalse(different(a, b))

    def test_fork_rng(self):
        torch.manual_seed(4)
        state = torch.get_rng_state()
        with torch.random.fork_rng():
            torch.rand(100)
        self.same(torch.get_rng_state(), state)

    def test_wrong(self):
        with self.assertRaises((TypeError, ValueError, RuntimeError)):
            torch.manual_seed("a")
        with self.assertRaises(TypeError):
            torch.set_rng_state(5)
        with self.assertRaises(RuntimeError):
            torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))


class Generators(Case):
    def test_object(self):
        g = torch.Generator()
        self.assertEqual(g.device, torch.device("cpu"))
        self.assertEqual(torch.Generator(device="cpu").device.type, "cpu")
        self.assertIs(g.manual_seed(3), g)
        self.assertEqual(g.initial_seed(), 3)
        self.assertIsInstance(g, torch.Generator)
        self.assertEqual(torch.Generator().initial_seed(), torch.Generator().initial_seed())
        a, b = g.seed(), g.seed()
        self.assertNotEqual(a, b)
        self.assertEqual(g.initial_seed(), b)

    def test_two_streams_do_not_touch_each_other(self):
        for name, draw in DRAWS.items():
            with self.subTest(name=name):
                g = torch.Generator().manual_seed(5)
                first, second = draw(50, generator=g), draw(50, generator=g)
                g.manual_seed(5)
                other = torch.Generator().manual_seed(9)
                self.same(draw(50, generator=g), first)
                draw(50, generator=other)
                draw(50)
                self.same(draw(50, generator=g), second)

    def test_a_generator_is_the_default_one_with_that_seed(self):
        self.addCleanup(torch.set_rng_state, torch.get_rng_state())
        torch.manual_seed(42)
        self.same(torch.rand(10), torch.rand(10, generator=torch.Generator().manual_seed(42)))

    def test_state(self):
        g = torch.Generator().manual_seed(6)
        torch.randn(7, generator=g)
        state = g.get_state()
        expected = torch.randn(100, generator=g)
        h = torch.Generator()
        self.assertIs(h.set_state(state), h)
        self.same(torch.randn(100, generator=h), expected)
        clone = g.clone_state()
        self.same(torch.rand(5, generator=clone), torch.rand(5, generator=g))
        with self.assertRaises(TypeError):
            g.set_state([1, 2])
        with self.assertRaises(RuntimeError):
            g.set_state(torch.zeros(3, dtype=torch.uint8))

    def test_dropped_while_its_numbers_wait(self):
        expected = torch.rand(20_480, generator=torch.Generator().manual_seed(1)).tolist()
        g = torch.Generator().manual_seed(1)
        waiting = torch.rand(20_480, generator=g) * 1
        del g
        self.assertEqual(waiting.tolist(), expected)

    def test_not_a_generator(self):
        with self.raises(TypeError, "generator"):
            torch.rand(2, generator=5)
        torch.rand(2, generator=None)


class Shapes(Case):
    def test_dtypes(self):
        for make, dtype in [(torch.rand(2, 3), torch.float32), (torch.rand((2, 3), dtype=torch.float64), torch.float64),
                            (torch.randn(2, 3, dtype=torch.float16), torch.float16),
                            (torch.randint(5, (2, 3)), torch.int64),
                            (torch.randint(2, 5, (2, 3), dtype=torch.int32), torch.int32),
                            (torch.randint(0, 5, size=(2, 3), dtype=torch.float32), torch.float32),
                            (torch.randint(high=5, size=[2, 3]), torch.int64),
                            (torch.rand_like(torch.ones(2, 3)), torch.float32),
                            (torch.randn_like(torch.ones(2, 3), dtype=torch.float64), torch.float64),
                            (torch.normal(torch.zeros(2, 3), torch.ones(2, 3)), torch.float32),
                            (torch.normal(torch.zeros(2, 3), 2.0), torch.float32),
                            (torch.normal(0.0, torch.ones(2, 3)), torch.float32),
                            (torch.empty(2, 3, dtype=torch.int64).random_(9), torch.int64)]:
            self.assertEqual((tuple(make.shape), make.dtype), ((2, 3), dtype))
        self.assertIs(torch.randperm(4).dtype, torch.int64)
        self.assertIs(torch.randperm(4, dtype=torch.int32).dtype, torch.int32)
        self.assertTrue(torch.randn(2, requires_grad=True).requires_grad)
        self.assertEqual(torch.rand(0, 3).shape, (0, 3))
        self.assertEqual(torch.randperm(0).shape, (0,))

    def test_ranges(self):
        self.assertEqual(set(torch.randint(3, 6, (2000,)).tolist()), {3, 4, 5})
        self.assertEqual(set(torch.randint(-5, -2, (2000,)).tolist()), {-5, -4, -3})
        self.assertEqual(sorted(torch.randperm(1000).tolist()), list(range(1000)))
        x = torch.rand(MANY)
        self.assertTrue(0 <= x.min().item() and x.max().item() < 1)
        x.uniform_(2, 3)
        self.assertTrue(2 <= x.min().item() and x.max().item() <= 3)
        self.assertGreater(torch.empty(MANY).exponential_().min().item(), -1e-9)
        self.assertGreater(torch.randint(0, 2**40, (50,)).max().item(), 2**32)
        self.assertEqual(set(torch.empty(2000).bernoulli_(0.5).tolist()), {0.0, 1.0})
        self.values(torch.bernoulli(torch.tensor([0.0, 1.0, 0.0])), [0.0, 1.0, 0.0])

    def test_in_place_returns_self(self):
        x = torch.zeros(5)
        for call in (lambda: x.uniform_(), lambda: x.normal_(), lambda: x.exponential_(), lambda: x.random_(0, 5),
                     lambda: x.bernoulli_()):
            self.assertIs(call(), x)

    def test_integers_are_refused(self):
        for call in (lambda: torch.rand(2, dtype=torch.int64), lambda: torch.randn(2, dtype=torch.int64),
                     lambda: torch.ones(2, dtype=torch.int64).normal_()):
            with self.assertRaises((NotImplementedError, RuntimeError)):
                call()

    def test_dropout(self):
        self.addCleanup(torch.set_rng_state, torch.get_rng_state())
        torch.manual_seed(1)
        x = torch.ones(MANY, requires_grad=True)
        y = torch.nn.functional.dropout(x, p=0.25, training=True)
        values = set(y.tolist())
        self.assertEqual(len(values), 2)
        self.close(sorted(values), [0.0, 1 / 0.75])
        self.assertLess(abs(y.mean().item() - 1), 6 * math.sqrt(0.25 / 0.75 / MANY))
        y.sum().backward()
        self.same(x.grad, y.detach())
        self.values(torch.nn.functional.dropout(torch.ones(3), 0.5, training=False), [1.0] * 3)
        self.values(torch.nn.functional.dropout(torch.ones(3), 1.0), [0.0] * 3)


class Statistics(Case):
    """Mean, variance, correlation of neighbours, and the shares of some ranges, each within six standard errors."""

    def setUp(self):
        self.addCleanup(torch.set_rng_state, torch.get_rng_state())
        torch.manual_seed(2024)

    def check(self, x, mean, variance, kurtosis=3.0):
        x = x.double()
        n = x.numel()
        self.assertLess(abs(x.mean().item() - mean), 6 * math.sqrt(variance / n))
        spread = ((x - mean) ** 2).mean().item()
        self.assertLess(abs(spread - variance), 6 * variance * math.sqrt((kurtosis - 1) / n))
        neighbours = ((x[1:] - mean) * (x[:-1] - mean)).mean().item() / variance
        self.assertLess(abs(neighbours), 6 / math.sqrt(n))

    def share(self, x, condition, probability):
        got = condition(x).double().mean().item()
        self.assertLess(abs(got - probability), 6 * math.sqrt(probability * (1 - probability) / x.numel()))

    def test_uniform(self):
        for x in (torch.rand(MANY), torch.rand(MANY, dtype=torch.float64), torch.empty(MANY).uniform_()):
            self.check(x, 0.5, 1 / 12, 1.8)
            for limit in (0.001, 0.1, 0.5, 0.9):
                self.share(x, lambda t, limit=limit: t < limit, limit)
        self.check(torch.empty(MANY).uniform_(-3, 5), 1.0, 64 / 12, 1.8)

    def test_normal(self):
        for x in (torch.randn(MANY), torch.randn(MANY, dtype=torch.float64), torch.empty(MANY).normal_()):
            self.check(x, 0.0, 1.0)
            for limit in (-2.5, -1.0, 0.0, 1.5):
                self.share(x, lambda t, limit=limit: t < limit, 0.5 * math.erfc(-limit / math.sqrt(2)))
        self.check(torch.normal(3.0, 2.0, (MANY,)), 3.0, 4.0)
        self.check(torch.normal(torch.full((MANY,), -1.0), 0.5), -1.0, 0.25)
        self.check(torch.normal(torch.zeros(MANY), torch.full((MANY,), 3.0)), 0.0, 9.0)
        self.check(torch.empty(MANY).normal_(mean=1, std=2), 1.0, 4.0)

    def test_others(self):
        self.check(torch.randint(0, 10, (MANY,)), 4.5, 99 / 12, 1.8)
        self.check(torch.empty(MANY).exponential_(2.0), 0.5, 0.25, 9.0)
        self.check(torch.bernoulli(torch.full((MANY,), 0.3)), 0.3, 0.21, 3.0)
        self.check(torch.empty(MANY).bernoulli_(0.1), 0.1, 0.09, 9.0)

    def test_permutations(self):
        firsts = [torch.randperm(5)[0].item() for _ in range(5000)]
        for k in range(5):
            self.assertLess(abs(firsts.count(k) / 5000 - 0.2), 6 * math.sqrt(0.16 / 5000))
        fixed = sum((torch.randperm(100) == torch.arange(100)).sum().item() for _ in range(500))
        self.assertLess(abs(fixed / 500 - 1), 6 / math.sqrt(500))

    def test_rows_are_unlike(self):
        x = torch.randn(64, 1000)
        correlation = (x @ x.t() / 1000) - torch.eye(64)
        correlation[range(64), range(64)] = 0
        self.assertLess(correlation.abs().max().item(), 6 / math.sqrt(1000))


if __name__ == "__main__":
    unittest.main()
