"""Memory of training: steps that are warm take no page from the system, and the peak that is counted, cache included, is what the
process grew by. The steps are those of bench/steps.py, some with fewer samples. SPDX-License-Identifier: Apache-2.0"""
import importlib.util
import os
import resource
import unittest

import torch

from helper import HOSTILE, Case, counts_memory, run_child, winnow_only

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "bench", "steps.py")

GROWTH = """
    import random
    import torch

    def memory(line):
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(text.split()[1]) * 1024 for text in file if text.startswith(line))

    {prepare}
    torch._C._empty_cache()
    torch._C._reset_peaks()
    resident, reserved = memory("VmRSS"), torch._C._stats()["reserved"]
    {work}
    print(memory("VmHWM") - resident, torch._C._stats()["reserved_peak"] - reserved)
"""
KEPT = """
    random.seed(0)
    kept, total = [], 0
    while total < 750e6:  # and a part is given up on the way: it is cached
        kept.append(torch.ones(random.randrange(20_000, 3_000_000)))
        total += kept[-1].nbytes
        kept[-1].data_ptr()
        if random.random() < 0.2:
            del kept[random.randrange(len(kept))]
"""
STEPS = """
    x = torch.randn(8, 4000)
    for _ in range(3):
        optimizer.zero_grad()
        net(x).square().mean().backward()
        optimizer.step()
"""
NET = """
    torch.set_num_threads(1)
    net = torch.nn.Sequential(torch.nn.Linear(4000, 5100), torch.nn.ReLU(), torch.nn.Linear(5100, 4900))
    net(torch.randn(8, 4000)).square().mean().backward()  # code and tables
    net.zero_grad()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
"""


def steps():
    spec = importlib.util.spec_from_file_location("steps", BENCH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def taken(step, n):
    """(page faults, blocks from the system) of n steps."""
    def now():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt, torch._C._stats()["system_allocations"]

    faults, system = now()
    for _ in range(n):
        step()
    return now()[0] - faults, now()[1] - system


@winnow_only
@counts_memory
class Memory(Case):
    @unittest.skipIf(HOSTILE, "its allocator keeps next to nothing")
    def test_warm_steps_take_no_pages(self):
        made = steps()
        kinds = {"mlp": made.mlp, "tiny": made.tiny, "cnn": lambda t: made.cnn(t, batch=16), "resnet18": lambda t: made.resnet18(t, batch=2),
                 "transformer": lambda t: made.transformer(t, layers=2, batch=2), "lstm": lambda t: made.lstm(t, batch=8),
                 "adamw": lambda t: made.adamw(t, [(1000, 1000), (1000,)])}
        for name, build in kinds.items():
            with self.subTest(name):
                step = build(torch)
                for _ in range(4):
                    step()
                # several windows: a block that is reused may have a tail that was never touched, and which blocks meet varies with threads
                faults, blocks = min(taken(step, 4) for _ in range(6))
                self.assertEqual(blocks, 0)
                self.assertLessEqual(faults, 16)  # the interpreter's own, and the system's when it is busy

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "needs Linux")
    def test_peak_is_what_the_process_grew_by(self):
        for name, prepare, work in (("tensors of many sizes", "", KEPT), ("a training step", NET, STEPS)):
            with self.subTest(name):
                status, out, err = run_child(GROWTH.format(prepare=prepare.strip(), work=work.strip()))
                self.assertEqual(status, 0, err)
                grew, counted = map(int, out.split())
                self.assertGreater(counted, 500e6)
                self.assertLess(abs(grew / counted - 1), 0.02, f"grew by {grew}, counted {counted}")


if __name__ == "__main__":
    unittest.main()
