"""torch.save and torch.load. SPDX-License-Identifier: Apache-2.0"""
import argparse
import base64
import collections
import dataclasses
import gzip
import io
import os
import pickle
import struct
import tempfile
import unittest
import zipfile
import zlib

import torch

from helper import DTYPES, WINNOW, Case, needs_numpy, numpy, winnow_only, loaded, saved

# What PyTorch 2.13 wrote, new format and old: sample() below.
ZIP = (
    "c-o~^%WoS+7$2{lb-K{JC`}q56w1Ru>Uh`hwyE7!wLPo^i7O;460$byAzrcZ=39@0=!HmCQn&$s0O}1mapZsmQ4tan2h<w}ZapAQ@Fy@2XS+KkNlQkaeSW"
    "{kjKA;O6+4|lXnY(!GN#ZBazeM~ZR4e`L!A892fk%aptZ!<QCv6hee4o1=nu4a!Y&SR_qyj24bU4cNafloN=86&NkG~1ogwl3fz}D}`q1;c9fJFVAna@#8"
    "l-c%c9sSYXr!}&AtNA~<p&PADIRJt#t93cw$t?NZVe%8s|3bZZDcEUdJj(7X*;zC+NV8c;3)!6x8O7fZNo&5iu5wQv7XxFu*p?BMPbSwOwkL9o))kf0?)M"
    "I42P}5vjR5qV{$`!C9-suhv_g&ITZqP+{!MTvs1e;FZiA#@O%qi;DKAPaL8tCIia(O2@W-QF(G+97_R#`5<Jg&40uThzC04Vzyx0rg0B*Itp%@t!f$eSfF"
    "9rEs7-h)xtbvGBjQCKQiO|wI6op@V#EbOtP?O=P~?F=l-`4K&Q9HEW<=Js6?*vT8>qbPcHE$g-GPSt>_UU8c=sdJ+A703#Ov!&--AmnxI8lB^+`>GE2F!c"
    "-Ytq-W)80ILZb!EJ8%sT^DB0C{P&q(_lJ~_&6PuwcowNq66fC!!cB*CwsAP1$!eJj&1Ic&efRetx7l*oJe+GDRUdMVa<t?4-bQ~D_lac|rP6q;Q7JJ4jSt"
    "~3wmHg?2BuLXGO+#;!2v5a%e?%5bPtB_5#nR!VR!k#IrhJ(M|zk*R})=fsbHCxPGCT=?lkD3Nq=<i(0RAX9L;|A=jU_u#oRHD7L$&2%gjBtqx}ZjXIk0Sw"
    "FfMPGskE(lUjylUOCD3kJkTB<3NFV`R$jFPfzg<e6*KR(o4}Y3s3AN#T9?JaIbxQ{!OB5kz!Ot%O_g?T2W*A_rKhD_jvsUWIQZDzT^Q8Jz9ac9QO6;cwNi"
    "PKcOAHP_5P~M%AcS>-Ac>q*sh`p>7oG<x;&&A5}{A5`AB0F2DNr#(a+Y$Z?k`W;XH}Z%0#)IG4YpGCJOXW)sMt6?9kwlS$%DWIowA(&&iJCG*4^!E}P>ix"
    "^MTfMj^QY9|u#vl%4y4jCJ-!X)-<8LP|Kc-17aXT~I~A!FnDpTypku|*jh&)vxcc1A^Vy~yBrN-ZS!ItKplWM8pWb@8Ay(ibD7CY^69;#|ufv>26NeSb>a"
    "i?808Dli(47qR~Wy1YOt")
