"""torch.profiler: rows by operation, their times, shapes and bytes, nesting, schedules, traces; on winnow also programs, whose operations are rows, too."""
import gzip
import json
import os
import tempfile
import threading
import unittest
import warnings

import torch
from torch.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule, tensorboard_trace_handler

from helper import Case, winnow_only

ONCE = True  # it asks for deferral itself (run.py)
CPU = [ProfilerActivity.CPU]


def rows(p, **options):
    return {e.key: e for e in p.key_averages(**options)}


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return json.load(file)


class Rows(Case):
    def test_operations(self):
        x, w = torch.randn(64, 32), torch.randn(32, 16)
        with profile(activities=CPU, record_shapes=True) as p:
            for _ in range(3):
                torch.relu(torch.mm(x, w)).sum().item()
        found = rows(p)
        for name in ("aten::mm", "aten::relu", "aten::sum"):
            self.assertEqual(found[name].count, 3)
            self.assertGreater(found[name].cpu_time_total, 0)
            self.assertGreaterEqual(found[name].cpu_time_total, found[name].self_cpu_time_total)
            self.assertAlmostEqual(found[name].cpu_time, found[name].cpu_time_total / 3, delta=0.01)
        shaped = [e for e in p.key_averages(group_by_input_shape=True) if e.key == "aten::mm"]
        self.assertEqual([(e.count, e.input_shapes[:2]) for e in shaped], [(3, [[64, 32], [32, 16]])])
        self.assertEqual(sum([e.count for e in p.events() if e.name == "aten::mm"]), 3)

    def test_table(self):
        with profile(activities=CPU, record_shapes=True, profile_memory=True) as p:
            torch.mm(torch.ones(8, 8), torch.ones(8, 8))
        text = p.key_averages().table(sort_by="self_cpu_time_total", row_limit=10)
        for word in ("Name", "Self CPU %", "CPU total", "CPU time avg", "# of Calls", "CPU Mem", "aten::mm", "Self CPU time total:"):
            self.assertIn(word, text)
        self.assertIn("Input Shapes", p.key_averages(group_by_input_shape=True).table())
        self.assertLess(len(p.key_averages().table(row_limit=1)), len(text))
        self.assertIn("mine", p.key_averages().table(header="mine"))
        self.assertRaises(AttributeError, p.key_averages().table, sort_by="nosuch")

    def test_bytes(self):
        with profile(activities=CPU, profile_memory=True) as p:
            x = torch.zeros(1000, 1000)
        found = rows(p)["aten::zeros"]
        self.assertTrue(4000000 <= found.cpu_memory_usage < 4300000, found.cpu_memory_usage)
        self.assertEqual(x.numel(), 1000000)

    def test_record_function(self):
        x = torch.ones(100)
        with profile(activities=CPU) as p:
            with record_function("outer"):
                with record_function("inner"):
                    x.sin()
                x.cos()

            @record_function("decorated")
            def f():
                return x.exp()
            f()
        found = rows(p)
        self.assertEqual([found[n].count for n in ("outer", "inner", "decorated", "aten::sin", "aten::exp")], [1] * 5)
        self.assertLess(found["outer"].self_cpu_time_total, found["outer"].cpu_time_total)
        event = {e.name: e for e in p.events()}
        self.assertIs(event["aten::sin"].cpu_parent.name, event["inner"].name)
        self.assertEqual(event["inner"].cpu_parent.name, "outer")
        self.assertEqual([c.name for c in event["outer"].cpu_children][:1], ["inner"])
        self.assertTrue(event["outer"].is_user_annotation)
        with record_function("outside"):  # nobody listens
            x.sin()
        self.assertNotIn("outside", rows(p))

    def test_backward_and_optimizer(self):
        model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with profile(activities=CPU) as p:
            model(torch.ones(4, 16)).sum().backward()
            optimizer.step()
        found = rows(p)
        self.assertLessEqual({"aten::linear", "aten::relu"}, set(found))
        for node, count in (("AddmmBackward0", 2), ("ReluBackward0", 1), ("SumBackward0", 1), ("torch::autograd::AccumulateGrad", 4)):
            self.assertEqual((found[node].count, found["autograd::engine::evaluate_function: " + node].count), (count, count))
        self.assertEqual(found["Optimizer.step#SGD.step"].count, 1)

    def test_nodes(self):
        """A node's row lies in that of its turn; what its gradients call, in the node's."""
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return g.cos()

        x = torch.ones(3, requires_grad=True)
        y = Double.apply(x) * x
        with profile(activities=CPU) as p:
            y.sum().backward()
            torch.autograd.grad((x * x).sum(), x)
        event = {e.name: e for e in p.events()}
        for name in ("MulBackward0", "DoubleBackward"):
            self.assertEqual(event[name].cpu_parent.name, "autograd::engine::evaluate_function: " + name)
            self.assertFalse(event[name].is_user_annotation)
        self.assertEqual(event["aten::cos"].cpu_parent.name, "DoubleBackward")
        self.assertEqual([e.count for e in p.key_averages() if e.key == "torch::autograd::AccumulateGrad"], [1])  # not of autograd.grad

    def test_optimizers(self):
        p1 = torch.nn.Parameter(torch.ones(3))

        class Mine(torch.optim.SGD):
            pass

        for cls in (torch.optim.SGD, torch.optim.Adam, torch.optim.LBFGS, Mine):
            optimizer = cls([p1], lr=0.1)
            p1.grad = torch.ones(3)
            with profile(activities=CPU) as p:
                optimizer.step(lambda: (p1 * p1).sum())
                optimizer.zero_grad()
                optimizer.zero_grad(set_to_none=False)
            found, name = rows(p), cls.__name__
            self.assertEqual((found[f"Optimizer.step#{name}.step"].count, found[f"Optimizer.zero_grad#{name}.zero_grad"].count), (1, 2))
            self.assertTrue(found[f"Optimizer.step#{name}.step"].is_user_annotation)
        optimizer.step(lambda: (p1 * p1).sum())  # nobody listens

    def test_loaders(self):
        data = torch.utils.data.TensorDataset(torch.arange(8.0))
        for loader, name in ((torch.utils.data.DataLoader(data, batch_size=4), "_SingleProcessDataLoaderIter"),
                             (torch.utils.data.DataLoader(data, batch_size=4, num_workers=1, worker_init_fn=int), "_MultiProcessingDataLoaderIter")):
            with profile(activities=CPU) as p:
                self.assertEqual(len(list(loader)), 2)
            self.assertEqual(rows(p)[f"enumerate(DataLoader)#{name}.__next__"].count, 3)  # the last finds the end

    def test_threads(self):
        with profile(activities=CPU) as p:
            torch.ones(3).sin()
            t = threading.Thread(target=lambda: torch.ones(3).cos())
            t.start()
            t.join()
        found = rows(p)
        self.assertIn("aten::sin", found)

    def test_total(self):
        with profile(activities=CPU) as p:
            torch.ones(3).sin().cos()
        total = p.key_averages().total_average()
        self.assertEqual(total.key, "Total")
        self.assertGreaterEqual(total.count, 3)
        self.assertAlmostEqual(p.events().self_cpu_time_total, sum([e.self_cpu_time_total for e in p.events()]), delta=0.01)

    def test_before_and_after(self):
        self.assertRaises(AssertionError, profile(activities=CPU).key_averages)
        with profile(activities=CPU) as p:
            pass
        self.assertEqual([e.key for e in p.key_averages() if e.key.startswith("aten::")], [])
        self.assertEqual(torch.ones(2).sin().shape, (2,))


