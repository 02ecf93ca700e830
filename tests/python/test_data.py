"""torch.utils.data: datasets, samplers, DataLoader in one process. SPDX-License-Identifier: Apache-2.0"""
import collections
import unittest
import warnings

import torch
from torch.utils.data import (BatchSampler, ChainDataset, ConcatDataset, DataLoader, Dataset, DistributedSampler, IterableDataset,
                              RandomSampler, Sampler, SequentialSampler, StackDataset, Subset, SubsetRandomSampler, TensorDataset,
                              WeightedRandomSampler, default_collate, default_convert, get_worker_info, random_split)

from helper import Case, needs_numpy, numpy, run_child, winnow_only

# What PyTorch prints in test_the_draws_of_torch
EXPECTED_DRAWS = """\
[4, 5, 1, 3, 0, 2, 6] [0, 3, 2, 1, 1, 0, 2, 3, 2] [4, 2, 2, 2, 1, 4]
[2, 2, 0, 1, 0, 2, 1, 2] [3, 2, 1, 0]
[8, 7, 6, 5] [[0, 3], [1, 4], [2]]
[5, 10, 6, 4] [[1, 4, 0, 3], [2, 5]]
[[210, 296], [509, 31]] 888
[[967, 628], [91, 933]] 807
"""

Point = collections.namedtuple("Point", "x y")


class Squares(Dataset):
    def __init__(self, n=10):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return i * i


class Count(IterableDataset):
    def __init__(self, n, claim=None):
        self.n, self.claim = n, n if claim is None else claim

    def __iter__(self):
        return iter(range(self.n))

    def __len__(self):
        return self.claim


def tensors(n=10):
    return TensorDataset(torch.arange(float(n)), torch.arange(2 * n).reshape(n, 2))


class Datasets(Case):
    def test_tensor_dataset(self):
        data = tensors()
        self.assertEqual(len(data), 10)
        x, y = data[3]
        self.assertEqual(x.item(), 3.0)
        self.values(y, [6, 7])
        with self.raises(AssertionError, "size mismatch"):
            TensorDataset(torch.ones(2), torch.ones(3))

    def test_concat_chain_subset_stack(self):
        both = Squares(3) + Squares(2)
        self.assertIsInstance(both, ConcatDataset)
        self.assertEqual([both[i] for i in range(len(both))], [0, 1, 4, 0, 1])
        self.assertEqual(both[-1], 1)
        with self.raises(ValueError, "absolute value"):
            both[-6]
        chain = Count(2) + Count(3)
        self.assertIsInstance(chain, ChainDataset)
        self.assertEqual((list(chain), len(chain)), ([0, 1, 0, 1, 2], 5))
        part = Subset(Squares(), [5, 1])
        self.assertEqual((part[0], part[1], len(part), part.__getitems__([1, 0])), (25, 1, 2, [1, 25]))
        self.assertEqual(StackDataset(Squares(), Squares())[2], (4, 4))
        self.assertEqual(StackDataset(a=Squares(), b=Squares()).__getitems__([1, 2]), [{"a": 1, "b": 1}, {"a": 4, "b": 4}])
        with self.raises(ValueError, "size mismatch"):
            StackDataset(Squares(1), Squares(2))
        with self.assertRaises(NotImplementedError):
            Dataset()[0]

    def test_random_split(self):
        parts = random_split(Squares(10), [0.3, 0.3, 0.4], generator=torch.Generator().manual_seed(1))
        self.assertEqual([len(p) for p in parts], [3, 3, 4])
        self.assertEqual(sorted(i for p in parts for i in p.indices), list(range(10)))
        again = random_split(Squares(10), [3, 3, 4], generator=torch.Generator().manual_seed(1))
        self.assertEqual([p.indices for p in parts], [p.indices for p in again])
        self.assertEqual([len(p) for p in random_split(range(11), [0.5, 0.5])], [6, 5])
        with self.raises(ValueError, "sum of input lengths"):
            random_split(Squares(10), [3, 3])
        with self.raises(ValueError, "fraction at index 0"):
            random_split(Squares(10), [-0.5, 1.5])
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            random_split(range(1), [0.5, 0.5])
        self.assertIn("is 0", str(seen[0].message))


