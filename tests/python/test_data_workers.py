"""DataLoader with worker processes: the same batches, failures, deaths, hangs, Ctrl-C. SPDX-License-Identifier: Apache-2.0"""
import gc
import os
import signal
import subprocess
import time
import unittest

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info

from helper import WINNOW, Case, command, needs_numpy, numpy, run_child, script_file, winnow_only


class Rich(Dataset):
    """Samples of many kinds."""

    def __len__(self):
        return 11

    def __getitem__(self, i):
        sample = {"x": torch.full((3, 2), float(i)), "i": i, "name": str(i), "half": torch.tensor([i, -i], dtype=torch.bfloat16),
                  "flag": torch.tensor(i > 3), "none": torch.zeros(0)}
        if numpy is not None:
            sample["array"] = numpy.arange(3) + i
        return sample


class Failing(Dataset):
    def __init__(self, how, at=3):
        self.how, self.at = how, at

    def __len__(self):
        return 8

    def __getitem__(self, i):
        if i == self.at:
            self.how()
        return i


class Stream(IterableDataset):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        info = get_worker_info()
        return iter(range(self.n) if info is None else range(info.id, self.n, info.num_workers))


class Who(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        info = get_worker_info()
        return info.id, info.num_workers, info.seed, torch.initial_seed(), os.getpid()


class Arrays(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return i


def plain(batch):
    if isinstance(batch, dict):
        return {k: plain(v) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [plain(x) for x in batch]
    return (str(batch.dtype), batch.tolist()) if isinstance(batch, torch.Tensor) else batch


def bad_value():
    raise ValueError("sample is broken")


def bad_key():
    raise KeyError("missing")


def die():
    os._exit(7)


def be_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def hang():
    time.sleep(60)


def as_arrays(samples):
    return {"a": numpy.array(samples), "t": numpy.array(samples).reshape(-1, 1).T, "r": numpy.broadcast_to(numpy.array(samples[:1]), (2, 1))}


def own_objects(samples):
    return [complex(samples[0], 1), {"set": set(samples)}, torch.nn.Parameter(torch.ones(2)), None]


def shared_files():
    """What lies in shared memory, without the folders of our own tests that run beside this one."""
    names = os.listdir("/dev/shm") if os.path.isdir("/dev/shm") else []
    return {name for name in names if not name.startswith(("winnow-", "wn-test-"))}


def runs(pid):
    """Is there such a process, and no zombie?"""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children():
    """Processes whose parent is this one."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == os.getpid() and fields[0] != "Z":
                found.append(int(entry))
    return found


class Same(Case):
    def test_any_number_of_workers(self):
        for options in ({"batch_size": 3}, {"batch_size": 3, "shuffle": True}, {"batch_size": 4, "drop_last": True}, {"batch_size": None}):
            expected = None
            for workers in (0, 1, 2, 3):
                torch.manual_seed(1)
                got = [plain(b) for b in DataLoader(Rich(), num_workers=workers, **options)]
                expected = expected or got
                self.assertEqual(got, expected)

    def test_tensor_dataset(self):
        data = TensorDataset(torch.arange(1000.0), torch.arange(1000))
        expected = [plain(b) for b in DataLoader(data, batch_size=64)]
        self.assertEqual([plain(b) for b in DataLoader(data, batch_size=64, num_workers=2)], expected)

    def test_batches_that_grow_and_shrink(self):
        class Grows(Dataset):
            def __len__(self):
                return 12

            def __getitem__(self, i):
                return torch.full((10 ** (i % 6) + i,), i)
        kept = list(DataLoader(Grows(), batch_size=None, num_workers=2, prefetch_factor=3))
        for i, x in enumerate(kept):  # all kept: nobody writes into a batch that was delivered
            self.assertEqual((x.numel(), x.min().item(), x.max().item()), (10 ** (i % 6) + i, i, i))

    def test_streams(self):
        for workers in (1, 2, 3):
            got = [x for b in DataLoader(Stream(20), batch_size=3, num_workers=workers) for x in b.tolist()]
            self.assertEqual(sorted(got), list(range(20)))
            if workers == 1:
                self.assertEqual(got, list(range(20)))

    def test_persistent_workers(self):
        loader = DataLoader(Who(), batch_size=2, num_workers=2, persistent_workers=True)
        pids = [{p for b in loader for p in b[4].tolist()} for _ in range(3)]
        self.assertEqual((len(pids[0]), pids[0]), (2, pids[1]))
        iterator = iter(loader)
        next(iterator)  # abandoned
        self.assertEqual(len(list(loader)), 3)
        self.assertEqual({p for b in loader for p in b[4].tolist()}, pids[0])

    def test_worker_info_and_seeds(self):
        torch.manual_seed(3)
        got = list(DataLoader(Who(), batch_size=1, num_workers=2))
        self.assertEqual([b[0].item() for b in got], [0, 1, 0, 1, 0, 1])
        self.assertTrue(all(b[1].item() == 2 and b[2].item() == b[3].item() for b in got))
        self.assertEqual(got[1][2].item() - got[0][2].item(), 1)

    def test_worker_init_fn(self):
        def init(number):
            get_worker_info().dataset.start = 100 * (number + 1)

        class Data(Dataset):
            start = 0

            def __len__(self):
                return 4

            def __getitem__(self, i):
                return self.start + i
        got = [b.tolist() for b in DataLoader(Data(), batch_size=1, num_workers=2, worker_init_fn=init)]
        self.assertEqual(got, [[100], [201], [102], [203]])

    def test_in_order_or_not(self):
        class Slow(Dataset):
            def __len__(self):
                return 8

            def __getitem__(self, i):
                if i == 0:
                    os.read(reader, 1)  # until the other worker is at its second sample, or has sent one that the loop has taken
                elif i >= (3 if in_order else 4):
                    os.write(writer, b"!")
                return i
        for in_order in (True, False):
            reader, writer = os.pipe()
            try:
                got = [b.item() for b in DataLoader(Slow(), batch_size=1, num_workers=2, in_order=in_order, timeout=60)]
            finally:
                os.close(reader)
                os.close(writer)
            self.assertEqual(sorted(got), list(range(8)))
            self.assertEqual(got[0] == 0, in_order)

    @needs_numpy
    @winnow_only
    def test_workers_collect_only_what_is_theirs(self):
        """What was there before the fork would be copied page by page. (multiprocessing, once loaded, forks its own way.)"""
        status, out, err = run_child("""
            import gc, os
            from torch.utils.data import DataLoader
            seen, parent = [], os.getpid()

            def note(phase, info):
                if phase == "start" and os.getpid() != parent:
                    seen.append(gc.get_freeze_count() > 1000)
            os.register_at_fork(after_in_child=lambda: [[] for _ in range(100)])
            gc.callbacks.append(note)
            for enabled in (True, False):
                (gc.enable if enabled else gc.disable)()
                gc.set_threshold(1)
                loader = DataLoader(range(8), 4, num_workers=2, collate_fn=lambda samples: (gc.isenabled(), list(seen)))
                for of_worker, found in loader:
                    assert of_worker == enabled
                    assert all(found) and (found or not enabled), found
                assert gc.isenabled() == enabled
        """)
        self.assertEqual((status, out), (0, ""), err)

    @unittest.skipUnless(hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1, "one processor, or nobody tells")
    def test_workers_may_use_all_processors(self):
        """However they are placed when they start. One processor is given up by a worker_init_fn: that stays."""
        allowed = sorted(os.sched_getaffinity(0))

        class Allowed(Dataset):
            def __len__(self):
                return 2 * len(allowed)

            def __getitem__(self, i):
                return torch.tensor(sorted(os.sched_getaffinity(0)))

        def narrow(number):
            os.sched_setaffinity(0, allowed[1:])

        for init, expected in ((None, allowed), (narrow, allowed[1:])):
            for x in DataLoader(Allowed(), num_workers=2 * len(allowed), worker_init_fn=init):
                self.assertEqual(x[0].tolist(), expected)
        self.assertEqual(sorted(os.sched_getaffinity(0)), allowed)

    @needs_numpy
    def test_arrays_and_other_objects(self):
        got = list(DataLoader(Arrays(), batch_size=2, num_workers=1, collate_fn=as_arrays))
        self.assertEqual(got[1]["a"].tolist(), [2, 3])
        self.assertEqual(got[0]["t"].tolist(), [[0, 1]])
        self.assertEqual(got[0]["r"].tolist(), [[0], [0]])
        got[0]["a"][0] = 5  # memory of its own
        self.assertEqual(got[0]["a"].tolist(), [5, 1])
        (first, *_), _ = DataLoader(Arrays(), batch_size=2, num_workers=1, collate_fn=own_objects)
        self.assertEqual(first, 1j)

    @winnow_only
    def test_forms_of_batches(self):
        """Tensors by themselves, listed, in tuples and mixed with others arrive as what they were."""
        x, y = torch.arange(6.0).reshape(2, 3), torch.tensor(True)
        leaf = torch.ones(2, requires_grad=True)
        many = [torch.full((1, 2, 1), i) for i in range(200)]
        forms = [x, x.t(), y, [x, y], (y, x), [], (), [x], (x[:0],), many, tuple(many), [x, 1], (x, "a"), [[x], y], leaf, [x, leaf],
                 (torch.zeros(3, dtype=torch.bfloat16), x[:, 1])]

        def collate(samples):
            return forms[samples[0]]
        for batch, form in zip(DataLoader(range(len(forms)), 1, num_workers=2, collate_fn=collate), forms, strict=True):
            self.assertIs(type(batch), type(form))
            self.assertEqual(plain(batch), plain(form))
            if form is leaf:
                self.assertTrue(batch.requires_grad)
        twice, = DataLoader(range(1), 1, num_workers=1, collate_fn=lambda samples: [x, x])
        self.assertIs(twice[0], twice[1])

    def test_spawned_workers(self):
        status, out, err = run_child("""
            import torch
            from torch.utils.data import DataLoader, TensorDataset

            if __name__ == "__main__":
                data = TensorDataset(torch.arange(6.0))
                print([b[0].tolist() for b in DataLoader(data, 3, num_workers=1, multiprocessing_context="spawn")])
        """)
        self.assertEqual((status, out), (0, "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]\n"), err)


class Failures(Case):
    def setUp(self):
        gc.collect()
        self.before = (set(children()), shared_files())

    def left(self):
        return (set(children()) - self.before[0]) | (shared_files() - self.before[1])

    def tearDown(self):
        gc.collect()
        end = time.monotonic() + 8
        while (left := self.left()) and time.monotonic() < end:
            time.sleep(0.05)  # a process beside this one has semaphores there for a moment, too
        if WINNOW:
            self.assertEqual(left, set())

    def test_an_exception(self):
        loader = DataLoader(Failing(bad_value), batch_size=2, num_workers=2)
        got = []
        with self.raises(ValueError, "Caught ValueError in DataLoader worker process 1", "sample is broken", "Traceback", "bad_value") as caught:
            for batch in loader:
                got.append(batch.tolist())
        self.assertEqual(got, [[0, 1]])
        del caught
        with self.raises(KeyError, "Caught KeyError in DataLoader worker process 0", "missing"):
            list(DataLoader(Failing(bad_key), num_workers=1))
        with self.raises(ValueError, "sample is broken"):
            list(DataLoader(Failing(bad_value), num_workers=0))

    def test_an_exception_of_the_initialiser(self):
        with self.raises(ValueError, "sample is broken", "worker process"):
            list(DataLoader(Arrays(), num_workers=1, worker_init_fn=lambda number: bad_value()))

    def test_a_worker_that_dies(self):
        for how, word in ((die, "exited unexpectedly"), (be_killed, "killed" if WINNOW else "exited")):
            began = time.monotonic()
            with self.raises(RuntimeError, "DataLoader worker", word):
                list(DataLoader(Failing(how), num_workers=2))
            self.assertLess(time.monotonic() - began, 30)

    def test_a_worker_that_hangs(self):
        began = time.monotonic()
        with self.raises(RuntimeError, "timed out after 0.5 seconds" if WINNOW else "timed out after"):
            list(DataLoader(Failing(hang), num_workers=1, timeout=0.5))
        self.assertLess(time.monotonic() - began, 20)

    def test_leaving_early(self):
        for persistent in (False, True):
            loader = DataLoader(Rich(), num_workers=2, persistent_workers=persistent)
            for _ in loader:
                break
            del loader
            gc.collect()

    def test_one_loader_inside_another(self):
        outer = 0
        for _ in DataLoader(Arrays(), num_workers=2):
            outer += sum(b.item() for b in DataLoader(Arrays(), num_workers=2))
        self.assertEqual(outer, 24)

    @winnow_only
    def test_a_batch_that_was_sent_is_given_up(self):
        class Measure(Dataset):
            def __len__(self):
                return 12

            def __getitem__(self, i):
                gc.disable()
                return torch._C._stats()["allocated"], torch.zeros(100_000) + i
        sizes = [b[0].item() for b in DataLoader(Measure(), batch_size=1, num_workers=1)]
        self.assertLess(max(sizes) - sizes[2], 400_000)

    @winnow_only
    def test_descriptors_do_not_leak(self):
        list(DataLoader(Rich(), num_workers=2))
        gc.collect()
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(5):
            list(DataLoader(Rich(), num_workers=2))
        gc.collect()
        self.assertLessEqual(len(os.listdir("/proc/self/fd")), before)

    @winnow_only
    def test_ctrl_c(self):
        with script_file("""
            import os, sys, time, torch
            from torch.utils.data import DataLoader, Dataset

            class Slow(Dataset):
                def __len__(self):
                    return 100
                def __getitem__(self, i):
                    time.sleep(0.05)
                    return os.getpid()

            try:
                for n, batch in enumerate(DataLoader(Slow(), num_workers=2)):
                    if n < 2:
                        print(batch.item(), flush=True)
            except KeyboardInterrupt:
                print("interrupted", flush=True)
        """) as path:
            child = subprocess.Popen(command(path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            pids = [int(child.stdout.readline()) for _ in range(2)]
            os.killpg(child.pid, signal.SIGINT)
            out, err = child.communicate(timeout=30)
        self.assertEqual((child.returncode, out, err), (0, "interrupted\n", ""))
        self.assertFalse(any(map(runs, pids)))

    @winnow_only
    def test_the_main_process_is_killed(self):
        with script_file("""
            import os, time, torch
            from torch.utils.data import DataLoader, Dataset

            class Pids(Dataset):
                def __len__(self):
                    return 100
                def __getitem__(self, i):
                    return os.getpid()

            first, second = iter(DataLoader(Pids(), num_workers=2)), iter(DataLoader(Pids(), num_workers=1))
            print(next(first).item(), next(first).item(), next(second).item(), flush=True)
            time.sleep(60)
        """) as path:
            child = subprocess.Popen(command(path), stdout=subprocess.PIPE, text=True)
            pids = [int(x) for x in child.stdout.readline().split()]
            child.kill()
            child.communicate()
        end = time.monotonic() + 10
        while any(map(runs, pids)) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertLess(time.monotonic(), end)


if __name__ == "__main__":
    unittest.main()
