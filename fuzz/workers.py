"""Cases tried in processes of their own: what fuzz/calls.py and fuzz/torch_load.py share. A case is a number; the same number is the same
case. A process that dies is one finding, and another one goes on behind the case. SPDX-License-Identifier: Apache-2.0"""
import argparse
import collections
import mmap
import os
import resource
import signal
import struct
import sys
import time
import warnings

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
HANG, DEAD, PATIENCE = 20, 300, 0.25  # seconds: of processor time, of time, and of processor time for a call that may legally take years
MEMORY = 1 << 28


def limited():
    """This process may take only so much more memory than it has."""
    if not SANITIZED:
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")
    for number in (signal.SIGPROF, signal.SIGVTALRM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)


class Clock:
    """A case ends in time, or its process does: by SIGPROF where that says nothing, by SIGVTALRM or SIGALRM where it is a hang."""

    def __init__(self, patient):
        self.timers = ((signal.ITIMER_PROF, PATIENCE),) if patient else ((signal.ITIMER_VIRTUAL, HANG), (signal.ITIMER_REAL, DEAD))

    def __enter__(self):
        for which, seconds in self.timers:
            signal.setitimer(which, seconds)

    def __exit__(self, *_):
        for which, _ in self.timers:
            signal.setitimer(which, 0)


class Run:
    """try_case(k, avoided) tries a case and returns None, or what is wrong; describe(k, avoided) says what it is; family(k, avoided)
    names what is avoided when the case was stopped twice."""

    def __init__(self, try_case, describe, family):
        self.try_case, self.describe, self.family = try_case, describe, family
        self.shared = mmap.mmap(-1, 4096)
        self.found, self.stops = [], collections.Counter()

    def at(self):
        return struct.unpack_from("q", self.shared)[0]

    def avoided(self):
        return {name for name, n in self.stops.items() if n > 1}

    def child(self, first, last, step):
        limited()
        avoided = self.avoided()
        for k in range(first, last, step):
            struct.pack_into("q", self.shared, 0, k)
            wrong = self.try_case(k, avoided)
            if wrong:
                print(f"FOUND {k}: {wrong}: {self.describe(k, avoided)}", flush=True)
                struct.pack_into("q", self.shared, 8, struct.unpack_from("q", self.shared, 8)[0] + 1)
        struct.pack_into("q", self.shared, 0, last)
        os._exit(0)

    def all(self, first, last, batch=20000):
        """Returns the number of findings."""
        while first < last:
            end = min(first + batch, last)
            sys.stdout.flush()
            struct.pack_into("q", self.shared, 0, first)
            pid = os.fork()
            if pid == 0:
                self.child(first, end, 1)
            _, status = os.waitpid(pid, 0)
            if status == 0:
                first = end
                continue
            k, avoided = self.at(), self.avoided()
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
                self.stops[self.family(k, avoided)] += 1
            else:
                how = "longer than 20 s" if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGVTALRM, signal.SIGALRM) else f"died with status {status}"
                print(f"FOUND {k}: {how}: {self.describe(k, avoided)}", flush=True)
                self.found.append(k)
            first = k + 1
        return len(self.found) + struct.unpack_from("q", self.shared, 8)[0]


def main(make):
    """The command line: a number of cases, from a seed on, by one process or several."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=0, help="cases begin at seed * 10^9")
    parser.add_argument("--only", type=int, help="shows this case and tries it in this process")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    run = make()
    if options.only is not None:
        print(run.describe(options.only, set()), flush=True)
        print(run.try_case(options.only, set()))
        return 0
    began, first, share = time.time(), options.seed * 10**9, -(-options.cases // options.processes)
    children = []
    for p in range(options.processes):
        pid = os.fork() if options.processes > 1 else 0
        if pid == 0:
            n = max(0, min(share, options.cases - p * share))
            found = run.all(first + p * share, first + p * share + n)
            if options.processes > 1:
                os._exit(min(found, 100))
            children.append(found)
        else:
            children.append(pid)
    found = sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children) if options.processes > 1 else children[0]
    print(f"{time.time() - began:.0f} s")
    print(f"{options.cases - found} passed, {found} failed")
    return 1 if found else 0
