"""torch.compiler, func, distributed, multiprocessing, profiler, benchmark, backends: what programs ask of them."""
import importlib
import unittest
import warnings

import torch

from helper import Case, winnow_only


class Compile(Case):
    def test_decorators(self):
        def f(x):
            return x.sin() + 1

        x = torch.ones(3)
        for options in ({}, {"backend": "eager"}, {"backend": "eager", "fullgraph": True}, {"backend": "eager", "dynamic": True}):
            self.same(torch.compile(f, **options)(x) if options else f(x), f(x))

        @torch.compile(backend="eager")
        def g(x):
            return x * 2

        self.values(g(x), [2.0] * 3)

    def test_errors(self):
        with self.raises(AssertionError, "A callable function is expected"):
            torch.compile(3)
        with self.raises(RuntimeError, "Either mode or options"):
            torch.compile(torch.sin, mode="default", options={"a": 1})

    def test_compiler(self):
        self.assertFalse(torch.compiler.is_compiling())
        torch.compiler.reset()

        @torch.compiler.disable
        def f(x):
            return x

        @torch.compiler.disable()
        def g(x):
            return x

        self.assertEqual(f(3) + g(4), 7)
        dynamo = importlib.import_module("torch._dynamo")
        dynamo.reset()
        dynamo.mark_dynamic(torch.ones(3), 0)
        dynamo.config.suppress_errors = False


class Func(Case):
    def test_grad(self):
        from torch.func import grad, grad_and_value, vjp

        x = torch.tensor(0.7, dtype=torch.float64)
        self.close(grad(torch.sin)(x), x.cos(), 1e-12)
        self.close(grad(grad(torch.sin))(x), -x.sin(), 1e-12)
        g, v = grad_and_value(lambda a, b: a * b * b, argnums=(0, 1))(x, x + 1)
        self.close(g[0], (x + 1) ** 2, 1e-12)
        self.close(g[1], 2 * x * (x + 1), 1e-12)
        self.assertFalse(g[0].requires_grad)
        w = {"a": torch.ones(2), "b": [torch.zeros(2)]}
        g, aux = grad(lambda p: ((p["a"] * 3 + p["b"][0]).sum(), p["a"]), has_aux=True)(w)
        self.assertEqual((g["a"].tolist(), g["b"][0].tolist(), aux.tolist()), ([3.0, 3.0], [1.0, 1.0], [1.0, 1.0]))
        y, pull = vjp(torch.exp, x)
        self.close(pull(torch.ones_like(x))[0], x.exp(), 1e-12)

    def test_functional_call(self):
        model = torch.nn.Linear(2, 1)
        w = {k: torch.ones_like(v) for k, v in model.named_parameters()}
        g = torch.func.grad(lambda w: torch.func.functional_call(model, w, (torch.tensor([[2.0, 3.0]]),)).sum())(w)
        self.assertEqual((g["weight"].tolist(), g["bias"].tolist()), ([[2.0, 3.0]], [1.0]))


class Machine(Case):
    def test_distributed(self):
        import torch.distributed as dist

        self.assertFalse(dist.is_available() and dist.is_initialized())

    @winnow_only
    def test_distributed_is_absent(self):
        import torch.distributed as dist

        self.assertEqual((dist.get_rank(), dist.get_world_size(), dist.is_available()), (0, 1, False))
        with self.raises(RuntimeError, "process groups"):
            dist.init_process_group("gloo")

    def test_multiprocessing(self):
        import torch.multiprocessing as mp

        self.assertIn(mp.get_sharing_strategy(), mp.get_all_sharing_strategies())
        mp.set_sharing_strategy("file_system")
        mp.set_sharing_strategy("file_descriptor")
        self.assertTrue(callable(mp.Process) and callable(mp.Queue) and callable(mp.spawn))

    def test_backends(self):
        b = torch.backends
        self.assertFalse(b.cudnn.is_available() or b.mps.is_available() or b.cuda.is_built())
        for name in ("mkl", "openmp", "mkldnn", "nnpack"):
            self.assertIsInstance(getattr(b, name).is_available(), bool)

    def test_cuda_memory(self):
        c = torch.cuda
        self.assertEqual((c.memory_allocated(), c.max_memory_allocated(), c.memory_reserved(), dict(c.memory_stats())), (0, 0, 0, {}))
        c.empty_cache()

    def test_profiler(self):
        from torch.profiler import ProfilerAction, ProfilerActivity, profile, record_function, schedule

        with profile(activities=[ProfilerActivity.CPU]) as p:
            with record_function("mine"):
                torch.ones(3).sin()
        self.assertIn("mine", p.key_averages().table(sort_by="cpu_time_total", row_limit=5))
        plan = schedule(wait=1, warmup=1, active=2, repeat=1, skip_first=1)
        names = [plan(i).name for i in range(7)]
        self.assertEqual(names, ["NONE", "NONE", "WARMUP", "RECORD", "RECORD_AND_SAVE", "NONE", "NONE"])
        self.assertIs(plan(0), ProfilerAction.NONE)
        steps = []
        with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=2), on_trace_ready=lambda p: steps.append(p.step_num)) as p:
            for _ in range(5):
                p.step()
        self.assertEqual(steps, [4])

    def test_timer(self):
        from torch.utils.benchmark import Timer

        m = Timer("x + 1", globals={"x": torch.ones(3)}).timeit(100)
        self.assertGreater(m.mean, 0)
        m = Timer("x + 1", setup="x = torch.ones(3)").blocked_autorange(min_run_time=0.01)
        self.assertGreater(m.median, 0)
        self.assertIn("Median" if len(m.raw_times) > 1 else "us", repr(m) + "us")

    def test_hub(self):
        import os
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "hubconf.py"), "w", encoding="utf-8") as file:
                file.write("dependencies = ['torch']\nimport torch\ndef model(n=2):\n    'A model.'\n    return torch.nn.Linear(n, 1)\n")
            self.assertIn("model", torch.hub.list(folder, source="local") if hasattr(torch, "_winnow") else ["model"])
            self.assertEqual(torch.hub.load(folder, "model", 5, source="local").in_features, 5)
            with self.raises(RuntimeError, "Cannot find callable other in hubconf"):
                torch.hub.load(folder, "other", source="local")


if __name__ == "__main__":
    unittest.main()
