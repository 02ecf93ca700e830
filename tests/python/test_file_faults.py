"""A failing disk (tests/fault/shim.c, preloaded into a child) under everything that writes and reads files, and file objects whose write() and
read() do less than they are asked for. SPDX-License-Identifier: Apache-2.0"""
import errno
import io
import itertools
import os
import shlex
import subprocess
import sys
import tempfile
import unittest

import torch

from helper import Case, command, saved, winnow_only

ONCE = True  # in every mode of deferral the same (run.py)

HERE = os.path.dirname(os.path.abspath(__file__))
FAILS, SUCCEEDS, EITHER = "fails", "succeeds", "either"  # either: there may be another way
SAVING = [("write", "EIO", FAILS), ("write", "ENOSPC", FAILS), ("write", "zero", FAILS), ("write", "short", SUCCEEDS), ("write", "EINTR", SUCCEEDS),
          ("fsync", "EIO", FAILS), ("fsync", "EINTR", SUCCEEDS), ("syncdir", "EIO", FAILS), ("syncdir", "EINVAL", SUCCEEDS), ("fchmod", "EPERM", FAILS),
          ("link", "EIO", FAILS), ("rename", "EACCES", FAILS), ("close", "EIO", FAILS), ("open", "EMFILE", EITHER), ("open", "EINTR", SUCCEEDS)]
READING = [("read", "EIO", FAILS), ("read", "zero", FAILS), ("read", "short", SUCCEEDS), ("read", "EINTR", SUCCEEDS), ("open", "EMFILE", FAILS)]
MOST_CALLS = 80


def build_shim(folder):
    """The path of the preloaded library, or None without a compiler."""
    path = os.path.join(folder, "fault.so")
    source = os.path.join(HERE, os.pardir, "fault", "shim.c")
    try:
        done = subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-O1", "-fPIC", "-shared", source, "-o", path], check=False)
    except OSError:
        return None
    return path if done.returncode == 0 else None


# ------------------------------------------------------------------ the child