OLD = (
    "c-nQ7NpI6Y7>2zyg@Kl`Q`WM(EFp1IH)Ttxs&cR>)V=spS*bIsja*M&dr}FcO1U&G{00sj;a5<JU&D<n5(mahD}utv9?g97&HKDF{@hbOlJNJZrC(ETzr2"
    "|&_mo#ZRMBrk(wzxOk~%Tt%wwUuMdKu35oD3zjER*n;5?)*joLvgg0klj5#;YW)J=l-G=aJeO?O5_F!5Q;F=8o>DrP~%QL;2gOEp-ufl*8Ab_LTDn2>s0P"
    "!jSwZqt~y7XyzINYgfC-H}rO6pypm^UH3R2Vp|on67t&u<ddhB`kKg3<6cxozWC5GFuxITE2xWg{;L_^B}>9GcI!GXX<l?X_%Et-K<qm$~=0VuCP^F<~Xu"
    "qNtR-%eH^t^OYVbw@KZa-IF8#G%RFsi+!sh+^M^{F@N=n&6-yRUN*^c1Kq#KdrA~94v2iw&TF1Fus&KrJS+1IgrqBOFn6FprxF86MAWUXvcW}{?cW^0Jzs"
    "zyP#??%{gKPh}yiO}_ZBkBSf~f%mi>$jI(nI|9LA+6!t<`X&z~3zJw^ID=9Dj%7t_^)Jn@sQGo{jsNmrXnvJSk)0A?D!#rfQg`QA4@FJSs4i6jRMH2FHwz"
    "TBaOgb`7R($uFB}jfv(cqWk_8bIYFVu{QM*LZfs*P|w%CVcsdFds{q+s(9ST6B|zpYocQ71kZ}us;F*)=c$9n4w^Pz>|%kY1-zF2G(!qN9`?<YVK=D`JGV"
    "y5CF$?hYlyBX9`W|X`?;wUEBg&;Um3{#**F*-#AWFZ_of1y")


class Mine:
    def __init__(self, x):
        self.x = x


class Ended(argparse.Namespace):
    """Does something when it goes: no plain record."""

    def __del__(self):
        pass


@dataclasses.dataclass
class Record:
    size: int = 1
    names: list = dataclasses.field(default_factory=list)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 4))
        self.encoder = torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
        self.lstm = torch.nn.LSTM(4, 2)
        self.act = torch.nn.functional.relu
        self.options = argparse.Namespace(a=1)

    def forward(self, x):
        return self.lstm(self.encoder(self.act(self.layers(x)).unsqueeze(1)))[0]


class Other:
    """Sets a flag when a pickle makes it."""
    made = False

    def __reduce__(self):
        return (setattr, (Other, "made", True))


def sample():
    t = torch.arange(6.0).reshape(2, 3)
    return collections.OrderedDict(
        t=t, v=t.t()[1:], b=torch.tensor([1.5, -2], dtype=torch.bfloat16),
        p=torch.nn.Parameter(torch.tensor([True, False]).to(torch.float64)), m=torch.tensor([True, False]),
        l=[1, 2.5, "\u00e9", None, (b"\xff", torch.int8, torch.Size([2]))])


def there_and_back(value, **options):
    return loaded(saved(value), **options)


def with_pickle(data, new):
    """The archive with another data.pkl."""
    file, old = io.BytesIO(), zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(file, "w") as archive:
        for name in old.namelist():
            archive.writestr(name, new if name.endswith("data.pkl") else old.read(name))
    return file.getvalue()


class Same(Case):
    def same_tensor(self, a, b):
        self.same(a, b)
        self.assertEqual((a.stride(), a.storage_offset(), a.requires_grad), (b.stride(), b.storage_offset(), b.requires_grad))
        self.assertIs(type(a), type(b))

    def check_sample(self, got):
        want = sample()
        self.assertEqual(list(got), list(want))
        for name in "tvbpm":
            self.same_tensor(got[name], want[name])
        self.assertEqual(got["l"], want["l"])
        self.assertIs(type(got["l"][4][2]), torch.Size)
        got["t"][0, 1] = 50
        self.assertEqual(got["v"][0, 0].item(), 50.0)  # one storage


