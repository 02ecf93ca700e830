"""Saving replaces a file whole or not at all: failures, a full disk, kill -9 in the middle. SPDX-License-Identifier: Apache-2.0"""
import io
import os
import random
import signal
import stat
import subprocess
import tempfile
import time
import unittest

import torch

from helper import Case, command, run_child, script_file, winnow_only

ONCE = True  # in every mode of deferral the same (run.py)


@winnow_only
class Writing(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "model.pt")

    def savers(self):
        """name -> (save(tensor, path), load(path)): every writer of files there is."""
        from winnow import io as files

        return {"zip": (torch.save, torch.load), "old": (lambda x, path: torch.save(x, path, _use_new_zipfile_serialization=False), torch.load),
                "safetensors": (lambda x, path: files.save_safetensors(path, {"x": x}), lambda path: files.load_safetensors(path)[0]["x"]),
                "npy": (lambda x, path: files.save_npy(path, x), files.load_npy)}

    def test_permissions_and_links(self):
        for name, (save, load) in self.savers().items():
            with self.subTest(name):
                path = os.path.join(self.folder, name)
                old = os.umask(0o027)
                try:
                    save(torch.ones(2), path)
                finally:
                    os.umask(old)
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)
                os.chmod(path, 0o604)
                link = os.path.join(self.folder, name + "-link")
                os.symlink(path, link)
                save(torch.zeros(3), link)
                self.assertTrue(os.path.islink(link))
                self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o604)
                self.values(load(path), [0.0] * 3)
                self.assertFalse([n for n in os.listdir(self.folder) if "tmp" in n])

    def test_a_loaded_mapping_survives_the_next_save(self):
        """The file is replaced, not rewritten: what was mapped stays as it was."""
        from winnow import io as files

        torch.save(torch.ones(5000), self.path)
        first = torch.load(self.path, mmap=True)
        torch.save(torch.zeros(5), self.path)
        self.assertEqual(first.sum().item(), 5000.0)
        for save, load in ((lambda t: files.save_npy(self.path, t), lambda: files.load_npy(self.path, mmap=True)),
                           (lambda t: files.save_safetensors(self.path, {"x": t}), lambda: files.load_safetensors(self.path, mmap=True)[0]["x"])):
            save(torch.ones(5000))
            first = load()
            save(torch.zeros(5))
            self.assertEqual(first.sum().item(), 5000.0)

    def test_a_failure_names_the_path_and_leaves_the_old_file(self):
        class Unpicklable:
            def __reduce__(self):
                raise ValueError("not me")

        torch.save([1], self.path)
        with self.raises(ValueError, "not me"):
            torch.save([2, Unpicklable()], self.path)
        self.assertEqual((torch.load(self.path), os.listdir(self.folder)), ([1], ["model.pt"]))
        for name, (save, _) in self.savers().items():
            with self.subTest(name):
                with self.raises((OSError, RuntimeError), self.folder):
                    save(torch.ones(1), os.path.join(self.folder, "none", "x"))
                with self.raises((OSError, RuntimeError), self.folder):
                    save(torch.ones(1), self.folder)

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_folder_that_may_not_be_written(self):
        for name, (save, load) in self.savers().items():
            folder = os.path.join(self.folder, name)
            os.mkdir(folder)
            path = os.path.join(folder, "file")
            save(torch.ones(2), path)
            os.chmod(folder, 0o555)
            try:
                with self.subTest(name), self.raises((OSError, RuntimeError), path):
                    save(torch.zeros(2), path)
            finally:
                os.chmod(folder, 0o755)
            self.values(load(path), [1.0, 1.0])

    def test_a_full_disk(self):
        """A limit of file size in a child, which stops the write in the middle."""
        status, out, err = run_child(f"""
            import os, resource, sys
            sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
            import torch
            from test_file_writing import Writing

            folder = {self.folder!r}
            for name, (save, load) in Writing.savers(None).items():
                path = os.path.join(folder, name)
                save(torch.ones(1000), path)
                resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
                try:
                    save(torch.zeros(1_000_000), path)
                except (OSError, RuntimeError) as error:
                    assert path in str(error), error
                else:
                    raise AssertionError(name)
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                assert load(path).sum().item() == 1000
            print(sorted(os.listdir(folder)))
        """)
        self.assertEqual((status, out.strip()), (0, "['npy', 'old', 'safetensors', 'zip']"), err[-2000:])

    def test_kill(self):
        """kill -9 at random moments while files are replaced again and again: each is an old or a new one, whole."""
        rnd = random.Random(5)
        source = f"""
            import itertools, os, sys
            sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
            import torch
            from test_file_writing import Writing

            savers = Writing.savers(None)
            for k in itertools.count():
                for name, (save, _) in savers.items():
                    save(torch.full((300_000,), float(k)), os.path.join({self.folder!r}, name))
                print(k, flush=True)
        """
        savers = self.savers()
        with script_file(source) as script:
            for _ in range(12):
                child = subprocess.Popen(command(script), stdout=subprocess.PIPE)
                child.stdout.readline()  # the first round is complete
                time.sleep(rnd.random() * 0.1)
                child.send_signal(signal.SIGKILL)
                child.wait()
                child.stdout.close()
                for name, (_, load) in savers.items():
                    x = load(os.path.join(self.folder, name))
                    self.assertEqual((x.numel(), x.amin().item()), (300_000, x.amax().item()))
                left = [n for n in os.listdir(self.folder) if n.startswith(".winnow-")]
                self.assertLessEqual(len(left), 1)  # where files cannot be without a name, or between naming and renaming
                for name in left:
                    os.unlink(os.path.join(self.folder, name))

    def test_a_device_or_a_pipe_is_written_into(self):
        read, write = os.pipe()
        pipe = os.fdopen(read, "rb")
        torch.save([1, torch.ones(2)], f"/proc/self/fd/{write}")
        os.close(write)
        got = torch.load(io.BytesIO(pipe.read()))
        pipe.close()
        self.values(got[1], [1.0, 1.0])
        torch.save(torch.ones(3), os.devnull)
        self.assertTrue(stat.S_ISCHR(os.stat(os.devnull).st_mode))


if __name__ == "__main__":
    unittest.main()
