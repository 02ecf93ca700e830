"""torch.utils.benchmark: Timer and its Measurement."""
import statistics
import timeit as _timeit

__all__ = ["Measurement", "Timer", "timer"]

timer = _timeit.default_timer
_UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


class Measurement:
    """Times of several runs, in seconds; mean, median and iqr are those of one execution."""

    def __init__(self, number_per_run, raw_times, task_spec=None, metadata=None):
        self.number_per_run, self.raw_times, self.task_spec, self.metadata = number_per_run, raw_times, task_spec, metadata

    times = property(lambda self: [t / self.number_per_run for t in self.raw_times])
    mean = property(lambda self: statistics.fmean(self.times))
    median = property(lambda self: statistics.median(self.times))

    @property
    def iqr(self):
        if len(self.raw_times) < 2:
            return 0.0
        low, _, high = statistics.quantiles(self.times, n=4, method="inclusive")
        return high - low

    def __repr__(self):
        scale, unit = next((u for u in _UNITS if self.median >= u[0]), _UNITS[-1])
        lines = [f"<torch.utils.benchmark.Measurement object>\n{self.task_spec}", f"  Median: {self.median / scale:.2f} {unit}"]
        if len(self.raw_times) > 1:
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit}")
        return "\n".join(lines + [f"  {len(self.raw_times)} measurement{'s' * (len(self.raw_times) > 1)}, {self.number_per_run} runs per measurement"])


class Timer:
    """Times a statement, with num_threads threads. Results that are still pending are not computed: have the statement read one (.item())."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None, sub_label=None, description=None, env=None,
                 num_threads=1, language="python"):
        if str(language).lower().rpartition(".")[2] not in ("python", "py"):
            raise NotImplementedError("torch.utils.benchmark.Timer: winnow times Python statements only")
        import winnow

        names = {"torch": winnow, **(globals or {})}
        self._timer = _timeit.Timer(stmt, setup, timer, names)
        self._spec = " ".join([s for s in (label or str(stmt), sub_label, description) if s])
        self._threads = num_threads

    def _run(self, number):
        from ... import get_num_threads, set_num_threads

        before = get_num_threads()
        set_num_threads(self._threads)
        try:
            return max(self._timer.timeit(number), 1e-9)
        finally:
            set_num_threads(before)

    def timeit(self, number=1000000):
        """One measurement of `number` executions."""
        self._run(max(number // 100, 2))
        return Measurement(number, [self._run(number)], self._spec)

    def _block(self, seconds):
        number = 1
        while self._run(number) < seconds and number < 10 ** 9:
            number *= 10
        return number

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measurements of as many executions as make the clock's own time small, for min_run_time seconds."""
        number, times = self._block(min_run_time / 1000), []
        while sum(times) < min_run_time:
            times.append(self._run(number))
        return Measurement(number, times, self._spec)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Measures until the spread is below threshold of the median, or max_run_time is over."""
        number, times = self._block(min_run_time / 10), []
        while sum(times) < max_run_time:
            times.append(self._run(number))
            m = Measurement(number, times, self._spec)
            if sum(times) >= min_run_time and len(times) >= 5 and m.iqr <= threshold * m.median:
                break
        return Measurement(number, times, self._spec)
