"""`import torch` in a process that multiprocessing started anew: it knows sys.path, on which this folder is, but nothing of the hook."""
import sys

del sys.modules["torch"]  # this module, half imported
from winnow import _hook

_hook.install()
