"""Training listings of efficiency guides, as they stand there: loaders with workers and pinned memory, mixed precision, checkpoints,
compile, memory counters, gradient accumulation, sparse tensors. Each is held against the plain form that it replaces.
SPDX-License-Identifier: Apache-2.0"""
import contextlib
import io
import unittest
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset, TensorDataset

from helper import Case, winnow_only

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
GUIDE = {"num_workers": 4, "pin_memory": True, "persistent_workers": True, "prefetch_factor": 2}


class Images(Dataset):
    """Bytes, and a transform for each image in Python."""

    def __init__(self, n=96):
        generator = torch.Generator().manual_seed(7)
        self.images = torch.randint(0, 256, (n, 8, 8), dtype=torch.uint8, generator=generator)
        self.labels = torch.randint(0, 4, (n,), generator=generator)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        x = self.images[i].unsqueeze(0).float() / 255
        return (x - 0.5) / 0.25, int(self.labels[i])


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)


def train(loader, epochs=2, model=None):
    """The losses of a plain loop."""
    model = model or network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(epochs):
        for data, target in loader:
            data, target = data.to(device, non_blocking=True), target.to(device, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(model(data), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses


@contextlib.contextmanager
def quietly():
    """What PyTorch says about workers, pinned memory and CUDA on a machine without them is not what is tested."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Loaders(Case):
    def test_workers_and_pinned_memory(self):
        data = Images()
        rows = TensorDataset(torch.stack([data[i][0] for i in range(len(data))]), data.labels)

        def losses(kind, epochs, **options):
            with quietly():
                return train(DataLoader(kind, batch_size=32, shuffle=True, generator=torch.Generator().manual_seed(5), **options), epochs)
        plain = losses(data, 4)
        self.assertEqual(len(plain), 12)
        self.assertLess(plain[-1], plain[0])
        for kind in (data, rows):
            self.assertEqual(losses(kind, 1, **GUIDE), plain[:3])
            self.assertEqual(losses(kind, 4, **{**GUIDE, "persistent_workers": False}), plain)
        # Persistent workers are seeded once, which moves the generator once: other orders from the second epoch on.
        self.assertEqual(losses(data, 4, **GUIDE), losses(rows, 4, **GUIDE))

    def test_train_and_validation_loaders(self):
        with quietly():
            train_set, validation_set = torch.utils.data.random_split(Images(), [0.75, 0.25], generator=torch.Generator().manual_seed(42))
            train_loader = DataLoader(train_set, batch_size=24, shuffle=True, drop_last=True, **GUIDE)
            validation_loader = DataLoader(validation_set, batch_size=24, **GUIDE)
            model = network()
            train(train_loader, model=model)
            model.eval()
            correct = total = 0
            with torch.inference_mode():
                for data, target in validation_loader:
                    correct += (model(data.to(device)).argmax(dim=1) == target.to(device)).sum().item()
                    total += target.size(0)
        self.assertEqual((len(train_loader), len(validation_loader), total), (3, 1, 24))
        self.assertTrue(0 <= correct <= total)

    def test_reproducible_workers(self):
        """The listing of PyTorch's page on reproducibility."""
        import random

        def seed_worker(worker_id):
            random.seed(torch.initial_seed() % 2 ** 32)

        class Noisy(Images):
            def __getitem__(self, i):
                return random.random(), torch.rand(()).item()
        runs = []
        for _ in range(2):
            g = torch.Generator()
            g.manual_seed(0)
            with quietly():
                runs.append([[x.tolist() for x in b] for b in DataLoader(Noisy(12), batch_size=3, num_workers=2, worker_init_fn=seed_worker, generator=g)])
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(len({x for b in runs[0] for x in b[1]}), 12)

    def test_pinned(self):
        (x, _), *_ = DataLoader(Images(4), batch_size=2)
        if torch.cuda.is_available() or hasattr(torch, "_winnow"):
            self.same(x.pin_memory(), x)
        self.same(x.to("cpu", non_blocking=True), x)
        self.same(torch.zeros_like(x).copy_(x, non_blocking=True), x)


class MixedPrecision(Case):
    def test_names_of_cuda(self):
        """Without CUDA they warn and change nothing."""
        plain = train(DataLoader(Images(), batch_size=32))
        model, losses = network(), []
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        with quietly():
            scaler = torch.cuda.amp.GradScaler()
            for _ in range(2):
                for data, target in DataLoader(Images(), batch_size=32, **GUIDE):
                    optimizer.zero_grad()
                    with torch.cuda.amp.autocast():
                        loss = F.cross_entropy(model(data.to(device)), target.to(device))
                    scaler.scale(loss).backward()
                    scaler.step(optimizer)
                    scaler.update()
                    losses.append(loss.item())
        if not torch.cuda.is_available():
            self.assertEqual(losses, plain)

    def test_on_the_cpu(self):
        model = network()
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        scaler, losses = torch.amp.GradScaler(device.type), []
        for _ in range(4):
            for data, target in DataLoader(Images(), batch_size=32):
                optimizer.zero_grad()
                with torch.autocast(device_type=device.type, dtype=torch.bfloat16):
                    output = model(data.to(device))
                    loss = F.cross_entropy(output, target.to(device))
                self.assertEqual((output.dtype, loss.dtype), (torch.bfloat16, torch.float32))
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
                scaler.step(optimizer)
                scaler.update()
                losses.append(loss.item())
        self.assertLess(losses[-1], losses[0])
        self.assertTrue(all(p.dtype == torch.float32 for p in model.parameters()))

    def test_accumulation(self):
        """Four quarter batches are one batch."""
        whole, parts = network(), network()
        data = [Images()[i] for i in range(32)]
        x, y = torch.stack([a for a, _ in data]).to(device), torch.tensor([b for _, b in data]).to(device)
        F.cross_entropy(whole(x), y).backward()
        steps = 4
        for a, b in DataLoader(TensorDataset(x, y), batch_size=32 // steps):
            (F.cross_entropy(parts(a), b) / steps).backward()
        for p, q in zip(whole.parameters(), parts.parameters()):
            self.close(q.grad, p.grad, 1e-6)


class Block(nn.Module):
    """checkpoint inside a module."""

    def __init__(self, recompute):
        super().__init__()
        self.layers = nn.ModuleList([nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Dropout(0.1)) for _ in range(3)])
        self.head, self.recompute = nn.Linear(64, 4), recompute

    def forward(self, x):
        x = x.flatten(1)
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.recompute and self.training else layer(x)
        return self.head(x)


class Memory(Case):
    def test_checkpoint_inside_a_module(self):
        losses = []
        for recompute in (False, True):
            torch.manual_seed(3)
            losses.append(train(DataLoader(Images(), batch_size=32), model=Block(recompute).to(device)))
        self.assertEqual(losses[0], losses[1])

    def test_counters(self):
        before = torch.cuda.memory_allocated()
        x = torch.ones(1000, device=device)
        self.assertGreaterEqual(torch.cuda.memory_allocated(), before)
        text = io.StringIO()
        print(f"{torch.cuda.memory_allocated() / 1024 ** 2:.1f} MB of {torch.cuda.memory_reserved() / 1024 ** 2:.1f} MB", file=text)
        self.assertIn("MB of", text.getvalue())
        del x
        torch.cuda.empty_cache()
        torch.backends.cudnn.benchmark = False
        if torch.cuda.is_available():
            torch.cuda.synchronize()


class Compiled(Case):
    def results(self, **options):
        model = network()
        x = torch.randn(5, 64, device=device)
        self.close(torch.compile(model, **options)(x), model(x), 1e-5)

    @winnow_only  # PyTorch compiles C++ for a minute
    def test_modes(self):
        for options in ({}, {"backend": "inductor"}, {"mode": "reduce-overhead"}, {"mode": "max-autotune"}, {"fullgraph": True, "dynamic": True}):
            self.results(**options)
        model = torch.compile(network(), mode="reduce-overhead")
        self.assertEqual(train(DataLoader(Images(), batch_size=32), model=model), train(DataLoader(Images(), batch_size=32)))

    def test_eager(self):
        self.results(backend="eager")


class Sparse(Case):
    def test_the_listing(self):
        indices = torch.tensor([[0, 1, 1], [2, 0, 2]])
        values = torch.tensor([3.0, 4.0, 5.0])
        with quietly():
            s = torch.sparse_coo_tensor(indices, values, (2, 3))
            self.assertEqual(str(s), "tensor(indices=tensor([[0, 1, 1],\n                       [2, 0, 2]]),\n       values=tensor([3., 4., 5.]),\n"
                                     "       size=(2, 3), nnz=3, layout=torch.sparse_coo)")
            self.values((s * 2).to_dense(), [[0.0, 0.0, 6.0], [8.0, 0.0, 10.0]])
            twice = torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), torch.tensor([1.0, 2.0]), (2, 2)).coalesce()
            self.values(twice.values(), [3.0])
            weight = torch.ones(3, 2, requires_grad=True)
            product = torch.sparse.mm(s, weight)
            self.values(product, [[3.0, 3.0], [9.0, 9.0]])
            product.sum().backward()
        self.values(weight.grad, [[4.0, 4.0], [0.0, 0.0], [8.0, 8.0]])


if __name__ == "__main__":
    unittest.main()
