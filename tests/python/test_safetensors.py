"""winnow's safetensors, and winnow.io. What the real package reads and writes was compared by hand (byte for byte); FILE is one that its
version 0.8.0 wrote. SPDX-License-Identifier: Apache-2.0"""
import base64
import json
import os
import struct
import tempfile
import unittest
import zipfile
import zlib
from importlib.util import find_spec

import torch

from helper import DTYPES, WINNOW, Case, needs_numpy, numpy, run_child, winnow_only

if find_spec("safetensors"):
    import safetensors.torch
    from safetensors import SafetensorError, safe_open

FILE = (
    "c-ozl&1!={5XV>Jp~pT#*z*=NE@lmdNGO3oA*Vv139?0{g{Yx!4<!WhV7>K)`UoA@P2(C<(=O<IFu(uIj=1O{dA2wV(^&9`3m%4ew8csOnsR|hcq8zR;FnBzw9H51eG@}^1|h-4GcTh@"
    "m(Uf#lFpN)h(!TOoA}-e*kqma20iVjeUCW)pychFNMqeWjXec{0`k}y%FoiRodG5TN=tz(&*Jm6P25u&$O8>a)0@w_n@ha9_mdpo@#+ebDa2h8umIONE<jhfKmcIkQd?a?$7dJd6c*zh"
    "Ho!ERb;2Gc?obZ@)}$Z0=^;$cSV{B#5@$S(mw1_derP+K&+ltOPKyj<AmhuAkmu`P;Pxq)PpIvzb~~hwp{%K_`t6W~^z+v`{d|p;6IA9(+3Vo{b$ylFkE{9so_$wN&S$Fmt=i0OImrY;"
    "P%3C1LbsqkL3a%gC=*mHq<hFPdzO0DeF%)7*Eis<7Rv")


def sample():
    tensors = {str(dtype)[6:]: (torch.arange(12).reshape(3, 4) % 5).to(dtype) for dtype in DTYPES}
    return tensors | {"none": torch.empty(0, 3), "0-d": torch.tensor(2.5), "a \"name\"\n\u00fc": torch.ones(1, dtype=torch.bool)}


class Folder(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "x.safetensors")

    def write(self, data):
        with open(self.path, "wb") as file:
            file.write(data)

    def read(self):
        with open(self.path, "rb") as file:
            return file.read()