class Schedules(Case):
    def plan(self, n, **options):
        seen = []
        with profile(activities=CPU, schedule=schedule(**options), on_trace_ready=lambda p: seen.append((p.step_num, rows(p)["ProfilerStep*"].count, rows(p)["aten::sin"].count))) as p:
            for _ in range(n):
                torch.ones(5).sin()
                p.step()
        return seen

    def test_cycles(self):
        self.assertEqual(self.plan(8, wait=1, warmup=1, active=2, repeat=2), [(4, 2, 2), (8, 2, 2)])

    def test_one_cycle(self):
        self.assertEqual(self.plan(6, wait=1, warmup=0, active=1, repeat=1), [(2, 1, 1)])

    def test_actions(self):
        plan = schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
        self.assertEqual([plan(i).name for i in range(7)], ["NONE", "NONE", "WARMUP", "RECORD", "RECORD_AND_SAVE", "NONE", "NONE"])
        self.assertIs(plan(0), ProfilerAction.NONE)

    def test_handler(self):
        with tempfile.TemporaryDirectory() as folder:
            for use_gzip in (False, True):
                with profile(activities=CPU, on_trace_ready=tensorboard_trace_handler(folder, "me", use_gzip)):
                    torch.ones(5).sin()
            names = sorted(os.listdir(folder), key=len)
            self.assertEqual([n.startswith("me.") and n.partition(".pt.trace.json")[2] for n in names], ["", ".gz"])
            for name in names:
                self.assertIn("aten::sin", [e.get("name") for e in read(os.path.join(folder, name))["traceEvents"]])


