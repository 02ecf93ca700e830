"""state_dict and load_state_dict. SPDX-License-Identifier: Apache-2.0"""
import copy
import unittest
from collections import OrderedDict

import torch
from torch import nn


def net():
    return nn.Sequential(OrderedDict(conv=nn.Conv2d(1, 2, 3), norm=nn.BatchNorm2d(2), flat=nn.Flatten(), out=nn.Linear(8, 2)))


class Saving(unittest.TestCase):
    def test_contents(self):
        m = net()
        state = m.state_dict()
        self.assertIsInstance(state, OrderedDict)
        self.assertEqual(list(state), ["conv.weight", "conv.bias", "norm.weight", "norm.bias", "norm.running_mean", "norm.running_var",
                                       "norm.num_batches_tracked", "out.weight", "out.bias"])
        self.assertFalse(state["conv.weight"].requires_grad)
        self.assertEqual(state["conv.weight"].data_ptr(), m.conv.weight.data_ptr())
        self.assertIs(m.state_dict(keep_vars=True)["conv.weight"], m.conv.weight)
        self.assertEqual(state._metadata["norm"], {"version": 2})
        self.assertEqual(list(state._metadata), ["", "conv", "norm", "flat", "out"])

    def test_prefix_and_destination(self):
        d = OrderedDict(x=1)
        self.assertIs(nn.Linear(2, 2).state_dict(destination=d, prefix="a."), d)
        self.assertEqual(list(d), ["x", "a.weight", "a.bias"])

    def test_non_persistent(self):
        m = nn.Module()
        m.register_buffer("a", torch.ones(1))
        m.register_buffer("b", torch.ones(1), persistent=False)
        m.register_buffer("c", None)
        self.assertEqual(list(m.state_dict()), ["a"])

    def test_hooks(self):
        m, seen = nn.Linear(2, 2), []
        m.register_state_dict_pre_hook(lambda m, prefix, keep_vars: seen.append(("pre", prefix, keep_vars)))

        def post(m, state, prefix, metadata):
            seen.append(("post", metadata))
            state["more"] = torch.ones(1)

        handle = m.register_state_dict_post_hook(post)
        self.assertEqual(list(m.state_dict()), ["weight", "bias", "more"])
        self.assertEqual(seen, [("pre", "", False), ("post", {"version": 1})])
        handle.remove()
        self.assertEqual(list(m.state_dict()), ["weight", "bias"])


