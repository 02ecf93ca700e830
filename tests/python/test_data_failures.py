"""DataLoader's workers in awkward circumstances: what cannot be passed on, limits, threads, forks, other processes, long runs.
SPDX-License-Identifier: Apache-2.0"""
import gc
import os
import sys
import threading
import time
import unittest

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset

from helper import SANITIZED, Case, resident_bytes, run_child, winnow_only


class Numbers(Dataset):
    """i, or what `what` makes of it."""

    def __init__(self, n=8, what=None):
        self.n, self.what = n, what

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return i if self.what is None else self.what(i)


class Picky(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)


def picky(i):
    raise Picky(1, 2)


def leave(i):
    sys.exit(5)


def bad_collate(samples):
    raise ArithmeticError("cannot be put together")


def descriptors():
    gc.collect()
    return len(os.listdir("/proc/self/fd"))


class Passing(Case):
    def test_collate_fn_raises(self):
        with self.raises(ArithmeticError, "Caught ArithmeticError in DataLoader worker process 0", "cannot be put together", "bad_collate"):
            list(DataLoader(Numbers(), num_workers=2, collate_fn=bad_collate))

    def test_an_exception_that_cannot_be_made_from_a_message(self):
        with self.raises(RuntimeError, "Caught Picky in DataLoader worker process 0", "in picky"):
            list(DataLoader(Numbers(what=picky), num_workers=1))

    def test_the_loop_goes_on_with_persistent_workers(self):
        def fails_once(i):
            if i == 2:
                raise ValueError("two")
            return i
        loader = DataLoader(Numbers(6, fails_once), num_workers=2, persistent_workers=True)
        iterator, got = iter(loader), []
        for _ in range(6):
            try:
                got.append(next(iterator).item())
            except ValueError:
                got.append("failed")
        self.assertEqual(got, [0, 1, "failed", 3, 4, 5])
        with self.raises(ValueError, "two"):
            list(loader)

    @winnow_only
    def test_what_cannot_be_pickled(self):
        with self.raises(Exception, "in DataLoader worker process 0", "pickle"):
            list(DataLoader(Numbers(what=lambda i: threading.Lock()), num_workers=1, collate_fn=list))

    @winnow_only
    def test_a_worker_that_exits(self):
        with self.raises(RuntimeError, "DataLoader worker", "exited unexpectedly with exit code 5"):
            list(DataLoader(Numbers(what=leave), num_workers=2))

    def test_large_batches(self):
        sums = [b.sum(dtype=torch.float64).item() for b in DataLoader(Numbers(6, lambda i: torch.full((5_000_000,), i / 2)), num_workers=2)]
        self.assertEqual(sums, [2_500_000.0 * i for i in range(6)])

    def test_many_indices(self):
        batches = [b.tolist() for b in DataLoader(Numbers(200_000), batch_size=50_000, num_workers=1, prefetch_factor=4)]
        self.assertEqual(sum(batches, []), list(range(200_000)))
        self.assertEqual([b.item() for b in DataLoader(Numbers(300), num_workers=2, prefetch_factor=100)], list(range(300)))

    @winnow_only
    def test_no_room(self):
        import resource

        def limit(number):
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        loader = DataLoader(Numbers(4, lambda i: torch.zeros(10 ** 6 if i == 1 else 10)), num_workers=1, worker_init_fn=limit)
        iterator = iter(loader)
        self.assertEqual(next(iterator).numel(), 10)
        with self.raises(OSError, "in DataLoader worker process 0", "too large"):
            next(iterator)