class Traces(Case):
    def trace(self, work, **options):
        with tempfile.TemporaryDirectory() as folder:
            with profile(activities=CPU, **options) as p:
                work()
            p.add_metadata_json("mine", "[1, 2]")
            path = os.path.join(folder, "trace.json")
            p.export_chrome_trace(path)
            return read(path)

    def test_events(self):
        x = torch.randn(32, 32)

        def work():
            with record_function("mine"):
                torch.relu(torch.matmul(x, x)).sum().item()
        trace = self.trace(work, record_shapes=True)
        events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
        self.assertLessEqual({"aten::matmul", "aten::relu", "mine"}, {e["name"] for e in events})
        for e in events:
            self.assertTrue({"name", "cat", "pid", "tid", "ts", "dur"} <= set(e), e)
            self.assertTrue(isinstance(e["ts"], (int, float)) and e["dur"] >= 0, e)
        self.assertTrue([e for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "process_name"])
        product = next(e for e in events if e["name"] == "aten::matmul")
        self.assertEqual(product["args"]["Input Dims"][:2], [[32, 32], [32, 32]])
        mine = next(e for e in events if e["name"] == "mine" and e["cat"] == "user_annotation")
        self.assertTrue(mine["ts"] <= product["ts"] and product["ts"] + product["dur"] <= mine["ts"] + mine["dur"] + 0.01)

    @winnow_only
    def test_intervals_nest(self):
        """On each thread two events are apart, or one lies in the other: else viewers draw nonsense."""
        big = torch.randn(512, 512)

        def work():
            big.requires_grad_()
            (torch.where(big > 2, big.exp(), big).mean() + torch.matmul(big, big).relu().sum()).backward()
        events = sorted([e for e in self.trace(work)["traceEvents"] if e["ph"] == "X"], key=lambda e: (e["ts"], -e["dur"]))
        self.assertGreater(len(events), 10)
        ends = []
        for e in events:
            end = e["ts"] + e["dur"]
            while ends and ends[-1] <= e["ts"] + 0.002:
                ends.pop()
            self.assertTrue(not ends or end <= ends[-1] + 0.002, e)
            ends.append(end)
        self.assertEqual(self.trace(work)["mine"], [1, 2])


class Older(Case):
    def test_autograd_profiler(self):
        from torch.autograd import profiler

        with profiler.profile(record_shapes=True) as p:
            with profiler.record_function("mine"):
                torch.mm(torch.ones(4, 4), torch.ones(4, 4))
        self.assertIn("aten::mm", str(p.key_averages().table(sort_by="self_cpu_time_total")))
        self.assertIn("mine", {e.name for e in p.function_events})
        self.assertGreater(p.self_cpu_time_total, 0)
        self.assertIn("aten::mm", p.table())
        self.assertGreater(p.total_average().count, 0)
        with profiler.profile(enabled=False) as p:
            torch.ones(2).sin()
        self.assertIsNone(p)

    def test_classes(self):
        from torch.autograd.profiler_util import EventList, FunctionEvent, FunctionEventAvg

        with profile(activities=CPU) as p:
            torch.ones(3).sin()
        self.assertIsInstance(p.events(), EventList)
        self.assertIsInstance(p.events()[0], FunctionEvent)
        self.assertIsInstance(p.key_averages()[0], FunctionEventAvg)


