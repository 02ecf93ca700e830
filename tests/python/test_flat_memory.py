"""Training steps leave nothing behind: 500 steps of each kind, after 100 to warm up. flat_memory.py run as a program makes 10,000.
SPDX-License-Identifier: Apache-2.0"""
import flat_memory
from helper import WINNOW, Case, resident_bytes


class FlatMemory(Case):
    def flat(self, kind):
        with flat_memory.training(kind) as run:
            run.run(100)
            first, resident = flat_memory.alive(run), resident_bytes()
            run.run(500)
            last, grown = flat_memory.alive(run), resident_bytes() - resident
        self.assertTrue(flat_memory.is_flat(last, first), f"{first} became {last}")
        self.assertLess(grown, 4 * flat_memory.GROWTH if not WINNOW else flat_memory.GROWTH)
        self.assertEqual(run.broken > 100, kind == "exceptions")
        self.assertLess(run.last, run.first)

    def test_plain(self):
        self.flat("plain")

    def test_deferred(self):
        self.flat("deferred")

    def test_not_deferred(self):
        self.flat("not deferred")

    def test_checkpoint(self):
        self.flat("checkpoint")

    def test_hooks(self):
        self.flat("hooks")

    def test_create_graph(self):
        self.flat("create_graph")

    def test_exceptions(self):
        self.flat("exceptions")

    def test_a_leak_is_noticed(self):
        """What each step keeps is counted: the test can fail."""
        with flat_memory.training("plain") as run:
            kept = []
            run.run(10)
            first = flat_memory.alive(run)
            for _ in range(100):
                run.run(1)
                kept.append([run.net.head(run.net.body(run.batch()[0]).flatten(1)).sum()])
            self.assertFalse(flat_memory.is_flat(flat_memory.alive(run), first))
