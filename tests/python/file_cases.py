"""What test_file_matrix.py sends through files between PyTorch and winnow: build() makes it on either, differences() compares.

    python file_cases.py write:FILE.pt write-old:FILE.pt check:FILE.pt check-mmap:FILE.pt    # with the torch that is there

check prints what differs from build().
SPDX-License-Identifier: Apache-2.0"""
import collections
import sys

import torch

DTYPES = {name: getattr(torch, name) for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")}


def layouts(dtype):
    t = (torch.arange(24) % 5).to(dtype).reshape(4, 6)
    return {"contiguous": t, "transposed": t.t(), "strided": t[1:4:2, 1::2], "offset": t[2], "expanded": t[:, :1].expand(4, 3), "all expanded":
            torch.ones((), dtype=dtype).expand(2, 3), "0-d": t[3, 4], "zero-size": t[:0], "zero-size view": t[:, 6:], "empty": torch.empty(0, 3, dtype=dtype),
            "channels last": (torch.arange(48) % 7).to(dtype).reshape(2, 3, 2, 4).contiguous(memory_format=torch.channels_last),
            "five dimensions": t.reshape(2, 2, 1, 3, 2).permute(4, 2, 0, 3, 1), "own": t.clone()}


def values(dtype):
    """The ends of the dtype's range, and what floats have besides."""
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        return torch.tensor([0.0, -0.0, 1 / 3, info.max, info.min, info.tiny, float("inf"), float("-inf"), float("nan")], dtype=torch.float64).to(dtype)
    if dtype is torch.bool:
        return torch.tensor([True, False, True])
    info = torch.iinfo(dtype)
    return torch.tensor([info.min, info.max, 0, 1], dtype=dtype)


def sparse_tensors():
    i = torch.tensor([[0, 2, 2], [1, 0, 3]])
    csr = torch.sparse_csr_tensor(torch.tensor([0, 1, 1, 3]), torch.tensor([1, 0, 3]), torch.tensor([1.0, 2.0, 3.0]), (3, 4))
    made = {"csr": csr, "coo of rows": torch.sparse_coo_tensor(torch.tensor([[2, 0]]), torch.arange(6.0).reshape(2, 3), (4, 3)),
            "coo with duplicates": torch.sparse_coo_tensor(torch.tensor([[1, 1], [0, 0]]), torch.tensor([2.0, 3.0]), (2, 2)),
            "coo without elements": torch.sparse_coo_tensor(torch.empty(2, 0, dtype=torch.int64), torch.empty(0), (3, 5))}
    for name, dtype in DTYPES.items():
        coo = torch.sparse_coo_tensor(i, torch.tensor([1, 2, 3]).to(dtype), (3, 4))
        made["coo " + name] = coo
    made["coalesced"] = made["coo float32"].coalesce()
    return made


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(2, 3, 2)
        self.norm = torch.nn.BatchNorm2d(3)
        self.lstm = torch.nn.LSTM(3, 4)
        self.head = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU(), torch.nn.Linear(2, 2))
        self.head[2].weight = torch.nn.Parameter(torch.ones(2, 2))
        self.tied = self.head[2]
        self.register_buffer("table", torch.arange(3))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        for k, p in enumerate(self.parameters()):
            p.data = torch.arange(p.numel()).reshape(p.shape) / 7 + k


def optimizer_states():
    states = {}
    for name, options in (("SGD", {"lr": 0.1, "momentum": 0.9}), ("Adam", {"amsgrad": True}), ("AdamW", {"weight_decay": 0.1}), ("RMSprop", {}),
                          ("Adagrad", {}), ("NAdam", {})):
        w = torch.nn.Parameter(torch.ones(3))
        b = torch.nn.Parameter(torch.ones(2))
        optimizer = getattr(torch.optim, name)([{"params": [w]}, {"params": [b], "lr": 0.5}], **({"lr": 0.01} | options))
        for _ in range(2):
            w.grad, b.grad = torch.full((3,), 0.5), torch.ones(2)
            optimizer.step()
        states[name] = optimizer.state_dict()
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
        states[name + " schedule"] = {k: v for k, v in schedule.state_dict().items() if not k.startswith("_")}
    return states


def parameters():
    p = torch.nn.Parameter(torch.arange(3.0))
    q = torch.nn.Parameter(torch.ones(2, 2).t(), requires_grad=False)
    named, tensor = torch.nn.Parameter(torch.zeros(1)), torch.ones(1)
    named.note, tensor.note = ["kept", {"a": (1, 2)}], "kept, too"
    return {"parameter": p, "frozen": q, "with attributes": named, "tensor with attributes": tensor, "leaf": torch.ones(2, requires_grad=True),
            "buffer": torch.nn.Buffer(torch.ones(2)) if hasattr(torch.nn, "Buffer") else tensor, "list": torch.nn.ParameterList([p, q]).state_dict()}


