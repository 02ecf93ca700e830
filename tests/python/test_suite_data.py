"""What PyTorch's own test_dataloader.py found: warnings, errors in the middle, workers' processes, the end of persistent workers.
SPDX-License-Identifier: Apache-2.0"""

import os
import unittest
import warnings

import torch
from helper import Case
from torch.utils.data import DataLoader, Dataset, IterableDataset

ONCE = True  # whether operations wait has nothing to do with it


class Odd(Dataset):
    """Its even samples are errors."""

    def __len__(self):
        return 7

    def __getitem__(self, i):
        if i % 2 == 0:
            raise NotImplementedError(f"sample {i}")
        return i


class Stream(IterableDataset):
    """Longer than it says."""

    def __len__(self):
        return 2

    def __iter__(self):
        return iter(range(4))


class Plain(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return torch.tensor(i)


def texts(f):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        f()
    return [str(w.message) for w in given]


class Loaders(Case):
    def test_errors_do_not_end_an_epoch(self):
        for workers in (0, 2):
            for persistent in (False, True) if workers else (False,):
                loader = iter(DataLoader(Odd(), batch_size=None, num_workers=workers, persistent_workers=persistent))
                got, failed = [], 0
                while True:
                    try:
                        got.append(next(loader))
                    except NotImplementedError:
                        failed += 1
                    except StopIteration:
                        break
                self.assertEqual((got, failed), ([1, 3, 5], 4))

    def test_more_than_was_said(self):
        for workers, hint in ((0, 0), (1, 1)):
            loader = DataLoader(Stream(), batch_size=None, num_workers=workers)
            self.assertEqual(texts(lambda: list(loader)), [])
            self.assertEqual(len(loader), 2)
            said = texts(lambda: list(loader))
            self.assertEqual(len(said), 2)  # each time
            for n, text in enumerate(said, 3):
                self.assertRegex(text, rf"reported to be 2\(when accessing len\(dataloader\)\), but {n} samples have been fetched")
                self.assertEqual(text.count("could be caused by not properly configuring the IterableDataset replica at each worker"), hint)

    def test_more_workers_than_processors(self):
        allowed = len(os.sched_getaffinity(0))
        self.assertEqual(texts(lambda: DataLoader(Plain(), num_workers=allowed)), [])
        text, = texts(lambda: DataLoader(Plain(), num_workers=allowed + 1))
        self.assertRegex(text, rf"will create {allowed + 1} worker processes in total. Our suggested max number of worker in current system is {allowed},")

    def test_pinned_memory(self):
        loader = DataLoader(Plain(), pin_memory=True)
        text, = texts(lambda: list(loader))
        self.assertRegex(text, "'pin_memory' argument is set as true but no accelerator is found")

    def test_processes_of_workers(self):
        iterator = iter(DataLoader(Plain(), num_workers=2))
        workers = list(iterator._workers)
        self.assertEqual(len({w.pid for w in workers}), 2)
        self.assertTrue(all(w.is_alive() for w in workers))
        iterator._shutdown_workers()
        for w in workers:
            w.join(20)
            self.assertFalse(w.is_alive())

    def test_persistent_workers_end_with_their_loader(self):
        loader = DataLoader(Plain(), num_workers=1, persistent_workers=True)
        self.assertEqual([b.item() for b in loader], list(range(6)))
        self.assertEqual([b.item() for b in loader], list(range(6)))
        worker, = loader._iterator._workers
        self.assertTrue(worker.is_alive())
        del loader
        worker.join(20)
        self.assertFalse(worker.is_alive())
        self.assertEqual(worker.exitcode, 0)


if __name__ == "__main__":
    unittest.main()