@winnow_only
class Programs(Case):
    def setUp(self):
        self.before = torch._C.set_defer_from(1000)
        self.addCleanup(torch._C.set_defer_from, self.before)

    def test_operations_in_programs_are_rows(self):
        x = torch.ones(200000).contiguous()
        self.assertEqual(x.sum().item(), 200000)
        with profile(activities=CPU, record_shapes=True) as p:
            y = x.exp().log1p().tanh()
            y.sum().item()
        found, events = rows(p), p.events()
        program = [e for e in events if e.name == "winnow::program"]
        self.assertEqual(len(program), 1)
        parts = [e for e in program[0].cpu_children if e.count == 0]
        self.assertEqual([e.name for e in parts], ["aten::exp", "aten::log1p", "aten::tanh", "aten::sum"])
        self.assertEqual([e.input_shapes[0] for e in parts], [[200000]] * 4)
        for name in ("aten::exp", "aten::log1p", "aten::tanh"):
            self.assertEqual(found[name].count, 1)
        self.assertGreater(min([e.cpu_time_total for e in parts]), 0)
        self.assertLessEqual(sum([e.cpu_time_total for e in parts]), program[0].cpu_time_total + 1)
        alone = next(e for e in events if e.name == "aten::exp" and e.count)
        self.assertGreater(found["aten::exp"].cpu_time_total, alone.cpu_time_total)  # the call only put it off

    def test_what_is_never_read(self):
        x = torch.randn(200000)
        with profile(activities=CPU) as p:
            x.exp()
        self.assertEqual([e.name for e in p.events() if e.name == "winnow::program"], [])
        self.assertEqual(rows(p)["aten::exp"].count, 1)

    def test_computed_in_another_profile(self):
        """A share whose call was not noted is a row all the same."""
        x = torch.randn(200000)
        y = x.exp()
        with profile(activities=CPU) as p:
            y[0].item()
        self.assertEqual((rows(p)["aten::exp"].count, "winnow::program" in rows(p)), (0, True))

    def test_products(self):
        a = torch.randn(256, 256)
        a[0, 0].item()
        with profile(activities=CPU, profile_memory=True) as p:
            torch.relu(torch.mm(a, a))[0, 0].item()
        found = rows(p)
        self.assertEqual([(found[n].count, found[n].self_cpu_time_total > 0) for n in ("aten::mm", "aten::relu")], [(1, True)] * 2)
        self.assertGreaterEqual(found["winnow::program"].self_cpu_memory_usage, 4 * 256 * 256)
        self.assertGreaterEqual(min([e.self_cpu_time_total for e in p.events()]), -0.01)

    def test_lines(self):
        with profile(activities=CPU, with_stack=True) as p:
            torch.ones(30).sin()
        line = next(e for e in p.events() if e.name == "aten::sin").stack[0]
        self.assertRegex(line, r"test_profiler.py:\d+$")
        self.assertIn("Source Location", p.key_averages(group_by_stack_n=1).table())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stacks")
            p.export_stacks(path)
            with open(path, encoding="utf-8") as file:
                for text in file.read().splitlines():
                    self.assertRegex(text, r"test_profiler.py:\d+ \d+$")

    def test_profiles_in_profiles(self):
        with profile(activities=CPU) as outer:
            torch.ones(3).sin()
            with profile(activities=CPU) as inner:
                torch.ones(3).cos()
            torch.ones(3).tan()
        self.assertEqual([n in rows(inner) for n in ("aten::sin", "aten::cos", "aten::tan")], [False, True, False])
        self.assertEqual([n in rows(outer) for n in ("aten::sin", "aten::cos", "aten::tan")], [True] * 3)

    def test_wrong_schedule_warns(self):
        actions = [ProfilerAction.RECORD, ProfilerAction.NONE]
        with self.assertWarnsRegex(UserWarning, "RECORD followed by NONE"), profile(schedule=lambda step: actions[step]) as p:
            p.step()

    def test_an_error_inside(self):
        with self.assertRaises(RuntimeError), profile(activities=CPU) as p:
            torch.ones(2, 3) @ torch.ones(2, 3)
        self.assertIn("aten::matmul", rows(p))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            torch.ones(2).sin()


if __name__ == "__main__":
    unittest.main()
