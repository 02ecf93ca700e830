"""What torch.compile, torch.jit.script and torch.jit.trace return: which class it is, its text, its keys, its copies and pickles, and what it refuses."""
import contextlib
import copy
import io
import pickle
import unittest
import warnings

import torch
import torch.nn as nn

from helper import Case, winnow_only

ONCE = True  # in every mode of deferral the same (run.py)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.act, self.k = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.ReLU()), 3
        self.register_buffer("seen", torch.ones(1))

    def forward(self, x):
        return self.act(self.lin(x)) * self.k

    @torch.jit.export
    def other(self, x):
        return self.lin(x) + self.k


KEYS = ["seen", "lin.weight", "lin.bias", "act.0.weight", "act.0.bias"]
X = torch.ones(1, 2)


def compiled(x, **options):
    return torch.compile(x, backend="eager", **options)


class CompiledModules(Case):
    def setUp(self):
        self.inside = Small()
        self.outside = compiled(self.inside)

    def test_what_it_is(self):
        out = self.outside
        self.assertIs(type(out), torch._dynamo.OptimizedModule)
        self.assertIs(type(out), torch._dynamo.eval_frame.OptimizedModule)
        self.assertEqual((type(out).__name__, type(out).__module__), ("OptimizedModule", "torch._dynamo.eval_frame"))
        self.assertTrue(isinstance(out, nn.Module) and not isinstance(out, Small))
        self.assertIs(out._orig_mod, self.inside)
        self.assertEqual(repr(out).splitlines()[:3], ["OptimizedModule(", "  (_orig_mod): Small(", "    (lin): Linear(in_features=2, out_features=2, bias=True)"])

    def test_keys(self):
        out = self.outside
        self.assertEqual(list(out.state_dict()), ["_orig_mod." + k for k in KEYS])
        self.assertEqual([n for n, _ in out.named_parameters()], ["_orig_mod." + k for k in KEYS[1:]])
        self.assertEqual([n for n, _ in out.named_modules()][:3], ["", "_orig_mod", "_orig_mod.lin"])
        self.assertEqual([id(p) for p in out.parameters()], [id(p) for p in self.inside.parameters()])
        self.assertEqual(str(out.load_state_dict(out.state_dict())), "<All keys matched successfully>")
        with self.raises(RuntimeError, 'Missing key(s) in state_dict: "_orig_mod.seen"'):
            out.load_state_dict(self.inside.state_dict())

    def test_attributes_are_those_inside(self):
        out, inside = self.outside, self.inside
        self.same(out(X), inside(X))
        self.same(out.other(X), inside.other(X))
        out.k = 5
        out.more = 1
        self.assertEqual((inside.k, inside.more, "k" in out.__dict__), (5, 1, False))
        del out.more
        self.assertFalse(hasattr(inside, "more") or hasattr(out, "more"))
        self.assertIs(out.lin, inside.lin)
        self.assertLessEqual({"k", "lin", "other", "_orig_mod"}, set(dir(out)))
        self.assertIs(out.eval(), out)
        self.assertFalse(out.training or inside.training or inside.lin.training)
        inside.train()
        self.assertTrue(out.training)
        with self.raises(AttributeError, "nosuch"):
            out.nosuch
        self.assertIs(out.double(), out)
        self.assertIs(inside.lin.weight.dtype, torch.float64)

    def test_copies_and_pickles(self):
        again = pickle.loads(pickle.dumps(self.outside))
        for other in (copy.deepcopy(self.outside), again):
            self.assertIs(type(other), type(self.outside))
            self.assertIsNot(other._orig_mod, self.inside)
            self.same(other(X), self.inside(X))
            self.assertIs(type(other._orig_mod), Small)

    def test_hooks(self):
        calls = []
        self.inside.register_forward_hook(lambda *a: calls.append("inside"))
        self.outside.register_forward_pre_hook(lambda *a: calls.append("outside"))
        self.outside(X)
        self.assertEqual(calls, ["outside", "inside"])

    def test_training(self):
        optimizer = torch.optim.SGD(self.outside.parameters(), lr=0.1)
        before = self.inside.lin.weight.detach().clone()
        self.outside(X).sum().backward()
        optimizer.step()
        self.assertIsNotNone(self.inside.lin.weight.grad)
        self.assertFalse(torch.equal(before, self.inside.lin.weight.detach()) and self.inside.lin.weight.grad.abs().sum().item() > 0)

    def test_containers(self):
        self.assertEqual(len(compiled(nn.Sequential(nn.ReLU(), nn.ReLU()))), 2)
        self.assertTrue(compiled(nn.Sequential()) is not None)
        with self.raises(TypeError, "does not support len()"):
            len(self.outside)

    def test_in_place(self):
        """Module.compile changes no keys."""
        self.inside.compile(backend="eager")
        self.assertEqual(list(self.inside.state_dict()), KEYS)
        self.assertIsNotNone(self.inside._compiled_call_impl)
        self.assertIsNone(Small()._compiled_call_impl)

    def test_disabled(self):
        self.assertIs(compiled(self.inside, disable=True), self.inside)
        self.assertIs(type(torch._dynamo.optimize("eager")(Small())), torch._dynamo.OptimizedModule)


