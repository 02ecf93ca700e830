"""Copied beside PyTorch's test files: under winnow the bridge comes first. SPDX-License-Identifier: Apache-2.0"""

import ast
import os
import sys

import torch

if os.sep + "winnow" + os.sep in str(torch.__file__):
    sys.path.insert(0, os.environ["WINNOW_SUITES"])
    import bridge

    bridge.start()

    def pytest_configure(config):
        """What the test files themselves import, and winnow has not, becomes a stand-in, too."""
        for path in config.args:
            with open(path, encoding="utf-8") as file:
                source = file.read()
            imports = [ast.get_source_segment(source, node) for node in ast.parse(source).body if isinstance(node, (ast.Import, ast.ImportFrom))]
            bridge.supply(lambda: exec("\n".join(imports), {"__name__": "imports"}), again=False)