class Samplers(Case):
    def test_orders(self):
        self.assertEqual(list(SequentialSampler(Squares(4))), [0, 1, 2, 3])
        order = list(RandomSampler(Squares(20), generator=torch.Generator().manual_seed(3)))
        self.assertEqual(sorted(order), list(range(20)))
        self.assertNotEqual(order, list(range(20)))
        self.assertEqual(order, torch.randperm(20, generator=torch.Generator().manual_seed(3)).tolist())
        several = list(RandomSampler(Squares(5), num_samples=12))
        self.assertEqual([sorted(several[:5]), sorted(several[5:10]), len(several)], [[0, 1, 2, 3, 4]] * 2 + [12])
        drawn = list(RandomSampler(Squares(5), replacement=True, num_samples=100))
        self.assertEqual((len(drawn), set(drawn)), (100, {0, 1, 2, 3, 4}))
        self.assertEqual(sorted(SubsetRandomSampler([7, 3, 5])), [3, 5, 7])

    def test_the_default_generator_decides(self):
        torch.manual_seed(5)
        a = list(RandomSampler(Squares(20)))
        b = list(RandomSampler(Squares(20)))
        torch.manual_seed(5)
        self.assertEqual(list(RandomSampler(Squares(20))), a)
        self.assertNotEqual(a, b)

    def test_weights(self):
        draws = list(WeightedRandomSampler([0.0, 3.0, 1.0], 2000))
        counts = collections.Counter(draws)
        self.assertEqual(set(counts), {1, 2})
        self.assertTrue(1350 < counts[1] < 1650, counts)
        self.assertEqual(sorted(WeightedRandomSampler([1, 0, 2, 3], 3, replacement=False)), [0, 2, 3])
        with self.raises(ValueError, "num_samples"):
            WeightedRandomSampler([1.0], 0)

    def test_batches(self):
        self.assertEqual(list(BatchSampler(SequentialSampler(range(7)), 3, False)), [[0, 1, 2], [3, 4, 5], [6]])
        dropping = BatchSampler(SequentialSampler(range(7)), 3, True)
        self.assertEqual((list(dropping), len(dropping)), ([[0, 1, 2], [3, 4, 5]], 2))
        for bad in (0, -1, 1.5, True):
            with self.raises(ValueError, "batch_size"):
                BatchSampler(SequentialSampler(range(7)), bad, False)

    def test_distributed(self):
        parts = [list(DistributedSampler(Squares(10), 3, rank, shuffle=False)) for rank in range(3)]
        self.assertEqual(parts, [[0, 3, 6, 9], [1, 4, 7, 0], [2, 5, 8, 1]])
        shuffled = [DistributedSampler(Squares(10), 2, rank, seed=1, drop_last=True) for rank in (0, 1)]
        before = [list(s) for s in shuffled]
        self.assertEqual(sorted(before[0] + before[1]), list(range(10)))
        shuffled[0].set_epoch(1)
        self.assertNotEqual(list(shuffled[0]), before[0])
        with self.raises(ValueError, "rank"):
            DistributedSampler(Squares(), 2, 2)


    def test_the_draws_of_torch(self):
        """Under WINNOW_RNG=torch all samplers draw PyTorch's numbers."""
        status, out, err = run_child("""
            import os
            os.environ["WINNOW_RNG"] = "torch"
            import torch
            from torch.utils.data import *

            torch.manual_seed(11)
            print(list(RandomSampler(range(7))), list(RandomSampler(range(4), num_samples=9)), list(RandomSampler(range(5), True, 6)))
            print(list(WeightedRandomSampler([1.0, 2, 3, 0], 8)), list(WeightedRandomSampler([1.0, 2, 3, 4], 4, replacement=False)))
            print(list(SubsetRandomSampler([5, 6, 7, 8])), list(BatchSampler(RandomSampler(range(5), generator=torch.Generator().manual_seed(4)), 2, False)))
            print(list(DistributedSampler(range(11), 3, 1, seed=5)), [list(s.indices) for s in random_split(range(6), [4, 2])])
            class Draws(Dataset):
                def __len__(self):
                    return 4
                def __getitem__(self, i):
                    return torch.randint(0, 1000, ()).item()
            for workers in (0, 2):
                loader = DataLoader(Draws(), 2, shuffle=True, num_workers=workers, generator=torch.Generator().manual_seed(3))
                print([b.tolist() for b in loader], torch.randint(0, 1000, ()).item())
        """)
        self.assertEqual((status, out), (0, EXPECTED_DRAWS), err)


