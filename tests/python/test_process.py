"""The process around the library: threads, Ctrl-C, fork, children, import and exit.
SPDX-License-Identifier: Apache-2.0"""
import gc
import signal
import subprocess
import threading
import time
import unittest

import torch

from helper import Case, command, run_child, script_file, winnow_only


class Threads(Case):
    def run_all(self, work, count=4):
        errors = []

        def guarded(k):
            try:
                work(k)
            except BaseException as error:  # the main thread raises it
                errors.append(error)

        threads = [threading.Thread(target=guarded, args=(k,)) for k in range(count)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if errors:
            raise errors[0]

    def test_results(self):
        shared = torch.arange(20_480.0)

        def work(k):
            for i in range(30):
                total = (shared * k + i).sum().item()
                assert total == k * 20_480 * 20_479 / 2 + i * 20_480, (k, i, total)
                small = torch.tensor([1.0, 2.0]) * k + i
                assert small.tolist() == [k + i, 2.0 * k + i]

        shared = shared.double()
        self.run_all(work)

    def test_backward_in_each(self):
        w = torch.ones(64, dtype=torch.float64)

        def work(k):
            for _ in range(50):
                x = torch.full((64,), float(k), dtype=torch.float64, requires_grad=True)
                (x * x * w).sum().backward()
                assert x.grad.tolist() == [2.0 * k] * 64

        self.run_all(work)

    def test_one_leaf_from_all(self):
        leaf = torch.zeros(4, requires_grad=True)
        lock = threading.Lock()

        def work(k):
            for _ in range(100):
                with lock:
                    (leaf * (k + 1)).sum().backward()

        self.run_all(work)
        self.values(leaf.grad, [1000.0] * 4)

    def test_errors_stay_in_their_thread(self):
        def work(k):
            for _ in range(200):
                if k % 2:
                    try:
                        torch.ones(2 + k) + torch.ones(1 + k)
                    except RuntimeError as error:
                        assert f"({2 + k})" in str(error), error
                    else:
                        raise AssertionError("no error")
                else:
                    assert (torch.ones(3) * k).sum().item() == 3 * k

        self.run_all(work)

    def test_objects_made_and_dropped_everywhere(self):
        shared = torch.ones(100, requires_grad=True)

        def work(k):
            for i in range(300):
                part = shared[i % 100:]
                part.note = [part]
                if i % 50 == 0:
                    gc.collect()
                assert part.sum().item() == 100 - i % 100

        self.run_all(work)


class Signals(Case):
    LOOP = """
        import sys, torch
        x = torch.ones({n})
        print("ready", flush=True)
        try:
            while True:
                x = x * 1.0000001 + {extra}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            raise
    """

    def interrupt(self, n, extra="0.0"):
        with script_file(self.LOOP.format(n=n, extra=extra)) as path:
            child = subprocess.Popen(command(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                ready = child.stdout.readline()
                self.assertEqual(ready, "ready\n", ready or child.communicate()[1])
                time.sleep(0.5)
                child.send_signal(signal.SIGINT)
                began = time.monotonic()
                out, err = child.communicate(timeout=60)
                self.assertLess(time.monotonic() - began, 10)
            finally:
                child.kill()
        self.assertEqual(out, "interrupted\n")
        self.assertIn("KeyboardInterrupt", err)
        self.assertNotEqual(child.returncode, 0)

    def test_loop_of_small_operations(self):
        self.interrupt(4)

    def test_loop_of_large_operations(self):
        self.interrupt(1 << 20, "x.mean() * 0")


class Children(Case):
    def test_fork(self):
        status, out, err = run_child("""
            import os, torch
            torch.set_num_threads(1)
            x = torch.arange(20_480.0) * 2
            y = torch.ones(4, requires_grad=True)
            pid = os.fork()
            if pid == 0:
                good = x[100].item() == 200.0 and (x + 1).sum().item() == (x.double() + 1).sum().item()
                (y * 3).sum().backward()
                os._exit(0 if good and y.grad.tolist() == [3.0] * 4 else 1)
            _, status = os.waitpid(pid, 0)
            print(status, (x * 2)[100].item(), y.grad)
        """)
        self.assertEqual((status, out, err), (0, "0 400.0 None\n", ""))

    @winnow_only
    def test_fork_with_threads(self):
        status, out, err = run_child("""
            import os, torch, warnings
            warnings.simplefilter("ignore")  # Python 3.12 warns of any fork beside threads
            torch.set_num_threads(4)
            big = (torch.ones(4_000_000) * 2).sum().item()  # the pool has run
            pid = os.fork()
            if pid == 0:
                os._exit(0 if (torch.ones(4_000_000) * 2).sum().item() == big else 1)
            print(os.waitpid(pid, 0)[1], (torch.ones(4_000_000) * 2).sum().item() == big)
        """)
        self.assertEqual((status, out, err), (0, "0 True\n", ""))

    def test_import_and_exit(self):
        began = time.monotonic()
        status, out, err = run_child("""
            import torch
            keep = torch.ones(3, requires_grad=True)
            keep.me = keep
            pending = torch.arange(20_480.0) * 2
            keep.register_hook(lambda g: keep)
            print("ok")
        """)
        self.assertEqual((status, out, err), (0, "ok\n", ""))
        self.assertLess(time.monotonic() - began, 60)

    @winnow_only
    def test_import_is_quick(self):
        def seconds():
            _, out, _ = run_child("import time; t = time.perf_counter(); import torch; print(time.perf_counter() - t)")
            return float(out)

        self.assertLess(min(seconds() for _ in range(3)), 0.5)

    @winnow_only
    def test_daemon_thread_at_exit(self):  # PyTorch ends with "terminate called without an active exception"
        status, out, _ = run_child("""
            import threading, torch

            def forever():
                while True:
                    (torch.ones(100) * 2).sum().item()

            threading.Thread(target=forever, daemon=True).start()
            print((torch.ones(2) + 1).sum().item(), flush=True)
        """)
        self.assertEqual((status, out), (0, "4.0\n"))

    def test_uncaught_error_exits_with_one(self):
        status, _, err = run_child("import torch; torch.ones(2) + torch.ones(3)")
        self.assertEqual(status, 1)
        self.assertIn("RuntimeError", err)
        self.assertIn("size of tensor a (2)", err)


if __name__ == "__main__":
    unittest.main()
