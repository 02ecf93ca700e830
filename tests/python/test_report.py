"""winnow.report() and `python -m winnow --report`: what was computed and what was not, by operation and line.
SPDX-License-Identifier: Apache-2.0"""
import html.parser
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import torch

from helper import Case, WINNOW, winnow_only

ONCE = True  # the tests say themselves from how many elements on operations are deferred

N = 1 << 16
PATHS = os.environ | {"PYTHONPATH": os.pathsep.join(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)}


def here():
    return sys._getframe(1).f_lineno


def row(r, op, line=None):
    rows = [w for w in r.rows if w["op"] == op and (line is None or w["label"].endswith(f"test_report.py:{line}"))]
    assert len(rows) == 1, (op, line, r.rows)
    return rows[0]


@winnow_only
class Reports(Case):
    def setUp(self):
        self.before = torch._C.set_defer_from(8192)
        self.addCleanup(lambda: torch._C.set_defer_from(self.before))
        self.x = torch.arange(N, dtype=torch.float32) / N
        self.x.sum().item()

    def test_lines(self):
        with torch.report() as r:
            y = self.x.exp(); at = here()
            z = y.tanh().sum(); later = here()
            self.x.cos()
            z.item()
            del y, z
        exp, tanh, cos = row(r, "exp", at), row(r, "tanh", later), row(r, "cos", later + 1)
        self.assertEqual((exp["calls"], exp["recorded"], exp["run"], exp["elements"]), (1, 1, 1, N))
        self.assertEqual((tanh["run"], tanh["elements"], tanh["bytes_spared"]), (1, N, 4 * N))
        self.assertEqual((cos["run"], cos["never_run"], cos["never_computed"], cos["elements"]), (0, 1, N, 0))
        self.assertGreater(exp["seconds"], 0)

    def test_masks_and_backward(self):
        x = self.x.clone().requires_grad_()
        with torch.report() as r:
            m = x.detach() < 0.25
            loss = torch.where(m, x.exp().log1p(), 0).sum(); at = here()
            loss.backward(); back = here()
            x.grad.sum().item()
        exp = row(r, "exp", at)
        self.assertEqual((exp["elements"] % (N // 4), exp["skipped"] % (N - N // 4)), (0, 0))
        self.assertGreater(exp["skipped"], 0)
        self.assertTrue([w for w in r.rows if w["label"] and w["label"].endswith(f":{back}")], "gradients belong to the line of backward")

    def test_modules_belong_to_the_line_that_calls_them(self):
        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU())
        with torch.report() as r:
            model(torch.ones(2, 8)); at = here()
        self.assertEqual({w["label"].rpartition(":")[2] for w in r.rows}, {str(at)})
        self.assertEqual(row(r, "relu", at)["elements"], 16)

    def test_small_calls_and_exceptions(self):
        a = torch.ones(3)
        with self.assertRaises(RuntimeError):
            with torch.report() as r:
                for _ in range(5):
                    a + a; at = here()
                a + torch.ones(4)
        self.assertEqual((row(r, "add", at)["calls"], row(r, "add", at)["elements"]), (5, 15))
        self.assertEqual((row(r, "add", at + 1)["calls"], row(r, "add", at + 1)["run"]), (1, 0))

    def test_shapes_of_the_report(self):
        r = torch.report()
        with self.assertRaises(RuntimeError):
            r.text()
        with r:
            self.x.exp().sum().item()
            self.assertIn("exp", str(r))
        with self.assertRaises(RuntimeError):
            r.__enter__()
        data = json.loads(r.json())
        self.assertEqual(set(data), {"seconds", "rows"})
        self.assertEqual(data["rows"], r.rows)
        self.assertGreater(r.seconds, 0)
        self.assertIn("65,536", r.text())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.html")
            r.html(path)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        outside = []

        class Parser(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                outside.extend(v for k, v in attributes if k in ("src", "href") and v)

        Parser().feed(page)
        self.assertEqual(outside, [])
        self.assertIn("self.x.exp().sum().item()", page)

    def test_two_at_once(self):
        a = torch.ones(3)
        with torch.report() as outer:
            a + a
            with torch.report() as inner:
                a + a
            a + a
        self.assertEqual((sum(w["calls"] for w in inner.rows), sum(w["calls"] for w in outer.rows)), (1, 3))


@unittest.skipUnless(WINNOW, "about winnow")
class Program(Case):
    def run_script(self, text, *options, expect=0, after=()):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "script.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))
            done = subprocess.run([sys.executable, "-m", "winnow", *[o.replace("FOLDER", folder) for o in options], path, "argument"], capture_output=True, text=True, cwd=folder, env=PATHS)
            self.assertEqual(done.returncode, expect, done.stderr)
            read = []
            for name in after:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    read.append(file.read())
            return done.stdout, done.stderr, *read

    def test_at_the_end(self):
        out, err = self.run_script("import sys, torch\nprint(sys.argv[1:])\nx = torch.ones(4)\nprint((x + x).sum().item())\n", "--report")
        self.assertEqual(out, "['argument']\n8.0\n")
        self.assertIn("script.py:4", err)
        self.assertRegex(err, r"add +1 ")

    def test_status_is_kept(self):
        _, err = self.run_script("import torch\ntorch.ones(3) * 2\nraise ValueError('mine')\n", "--report", expect=1)
        self.assertIn("ValueError: mine", err)
        self.assertRegex(err, r"mul +1 ")
        self.assertIn("script.py:2", err)
        _, err = self.run_script("import sys, torch\ntorch.ones(3) * 2\nsys.exit(7)\n", "--report", expect=7)
        self.assertIn("script.py:2", err)

    def test_files(self):
        _, err, text, page = self.run_script("import torch, os\ntorch.ones(3) * 2\nos.chdir('/')\n", "--report=r.json", after=("r.json", "script.py"))
        self.assertEqual(err, "")
        self.assertEqual([w["label"] for w in json.loads(text)["rows"] if w["op"] == "mul"], ["script.py:2"])
        _, _, page = self.run_script("import torch\ntorch.ones(3) * 2\n", "--report=r.html", after=("r.html",))
        self.assertIn("torch.ones(3) * 2", page)
        _, err = self.run_script("import torch\n", "--report=/nowhere/r.html")
        self.assertIn("/nowhere/r.html", err)


if __name__ == "__main__":
    unittest.main()