class Disk:
    """The child's side: one file in a folder of its own, saved and loaded with every fault at every call."""

    def __init__(self, folder):
        import ctypes

        self.folder, self.path, self.problems, self.cases = folder, os.path.join(folder, "file"), [], 0
        self.struck = ctypes.CDLL(None).fault_struck

    def formats(self):
        """name -> (save(tensor, path), {name: load(path)})"""
        import safetensors.torch
        from winnow import io as files

        old = {"_use_new_zipfile_serialization": False}
        return {"zip": (torch.save, {"": torch.load, "mmap": lambda path: torch.load(path, mmap=True)}),
                "old": (lambda x, path: torch.save(x, path, **old), {"": torch.load}),
                "safetensors": (lambda x, path: safetensors.torch.save_file({"x": x}, path),
                                {"": lambda path: safetensors.torch.load_file(path, backend="pread")["x"], "mmap": lambda path: safetensors.torch.load_file(path)["x"]}),
                "npy": (lambda x, path: files.save_npy(path, x), {"": files.load_npy, "mmap": lambda path: files.load_npy(path, mmap=True)})}

    def with_fault(self, fault, function):
        """(the exception or None, what the function returned, did the fault strike?)"""
        os.environ["WINNOW_FAULT"] = fault
        result = error = None
        try:
            result = function()
        except Exception as caught:  # what is raised is judged by the caller
            error = caught
        struck = self.struck() > 0
        os.environ["WINNOW_FAULT"] = ""
        return error, result, struck

    def expect(self, right, *what):
        self.cases += 1
        if not right:
            self.problems.append(" ".join(map(str, what)))

    def value(self, load):
        x = load(self.path)
        return x.amin().item() if x.numel() == 300_000 and x.amin() == x.amax() else -1

    def save_once(self, name, save, load, fault, mode, expected):
        if os.path.exists(self.path):
            os.unlink(self.path)
        if mode:
            save(torch.full((300_000,), 1.0), self.path)
            os.chmod(self.path, mode)
        new, before = torch.full((300_000,), 2.0), len(os.listdir("/proc/self/fd"))
        error, _, struck = self.with_fault(fault, lambda: save(new, self.path))
        message = f"{type(error).__name__}: {error}"
        now = self.value(load) if os.path.exists(self.path) else 0
        whole = now in (2, 1 if mode else 0) if error else now == 2
        kept = not mode or os.stat(self.path).st_mode & 0o7777 == mode
        right = not struck or expected == EITHER or (error is not None) == (expected == FAILS)
        said = error is None or (isinstance(error, (OSError, RuntimeError)) or type(error).__name__ == "SafetensorError") and self.path in str(error)
        clean = os.listdir(self.folder) == (["file"] if now else []) and len(os.listdir("/proc/self/fd")) == before
        self.expect(whole and kept and right and said and clean, name, fault, "over", oct(mode), message, now, os.listdir(self.folder))
        return struck

    def save_all(self, modes):
        for name, (save, loads) in self.formats().items():
            for call, kind, expected in SAVING:
                for mode in modes:
                    at = 1
                    while at < MOST_CALLS and self.save_once(name, save, loads[""], f"{call}:{at}:{kind}", mode, expected):
                        at += 1
                    self.expect(at < MOST_CALLS and (at > 1 or call in ("fchmod", "link")), name, call, "was called", at - 1, "times")

    def load_all(self):
        for name, (save, loads) in self.formats().items():
            save(torch.full((300_000,), 1.0), self.path)
            for how, load in loads.items():
                for call, kind, expected in READING:
                    at = 1
                    while at < MOST_CALLS:
                        plus = "+" if kind in ("short", "zero") else ""
                        error, value, struck = self.with_fault(f"{call}:{at}{plus}:{kind}", lambda: self.value(load))
                        right = error is not None if struck and expected == FAILS else error is None and value == 1
                        said = not isinstance(error, OSError) or self.path in str(error)
                        self.expect(right and said, name, how, call, at, kind, repr(error), value)
                        if not struck:
                            break
                        at += 1
                    self.expect(1 < at < MOST_CALLS or how == "mmap", name, how, call, "was called", at - 1, "times")


def child(folder, part):
    disk = Disk(folder)
    if part == "save":
        disk.save_all([0o666, 0])
    elif part == "named":
        disk.save_all([0o600])
    else:
        disk.load_all()
    print("\n".join(disk.problems[:20]))
    print(disk.cases, "cases", len(disk.problems), "problems")


@winnow_only
class Faults(Case):
    def run_part(self, part, least, **environment):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # no disk: thousands of files are synced
        with tempfile.TemporaryDirectory(prefix="winnow-faults-", dir=memory) as folder, tempfile.TemporaryDirectory() as tools:
            shim = build_shim(tools)
            if shim is None:
                self.skipTest("needs a C compiler")
            preload = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), shim]))
            environment = {**os.environ, "LD_PRELOAD": preload, "WINNOW_FAULT_FOLDER": folder, **environment}
            done = subprocess.run(command(__file__) + [folder, part], env=environment, capture_output=True, text=True, timeout=300, check=False)
        problems = done.stdout.split()[-4:]
        self.assertEqual((done.returncode, problems[1:]), (0, ["cases", "0", "problems"]), done.stdout + done.stderr[-3000:])
        self.assertGreater(int(problems[0]), least)

    def test_saving(self):
        self.run_part("save", 500)

    def test_saving_where_every_file_has_a_name(self):
        self.run_part("named", 150, WINNOW_FAULT_NAMED="1")

    def test_loading(self):
        self.run_part("load", 100)


# ------------------------------------------------------------------ file objects

class Sink:
    """A file-like object that keeps what each write() takes: take(n, calls before) -> (bytes taken, what write() returns)."""

    def __init__(self, take):
        self.take, self.data, self.calls = take, b"", 0

    def write(self, view):
        self.calls += 1
        if self.calls > 2_000_000:
            raise AssertionError("torch.save does not end")
        taken, answer = self.take(len(view), self.calls)
        self.data += bytes(view[:taken])
        return answer