class RoundTrips(Same):
    def test_what_pytorch_wrote(self):
        for text in (ZIP, OLD):
            self.check_sample(loaded(zlib.decompress(base64.b85decode(text))))

    def test_sample(self):
        self.check_sample(there_and_back(sample()))
        self.check_sample(there_and_back(sample(), weights_only=True))

    def test_dtypes_and_layouts(self):
        for dtype in DTYPES:
            t = torch.arange(24).remainder(5).to(dtype).reshape(4, 6)
            cases = [t, t.t(), t[1:3, ::2], t[2, 1], t[:0], t[:1].expand(3, 6), torch.empty(0, dtype=dtype), t.reshape(2, 2, 6)[:, 1]]
            for a, b in zip(there_and_back(cases), cases):
                self.same_tensor(a, b)

    def test_containers_and_numbers(self):
        value = [1, -1, 255, 256, 2**40, -(2**70), 1.5, float("inf"), None, True, False, "text \u4e2d\U0001f600", "", b"bytes\xff",
                 bytearray(b"ab"), (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [[]], {}, {1: {2: 3}, "a": (None,)}, {3, 4}, 1 + 2j,
                 collections.OrderedDict(a=1), collections.Counter("aab"), torch.float32, torch.bool, torch.Size([2, 3]),
                 torch.device("cpu")]
        for protocol in (2, 3, 4, 5) if WINNOW else (2,):
            got = loaded(saved(value, pickle_protocol=protocol))
            self.assertEqual(got, value)
            self.assertEqual(list(map(type, got)), list(map(type, value)))
        if WINNOW:
            self.assertEqual(there_and_back([b"", frozenset({1})]), [b"", frozenset({1})])
        loop = [1]
        loop.append(loop)
        got = there_and_back(loop)
        self.assertIs(got[1], got)

    def test_sharing(self):
        x = torch.zeros(4)
        a, b, c = there_and_back([x, x[1:3], x])
        b.fill_(7)
        self.values(a, [0.0, 7.0, 7.0, 0.0])
        self.assertIs(a, c)

    def test_parameters_and_attributes(self):
        p = torch.nn.Parameter(torch.ones(2))
        q = torch.nn.Parameter(torch.ones(2), requires_grad=False)
        r, s = torch.nn.Parameter(torch.zeros(1)), torch.ones(1)
        r.note, s.note = "r", ["s"]
        got = there_and_back([p, q, r, s])
        self.assertEqual([type(t) for t in got], [torch.nn.Parameter] * 3 + [torch.Tensor])
        self.assertEqual([t.requires_grad for t in got], [True, False, True, False])
        self.assertEqual((got[2].note, got[3].note), ("r", ["s"]))
        self.assertTrue(all(t.is_leaf for t in got))
        self.assertTrue(there_and_back(torch.ones(2, requires_grad=True)).requires_grad)

    def test_metadata_of_a_state_dict(self):
        state = collections.OrderedDict(w=torch.ones(1))
        state._metadata = {"": {"version": 1}}
        self.assertEqual(there_and_back(state)._metadata, {"": {"version": 1}})

    def test_an_optimiser(self):
        p = torch.ones(2, requires_grad=True)
        optimizer = torch.optim.Adam([p], lr=0.1)
        p.grad = torch.ones(2)
        optimizer.step()
        other = torch.optim.Adam([p])
        other.load_state_dict(there_and_back(optimizer.state_dict()))
        self.assertEqual(other.param_groups[0]["lr"], 0.1)
        self.same(other.state[p]["exp_avg"], optimizer.state[p]["exp_avg"])

    def test_large(self):
        x = torch.arange(3_000_000).to(torch.bfloat16)
        y = torch.arange(300_000.0) + 1  # pending, in winnow
        a, b = there_and_back((x, y))
        self.assertEqual(torch.ne(a, x).sum().item() + torch.ne(b, y).sum().item(), 0)


class Files(Same):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "model.pt")

    def test_paths(self):
        import pathlib

        torch.save(sample(), self.path)
        self.check_sample(torch.load(self.path))
        torch.save([1], pathlib.Path(self.path))
        self.assertEqual(torch.load(pathlib.Path(self.path)), [1])
        with open(self.path, "rb") as file:
            self.assertEqual(torch.load(file), [1])
        self.assertEqual(os.listdir(self.folder), ["model.pt"])
        with self.raises(FileNotFoundError):
            torch.load(os.path.join(self.folder, "none.pt"))
        with self.raises(RuntimeError, "does not exist"):
            torch.save(1, os.path.join(self.folder, "none", "x.pt"))

    def test_archive(self):
        torch.save(sample(), self.path)
        with zipfile.ZipFile(self.path) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            self.assertTrue({"model/data.pkl", "model/byteorder", "model/version", "model/data/0"} <= set(names))
            self.assertEqual(archive.read("model/version"), b"3\n")
            with open(self.path, "rb") as file:
                for info in archive.infolist():
                    file.seek(info.header_offset + 26)
                    name, extra = struct.unpack("<HH", file.read(4))
                    self.assertEqual((info.header_offset + 30 + name + extra) % 64, 0)
                    self.assertEqual(info.compress_type, zipfile.ZIP_STORED)

    def test_mmap(self):
        torch.save(sample(), self.path)
        with open(self.path, "rb") as file:
            before = file.read()
        got = torch.load(self.path, mmap=True)
        self.check_sample(got)  # writes, too
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), before)
        with self.raises(ValueError, "mmap"):
            loaded(before, mmap=True)

    @winnow_only
    def test_a_failed_save_leaves_the_old_file(self):
        torch.save([1], self.path)
        os.chmod(self.path, 0o640)
        with self.assertRaises(Exception):
            torch.save([2, lambda: 0], self.path)
        self.assertEqual(torch.load(self.path), [1])
        self.assertEqual(os.listdir(self.folder), ["model.pt"])
        os.symlink(self.path, os.path.join(self.folder, "link.pt"))
        torch.save([3], os.path.join(self.folder, "link.pt"))
        self.assertTrue(os.path.islink(os.path.join(self.folder, "link.pt")))
        self.assertEqual(torch.load(self.path), [3])
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o640)

    def test_file_like(self):
        class Slow(io.RawIOBase):
            """Writes and reads a few bytes at a time."""

            def __init__(self):
                self.inner = io.BytesIO()

            def writable(self):
                return True

            def write(self, data):
                return self.inner.write(bytes(data))

        file = Slow()
        torch.save({"a": torch.arange(1000)}, file)
        self.values(loaded(file.inner.getvalue())["a"], list(range(1000)))
        with self.assertRaises(AttributeError):
            torch.load(3)

    def test_map_location(self):
        data = saved(sample())
        seen = []

        def keep(storage, location):
            seen.append(location)
            return storage
        for where in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"}, keep):
            self.check_sample(loaded(data, map_location=where))
        self.assertEqual(set(seen), {"cpu"})


    def test_forms_of_map_location(self):
        data = saved(torch.ones(2))
        for where in ("cpu", torch.device("cpu"), {"cpu": "cpu"}, {}, lambda storage, place: storage, lambda storage, place: None,
                      lambda storage, place: storage.cpu(), lambda storage, place: torch.serialization.default_restore_location(storage, "cpu")):
            self.values(loaded(data, map_location=where), [1.0, 1.0])
        for where in ("cuda", torch.device("cuda:0"), {"cpu": "cuda:0"}):
            with self.raises(RuntimeError, "Attempting to deserialize object on", "map_location=torch.device('cpu')"):
                loaded(data, map_location=where)
        with self.assertRaises(TypeError):
            loaded(data, map_location=5)

    def test_registered_devices(self):
        from torch import serialization

        seen = []
        kept = list(serialization._packages if WINNOW else serialization._package_registry)
        serialization.register_package(5, lambda storage: "mine" if storage.nbytes() == 12 else None,
                                       lambda storage, location: (seen.append(location), storage)[1] if location == "mine" else None)
        try:
            self.values(there_and_back([torch.ones(3), torch.ones(2)])[0], [1.0] * 3)
            self.assertEqual(serialization.location_tag(torch.ones(3).untyped_storage()), "mine")
            self.assertEqual(serialization.location_tag(torch.ones(1).untyped_storage()), "cpu")
        finally:
            (serialization._packages if WINNOW else serialization._package_registry)[:] = kept
        self.assertEqual(seen, ["mine"])
        with self.raises(RuntimeError, "don't know how to restore"):
            serialization.default_restore_location(torch.ones(1).untyped_storage(), "nowhere")

    def test_gzip(self):
        path = self.path + ".gz"
        for options in ({}, {"_use_new_zipfile_serialization": False}):
            with gzip.open(path, "wb") as file:
                torch.save({"a": torch.arange(5)}, file, **options)
            with gzip.open(path, "rb") as file:
                self.values(torch.load(file)["a"], [0, 1, 2, 3, 4])

    def test_old_files_one_after_the_other(self):
        with open(self.path, "wb") as file:
            for k in range(3):
                torch.save([torch.full((2,), k), k], file, _use_new_zipfile_serialization=False)
        with open(self.path, "rb") as file:
            inner = io.BytesIO(file.read())
            file.seek(0)
            for k in range(3):
                for where in (file, inner):
                    got = torch.load(where)
                    self.values(got[0], [k, k])
                    self.assertEqual(got[1], k)

    def test_skip_data(self):
        with torch.serialization.skip_data():
            data = saved({"a": torch.ones(3), "n": 5})
        self.values(loaded(data)["a"], [0.0] * 3)
        data = saved({"a": torch.ones(3), "n": 5})
        with torch.serialization.skip_data():
            got = loaded(data)
        self.assertEqual((got["a"].shape, got["n"]), ((3,), 5))
        self.values(loaded(data)["a"], [1.0] * 3)

    @winnow_only
    def test_byte_order(self):
        """Files without the record, as PyTorch wrote them before 2.1, and files of a big-endian machine."""
        for dtype in (torch.int16, torch.int32, torch.float64, torch.bfloat16, torch.uint8):
            t = torch.arange(700).to(dtype)
            data = saved(t)
            file, z = io.BytesIO(), zipfile.ZipFile(io.BytesIO(data))
            with zipfile.ZipFile(file, "w") as archive:
                for name in z.namelist():
                    content = z.read(name)
                    if name.endswith("/0"):
                        n = dtype.itemsize
                        content = b"".join(content[i:i + n][::-1] for i in range(0, len(content), n))
                    archive.writestr(name, b"big" if name.endswith("byteorder") else content)
            self.same(loaded(file.getvalue()), t)
            with open(self.path, "wb") as where:
                where.write(file.getvalue())
            self.same(torch.load(self.path, mmap=True), t)
        kinds = torch.serialization.LoadEndianness
        data = saved(torch.tensor([1, 256], dtype=torch.int32), _disable_byteorder_record=True)
        for kind, want in ((None, [1, 256]), (kinds.LITTLE, [1, 256]), (kinds.NATIVE, [1, 256]), (kinds.BIG, [1 << 24, 1 << 16])):
            torch.serialization.set_default_load_endianness(kind)
            self.assertEqual(torch.serialization.get_default_load_endianness(), kind)
            self.values(loaded(data), want)
        torch.serialization.set_default_load_endianness(None)

    def test_shared_mapping(self):
        import mmap

        torch.save(torch.zeros(4), self.path)
        with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
            torch.load(self.path, mmap=True).fill_(3)
        self.assertEqual(torch.serialization.get_default_mmap_options(), mmap.MAP_PRIVATE)
        torch.load(self.path, mmap=True).fill_(4)
        self.values(torch.load(self.path, mmap=True), [3.0] * 4)

    def test_whole_modules(self):
        """With weights_only=False, of classes that are there; in winnow no code of the file's, either."""
        net = Net().eval()
        x = torch.arange(6.0).reshape(3, 2)
        data = saved({"net": net, "record": Record(2, ["a"]), "space": argparse.Namespace(b=[1])})
        with self.raises(pickle.UnpicklingError, "Net"):
            loaded(data)
        got = loaded(data, weights_only=False)
        self.assertEqual((got["record"], got["space"], got["net"].options), (Record(2, ["a"]), argparse.Namespace(b=[1]), argparse.Namespace(a=1)))
        self.same(got["net"](x).detach(), net(x).detach())
        self.assertEqual([n for n, _ in got["net"].named_parameters()], [n for n, _ in net.named_parameters()])
        self.assertFalse(got["net"].training)

    def test_operations_as_attributes(self):
        """A layer that keeps its activation, as nn.Transformer does; also under the names of PyTorch's files."""
        F = torch.nn.functional
        functions = [F.gelu, F.relu, F.softplus, F.logsigmoid, F.glu, F.tanh, F.softmax, torch.tanh, torch.sin]
        net = torch.nn.Identity()
        net.functions = functions
        data = saved(net)
        x = torch.tensor([[0.5, -1.0]])
        run = lambda f: f(x, dim=1) if f is F.softmax else f(x)
        for got in (loaded(data, weights_only=False), pickle.loads(pickle.dumps(net))):
            for f, g in zip(functions, got.functions):
                self.same(run(g), run(f))
        layer = torch.nn.TransformerEncoderLayer(4, 2, 8, activation="gelu", batch_first=True).eval()
        x = torch.randn(2, 3, 4)
        self.same(loaded(saved(layer), weights_only=False)(x).detach(), layer(x).detach())
        with self.raises(pickle.UnpicklingError):
            loaded(data)
        if WINNOW:
            pickled = zipfile.ZipFile(io.BytesIO(data)).read("archive/data.pkl")
            for old, new, ok in ((b"ctorch.nn.functional\ngelu\n", b"ctorch._C._nn\ngelu\n", True),
                                 (b"ctorch.nn.functional\nlogsigmoid\n", b"ctorch._C._nn\nlog_sigmoid\n", True),
                                 (b"ctorch\nsin\n", b"c__builtin__\ngetattr\n(ctorch._C\n_VariableFunctionsClass\nX\x03\0\0\0sintR", True),
                                 (b"ctorch\nsin\n", b"c__builtin__\ngetattr\n(ctorch._C\n_VariableFunctionsClass\nX\x04\0\0\0loadtR", False),
                                 (b"ctorch\nsin\n", b"c__builtin__\ngetattr\n(ctorch.nn.modules.linear\nIdentity\nX\x05\0\0\0applytR", False),
                                 (b"ctorch\nsin\n", b"ctorch\nload\n", False), (b"ctorch\nsin\n", b"ctorch\nset_default_dtype\n", False),
                                 (b"ctorch\nsin\n", b"ctorch\nsin\n)R", False)):
                self.assertIn(old, pickled)
                changed = with_pickle(data, pickled.replace(old, new))
                if ok:
                    self.assertEqual([f.__name__ for f in loaded(changed, weights_only=False).functions], [f.__name__ for f in functions])
                else:
                    with self.raises(pickle.UnpicklingError):
                        loaded(changed, weights_only=False)

    @needs_numpy
    def test_numpy(self):
        values = {"number": numpy.float64(1.5), "truth": numpy.bool_(True), "array": numpy.arange(6).reshape(2, 3), "columns": numpy.asfortranarray(numpy.ones((2, 3), "f4")),
                  "none": numpy.empty((0, 3)), "0-d": numpy.array(2.5), "texts": numpy.array(["ab", "c"]), "state": numpy.random.RandomState(0).get_state()}
        data = saved(values)
        with self.raises(pickle.UnpicklingError, "numpy"):
            loaded(data)
        got = loaded(data, weights_only=False)
        for name, value in values.items():
            self.assertEqual((type(got[name]), repr(got[name])), (type(value), repr(value)))
        if WINNOW:
            for value in (numpy.array([Mine(1)]), numpy.array([1], ">i4"), numpy.zeros(1, [("a", "i4")])):
                with self.raises(pickle.UnpicklingError, "numpy"):
                    loaded(saved(value), weights_only=False)

    @winnow_only
    def test_files_of_other_kinds(self):
        tar = bytearray(1024)
        tar[257:262] = b"ustar"
        for data, word in ((bytes(tar), "0.1.10"), (b"\x93NUMPY" + bytes(20), "load_npy"), (bytes(8) + b"{}", "safetensors"), (b"text", "neither")):
            with self.raises(pickle.UnpicklingError, word):
                loaded(data)

    @winnow_only
    def test_no_promise_of_pytorchs_gaps(self):
        """PyTorch computes places from .format_version; ours has other gaps, so the record must not be there."""
        torch.save(sample(), self.path)
        with zipfile.ZipFile(self.path) as z:
            self.assertNotIn("model/.format_version", z.namelist())


