"""Hostile and damaged files: an error, nothing executed, no memory beyond what the file accounts for, no hang. What a file may hold is in
test_file_matrix.py. SPDX-License-Identifier: Apache-2.0"""
import io
import os
import pickle
import random
import struct
import tempfile
import unittest
import warnings
import zipfile
import zlib

import torch

from helper import Case, counts_memory, run_child, not_hostile, winnow_only, loaded, saved

ONCE = True  # in every mode of deferral the same (run.py)

ERRORS = (pickle.UnpicklingError, RuntimeError, EOFError)


def sample():
    i = torch.tensor([[0, 1], [1, 0]])
    return {"a": torch.arange(6.0).reshape(2, 3).t(), "b": torch.tensor([True, False]), "p": torch.nn.Parameter(torch.ones(2, dtype=torch.bfloat16)),
            "coo": torch.sparse_coo_tensor(i, torch.ones(2), (2, 2)).coalesce(), "csr": torch.eye(3).to_sparse_csr(),
            "l": [1, 2.5, "x", b"y", {3, 4}, (1, (2, 3)), torch.Size([1]), torch.int8, torch.strided]}


def archive(members, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as z:
        for name, data in members:
            z.writestr(name, data)
    return file.getvalue()


def with_pickle(program, storages=()):
    """An archive whose data.pkl is this program."""
    return archive([("a/data.pkl", program), ("a/byteorder", b"little"), *((f"a/data/{k}", data) for k, data in enumerate(storages)), ("a/version", b"3\n")])


# ------------------------------------------------------------------ a small assembler of pickles

def glob(module, name):
    return b"c" + module.encode() + b"\n" + name.encode() + b"\n"


def text(s):
    return b"X" + struct.pack("<I", len(s)) + s.encode()


def number(n):
    data = n.to_bytes((n.bit_length() + 8) // 8, "little", signed=True)
    return b"\x8b" + struct.pack("<i", len(data)) + data


def pid(kind="FloatStorage", key="0", location="cpu", count=4):
    """A storage."""
    return b"(" + text("storage") + glob("torch", kind) + text(key) + text(location) + (count if isinstance(count, bytes) else number(count)) + b"tQ"


def numbers(values):
    return b"(" + b"".join(map(number, values)) + b"t"


def tensor(size, stride, offset=0, storage=None):
    return (glob("torch._utils", "_rebuild_tensor_v2") + b"(" + (storage or pid()) + number(offset) + (size if isinstance(size, bytes) else numbers(size)) +
            numbers(stride) + b"\x89" + glob("collections", "OrderedDict") + b")RtR")


def call(function, *args):
    return function + b"(" + b"".join(args) + b"tR"


OrderedDict = glob("collections", "OrderedDict")


class Refused(Case):
    """Each of these is one error, soon, and without the memory that it asks for."""

    def refused(self, program, *words, storages=(bytes(16),)):
        with self.assertRaises(ERRORS) as caught:
            loaded(with_pickle(b"\x80\x02" + program + b".", storages))
        self.assertNotIsInstance(caught.exception, MemoryError)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertLess(len(str(caught.exception)), 2000)

    @winnow_only
    def test_the_assembler(self):
        got = loaded(with_pickle(b"\x80\x02" + tensor((2, 2), (2, 1)) + b".", [struct.pack("<4f", 1, 2, 3, 4)]))
        self.values(got, [[1.0, 2.0], [3.0, 4.0]])

    @winnow_only
    def test_tensors_beyond_their_storage(self):
        big = 2**62
        for size, stride, offset in (((5,), (1,), 0), ((4,), (1,), 1), ((2, 2), (2, 2), 0), ((2,), (4,), 0), ((1,), (1,), 4), ((-1,), (1,), 0), ((2,), (-1,), 1),
                                     ((1,), (1,), -1), ((2,), (big,), 0), ((big,), (1,), 0), ((2, big, big), (0, 0, 1), 0), ((2**64,), (1,), 0),
                                     ((1,), (1,), 2**64), ((2,), (1, 1), 0), ((1,) * 17, (1,) * 17, 0), ((0, -1), (1, 1), 0)):
            self.refused(tensor(size, stride, offset))

    @winnow_only
    def test_a_wide_view_of_little_is_no_memory(self):
        """Strides of 0: one element, 2**40 times. It may be made; looking at all of it may not be forced by the file."""
        program = b"\x80\x02" + tensor((2**40,), (0,)) + b"."
        self.assertEqual(loaded(with_pickle(program, [bytes(16)])).shape, (2**40,))
        wide = tensor((2, 2**40), (0, 0), storage=pid("LongStorage", "1", count=2))
        self.refused(call(glob("torch._utils", "_rebuild_sparse_tensor"), call(glob("torch.serialization", "_get_layout"), text("torch.sparse_coo")), b"(" +
                          wide + tensor((2**40,), (0,)) + numbers((3, 3)) + b"t"), storages=(bytes(16), bytes(16)))
        none = tensor((2**30, 0), (1, 1), storage=pid("LongStorage", "1", count=2))  # a list of as many numbers takes 8 GB
        for coalesced in (b"", b"\x88"):
            self.refused(call(glob("torch._utils", "_rebuild_sparse_tensor"), call(glob("torch.serialization", "_get_layout"), text("torch.sparse_coo")), b"(" +
                              none + tensor((0,), (1,)) + numbers((3, 3)) + coalesced + b"t"), "number of dimensions", storages=(bytes(16), bytes(16)))
        self.refused(call(glob("torch._utils", "_rebuild_device_tensor_from_cpu_tensor"), tensor((2**40,), (0,)), glob("torch", "float64"), text("xla"), b"\x89"))

    @winnow_only
    def test_storages_that_lie(self):
        for storage in (pid(count=5), pid(count=3), pid(count=2**60), pid(count=-1), pid(key="7"), pid("DoubleStorage"), pid(count=text("4")), pid(count=b"]"),
                        pid("UntypedStorage", count=15), pid(key="../data.pkl"), pid(key="/etc/passwd"), b"(" + text("storage") + b"tQ", text("storage") + b"Q",
                        b"(" + text("module") + b"NNNNtQ"):
            self.refused(tensor((4,), (1,), storage=storage))
        both = b"(" + pid() + pid("IntStorage") + b"t"
        self.refused(both, "two types")

    @winnow_only
    def test_globals_and_calls(self):
        for module, name in (("os", "system"), ("posix", "system"), ("builtins", "eval"), ("builtins", "exec"), ("builtins", "getattr"), ("__builtin__", "eval"),
                             ("subprocess", "Popen"), ("torch", "load"), ("torch.nn", "Linear"), ("torch.nn.modules.linear", "Linear"), ("torch", "tensor"),
                             ("torch.serialization", "add_safe_globals"), ("collections", "namedtuple"), ("builtins", "__import__"), ("sys", "modules"),
                             ("winnow._load", "OldLoader"), ("torch.jit", "load"), ("functools", "partial"), ("operator", "attrgetter"), ("pickle", "loads")):
            for program in (glob(module, name), call(glob(module, name), text("echo")), text(module) + text(name) + b"\x93", glob(module, name) + b")\x81"):
                self.refused(program, name)
        for program in (glob("torch", "float32") + b")R", glob("torch", "FloatStorage") + b")R", call(glob("torch", "Tensor"), number(2**40)), b"])R", b"}b",
                        OrderedDict + b")R" + numbers((1, 2)) + b"b", OrderedDict + b")R}" + number(1) + b"Nsb", b"]}b", tensor((4,), (1,)) + b"}b", glob("builtins", "set") +
                        b")R}b", call(glob("builtins", "bytes"), number(2**40)), call(glob("builtins", "bytearray"), number(2**40)), call(glob("builtins", "set"), text("ab")),
                        call(glob("_codecs", "encode"), text("a"), text("idna")), call(glob("_codecs", "encode"), b"]", text("latin1")),
                        call(glob("torch", "Size"), tensor((4,), (1,))), call(glob("torch", "device"), b"]"), call(glob("torch.serialization", "_get_layout"), b"]"),
                        call(glob("torch._utils", "_rebuild_parameter"), b"N", b"N", b"N"), call(OrderedDict, number(5)), call(OrderedDict, b"]" + number(5) + b"a")):
            self.refused(program)

    @winnow_only
    def test_sparse_tensors_that_lie(self):
        layout = call(glob("torch.serialization", "_get_layout"), text("torch.sparse_coo"))
        rebuild = glob("torch._utils", "_rebuild_sparse_tensor")
        i = tensor((1, 2), (2, 1), storage=pid("LongStorage", "1", count=2))
        v = tensor((2,), (1,))
        good = (bytes(16), struct.pack("<2q", 0, 1))
        for parts in ((i, v, numbers((1,))), (i, v, numbers((-1,))), (i, v, numbers((2, 2))), (i, v, b"]"), (i, b"N", numbers((2,))), (i, tensor((3,), (1,)), numbers((2,))),
                      (i, v, numbers((2**63,))), (v, v, numbers((2,))), (i, v)):
            self.refused(call(rebuild, layout, b"(" + b"".join(parts) + b"t"), storages=good)
        self.refused(call(rebuild, b"]", b"(" + i + v + numbers((2,)) + b"t"), storages=good)
        unsorted = loaded(with_pickle(b"\x80\x02" + call(rebuild, layout, b"(" + i + v + numbers((2,)) + b"\x88t") + b".", (bytes(16), struct.pack("<2q", 1, 0))))
        self.assertFalse(unsorted.is_coalesced())  # whatever the file says

    @winnow_only
    def test_what_winnow_lacks_is_named(self):
        for name, word in (("ComplexFloatStorage", "complex"), ("QInt8Storage", "quantized"), ("uint16", "uint16"), ("float8_e4m3fn", "float8_e4m3fn")):
            self.refused(glob("torch", name), word, "winnow lacks")
        self.refused(call(glob("torch._utils", "_rebuild_qtensor"), b"N"), "quantized", "winnow lacks")

    @winnow_only
    def test_work_that_a_few_bytes_repeat(self):
        many = b"(" + b"N" * 100_000 + b"lq\x00"  # a list, remembered
        sets = glob("builtins", "set") + b"q\x01"
        size = glob("torch", "Size") + b"q\x01"
        string = text("x" * 100_000) + b"q\x00"
        encode = glob("_codecs", "encode") + b"q\x01" + text("latin1") + b"q\x02"
        state = b"}(" + b"".join(text(f"k{i}") + b"N" for i in range(20_000)) + b"uq\x00"
        for program in (many + b"0" + sets + b"h\x00\x85R" + b"0h\x01h\x00\x85R" * 20_000, b"(" + b"K\x01" * 100_000 + b"tq\x000" + size + b"h\x00\x85R" + b"0h\x01h\x00\x85R" * 20_000,
                        string + b"0" + encode + b"0" + b"h\x01h\x00h\x02\x86R0" * 20_000 + b"N", state + b"0" + OrderedDict + b"q\x01)Rh\x00b" + b"0h\x01)Rh\x00b" * 20_000):
            self.refused(program, "more work")
        laughs = b")q\x00" + b"".join(b"h" + bytes([k]) + b"h" + bytes([k]) + b"\x86q" + bytes([k + 1]) for k in range(60))
        self.refused(b"}" + laughs + b"Ns")                                            # as a key: 2**60 to hash
        self.refused(glob("builtins", "set") + b"(" + laughs + b"l\x85R")              # in a set
        self.refused(call(glob("torch.serialization", "_get_layout"), laughs))         # in a message
        self.refused(tensor(laughs, (1,)))
        self.assertIsInstance(loaded(with_pickle(b"\x80\x02" + laughs + b".")), tuple)  # as data: 60 tuples
        equal = b"".join(number(k * (2**61 - 1) * 2**64) + b"N" for k in range(1, 5000))
        self.refused(b"}(" + equal + b"u", "keys")                                     # all with the hash 0

    @winnow_only
    def test_depth(self):
        deep = 100_000
        for program in (b")" + b"\x85" * deep, b"]" * deep + b"a" * (deep - 1), b"}" * deep, b"N" + b"\x85" * deep):
            try:
                loaded(with_pickle(b"\x80\x02" + program + b"."))
            except ERRORS:
                pass
        self.refused(b"})" + b"\x85" * deep + b"Ns")
        chain = b"N" + b"".join(b"q\x000" + glob("torch._tensor", "_rebuild_from_type_v2") + b"(" + glob("torch._utils", "_rebuild_tensor_v2") + glob("torch", "Tensor") + b"(" + pid() +
                                number(0) + numbers((4,)) + numbers((1,)) + b"\x89" + OrderedDict + b")Rt}" + text("next") + b"h\x00stR" for _ in range(3000))
        got = loaded(with_pickle(b"\x80\x02" + chain + b".", [bytes(16)]))
        n = 0
        while got is not None:  # a chain of tensors by attributes; letting go of it must not overflow the stack
            got, n = got.next, n + 1
        self.assertEqual(n, 3000)
        nested = glob("torch._tensor", "_rebuild_from_type_v2")
        self.refused((nested + b"(") * 5000 + b"N" + b"tR" * 5000)

    @winnow_only
    def test_opcodes(self):
        for program in (b"\x8c\xffab", b"\x8e" + b"\xff" * 8, b"\x96" + b"\xff" * 7 + b"\x7f", b"\x8d" + b"\xff" * 7 + b"\x7f", b"T\xff\xff\xff\xff", b"\x8b\xff\xff\xff\x7f", b"\x8b\xff\xff\xff\xff",
                        b"h\x00", b"j\xff\xff\xff\xff", b"a", b"Na", b"]N(a", b"e", b"(Ne", b"s", b"}Ns", b"}(Nu", b"u", b"t", b"\x85", b"R", b"N\x85R", b"\x93", b"NN\x93", b"Q", b"b", b"\x81",
                        b"\x92", b"2", b"(2", b"0", b"q\x00", b"(q\x00", b"}]Ns", b"}}Ns", b"\x8f(]\x90", b"(]\x91", b"\x95" + b"\xff" * 8, b"\x80\x09", b"i", b"I1\n", b"L1L\n", b"F1\n", b"S'a'\n",
                        b"V\n", b"P1\n", b"o", b"p0\n", b"g0\n", b"\x82\x01", b"\x97", b"\x98", b"X\x02\0\0\0\xff\xff", b"c", b"cos\n", b"c\xff\n\xff\n", b""):
            self.refused(program)


class Archives(Case):
    def refused(self, data, *words):
        with self.assertRaises(ERRORS) as caught:
            loaded(data)
        self.assertNotIsInstance(caught.exception, MemoryError)
        for word in words:
            self.assertIn(word, str(caught.exception).lower())

    @winnow_only
    def test_members(self):
        good = saved(torch.arange(4.0))
        members = [(name, zipfile.ZipFile(io.BytesIO(good)).read(name)) for name in zipfile.ZipFile(io.BytesIO(good)).namelist()]
        self.values(loaded(archive(members)), [0.0, 1.0, 2.0, 3.0])
        self.refused(archive(members, zipfile.ZIP_DEFLATED), "compressed")
        bomb = [("archive/data/0", bytes(5_000_000)) if name.endswith("/0") else (name, data) for name, data in members]
        self.refused(archive(bomb, zipfile.ZIP_DEFLATED), "compressed")
        self.refused(archive([("x/readme", b"hello")]), "data.pkl")
        self.refused(archive([]))
        self.refused(archive(members[1:]), "data.pkl")
        self.refused(archive([*members, ("archive/constants.pkl", b"\x80\x02N.")]), "torchscript")
        with self.assertRaises(ValueError):
            loaded(archive([(n, b"middle" if n.endswith("byteorder") else d) for n, d in members]))
        for name in ("../../etc/passwd", "/etc/passwd", "C:\\x", "archive/data/../../x"):  # names are only compared, never opened
            self.values(loaded(archive([*members, (name, b"x")])), [0.0, 1.0, 2.0, 3.0])

    @winnow_only
    def test_directories_that_lie(self):
        good = saved(torch.arange(1000.0))
        end = good.rfind(b"PK\5\6")
        first = good.find(b"PK\1\2")
        entry = struct.Struct("<4sHHHHHHIIIHHHHHII")
        fields = list(entry.unpack_from(good, first))
        for place, value in ((9, 2**32 - 1), (8, 2**32 - 1), (9, 2**31), (10, 65535), (11, 65535), (12, 65535), (16, 2**32 - 1), (16, len(good)), (4, 8), (3, 1), (13, 1)):
            changed = list(fields)
            changed[place] = value
            self.refused(good[:first] + entry.pack(*changed) + good[first + entry.size:])
        for at, form, value in ((end + 8, "<H", 60000), (end + 10, "<H", 60000), (end + 12, "<I", 2**32 - 1), (end + 16, "<I", 2**32 - 1), (end + 20, "<H", 9)):
            broken = bytearray(good)
            struct.pack_into(form, broken, at, value)
            self.refused(bytes(broken))
        self.refused(good + b"x")

    @winnow_only
    def test_members_on_the_same_bytes(self):
        """A quine of sizes: every entry points at one member. Together they would be larger than the file."""
        data = bytes(1 << 16)
        name = b"a/data.pkl"
        local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 0, 0, 0, zlib.crc32(data), len(data), len(data), len(name), 0) + name + data
        entries = b"".join(struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 0, 0, 0, zlib.crc32(data), len(data), len(data), len(n), 0, 0, 0, 0, 0, 0) + n
                           for n in (f"a/data/{k:03}".encode() for k in range(200)))
        self.refused(local + entries + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 200, 200, len(entries), len(local), 0), "larger than the file")

    @winnow_only
    def test_two_of_one_name(self):
        z = zipfile.ZipFile(io.BytesIO(saved(torch.arange(4.0))))
        members = [(name, z.read(name)) for name in z.namelist()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zipfile's: Duplicate name
            for member in members:
                self.refused(archive([*members, member]), "two members")


class Damaged(Case):
    FORMS = ({}, {"_use_new_zipfile_serialization": False}, {"pickle_protocol": 4})

    @winnow_only
    def test_truncated(self):
        """Every file that ends early is an error: at every byte of a small one, at every fiftieth part of a larger one."""
        large = {"x": torch.arange(50_000.0), "y": [torch.ones(1000).short() for _ in range(20)]}
        for options in self.FORMS:
            for value, parts in ((sample(), None), (large, 50)):
                data = saved(value, **options)
                for n in range(len(data)) if parts is None else [len(data) * k // parts for k in range(parts)]:
                    with self.subTest(options, n=n), self.assertRaises(ERRORS):
                        loaded(data[:n])

    @winnow_only
    def test_mutated(self):
        """Random damage: the value or an error of the three kinds. All that comes out can be looked at."""
        rnd = random.Random(7)
        for options in self.FORMS:
            good = saved(sample(), **options)
            for _ in range(700):
                data = mutated(rnd, good)
                with self.subTest(data):
                    try:
                        look(loaded(data))
                    except ERRORS:
                        pass

    @winnow_only
    def test_mutated_pickles(self):
        """The same behind correct checksums."""
        rnd = random.Random(8)
        for options in ({}, {"pickle_protocol": 4}):
            z = zipfile.ZipFile(io.BytesIO(saved(sample(), **options)))
            storages = [z.read(name) for name in z.namelist() if "/data/" in name]
            good = z.read("archive/data.pkl")
            look(loaded(with_pickle(good, storages)))
            for _ in range(1000):
                program = mutated(rnd, good)
                with self.subTest(program):
                    try:
                        look(loaded(with_pickle(program, storages)))
                    except ERRORS:
                        pass

    @winnow_only
    def test_mutated_safetensors_npy_and_npz(self):
        from winnow import io as files

        rnd = random.Random(9)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f")
            good = []
            files.save_safetensors(path, {"a": torch.arange(6.0), "b": torch.tensor([[True]]), "c": torch.ones(0, 2)}, {"k": "v"})
            good.append((read(path), lambda mmap: files.load_safetensors(path, mmap=mmap)[0]))
            files.save_npy(path, torch.arange(12).reshape(3, 4).t())
            npy = read(path)
            good.append((npy, lambda mmap: files.load_npy(path, mmap=mmap)))
            good.append((archive([("x.npy", npy)]), lambda mmap: files.load_npz(path)))
            good.append((archive([("x.npy", npy)], zipfile.ZIP_DEFLATED), lambda mmap: files.load_npz(path)))
            for data, load in good:
                for k in range(800):
                    with open(path, "wb") as file:
                        file.write(mutated(rnd, data))
                    try:
                        look(load(k % 2 == 0))
                    except (RuntimeError, ValueError):
                        pass


def read(path):
    with open(path, "rb") as file:
        return file.read()


def mutated(rnd, data):
    data = bytearray(data)
    for _ in range(rnd.choice((1, 1, 2, 4, 8))):
        i, kind = rnd.randrange(len(data)), rnd.randrange(6)
        if kind == 0:
            data[i] = rnd.randrange(256)
        elif kind == 1:
            data[i] ^= 1 << rnd.randrange(8)
        elif kind == 2:
            data[i:i + rnd.randrange(1, 9)] = rnd.choice((b"\xff" * 4, bytes(4), b"\xff\xff\xff\x7f", b"\x7f"))
        elif kind == 3:
            data[i:i] = bytes([rnd.choice(b"(.0NRQcbahjlqrstue})]\x80\x81\x85\x86\x8a\x8b\x8c\x8f\x90\x91\x93\x94\x95\x96")]) * rnd.randrange(1, 4)
        elif kind == 4:
            j = rnd.randrange(len(data))
            data[i:i] = data[j:j + rnd.randrange(1, 40)]
        else:
            del data[i:i + rnd.randrange(1, 20)]
            data = data or bytearray(b"x")
    return bytes(data)


def look(value, depth=0):
    """Touches all elements of what was loaded."""
    if isinstance(value, torch.Tensor):
        if value.numel() < 1_000_000:
            value.tolist()
    elif isinstance(value, (dict, list, tuple)) and depth < 6:
        for item in value.values() if isinstance(value, dict) else value:
            look(item, depth + 1)


@counts_memory
class Memory(Case):
    @winnow_only
    @not_hostile
    def test_no_more_than_the_file(self):
        """A child may use what it has and the file's size and a little: loading fits into that, and no file asks for more."""
        status, out, err = run_child("""
            import io, os, pickle, resource, struct, sys, tempfile
            sys.path.insert(0, %r)
            import torch
            import test_file_attacks as attacks

            def resident():
                with open("/proc/self/statm") as file:
                    return [int(n) * resource.getpagesize() for n in file.read().split()[:2]]

            path = os.path.join(tempfile.mkdtemp(), "f.pt")
            for dtype in (torch.float32, torch.bfloat16, torch.bool):
                torch.save([torch.zeros(64 << 20, dtype=torch.uint8).view(dtype) if dtype != torch.bool else torch.zeros(64 << 20, dtype=torch.bool)], path)
                for options in ({}, {"mmap": True}):
                    torch.load(path, **options)
                for old in (False, True):
                    if old:
                        torch.save(torch.load(path), path, _use_new_zipfile_serialization=False)
                    before = resident()[0]
                    limit = before + (64 << 20) * (2 if old else 1) + (24 << 20)  # old files are mapped while they are read
                    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
                    got = torch.load(path)
                    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                    assert got[0].numel() * got[0].element_size() == 64 << 20
                    del got

            torch.save([torch.zeros(64 << 20, dtype=torch.uint8)], path)
            before = resident()[1]
            got = torch.load(path, mmap=True)
            assert resident()[1] - before < 4 << 20, "mmap reads what nobody has asked for"
            total = int(got[0].sum())
            assert resident()[1] - before > 48 << 20, "where is the file?"
            got[0][1000] = 1
            assert total == 0 and int(torch.load(path)[0].sum()) == 0
            del got

            resource.setrlimit(resource.RLIMIT_AS, (resident()[0] + (16 << 20), resource.RLIM_INFINITY))
            import unittest
            suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(c) for c in (attacks.Refused, attacks.Archives))
            result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
            print("ran", result.testsRun, "failed", len(result.failures) + len(result.errors))
        """ % os.path.dirname(os.path.abspath(__file__)), timeout=300)
        self.assertEqual(status, 0, out[-3000:] + err[-3000:])
        self.assertRegex(out.strip().splitlines()[-1], "ran [1-9][0-9]* failed 0", out[-3000:] + err[-3000:])


if __name__ == "__main__":
    unittest.main()