@unittest.skipUnless(find_spec("safetensors"), "safetensors is not installed")
class Safetensors(Folder):
    def same_dict(self, got, want):
        self.assertEqual(sorted(got), sorted(want))
        for name, t in want.items():
            self.same(got[name], t)

    def test_what_the_package_wrote(self):
        data = zlib.decompress(base64.b85decode(FILE))
        self.write(data)
        self.same_dict(safetensors.torch.load_file(self.path), sample())
        self.same_dict(safetensors.torch.load(data), sample())
        safetensors.torch.save_file(sample(), self.path, {"format": "pt"})
        self.assertEqual(self.read(), data)  # the very bytes

    def test_round_trip(self):
        for metadata in (None, {"format": "pt"}):
            safetensors.torch.save_file(sample(), self.path, metadata)
            got = safetensors.torch.load_file(self.path)
            self.same_dict(got, sample())
            before = self.read()
            got["float32"].fill_(9)  # of its own
            self.assertEqual(self.read(), before)
            self.same_dict(safetensors.torch.load(safetensors.torch.save(sample(), metadata)), sample())
            with safe_open(self.path, framework="pt") as f:
                self.assertEqual(f.metadata(), metadata)

    def test_safe_open(self):
        safetensors.torch.save_file(sample(), self.path, {"k": "v"})
        for options in ({"framework": "pt"}, {"framework": "pt", "device": "cpu"}):
            with safe_open(self.path, **options) as f:
                self.assertEqual(list(f.keys()), sorted(sample()))
                self.assertEqual(sorted(f.offset_keys()), sorted(sample()))
                self.same_dict({name: f.get_tensor(name) for name in f.keys()}, sample())
                part = f.get_slice("bfloat16")
                self.assertEqual((part.get_shape(), part.get_dtype()), ([3, 4], "BF16"))
                self.same(part[1:, ::2], sample()["bfloat16"][1:, ::2])
                self.same(part[2], sample()["bfloat16"][2])
                self.same(part[:], sample()["bfloat16"])
                with self.raises(SafetensorError, "does not contain tensor nothing"):
                    f.get_tensor("nothing")
        with self.assertRaises(SafetensorError):
            f.keys()
        with self.assertRaises(SafetensorError):
            safe_open(self.path, framework="none")

    def test_modules(self):
        def make():
            net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 2))
            net[2].weight = net[0].weight
            return net

        net = make()
        with self.raises(RuntimeError, "share memory"):
            safetensors.torch.save_file(net.state_dict(), self.path)
        safetensors.torch.save_model(net, self.path, {"n": "1"})
        with safe_open(self.path, framework="pt") as f:
            self.assertEqual(f.metadata(), {"n": "1", "2.weight": "0.weight"})
        other = make()
        missing, unexpected = safetensors.torch.load_model(other, self.path)
        self.assertEqual((set(missing), list(unexpected)), (set(), []))
        self.same_dict(other.state_dict(), net.state_dict())
        small = torch.nn.Sequential(torch.nn.Linear(2, 2))
        with self.raises(RuntimeError, "Unexpected key(s)", "2.bias"):
            safetensors.torch.load_model(small, self.path)
        self.assertEqual(len(safetensors.torch.load_model(small, self.path, strict=False)[1]), 6)

    def test_what_cannot_be_saved(self):
        for bad, kind, word in (({"x": torch.ones(3, 4).t()}, ValueError, "non contiguous"), ([1], ValueError, "dict"), ({"x": 1}, ValueError, "torch.Tensor"),
                                ({"x": torch.eye(2).to_sparse()}, ValueError, "sparse"), ({"x": torch.ones(2), "y": torch.ones(4).expand(2, 4)}, ValueError, "non contiguous")):
            with self.raises(kind, word):
                safetensors.torch.save_file(bad, self.path)
        with self.raises(FileNotFoundError, "x.safetensors"):
            safetensors.torch.load_file(self.path)

    @needs_numpy
    def test_numpy(self):
        import safetensors.numpy

        arrays = {"a": numpy.arange(6).reshape(2, 3), "b": numpy.array([True, False]), "c": numpy.ones((), "f2")}
        safetensors.numpy.save_file(arrays, self.path)
        for got in (safetensors.numpy.load_file(self.path), safetensors.numpy.load(safetensors.numpy.save(arrays))):
            self.assertEqual({k: (v.dtype, v.tolist()) for k, v in got.items()}, {k: (v.dtype, v.tolist()) for k, v in arrays.items()})
        with safe_open(self.path, framework="np") as f:
            self.assertEqual(f.get_tensor("a").tolist(), arrays["a"].tolist())

    def test_hostile_headers(self):
        def file(header, data=b""):
            text = header if isinstance(header, bytes) else json.dumps(header).encode()
            return struct.pack("<Q", len(text)) + text + data

        def entry(dtype="U8", shape=(2,), begin=0, end=2):
            return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}

        good = file({"x": entry()}, b"ab")
        self.values(safetensors.torch.load(good)["x"], [97, 98])
        for bad in (b"", b"1234567", struct.pack("<Q", 2**63) + b"{}", struct.pack("<Q", 100) + b"{}", file(b"{"), file(b"[]"), file({"x": entry()}, b"a"), file({"x": entry()}, b"abc"),
                    file({"x": entry(), "y": entry()}, b"ab"), file({"x": entry(), "y": entry(begin=1, end=3)}, b"abc"), file({"x": entry(), "y": entry(begin=3, end=5)}, b"abcde"),
                    file({"x": entry(shape=(3,))}, b"ab"), file({"x": entry(shape=(-2,))}, b"ab"), file({"x": entry(shape=(2**62, 2**62))}, b"ab"), file({"x": entry("F9")}, b"ab"),
                    file({"x": entry("F32")}, b"ab"), file({"x": entry(begin=2, end=0)}, b"ab"), file({"x": entry(begin=-2, end=0)}, b"ab"),
                    file({"x": entry(shape=(2**31,), end=2**31)}, b"ab"), file({"x": {"dtype": "U8"}}, b"ab"), file({"__metadata__": {"a": 1}}), file({"__metadata__": []}),
                    file(b'{"\xff":1}'), file(b"[" * 100_000)):
            with self.subTest(bad[:80]), self.assertRaises(SafetensorError):
                safetensors.torch.load(bad)
            self.write(bad)
            with self.subTest(bad[:80]), self.assertRaises(SafetensorError):
                safetensors.torch.load_file(self.path)
        if WINNOW:  # the package takes the last one
            with self.raises(SafetensorError, "twice"):
                safetensors.torch.load(file(b'{"x":' + json.dumps(entry()).encode() + b',"x":' + json.dumps(entry()).encode() + b"}", b"ab"))