class RawSink(Sink, io.RawIOBase):
    def writable(self):
        return True


class Source(io.RawIOBase):
    """A raw file that gives `most` bytes at a time; the blocks_at-th read would block."""

    def __init__(self, data, most=None, blocks_at=0):
        self.file, self.most, self.blocks_at, self.calls = io.BytesIO(data), most, blocks_at, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def seek(self, offset, whence=0):
        return self.file.seek(offset, whence)

    def tell(self):
        return self.file.tell()

    def readinto(self, view):
        self.calls += 1
        if self.calls == self.blocks_at:
            return None
        return self.file.readinto(memoryview(view)[:self.most])


class Plain:
    """An object with read(), seek() and tell() only."""

    def __init__(self, data, most):
        self.file, self.most = io.BytesIO(data), most
        self.seek, self.tell = self.file.seek, self.file.tell

    def read(self, size=-1):
        return self.file.read() if size < 0 else self.file.read(min(size, self.most))


@winnow_only
class FileObjects(Case):
    ways = ({}, {"_use_new_zipfile_serialization": False})

    def setUp(self):
        self.value = [torch.arange(3000.0), "text", torch.ones(2, dtype=torch.bool)]

    def whole(self, data):
        got = torch.load(data if hasattr(data, "seek") else io.BytesIO(data))
        self.same(got[0], self.value[0])
        self.same(got[2], self.value[2])
        self.assertEqual(got[1], "text")

    def test_writes_that_take_less(self):
        takes = {"all": lambda n, calls: (n, n), "one": lambda n, calls: (1, 1), "half": lambda n, calls: (n - n // 2, n - n // 2), "all, says nothing": lambda n, calls: (n, None)}
        for way in self.ways:
            for name, take in takes.items():
                with self.subTest(name, **way):
                    sink = Sink(take)
                    torch.save(self.value, sink, **way)
                    self.whole(sink.data)
            raw = RawSink(takes["half"])
            torch.save(self.value, raw, **way)
            self.whole(raw.data)

    def test_writes_that_take_nothing(self):
        for way in self.ways:
            for kind in (Sink, RawSink):
                for late in (1, 2):
                    with self.subTest(kind.__name__, late=late, **way):
                        with self.raises(OSError, "write() returned 0"):
                            torch.save(self.value, kind(lambda n, calls: (n, n) if calls < late else (0, 0)), **way)
            with self.raises(BlockingIOError, "without blocking"):  # None of a raw file: nothing was taken
                torch.save(self.value, RawSink(lambda n, calls: (0, None)), **way)
            for answer in (-1, 1 << 40):
                with self.raises(OSError, f"write() returned {answer}"):
                    torch.save(self.value, Sink(lambda n, calls: (n, answer)), **way)
            with self.assertRaises(TypeError):
                torch.save(self.value, Sink(lambda n, calls: (n, "all")), **way)

    def test_a_pipe_that_would_block(self):
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        os.set_blocking(write, False)
        with os.fdopen(write, "wb", 0) as file, self.assertRaises(BlockingIOError) as caught:
            torch.save(torch.zeros(100_000), file)
        self.assertEqual(caught.exception.errno, errno.EAGAIN)

    def test_a_device_that_is_full(self):
        if os.path.exists("/dev/full"):
            with self.raises(OSError, "/dev/full", "No space left"):
                torch.save(self.value, "/dev/full")

    def test_reads_that_give_less(self):
        for way in self.ways:
            data = saved(self.value, **way)
            for most in (1, 3, 1000):
                self.whole(Source(data, most))
                self.whole(Plain(data, most))

    def test_reads_that_would_block(self):
        for way in self.ways:
            data = saved(self.value, **way)
            for at in itertools.count(1):
                source = Source(data, blocks_at=at)
                try:
                    torch.load(source)
                except BlockingIOError:
                    continue
                break
            self.assertLess(source.calls, at)
            self.assertGreater(at, 2)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] in ("save", "named", "load"):
        child(*sys.argv[1:])
    else:
        unittest.main()
