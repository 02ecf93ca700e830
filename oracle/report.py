"""What a task found, in a form that crosses to the parent process."""
import collections
import dataclasses
import fnmatch


@dataclasses.dataclass
class Failure:
    entry: str
    dtype: str
    kind: str
    index: int
    reason: str

    def line(self):
        return f"FAIL {self.entry} {self.dtype} {self.kind} {self.index}: {self.reason}"


@dataclasses.dataclass
class Report:
    """The checks of one entry in one dtype."""
    entry: str
    dtype: str
    passed: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    failures: list = dataclasses.field(default_factory=list)
    left_out: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    texts: list = dataclasses.field(default_factory=list)       # error messages other than torch's: information

    def check(self, kind, index, reason):
        if reason is None:
            self.passed[kind] += 1
        else:
            self.failures.append(Failure(self.entry, self.dtype, kind, index, " ".join(str(reason).split())[:400]))

    def leave_out(self, reason):
        self.left_out[str(reason)] += 1


class Summary:
    """All reports of a run, and what of their failures is deliberate."""

    def __init__(self, deviations, whole_run):
        self.deviations = deviations            # [(entry glob, kind glob, dtype glob, reason)]
        self.whole_run = whole_run              # everything was judged: a deviation that matched nothing is stale
        self.passed = collections.Counter()
        self.failed = collections.Counter()
        self.deviating = collections.Counter()
        self.matched = collections.Counter()    # deviation -> failures it covers
        self.judged = set()                     # (entry, kind, dtype) of the checks that ran
        self.failures = []
        self.left_out = collections.Counter()
        self.texts = []
        self.covered = set()

    def deviation_of(self, failure):
        for index, (entry, kind, dtype, _) in enumerate(self.deviations):
            if fnmatch.fnmatchcase(failure.entry, entry) and fnmatch.fnmatchcase(failure.kind, kind) \
                    and fnmatch.fnmatchcase(failure.dtype, dtype):
                return index
        return None

    def add(self, report):
        self.covered.add(report.entry)
        self.passed.update(report.passed)
        self.left_out.update(report.left_out)
        self.texts.extend(report.texts)
        self.judged.update((report.entry, kind, report.dtype) for kind in report.passed)
        for failure in report.failures:
            self.judged.add((failure.entry, failure.kind, failure.dtype))
            index = self.deviation_of(failure)
            if index is None:
                self.failed[failure.kind] += 1
                self.failures.append(failure)
            else:
                self.deviating[failure.kind] += 1
                self.matched[index] += 1

    def stale(self):
        """Deviations that no failure needs any more; only a run of everything can tell."""
        return [one for index, one in enumerate(self.deviations)
                if self.whole_run and not self.matched[index] and not one[3].startswith("now and then")]

    def by_entry(self):
        """{entry: failures}, the first of every kind before the second of any."""
        entries, ranks = collections.defaultdict(list), collections.Counter()
        for failure in self.failures:
            ranks[failure.entry, failure.kind] += 1
            entries[failure.entry].append((ranks[failure.entry, failure.kind], failure))
        return {entry: [failure for _, failure in sorted(ranked, key=lambda pair: pair[0])]
                for entry, ranked in entries.items()}

    def print(self, total, missing, first):
        print(f"{len(self.covered)} of {total} entries covered, {missing} not in the module (--list-missing)")
        kinds = sorted(set(self.passed) | set(self.failed) | set(self.deviating))
        print(f"{'kind':<16} {'passed':>8} {'failed':>8} {'deviation':>10}")
        for kind in kinds:
            print(f"{kind:<16} {self.passed[kind]:>8} {self.failed[kind]:>8} {self.deviating[kind]:>10}")
        if self.left_out:
            print("left out: " + ", ".join(f"{count} {reason}" for reason, count in self.left_out.most_common()))
        for index, count in sorted(self.matched.items()):
            entry, kind, dtype, reason = self.deviations[index]
            print(f"deviation {entry} {kind} {dtype}: {count} checks: {reason}")
        for text in self.texts:
            print(f"text {text}")
        for entry, failures in self.by_entry().items():
            for failure in failures[:first]:
                print(failure.line())
            if len(failures) > first:
                print(f"     {entry}: {len(failures) - first} more")
        stale = self.stale()
        for entry, kind, dtype, reason in stale:
            print(f"FAIL deviations.py: stale, nothing fails any more for {entry} {kind} {dtype} ({reason})")
        passed, failed = sum(self.passed.values()), sum(self.failed.values()) + len(stale)
        print(f"{passed} passed, {failed} failed")
        return passed, failed
