"""Copied beside PyTorch's test files: under winnow the bridge comes first. SPDX-License-Identifier: Apache-2.0"""

import importlib
import os
import sys

import torch

sys.path.insert(0, os.environ["WINNOW_SUITES"])
import bridge  # noqa: E402

if os.sep + "winnow" + os.sep in str(torch.__file__):
    bridge.start()


def pytest_configure(config):
    """What the test files want when they are imported, and this torch has not (or no more: they are of PyTorch 2.6), becomes a stand-in, too."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    for path in config.args:
        bridge.supply(lambda: importlib.import_module(os.path.splitext(os.path.basename(path))[0]), again=False)
