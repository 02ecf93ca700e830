"""Signals while the engine works: what was begun is given up and can be had again, or is whole; other threads go on. No test knows
how long anything takes: work grows until a signal finds it unfinished.
SPDX-License-Identifier: Apache-2.0"""
import contextlib
import os
import signal
import threading
import time
import unittest

import torch
from helper import Case, winnow_only


class Alarm(Exception):
    pass


@contextlib.contextmanager
def alarm(after, every=0):
    """Raises Alarm once, `after` seconds from now, or calls that nothing is raised from (every)."""
    calls = []

    def handler(number, frame):
        calls.append(number)
        if not every and len(calls) == 1:
            raise Alarm

    old = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, after, every)
    try:
        yield calls
    finally:
        calls.append(None)  # one that comes now is too late to be raised
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def stored():
    return torch._C._stats()["stored"]


def unfinished(make, work, sizes=(500, 900, 1500, 2500, 4000)):
    """What make(size) gave for which work() was left by an Alarm before it had stored anything: (made, size), or None."""
    for size in sizes:
        made = make(size)
        before = stored()
        try:
            with alarm(0.1):
                work(made)
        except Alarm:
            if stored() == before:
                return made, size
    return None


@winnow_only
class Interrupted(Case):
    def setUp(self):
        self.old = torch._C.set_defer_from(8192)

    def tearDown(self):
        torch._C.set_defer_from(self.old)

    def test_a_chain_of_products(self):
        def make(n):
            a = torch.rand(n, n) / n
            a.sum().item()
            return a, a @ a @ a @ a @ a

        found = unfinished(make, lambda made: made[1].tanh().sum().item())
        self.assertIsNotNone(found)
        (a, chain), n = found
        again = a @ a @ a @ a @ a
        self.assertTrue(torch.equal(again, chain))

    def test_at_once(self):
        torch._C.set_defer_from(-1)
        for n in (500, 1000, 2000, 4000):
            a = torch.rand(n, n)
            elements, result = torch._C._stats()["elements"], None
            try:
                with alarm(0.1):
                    for _ in range(20):
                        result = a @ a
            except Alarm:
                break
        else:
            self.fail("no alarm")
        self.assertGreaterEqual(torch._C._stats()["elements"], elements)
        if result is not None:
            self.assertTrue(torch.equal(result, a @ a))

    def test_a_keyboard_interrupt_from_a_thread(self):
        a = torch.rand(1200, 1200)
        old = signal.signal(signal.SIGINT, signal.default_int_handler)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                while True:
                    (a @ a @ a).sum().item()
        finally:
            timer.join()
            signal.signal(signal.SIGINT, old)
        self.assertEqual((a @ a).shape, (1200, 1200))

    def test_in_place_is_whole(self):
        x = torch.ones(100_000_000)
        x.sum().item()
        for turn in range(20):
            with contextlib.suppress(Alarm), alarm(0.005 + 0.011 * (turn * 7 % 20)):
                for _ in range(3):
                    x.add_(1)
                    x.max().item()
            low, high = x.min().item(), x.max().item()
            self.assertEqual(low, high)
        self.assertGreater(low, 1)

    def test_backward_leaves_the_gradient(self):
        def make(n):
            w = (torch.rand(n, n) / n).requires_grad_()
            return w, (w @ w @ w @ w).sum()

        w = None
        for n in (500, 900, 1500, 2500, 4000):
            w, loss = make(n)
            loss.item()
            try:
                with alarm(0.1):
                    loss.backward()
            except Alarm:
                if w.grad is None:
                    break
        else:
            self.fail("no backward was left by the alarm")
        make(300)[1].backward()

    def test_the_work_of_other_threads_goes_on(self):
        a = torch.rand(400, 400) / 400
        want = (a @ a @ a).sum().item()
        results, errors, done = [], [], threading.Event()

        def work():
            try:
                while not done.is_set() or not results:
                    results.append((a @ a @ a).sum().item())
            except BaseException as e:
                errors.append(e)

        thread = threading.Thread(target=work)
        thread.start()
        b = torch.rand(1000, 1000)
        for _ in range(3):
            with self.assertRaises(Alarm), alarm(0.1):
                while True:
                    (b @ b).sum().item()
        done.set()
        thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(set(results), {want})

    def test_handlers_run_while_a_thread_waits(self):
        """The main thread takes the GIL inside the engine's lock; one that waits for the lock must not keep it."""
        a = torch.rand(700, 700)
        done = threading.Event()

        def small():
            while not done.is_set():
                torch.ones(10_000).exp_().mul_(2).sum().item()

        thread = threading.Thread(target=small)
        thread.start()
        try:
            with alarm(0.02, 0.02) as calls:
                end = time.monotonic() + 60
                while len(calls) < 20 and time.monotonic() < end:
                    (a @ a @ a @ a).sum().item()
                self.assertGreaterEqual(len(calls), 20)
        finally:
            done.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()
