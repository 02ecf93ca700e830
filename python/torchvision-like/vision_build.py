"""Builds the distribution winnow-torchvision (PEP 517) by what builds winnow-tensors, whose folder lies above: from a checkout, that is.

Its files are installed in the folder torchvision-like beside winnow, where winnow's import hook looks for them: as a package torchvision
of its own they would be in an installed torchvision's way. SPDX-License-Identifier: Apache-2.0
"""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(_HERE))

from winnow_build import archives, metadata  # noqa: E402


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = archives.tree(os.path.dirname(_HERE), "torchvision-like", built=False)  # all of it: pip leaves a folder without files behind
    return archives.write_wheel(wheel_directory, files, "py3-none-any", metadata.Project(_HERE))
