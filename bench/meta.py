#!/usr/bin/env python3
"""ResNet-18 and a transformer of twelve layers on the meta device: made, forward, backward. Prints milliseconds, the second time they are made.

    PYTHONPATH=python python3 -m winnow bench/meta.py      with winnow, and how many blocks of memory it took for elements
    .venv-torch/bin/python bench/meta.py                   with PyTorch
SPDX-License-Identifier: Apache-2.0"""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "python"))
import torch
from torch import nn

from test_meta import resnet18


def resnet():
    return resnet18(), torch.empty(64, 3, 224, 224)


def transformer():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(768, 12, 3072, batch_first=True), 12), torch.empty(8, 1024, 768)


def measure(make):
    times = [time.perf_counter()]
    with torch.device("meta"):
        module, x = make()
    times.append(time.perf_counter())
    y = module(x)
    times.append(time.perf_counter())
    y.sum().backward()
    times.append(time.perf_counter())
    return [1000 * (b - a) for a, b in zip(times, times[1:])]


for make in (resnet, transformer):
    measure(make)
    print("{:12} made {:.1f} ms, forward {:.1f}, backward {:.1f}".format(make.__name__, *measure(make)))
if hasattr(torch._C, "_stats"):
    print(torch._C._stats()["allocations"], "blocks")