class CompiledFunctions(Case):
    def test_functions(self):
        def f(x):
            "What f does."
            return x + 1

        g = compiled(f)
        self.assertIsNot(g, f)
        self.assertEqual((g.__name__, g.__doc__, g._torchdynamo_orig_callable), ("f", "What f does.", f))
        self.values(g(torch.ones(2)), [2.0, 2.0])

        @torch.compile(backend="eager", fullgraph=True)
        def h(x):
            return x * 2

        self.values(h(torch.ones(2)), [2.0, 2.0])

    def test_unknown_backends(self):
        for what in (Small(), torch.relu):
            with self.assertRaises(torch._dynamo.exc.InvalidBackend) as caught:
                torch.compile(what, backend="nosuch")
            self.assertEqual(str(caught.exception), "Invalid backend: 'nosuch', see `torch._dynamo.list_backends()` for available backends.")
        self.assertTrue(issubclass(torch._dynamo.exc.InvalidBackend, torch._dynamo.exc.TorchDynamoException))
        with self.raises(torch._dynamo.exc.TorchDynamoException, "nosuch"):
            torch._dynamo.optimize("nosuch")
        with self.raises(RuntimeError, "Unrecognized mode=nosuch, should be one of: default, lite, reduce-overhead"):
            torch.compile(Small(), mode="nosuch")
        self.assertLessEqual({"inductor", "cudagraphs"}, set(torch.compiler.list_backends()))
        self.assertNotIn("eager", torch._dynamo.list_backends())
        self.assertLessEqual({"eager", "aot_eager"}, set(torch._dynamo.list_backends(None)))

    @winnow_only
    def test_a_backend_of_the_programs_own(self):
        for call in (lambda: torch.compile(Small(), backend=lambda graph, inputs: graph.forward), lambda: Small().compile(backend=lambda graph, inputs: graph),
                     lambda: torch._dynamo.optimize(lambda graph, inputs: graph)(Small()), lambda: torch._dynamo.register_backend(lambda graph, inputs: graph)):
            with self.raises(NotImplementedError, "winnow makes no graphs"):
                call()
        with self.raises(NotImplementedError, "graphs"):
            torch._dynamo.explain(torch.sin)(X)

    @winnow_only
    def test_all_modes(self):
        for mode in (None, "default", "lite", "reduce-overhead", "max-autotune"):
            for backend in (None, "inductor", "eager", "aot_eager", "cudagraphs"):
                self.values(torch.compile(torch.neg, mode=mode, backend=backend)(X), [[-1.0, -1.0]])


