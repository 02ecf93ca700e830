"""`python -m winnow --advise`: each kind has a program that gets its advice, at its line, and one that does the same well and gets none.
SPDX-License-Identifier: Apache-2.0"""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import torch

from helper import Case, needs_numpy, not_hostile, winnow_only

ONCE = True  # in every mode of deferral the same (run.py)


SLOWED = "san.so" in os.environ.get("LD_PRELOAD", "")  # a sanitizer: what one form costs more than another there says nothing
TRIES = 4  # what the advice goes by is measured while it is given, and on a busy machine one measurement may be off


@winnow_only
class Advice(Case):
    def advise(self, text, expect=0):
        text = textwrap.dedent(text)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "script.py"), "w", encoding="utf-8") as file:
                file.write(text)
            paths = os.pathsep.join(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)
            environment = {k: v for k, v in os.environ.items() if k != "WINNOW_DEFER"} | {"WINNOW_ADVISE_DEBUG": "1", "PYTHONPATH": paths}
            done = subprocess.run([sys.executable, "-m", "winnow", "--advise", "script.py"], capture_output=True, text=True, cwd=folder, env=environment)
        self.assertEqual(done.returncode, expect, done.stderr)
        return [line for line in done.stderr.splitlines() if line.startswith("script.py:")], text.splitlines(), done

    def gets(self, text, *words, close=False):
        """The program gets one piece of advice, with these words, for the line marked "# slow". close: it gains so little that a busy machine may measure
        nothing; then, and under a sanitizer, what counts is that it was measured there."""
        close = close or SLOWED
        for _ in range(TRIES):
            advice, lines, done = self.advise(text)
            line = next(i for i, source in enumerate(lines, 1) if "# slow" in source)
            begin = f"script.py:{line}: "
            if close:
                advice, begin = done.stderr.splitlines(), "measured "
                advice = [a for a in advice if f"script.py', {line})" in a]
            mine = [a for a in advice if a.startswith(begin) and all(w in a for w in words)]
            if mine:
                break
        self.assertEqual(len(mine), 1, done.stderr)
        self.assertRegex(mine[0], r"\d (us|ms|s)\b")

    def gets_none(self, text):
        for _ in range(TRIES):
            advice, _, done = self.advise(text)
            if not advice:
                break
        self.assertEqual(advice, [], done.stderr)
        self.assertIn("winnow: no pieces of advice", done.stderr)

    def test_element_loops(self):
        self.gets("""
            import torch
            x, total = torch.arange(200000.0), 0.0
            for i in range(200000):
                total += float(x[i])  # slow
            print(total)
            """, "one by one", "tolist()")
        self.gets("""
            import torch
            x = torch.zeros(200, 200)
            for i in range(200):
                for j in range(200):
                    x[i, j] = i * j  # slow
            """, "set one by one")
        self.gets_none("""
            import torch
            x = torch.arange(40000.0)
            print(x.sum().item(), sum(x.tolist()), [x[i].item() for i in range(20)])
            """)

    def test_items_in_loops(self):
        self.gets("""
            import torch
            x, out = torch.rand(20000, 64), []
            for i in range(20000):
                out.append(x[i].square().sum().item())  # slow
            """, "item()", "dim=")
        self.gets_none("""
            import torch
            x = torch.rand(4000, 64)
            out = x.square().sum(1).tolist()
            for epoch in range(5):
                loss = (x * epoch).square().mean().item()
            """)

    def test_growing(self):
        self.gets("""
            import torch
            out = torch.zeros(0, 256)
            for i in range(400):
                out = torch.cat([out, torch.full((4, 256), float(i))])  # slow
            """, "grows by cat", "399 times")
        self.gets_none("""
            import torch
            out = []
            for i in range(400):
                out.append(torch.full((4, 256), float(i)))
            out = torch.cat(out)
            for i in range(400):
                pair = torch.cat([torch.zeros(2), torch.ones(2)])
            """)

    @not_hostile
    def test_mask_products(self):
        self.gets("""
            import torch
            x = torch.rand(1000000)
            for i in range(5):
                m = (x < 0.02).float()
                print((x.exp().log1p().tanh() * m).sum().item())  # slow
            """, "torch.where(mask", "tanh")
        self.gets_none("""
            import torch
            x = torch.rand(1000000)
            for i in range(5):
                m = x < 0.02
                print(torch.where(m, x.exp().log1p().tanh(), 0).sum().item())
                print((x.exp() * (x + 1)).sum().item(), (x.exp().tanh() * (x < 2)).sum().item())
            """)

    def test_layouts(self):
        self.gets("""
            import torch
            w, y = torch.rand(700, 600), torch.zeros(700)
            for i in range(60):
                y += w.t().contiguous().sum(0)  # slow
            """, "another layout", "before the loop")
        self.gets_none("""
            import torch
            w, y = torch.rand(700, 600), torch.zeros(700)
            turned = w.t().contiguous()
            for i in range(60):
                y += turned.sum(0)
            for i in range(3):
                w.add_(1)
                z = w.t().contiguous().sum(0)
            """)

    def test_lists(self):
        self.gets("""
            import torch
            for i in range(20000):
                x = torch.tensor([float(k + i) for k in range(40)])  # slow
            """, "from a list", "one tensor of all the lists")
        self.gets("""
            import torch
            weights = [float(k) for k in range(5000)]
            for i in range(100):
                x = torch.tensor(weights) * i  # slow
            """, "always the same")
        self.gets_none("""
            import torch
            rows = torch.tensor([[float(k + i) for k in range(40)] for i in range(3000)])
            for i in range(3000):
                x = rows[i]
            """)

    def test_inference(self):
        network = """
            import torch
            torch.manual_seed(0)
            layers = [torch.nn.Tanh() if i % 2 else torch.nn.Sigmoid() for i in range(20)]
            model = torch.nn.Sequential(torch.nn.Linear(128, 128), *layers)
            data = torch.rand(60, 512, 128)
            """
        self.gets(network + """
            model.eval()
            for x in data:
                y = model(x)  # slow
            """, "no_grad", "60 times", close=True)
        self.gets("""
            import torch
            model = torch.nn.Sequential(torch.nn.Linear(64, 512), torch.nn.Dropout(0.5), torch.nn.Linear(512, 512), torch.nn.Dropout(0.5), torch.nn.BatchNorm1d(512))
            with torch.no_grad():
                for x in torch.rand(100, 128, 64):
                    y = model(x)  # slow
            """, "eval()")
        self.gets_none(network + """
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            for x in data:
                optimizer.zero_grad()
                loss = model(x).square().mean()
                loss.backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                for x in data:
                    y = model(x)
            """)

    def test_embeddings(self):
        step = """
            import torch
            table = torch.nn.Embedding({rows}, 64)
            optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
            for i in range(20):
                optimizer.zero_grad()
                table(torch.randint(0, {rows}, (16,))).square().sum().backward()  # slow
                optimizer.step()
            """
        self.gets(step.format(rows=60000), "gradient is dense", "60,000 rows")
        self.gets_none(step.format(rows=100))

    @needs_numpy
    def test_double_precision(self):
        self.gets("""
            import numpy, torch
            data = torch.from_numpy(numpy.random.rand(512, 512))  # slow
            for i in range(20):
                y = (data @ data).tanh().sum().item()
            """, "float64", "float32")
        self.gets_none("""
            import numpy, torch
            data = torch.from_numpy(numpy.random.rand(512, 512).astype(numpy.float32))
            wanted = torch.tensor(numpy.random.rand(512, 512), dtype=torch.float64)
            for i in range(20):
                y = (data @ data).tanh().sum().item() + (wanted @ wanted).sum().item()
            """)

    def test_the_program_is_left_alone(self):
        text = """
            import sys, torch
            torch.manual_seed(3)
            x = torch.rand(5, requires_grad=True)
            total = 0.0
            for v in x:
                total += float(v)
            (x * x).sum().backward()
            print(f"{total:.6f}", x.grad.tolist() == (2 * x).tolist(), bool(x[0] > 2), torch.tensor([1, 2]).tolist(), type(torch.tensor(1)).__name__)
            print(torch.nn.Linear(2, 2)(torch.ones(1, 2)).shape)
            raise SystemExit(4)
            """
        _, _, done = self.advise(text, expect=4)
        self.assertRegex(done.stdout, r"^\d\.\d+ True False \[1, 2\] Tensor\ntorch.Size\(\[1, 2\]\)\n$")
        _, _, done = self.advise("import torch\ntorch.ones(2) + torch.ones(3)\n", expect=1)
        self.assertIn("RuntimeError", done.stderr)


if __name__ == "__main__":
    unittest.main()