class Hostile(Case):
    ERRORS = (RuntimeError, pickle.UnpicklingError, EOFError, ValueError)

    def test_empty_and_garbage(self):
        with self.raises(EOFError):
            loaded(b"")
        for data in (b"x", b"garbage" * 100, b"PK\3\4", b"PK\3\4" + b"\0" * 100, b"\x80\x02."):
            with self.assertRaises(self.ERRORS + (AssertionError, IndexError)):
                loaded(data)

    @winnow_only
    def test_cut_off(self):
        for data in (saved(sample()), zlib.decompress(base64.b85decode(OLD))):
            for n in range(len(data)):
                with self.assertRaises(self.ERRORS):
                    loaded(data[:n])

    @winnow_only
    def test_flipped_bits(self):
        data = saved(sample())
        for i in range(len(data)):
            try:
                loaded(data[:i] + bytes([data[i] ^ (1 << i % 8)]) + data[i + 1:])
            except self.ERRORS:
                pass

    @winnow_only
    def test_damaged_storage(self):
        data = bytearray(saved(torch.zeros(1000) + 3))
        at = data.find(b"\0\0\x40\x40" * 10)
        data[at] = 1
        with self.raises(RuntimeError, "checksum"):
            loaded(bytes(data))

    def test_nothing_is_executed(self):
        for value in (Other(), [os.system], {"a": print}):
            data = saved([torch.ones(1), value])
            with self.raises(pickle.UnpicklingError, "global"):
                loaded(data)
        self.assertFalse(Other.made)

    @winnow_only
    def test_not_even_when_asked_to(self):
        for value in (Other(), Mine(1), Ended(), [os.system], print):
            with self.raises(pickle.UnpicklingError, "weights only load failed"):
                loaded(saved([value]), weights_only=False)
        self.assertFalse(Other.made)

    def test_pickles_that_lie(self):
        data = saved(torch.arange(4.0))
        good = zipfile.ZipFile(io.BytesIO(data)).read("archive/data.pkl")
        self.values(loaded(with_pickle(data, good)), [0.0, 1.0, 2.0, 3.0])
        size = b"K\x00K\x04\x85"  # offset 0, shape (4,)
        self.assertIn(size, good)
        count = b"K\x04tq"
        self.assertIn(count, good)
        for bad in (good.replace(size, b"K\x00K\x05\x85"), good.replace(size, b"K\x01K\x04\x85"), good[:-1], good[:20],
                    b"\x80\x02r\xff\xff\xff\x7f.", b"\x80\x02X\xff\xff\xff\xffabc.", b"\x80\x02h\x05.", b"\x80\x02R.",
                    b"\x80\x02K\x01Q.", b"\x80\x02)\x81.", b"\x80\x02}}b."):
            with self.subTest(bad), self.assertRaises(self.ERRORS + (IndexError, KeyError, struct.error, AttributeError, TypeError, AssertionError)):
                loaded(with_pickle(data, bad))

    @winnow_only
    def test_nothing_takes_more_memory_than_the_file_has(self):
        data = saved(torch.arange(4.0))
        good = zipfile.ZipFile(io.BytesIO(data)).read("archive/data.pkl")
        for bad in (good.replace(b"K\x04tq", b"J\xff\xff\xff\x7ftq"), b"\x80\x02c__builtin__\nbytearray\nJ\xff\xff\xff\x7f\x85R.",
                    b"\x80\x04\x8d" + b"\xff" * 7 + b"\x7f.", b"\x80\x02\x8b\xff\xff\xff\x7f."):
            with self.raises(pickle.UnpicklingError):
                loaded(with_pickle(data, bad))
                self.fail("memory was taken")
        self.assertIsNone(loaded(with_pickle(data, b"\x80\x02Nr\xff\xff\xff\xff.")))  # a memo is no list
        with self.raises(pickle.UnpicklingError):
            loaded(with_pickle(data, b"\x80\x02})" + b"\x85" * 200_000 + b"K\x01s."))


class Trusted(Case):
    def test_registered_classes(self):
        data = saved({"m": Mine(torch.ones(2))})
        with self.raises(pickle.UnpicklingError, "Mine"):
            loaded(data)
        with torch.serialization.safe_globals([Mine]):
            got = loaded(data)
        self.assertIs(type(got["m"]), Mine)
        self.values(got["m"].x, [1.0, 1.0])
        with self.assertRaises(pickle.UnpicklingError):
            loaded(data)
        torch.serialization.add_safe_globals([Mine])
        self.assertIn(Mine, torch.serialization.get_safe_globals())
        loaded(data)
        torch.serialization.clear_safe_globals()
        with self.assertRaises(pickle.UnpicklingError):
            loaded(data)

    def test_listing_of_unsafe_globals(self):
        found = torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(saved([Mine(1), torch.ones(1)])))
        self.assertEqual(found, [f"{Mine.__module__}.Mine"])


if __name__ == "__main__":
    unittest.main()