class Scripts(Case):
    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        self.inside = Small()
        self.outside = torch.jit.script(self.inside)

    def test_modules(self):
        out = self.outside
        self.assertTrue(isinstance(out, (torch.jit.ScriptModule,)) and isinstance(out, (nn.Module,)) and not isinstance(out, Small))
        self.assertEqual((type(out).__name__, type(out).__module__, out.original_name, out.k), ("RecursiveScriptModule", "torch.jit._script", "Small", 3))
        self.assertEqual(repr(out), "RecursiveScriptModule(\n  original_name=Small\n  (lin): RecursiveScriptModule(original_name=Linear)\n"
                                    "  (act): RecursiveScriptModule(\n    original_name=Sequential\n    (0): RecursiveScriptModule(original_name=Linear)\n"
                                    "    (1): RecursiveScriptModule(original_name=ReLU)\n  )\n)")
        self.assertEqual(list(out.state_dict()), KEYS)
        self.same(out(X), self.inside(X))
        self.same(out.other(X), self.inside.other(X))
        self.assertEqual([p.data_ptr() for p in out.parameters()], [p.data_ptr() for p in self.inside.parameters()])
        self.assertIs(torch.jit.script(out), out)
        self.assertEqual(len(out.act), 2)
        self.assertFalse(out.eval().training)
        with self.raises(NotImplementedError, ""):
            len(out)
        self.assertRaises(AttributeError, lambda: out.nosuch)

    def test_copies(self):
        other = copy.deepcopy(self.outside)
        self.assertEqual((type(other), other.original_name), (type(self.outside), "Small"))
        self.same(other(X), self.outside(X))
        other.lin.weight.data.zero_()
        self.assertGreater(self.inside.lin.weight.abs().sum().item(), 0)
        self.assertRaises(Exception, pickle.dumps, self.outside)
        self.assertRaises(Exception, torch.save, self.outside, io.BytesIO())

    def test_traces(self):
        out = torch.jit.trace(self.inside, X)
        self.assertTrue(isinstance(out, (torch.jit.ScriptModule,)))
        self.assertEqual(out.original_name, "Small")
        self.same(out(X), self.inside(X))

    def test_functions(self):
        def f(x):
            "What f does."
            return x + 1

        for g in (torch.jit.script(f), torch.jit.trace(f, X)):
            self.assertTrue(isinstance(g, (torch.jit.ScriptFunction,)))
            self.assertEqual(g.name, "f")
            self.assertIn("ScriptFunction object at", repr(g))
            self.values(g(X), [[2.0, 2.0]])
            self.assertIs(torch.jit.script(g), g)
            with self.raises(pickle.PickleError, "ScriptFunction cannot be pickled"):
                pickle.dumps(g)

        self.assertEqual(torch.jit.script(f).qualified_name, f"__torch__.{__name__}.f")

        class Holder:
            call = torch.jit.script(f)  # no method: it gets no self

        self.values(Holder().call(X), [[2.0, 2.0]])

    def test_others(self):
        with self.raises(RuntimeError, "Freezing expects a ScriptModule as input"):
            torch.jit.freeze(self.inside.eval())
        with self.raises(RuntimeError, "eval mode"):
            torch.jit.freeze(torch.jit.script(self.inside.train()))
        self.assertIsInstance(torch.jit.freeze(torch.jit.script(self.inside.eval())), torch.jit.ScriptModule)
        with self.raises(TypeError, "is a built-in class"):
            torch.jit.script(3)
        self.assertFalse(torch.jit.is_scripting() or torch.jit.is_tracing())

    @winnow_only
    def test_no_torchscript(self):
        function = torch.jit.script(torch.nn.functional.relu)
        for what in (self.outside, function):
            for look in (lambda: what.code, lambda: what.graph, lambda: what.save("x"), lambda: torch.jit.save(what, "x")):
                with self.raises(NotImplementedError, "winnow has no TorchScript"):
                    look()
        with self.raises(NotImplementedError, "TorchScript"):
            torch.jit.load("x")
        with contextlib.suppress(RuntimeError):
            self.assertTrue(hasattr(self.outside, "forward"))

    def test_marks(self):
        @torch.jit.ignore
        def f(x):
            return x + 1

        @torch.jit.export
        def g(x):
            return x + 1

        self.assertEqual(f(g(1)), 3)


if __name__ == "__main__":
    unittest.main()
