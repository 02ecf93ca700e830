"""`import torch` in a process that one of PyTorch's tests starts anew: winnow, with the bridge. SPDX-License-Identifier: Apache-2.0"""

import sys

del sys.modules["torch"]  # this module, half imported
from winnow import _hook  # noqa: E402

_hook.install()
import bridge  # noqa: E402

bridge.start()
bridge.supply_as_parent()