class Loading(unittest.TestCase):
    def test_round_trip(self):
        a, b = net(), net()
        a(torch.randn(3, 1, 4, 4))  # changes the buffers
        result = b.load_state_dict(a.state_dict())
        self.assertEqual(str(result), "<All keys matched successfully>")
        for (name, x), y in zip(a.state_dict().items(), b.state_dict().values()):
            self.assertTrue(torch.equal(x, y), name)
        a.eval(), b.eval()
        x = torch.randn(2, 1, 4, 4)
        self.assertTrue(torch.equal(a(x), b(x)))

    def test_identity_and_assign(self):
        m = nn.Linear(2, 2)
        weight, state = m.weight, nn.Linear(2, 2).double().state_dict()
        m.load_state_dict(state)
        self.assertIs(m.weight, weight)
        self.assertEqual(weight.dtype, torch.float32)
        m.weight.requires_grad_(False)
        m.load_state_dict(state, assign=True)
        self.assertIsInstance(m.weight, nn.Parameter)
        self.assertEqual((m.weight.dtype, m.weight.requires_grad, m.bias.requires_grad), (torch.float64, False, True))
        self.assertEqual(m.weight.data_ptr(), state["weight"].data_ptr())

    def test_messages(self):
        with self.assertRaises(RuntimeError) as caught:
            nn.Sequential(nn.Linear(2, 2), nn.ReLU()).load_state_dict({"0.weight": torch.ones(3), "0.bias": 4, "x": torch.ones(1), "1.y": torch.ones(1)})
        self.assertEqual(str(caught.exception), (
            'Error(s) in loading state_dict for Sequential:\n\tUnexpected key(s) in state_dict: "x", "1.y". \n\tsize mismatch for 0.weight: copying a '
            "param with shape torch.Size([3]) from checkpoint, the shape in current model is torch.Size([2, 2]).\n\tWhile copying the parameter named "
            "\"0.bias\", expected torch.Tensor or Tensor-like object from checkpoint but received <class 'int'>"))
        with self.assertRaises(RuntimeError) as caught:
            nn.Linear(2, 2).load_state_dict({"z": torch.ones(1)})
        self.assertEqual(str(caught.exception), 'Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "weight", "bias". \n\t'
                                                'Unexpected key(s) in state_dict: "z". ')
        with self.assertRaises(TypeError) as caught:
            nn.Linear(2, 2).load_state_dict(3)
        self.assertEqual(str(caught.exception), "Expected state_dict to be dict-like, got <class 'int'>.")

    def test_not_strict(self):
        result = nn.Linear(2, 2).load_state_dict({"weight": torch.ones(2, 2), "z": torch.ones(1)}, strict=False)
        self.assertEqual((result.missing_keys, result.unexpected_keys), (["bias"], ["z"]))
        self.assertEqual(repr(result), "IncompatibleKeys(missing_keys=['bias'], unexpected_keys=['z'])".replace(
            "IncompatibleKeys", type(result).__name__))
        with self.assertRaises(RuntimeError):  # sizes count always
            nn.Linear(2, 2).load_state_dict({"weight": torch.ones(3)}, strict=False)

    def test_hooks(self):
        m, seen = nn.Linear(2, 2), []

        def pre(module, state, prefix, metadata, strict, missing, unexpected, errors):
            seen.append("pre")
            state["bias"] = state.pop("old_bias")

        m.register_load_state_dict_pre_hook(pre)
        m.register_load_state_dict_post_hook(lambda module, keys: seen.append(list(keys.missing_keys)) or keys.missing_keys.clear())
        m.load_state_dict({"old_bias": torch.ones(2)})
        self.assertEqual(seen, ["pre", ["weight"]])
        self.assertEqual(m.bias.tolist(), [1, 1])
        copy.deepcopy(m).load_state_dict({"old_bias": torch.zeros(2)})
        self.assertEqual(m.bias.tolist(), [1, 1])

    def test_own_way_of_loading(self):
        class Old(nn.Module):
            _version = 3

            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.zeros(2))

            def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
                self.seen = prefix, local_metadata.get("version")
                if prefix + "old" in state_dict:
                    state_dict[prefix + "w"] = state_dict.pop(prefix + "old")
                super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

        m = nn.Sequential(Old())
        m.load_state_dict({"0.old": torch.ones(2)})
        self.assertEqual((m[0].seen, m[0].w.tolist()), (("0.", None), [1, 1]))
        m.load_state_dict(m.state_dict())
        self.assertEqual(m[0].seen, ("0.", 3))

    def test_extra_state(self):
        class Extra(nn.Module):
            def __init__(self):
                super().__init__()
                self.n = 0

            def get_extra_state(self):
                return {"n": self.n}

            def set_extra_state(self, state):
                self.n = state["n"]

        a, b = nn.Sequential(Extra()), nn.Sequential(Extra())
        a[0].n = 5
        self.assertEqual(a.state_dict(), {"0._extra_state": {"n": 5}})
        b.load_state_dict(a.state_dict())
        self.assertEqual(b[0].n, 5)
        with self.assertRaisesRegex(RuntimeError, 'Missing key.*"0._extra_state"'):
            b.load_state_dict({})

    def test_number_from_a_vector(self):
        m = nn.Module()
        m.register_buffer("n", torch.tensor(0.0))
        m.load_state_dict({"n": torch.tensor([3.0])})
        self.assertEqual(m.n.item(), 3)

    def test_batch_norm_of_old_files(self):
        m = nn.BatchNorm1d(2)
        m.load_state_dict({k: v for k, v in m.state_dict().items() if k != "num_batches_tracked"})


if __name__ == "__main__":
    unittest.main()
