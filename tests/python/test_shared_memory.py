"""Tensors in memory that processes share."""
import gc
import os
import unittest

import torch
import torch.multiprocessing as mp

from helper import Case, winnow_only


def add_one(tensor, done):
    tensor.add_(1)
    done.put(float(tensor.sum()))


def step(model, rounds):
    torch.manual_seed(os.getpid())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        optimizer.zero_grad()
        (model(torch.ones(4, 3)) - 1).square().mean().backward()
        optimizer.step()


class Shared(Case):
    def test_child_writes(self):
        for method in ("fork", "spawn"):
            context = mp.get_context(method)
            for make in (lambda: torch.zeros(3), lambda: torch.zeros(2, 3).t(), lambda: torch.zeros(4, dtype=torch.int64)[1:],
                         lambda: torch.zeros(()), lambda: torch.zeros(2, dtype=torch.bfloat16)):
                t = make()
                self.assertFalse(t.is_shared())
                self.assertIs(t.share_memory_(), t)
                self.assertTrue(t.is_shared())
                self.assertIs(t.share_memory_(), t)
                done = context.SimpleQueue()
                p = context.Process(target=add_one, args=(t, done))
                p.start()
                self.assertEqual(done.get(), t.numel())
                p.join()
                self.same(t, torch.ones_like(t))
                if method == "spawn":
                    break  # a new interpreter each: once is enough

    def test_through_a_queue(self):
        """A shared tensor and a view of it arrive on one memory."""
        queue = mp.get_context("fork").Queue()
        t = torch.arange(6.0).view(2, 3).share_memory_()
        queue.put((t, t[1, 1:]))
        a, b = queue.get()
        self.same(b, torch.tensor([4.0, 5.0]))
        a.mul_(2)
        self.same(t, torch.arange(6.0).view(2, 3) * 2)
        self.same(b, torch.tensor([8.0, 10.0]))
        self.assertTrue(a.is_shared())

    def test_modules(self):
        """Hogwild: processes train one model."""
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
        before = [p.detach().clone() for p in model.parameters()]
        self.assertIs(model.share_memory(), model)
        self.assertTrue(all(p.is_shared() and p.requires_grad and p.is_leaf for p in model.parameters()))
        for p, old in zip(model.parameters(), before):
            self.same(p.detach(), old)
        first = (model(torch.ones(4, 3)) - 1).square().mean().item()
        processes = [mp.get_context("fork").Process(target=step, args=(model, 20)) for _ in range(2)]
        for p in processes:
            p.start()
        for p in processes:
            p.join()
            self.assertEqual(p.exitcode, 0)
        self.assertTrue((model(torch.ones(4, 3)) - 1).square().mean().item() < first / 10)

    def test_requires_grad(self):
        w = torch.ones(2, requires_grad=True)
        w.share_memory_()
        (w * 3).sum().backward()
        self.same(w.grad, torch.full((2,), 3.0))
        self.assertFalse((w * 2).detach().is_shared())

    @winnow_only
    def test_nothing_is_left(self):
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            torch.zeros(1000).share_memory_()
        gc.collect()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


if __name__ == "__main__":
    unittest.main()
