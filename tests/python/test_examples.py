"""The programs in examples/python, two steps of each: they run, say their losses and these are finite. oracle/training.py compares
the losses with PyTorch's. SPDX-License-Identifier: Apache-2.0"""
import math
import os
import re
import subprocess
import tempfile
import unittest

from helper import Case, command, needs_numpy

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "examples", "python")
LOSS = re.compile(r"\bloss (\S+)")


def has_distributions():
    try:
        import torch.distributions  # noqa: F401
    except ImportError:
        return False
    return True


class Examples(Case):
    def losses(self, file, *options):
        """The losses that it prints, and all the text."""
        line = command(os.path.join(FOLDER, file), *options, "--steps", "2")
        done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        found = [float(text) for text in LOSS.findall(done.stdout)]
        self.assertGreaterEqual(len(found), 2, done.stdout)
        self.assertTrue(all(math.isfinite(loss) for loss in found), done.stdout)
        return found, done.stdout

    def test_mnist(self):
        with tempfile.TemporaryDirectory() as folder:
            found, _ = self.losses("mnist.py", "--epochs", "1", "--save-model", os.path.join(folder, "mnist.pt"))
        self.assertEqual(found[-1], found[-2])  # the network that was saved is the one that was loaded

    def test_mnist_adam(self):
        self.losses("mnist.py", "--epochs", "1", "--optimizer", "adam")

    def test_vae(self):
        self.losses("vae.py", "--epochs", "1", "--show")

    def test_word_language_model(self):
        for model in ("LSTM", "GRU", "RNN_TANH", "Transformer"):
            with self.subTest(model=model):
                found, _ = self.losses("word_language_model.py", "--epochs", "1", "--model", model)
                self.assertLess(abs(found[0] - math.log(1001)), 0.5)

    @needs_numpy
    def test_time_sequence(self):
        found, _ = self.losses("time_sequence.py", "--waves", "5", "--length", "30")
        self.assertLess(found[1], found[0])

    def test_char_gpt(self):
        for options in ((), ("--no-flash",)):
            with self.subTest(options=options):
                self.assertIn("sample", self.losses("char_gpt.py", *options)[1])

    def test_gcn(self):
        self.losses("gcn.py", "--nodes", "700")

    def test_dcgan(self):
        self.losses("dcgan.py")

    @unittest.skipUnless(has_distributions(), "needs torch.distributions")
    def test_actor_critic(self):
        self.losses("actor_critic.py")

    def test_amp_workers(self):
        for options in ((), ("--dtype", "float16"), ("--no-amp", "--workers", "0")):
            with self.subTest(options=options):
                self.losses("amp_workers.py", "--epochs", "1", *options)