class Collate(Case):
    def test_numbers_and_tensors(self):
        self.values(default_collate([1, 2]), [1, 2], torch.int64)
        self.values(default_collate([0.5, 2.0]), [0.5, 2.0], torch.float64)
        self.values(default_collate([True, False]), [True, False])
        self.values(default_collate([torch.ones(2), torch.zeros(2)]), [[1.0, 1.0], [0.0, 0.0]])
        self.assertEqual(default_collate(["a", "b"]), ["a", "b"])
        with self.assertRaises(RuntimeError):
            default_collate([torch.ones(2), torch.ones(3)])

    def test_containers(self):
        got = default_collate([{"x": 1, "y": (2, "a")}, {"x": 3, "y": (4, "b")}])
        self.values(got["x"], [1, 3])
        self.values(got["y"][0], [2, 4])
        self.assertEqual(got["y"][1], ("a", "b"))
        got = default_collate([Point(1, 2.0), Point(3, 4.0)])
        self.assertIsInstance(got, Point)
        self.values(got.y, [2.0, 4.0])
        got = default_collate([[1, 2], [3, 4]])
        self.values(got[1], [2, 4])
        with self.raises(RuntimeError, "equal size"):
            default_collate([[1], [1, 2]])
        with self.raises(TypeError, "default_collate: batch must contain"):
            default_collate([object()])

    @needs_numpy
    def test_numpy(self):
        self.values(default_collate([numpy.array([1, 2]), numpy.array([3, 4])]), [[1, 2], [3, 4]], torch.int64)
        self.values(default_collate([numpy.float32(1), numpy.float32(2)]), [1.0, 2.0], torch.float32)
        with self.raises(TypeError, "default_collate"):
            default_collate([numpy.array(["a"]), numpy.array(["b"])])
        got = default_convert({"a": numpy.array([1.5]), "s": "text", "n": [1, numpy.int32(2)]})
        self.values(got["a"], [1.5])
        self.assertEqual((got["s"], got["n"][0]), ("text", 1))