class Circumstances(Case):
    def test_an_iterator_for_two(self):
        loader = DataLoader(Numbers(6), num_workers=2, persistent_workers=True)
        first = iter(loader)
        self.assertEqual(next(first).item(), 0)
        second = iter(loader)
        self.assertIs(second, first)
        self.assertEqual([b.item() for b in second], list(range(6)))

    def test_another_thread(self):
        got = []
        thread = threading.Thread(target=lambda: got.extend(b.item() for b in DataLoader(Numbers(4), num_workers=2)))
        thread.start()
        thread.join()
        self.assertEqual(got, [0, 1, 2, 3])

    @unittest.skipIf(SANITIZED, "gcc 12's AddressSanitizer does not hold its locks across a fork")
    def test_busy_threads(self):
        """Forks while the engine's threads compute; the workers compute, too."""
        stop, x = threading.Event(), torch.ones(300, 300)

        def work():
            while not stop.is_set():
                (x @ x).sum().item()
        thread = threading.Thread(target=work)
        thread.start()
        try:
            for _ in range(5):
                got = [b.item() for b in DataLoader(Numbers(4, lambda i: (x @ x * i).sum().item()), num_workers=2, timeout=60)]
                self.assertEqual(got, [300.0 ** 3 * i for i in range(4)])
        finally:
            stop.set()
            thread.join()

    def test_a_dead_worker_with_a_child(self):
        """Its ends of the pipes stay open."""
        def leave_a_child(i):
            if i == 1:
                if os.fork() == 0:
                    time.sleep(20)
                    os._exit(0)
                os._exit(3)
            return i
        began = time.monotonic()
        with self.raises(RuntimeError, "DataLoader worker", "exited unexpectedly"):
            list(DataLoader(Numbers(8, leave_a_child), num_workers=1))
        self.assertLess(time.monotonic() - began, 15)

    def test_output_is_written_once(self):
        status, out, err = run_child("""
            import sys, torch
            from torch.utils.data import DataLoader, Dataset

            class Talks(Dataset):
                def __len__(self):
                    return 4
                def __getitem__(self, i):
                    sys.stdout.write(f"sample {i}\\n")
                    return i

            print("before")
            total = sum(b.item() for b in DataLoader(Talks(), num_workers=2))
            print("after", total)
        """)
        self.assertEqual((status, sorted(out.split("\n"))), (0, ["", "after 6", "before"] + [f"sample {i}" for i in range(4)]), err)

    def test_with_multiprocessing(self):
        """Its locks, shared numbers and queues work in the workers."""
        status, out, err = run_child("""
            import multiprocessing, torch
            from torch.utils.data import DataLoader, Dataset

            class Counts(Dataset):
                def __init__(self):
                    self.seen, self.queue = multiprocessing.Value("i", 0), multiprocessing.Queue()
                def __len__(self):
                    return 6
                def __getitem__(self, i):
                    with self.seen.get_lock():
                        self.seen.value += 1
                    self.queue.put(i)
                    return i

            data = Counts()
            print(sorted(b.item() for b in DataLoader(data, num_workers=2)), data.seen.value, sorted(data.queue.get() for _ in range(6)))
        """)
        self.assertEqual((status, out), (0, "[0, 1, 2, 3, 4, 5] 6 [0, 1, 2, 3, 4, 5]\n"), err)

    def test_other_ways_to_start(self):
        status, out, err = run_child("""
            import torch
            from torch.utils.data import DataLoader, Dataset

            class Squares(Dataset):
                def __len__(self):
                    return 5
                def __getitem__(self, i):
                    return torch.tensor([i * i])

            def main():
                for context in ("spawn", "forkserver"):
                    print([b.flatten().tolist() for b in DataLoader(Squares(), 2, num_workers=2, multiprocessing_context=context)])
                class Local(Squares):
                    pass
                try:
                    list(DataLoader(Local(), num_workers=1, multiprocessing_context="spawn"))
                except Exception as error:
                    print("local object" in str(error), "Local" in str(error))  # its first words depend on Python's version

            if __name__ == "__main__":
                main()
        """)
        self.assertEqual((status, out), (0, "[[0, 1], [4, 9], [16]]\n" * 2 + "True True\n"), err)

    def test_streams_of_unequal_length(self):
        class Uneven(IterableDataset):
            def __iter__(self):
                return iter(range(100) if torch.utils.data.get_worker_info().id == 1 else [7])
        got = sorted(b.item() for b in DataLoader(Uneven(), num_workers=3))
        self.assertEqual(got, sorted([7, 7, *range(100)]))

    def test_workers_have_no_input(self):
        class Reads(Dataset):
            def __len__(self):
                return 1

            def __getitem__(self, i):
                return sys.stdin.read()
        self.assertEqual(list(DataLoader(Reads(), num_workers=1)), [[""]])


class LongRuns(Case):
    def flat(self, run, limit=3 << 20):
        """Neither memory nor descriptors grow from one run to many."""
        run()
        fds, memory = descriptors(), resident_bytes()
        for _ in range(8):
            run()
        self.assertLessEqual(descriptors(), fds)
        self.assertLess(resident_bytes() - memory, limit)

    def test_many_batches(self):
        loader = DataLoader(Numbers(150, lambda i: (torch.zeros(1000), str(i))), batch_size=1, num_workers=2)
        self.flat(lambda: [None for _ in loader])

    def test_persistent(self):
        loader = DataLoader(Numbers(300, lambda i: torch.zeros(1000)), batch_size=1, num_workers=2, persistent_workers=True)
        self.flat(lambda: [None for _ in loader])

    def test_left_early(self):
        def leave_early():
            for _ in range(3):
                for _ in DataLoader(Numbers(50, lambda i: torch.zeros(1000)), num_workers=2):
                    break
        self.flat(leave_early)


if __name__ == "__main__":
    unittest.main()