@winnow_only
class OwnNames(Folder):
    def test_npy(self):
        from winnow import io as files

        for dtype in DTYPES:
            for t in (sample()[str(dtype)[6:]], sample()[str(dtype)[6:]].t(), torch.ones((), dtype=dtype), torch.ones(0, 2, dtype=dtype), torch.ones(2, 3, 4, dtype=dtype)[:, ::2, 1:]):
                if dtype is torch.bfloat16:
                    with self.raises(NotImplementedError, "bfloat16"):
                        files.save_npy(self.path, t)
                    continue
                files.save_npy(self.path, t)
                for mmap in (False, True):
                    got = files.load_npy(self.path, mmap=mmap)
                    self.same(got, t)
                    got.fill_(0)
                self.same(files.load_npy(self.path), t)
                if numpy:
                    self.assertEqual(numpy.load(self.path).tolist(), t.tolist())
                    numpy.save(self.path + ".npy", numpy.load(self.path))
                    self.same(files.load_npy(self.path + ".npy"), t)
        with self.raises(FileNotFoundError, "nothing.npy"):
            files.load_npy(self.path + "nothing.npy")
        with self.assertRaises(TypeError):
            files.save_npy(self.path, [1])

    @needs_numpy
    def test_npz(self):
        from winnow import io as files

        arrays = {"a": numpy.arange(6).reshape(2, 3), "b": numpy.array([True]), "c": numpy.asfortranarray(numpy.ones((2, 3)))}
        for save in (numpy.savez, numpy.savez_compressed):
            save(self.path + ".npz", **arrays)
            got = files.load_npz(self.path + ".npz")
            self.assertEqual({k: v.tolist() for k, v in got.items()}, {k: v.tolist() for k, v in arrays.items()})
            self.values(torch.from_numpy(numpy.load(self.path + ".npz")["a"]), arrays["a"].tolist())

    def test_npz_without_numpy(self):
        from winnow import io as files

        files.save_npy(self.path, torch.arange(3))
        with zipfile.ZipFile(self.path + ".npz", "w", zipfile.ZIP_DEFLATED) as z:
            z.write(self.path, "x.npy")
        self.values(files.load_npz(self.path + ".npz")["x"], [0, 1, 2])

    def test_safetensors(self):
        from winnow import io as files

        strided = {"t": torch.arange(6.0).reshape(2, 3).t(), "e": torch.ones(1).expand(3), "p": torch.nn.Parameter(torch.ones(2))}
        files.save_safetensors(self.path, strided, {"k": "v"})
        for mmap in (False, True):
            got, metadata = files.load_safetensors(self.path, mmap=mmap)
            self.assertEqual(metadata, {"k": "v"})
            for name, t in strided.items():
                self.same(got[name], t.detach())
        with self.raises(ValueError, "layout"):
            files.save_safetensors(self.path, {"x": torch.eye(2).to_sparse()})
        for bad in ({1: torch.ones(1)}, {"x": 1}):
            with self.assertRaises(TypeError):
                files.save_safetensors(self.path, bad)
        with self.assertRaises(TypeError):
            files.save_safetensors(self.path, {}, {"k": 1})

    def test_a_mapped_file_is_read_when_it_is_used(self):
        status, out, err = run_child(f"""
            import torch, safetensors.torch, winnow.io

            def resident():
                with open("/proc/self/statm") as file:
                    return int(file.read().split()[1]) * 4096
            path, n = {self.path!r}, 16 << 20
            safetensors.torch.save_file({{"x": torch.ones(n), "y": torch.ones(3)}}, path)
            winnow.io.save_npy(path + ".npy", torch.ones(n))
            for load in (lambda: safetensors.torch.load_file(path)["x"], lambda: safetensors.safe_open(path, "pt").get_tensor("x"), lambda: winnow.io.load_npy(path + ".npy", mmap=True)):
                before = resident()
                x = load()
                assert resident() - before < 8 << 20, resident() - before
                assert x.sum().item() == n
                assert resident() - before > 48 << 20
                x[5] = 7
                assert load()[5].item() == 1
                del x
            import gc
            gc.collect()
            assert resident() - before < 16 << 20
        """)
        self.assertEqual(status, 0, out + err)


if __name__ == "__main__":
    unittest.main()