class Loading(Case):
    def test_batches(self):
        loader = DataLoader(tensors(7), batch_size=3)
        self.assertEqual(len(loader), 3)
        got = list(loader)
        self.assertEqual([type(b) for b in got], [list] * 3)
        self.values(got[0][1], [[0, 1], [2, 3], [4, 5]])
        self.values(got[2][0], [6.0])
        self.assertEqual(len(list(DataLoader(tensors(7), batch_size=3, drop_last=True))), 2)
        self.assertEqual([b.tolist() for b in DataLoader(Squares(5), 2)], [[0, 1], [4, 9], [16]])
        self.assertEqual(list(DataLoader(Squares(3), batch_size=None)), [0, 1, 4])

    def test_batches_are_copies(self):
        data = tensors()
        (x, _), *_ = DataLoader(data, batch_size=4)
        x.fill_(100)
        self.assertEqual(data.tensors[0].max().item(), 9.0)

    def test_order_from_the_seed(self):
        for data in (tensors(20), Squares(20), Subset(tensors(30), list(range(20)))):
            orders = []
            for _ in range(2):
                torch.manual_seed(4)
                loader = DataLoader(data, batch_size=6, shuffle=True)
                orders.append([[b[0].tolist() if isinstance(b, list) else b.tolist() for b in loader] for _ in range(2)])
            self.assertEqual(orders[0], orders[1])
            self.assertNotEqual(orders[0][0], orders[0][1])
            self.assertEqual(len({i for b in orders[0][0] for i in b}), 20)

    def test_samplers(self):
        class Backwards(Sampler):
            def __iter__(self):
                return iter(range(9, -1, -1))

            def __len__(self):
                return 10
        got = [b[0].tolist() for b in DataLoader(tensors(), batch_size=5, sampler=Backwards())]
        self.assertEqual(got, [[9.0, 8.0, 7.0, 6.0, 5.0], [4.0, 3.0, 2.0, 1.0, 0.0]])
        got = [b[0].tolist() for b in DataLoader(tensors(), batch_sampler=[[0, -1], [3]])]
        self.assertEqual(got, [[0.0, 9.0], [3.0]])
        with self.assertRaises(IndexError):
            list(DataLoader(tensors(), batch_sampler=[[0, 99]]))

    def test_streams(self):
        self.assertEqual([b.tolist() for b in DataLoader(Count(5), batch_size=2)], [[0, 1], [2, 3], [4]])
        self.assertEqual([b.tolist() for b in DataLoader(Count(5), batch_size=2, drop_last=True)], [[0, 1], [2, 3]])
        self.assertEqual(list(DataLoader(Count(3), batch_size=None)), [0, 1, 2])
        self.assertEqual(len(DataLoader(Count(5), batch_size=2)), 3)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            loader = DataLoader(Count(5, claim=2), batch_size=1)
            self.assertEqual((len(loader), len(list(loader))), (2, 5))
        self.assertIn("was reported to be 2", str(seen[0].message))
        for options in ({"shuffle": True}, {"sampler": [0]}, {"batch_sampler": [[0]]}):
            with self.raises(ValueError, "IterableDataset"):
                DataLoader(Count(3), **options)

    def test_collate_fn_and_getitems(self):
        self.assertEqual(list(DataLoader(Squares(4), 2, collate_fn=sum)), [1, 13])
        asked = []

        class Several(Squares):
            def __getitems__(self, indices):
                asked.append(indices)
                return [self[i] for i in indices]
        list(DataLoader(Several(4), 3))
        self.assertEqual(asked, [[0, 1, 2], [3]])

        class Own(TensorDataset):
            def __getitem__(self, i):
                return self.tensors[0][i] * 10
        self.assertEqual([b.tolist() for b in DataLoader(Own(torch.arange(3)), 2)], [[0, 10], [20]])

    def test_arguments(self):
        for options, word in (({"num_workers": -1}, "num_workers"), ({"timeout": -1}, "timeout"), ({"prefetch_factor": 2}, "prefetch_factor"),
                              ({"persistent_workers": True}, "persistent_workers"), ({"shuffle": True, "sampler": [0]}, "mutually exclusive"),
                              ({"batch_sampler": [[0]], "batch_size": 2}, "mutually exclusive"), ({"batch_size": 0}, "batch_size"),
                              ({"batch_size": None, "drop_last": True}, "mutually exclusive"),
                              ({"multiprocessing_context": "fork"}, "multiprocessing_context"),
                              ({"multiprocessing_context": "nonsense", "num_workers": 1}, "start method")):
            with self.subTest(options), self.raises(ValueError, word):
                DataLoader(Squares(), **options)
        loader = DataLoader(Squares())
        for name in ("batch_size", "sampler", "drop_last", "dataset"):
            with self.raises(ValueError, "should not be set"):
                setattr(loader, name, 1)
        self.assertIsNone(get_worker_info())

    def test_rows_are_the_samples(self):
        """What is taken row by row equals what is put together of samples."""
        def sample_by_sample(samples):
            return default_collate(samples)
        data = TensorDataset(torch.arange(30.0).reshape(10, 3), torch.arange(10, dtype=torch.int32), torch.ones(10, 0))
        other = TensorDataset(-torch.arange(12.0).reshape(4, 3), torch.arange(4, dtype=torch.int32), torch.ones(4, 0))
        half, _ = random_split(data, [0.5, 0.5])
        joined = ConcatDataset([half, other, Subset(data, [9])])
        narrow = TensorDataset(torch.ones(2, 3), torch.arange(2, dtype=torch.int64), torch.ones(2, 0))
        for kind in (data, half, Subset(data, range(2, 9, 3)), Subset(Subset(data, [5, 5, 1]), (2, 0)), Subset(data, torch.tensor([3, 2])),
                     Subset(data, [-1, 0, -3]), joined, Subset(joined, [9, 0, 7, 4]), joined + data, ConcatDataset([narrow, other])):
            for options in ({"batch_size": 3}, {"batch_size": 4, "shuffle": True, "drop_last": True}, {"batch_sampler": [[0, -1], [2], [1, 0]]},
                            {"batch_size": 2, "sampler": SubsetRandomSampler([1, 0])}, {"batch_size": 2, "num_workers": 2}):
                if options.get("batch_sampler") and kind.__class__ is Subset:
                    continue  # -1 depends on what the indices are
                seen = []
                for collate_fn in (None, sample_by_sample):
                    torch.manual_seed(2)
                    seen.append(list(DataLoader(kind, collate_fn=collate_fn, **options)))
                self.assertEqual(len(seen[0]), len(seen[1]))
                for rows, samples in zip(*seen):
                    self.assertEqual((type(rows), len(rows)), (list, 3))
                    for a, b in zip(rows, samples):
                        self.same(a, b)
        with self.assertRaises(IndexError):
            list(DataLoader(Subset(data, [3, 10]), batch_size=2))
        self.assertEqual(list(DataLoader(Subset(data, []), batch_size=2)), [])

    def test_a_data_set_with_other_samples_is_asked_for_each(self):
        class Later(Subset):
            def __getitem__(self, i):
                return super().__getitem__(i)[0] + 1

        class Both(ConcatDataset):
            def __getitem__(self, i):
                return super().__getitem__(i)[0] * 2

        class Several(Subset):
            def __getitems__(self, indices):
                return [7 for _ in indices]
        data = tensors(4)
        self.assertEqual([b.tolist() for b in DataLoader(Both([data, data]), 8)], [[0.0, 2.0, 4.0, 6.0] * 2])
        self.assertEqual([b.tolist() for b in DataLoader(Several(data, [1, 2]), 2)], [[7, 7]])
        Later.__getitems__ = lambda self, indices: [self[i] for i in indices]
        self.assertEqual([b.tolist() for b in DataLoader(Later(data, [1, 2]), 2)], [[2.0, 3.0]])

    @winnow_only
    def test_rows_need_no_workers(self):
        data = Subset(tensors(8), range(4))
        before = torch.tensor([3.0])
        loader = DataLoader(data, 2, num_workers=2, persistent_workers=True, prefetch_factor=4, pin_memory=True)
        iterator = iter(loader)
        self.assertNotIn("Worker", type(iterator).__name__)
        self.assertEqual([b[0].tolist() for b in iterator], [[0.0, 1.0], [2.0, 3.0]])
        asked = DataLoader(data, 2, num_workers=1, worker_init_fn=lambda number: data.dataset.tensors[0].copy_(before))
        self.assertEqual([b[0].tolist() for b in asked], [[3.0, 3.0]] * 2)

    @winnow_only
    def test_data_pipes_are_named(self):
        with self.raises(ImportError, "IterDataPipe", "no DataPipes", "IterableDataset"):
            exec("from torch.utils.data import IterDataPipe")

    @winnow_only
    def test_the_first_batch_comes_at_once(self):
        import time

        data = TensorDataset(torch.zeros(60_000, 28, 28), torch.zeros(60_000, dtype=torch.int64))
        best = 1.0
        for _ in range(5):
            began = time.perf_counter()
            next(iter(DataLoader(data, batch_size=64, shuffle=True)))
            best = min(best, time.perf_counter() - began)
        self.assertLess(best, 0.05)  # 5 ms where nothing else runs


if __name__ == "__main__":
    unittest.main()