def containers():
    plain = [0, 1, -1, 255, 256, 65535, 65536, 2**31, 2**63, -(2**63), 2**64, 2**200, -(2**200), 0.0, -0.0, 1.5, 1e308, float("inf"), float("-inf"), True, False,
             None, "", "text", "\u4e2d\U0001f600\x00\n", "x" * 300, b"bytes\xff\x00", b"y" * 300, bytearray(b"ab"), 1 + 2j]
    nested = [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [[[]]], {}, {1: {2: [3]}, "a": (None,), (1, "b"): 2.5, False: 0, None: 1, b"k": 2}, {3, 4}, {"s", (1, 2)},
              collections.OrderedDict([("z", 1), ("a", [2])]), collections.Counter("aab"), torch.Size([]), torch.Size([2, 3]), [torch.Size([1])],
              torch.device("cpu"), torch.device("cuda:1"), torch.strided, torch.sparse_coo, *DTYPES.values()]
    return {"plain": plain, "nested": nested, "deep": deep(40), "long": list(range(3000)), "wide": {f"key{i}": i for i in range(1500)}}


def deep(n):
    value = []
    for i in range(n):
        value = [i, (value, {"k": value if i < 3 else None})]
    return value


def sharing():
    x = torch.arange(10.0)
    loop = [1]
    loop.append(loop)
    same = {"shared": "dict"}
    return {"whole": x, "part": x[2:5], "reversed rows": x.reshape(2, 5)[1], "again": x, "parameter": torch.nn.Parameter(x[7:]), "loop": loop, "same": [same, same]}


def build():
    tensors = {name: layouts(dtype) for name, dtype in DTYPES.items()}
    net = Net()
    return {"layouts": tensors, "values": {name: values(dtype) for name, dtype in DTYPES.items()}, "sparse": sparse_tensors(), "parameters": parameters(),
            "containers": containers(), "sharing": sharing(), "module": net.state_dict(), "optimizers": optimizer_states()}


# ------------------------------------------------------------------ comparison

def differences(a, b, where=""):
    """What differs, as texts: types, values, for tensors dtype, shape, strides, offset and requires_grad, too."""
    if isinstance(b, torch.Tensor) and isinstance(a, torch.Tensor):
        return tensor_differences(a, b, where)
    if type(a) is not type(b):
        return [f"{where}: {type(a)} and not {type(b)}"]
    if getattr(b, "__dict__", None) and isinstance(b, dict) and a.__dict__ != b.__dict__:
        return [f"{where}: attributes {a.__dict__} and not {b.__dict__}"]
    if isinstance(b, dict):
        if list(a) != list(b):
            return [f"{where}: keys {list(a)[:9]} and not {list(b)[:9]}"]
        return [d for k in b for d in differences(a[k], b[k], f"{where}[{k!r}]")]
    if isinstance(b, (list, tuple)) and where.count("[") < 60 and "loop" not in where:
        if len(a) != len(b):
            return [f"{where}: {len(a)} items and not {len(b)}"]
        return [d for i in range(len(b)) for d in differences(a[i], b[i], f"{where}[{i}]")]
    return [] if repr(a) == repr(b) or a == b else [f"{where}: {a!r} and not {b!r}"]


def tensor_differences(a, b, where):
    facts = [(type(t), t.dtype, tuple(t.shape), t.layout, t.requires_grad, t.is_leaf, getattr(t, "note", None)) for t in (a, b)]
    if facts[0] != facts[1]:
        return [f"{where}: {facts[0]} and not {facts[1]}"]
    if b.layout is torch.sparse_coo:
        if a.is_coalesced() != b.is_coalesced():
            return [f"{where}: is_coalesced() is {a.is_coalesced()}"]
        return differences(a._indices(), b._indices(), where + ".i") + differences(a._values(), b._values(), where + ".v")
    if b.layout is torch.sparse_csr:
        return [d for name in ("crow_indices", "col_indices", "values") for d in differences(getattr(a, name)(), getattr(b, name)(), f"{where}.{name}")]
    if (a.stride(), a.storage_offset()) != (b.stride(), b.storage_offset()) and b.numel():
        return [f"{where}: strides {a.stride()} at {a.storage_offset()} and not {b.stride()} at {b.storage_offset()}"]
    if a.untyped_storage().nbytes() != b.untyped_storage().nbytes():
        return [f"{where}: a storage of {a.untyped_storage().nbytes()} bytes and not {b.untyped_storage().nbytes()}"]
    return [] if repr(a.tolist()) == repr(b.tolist()) else [f"{where}: {a.tolist()} and not {b.tolist()}"]


def check(got):
    """All that is wrong with what came out of a file."""
    found = differences(got, build())
    s = got["sharing"]
    s["part"].fill_(-1)
    if s["whole"].tolist() != [0.0, 1.0, -1.0, -1.0, -1.0, 5.0, 6.0, 7.0, 8.0, 9.0] or s["again"] is not s["whole"] or s["loop"][1] is not s["loop"]:
        found.append("sharing is lost")
    with torch.no_grad():
        s["parameter"].fill_(5)
    if s["reversed rows"].tolist() != [5.0, 6.0, 5.0, 5.0, 5.0] or s["same"][0] is not s["same"][1]:
        found.append("sharing with a parameter is lost")
    Net().load_state_dict(got["module"])
    return found


def main(tasks):
    found = []
    for task in tasks:
        what, _, path = task.partition(":")
        if what.startswith("write"):
            torch.save(build(), path, _use_new_zipfile_serialization=what != "write-old")
        else:
            found += [f"{task}: {d}" for d in check(torch.load(path, weights_only=True, mmap=what == "check-mmap" or None))]
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
