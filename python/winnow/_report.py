"""winnow.report(): what became of the work that a block of code asked for, by operation and by line."""
import json
import os

from . import _C

_C._report_setup(os.path.join(os.path.dirname(os.path.abspath(__file__)), ""))


class report:
    """Context that counts, for each operation and each line that calls it, what was recorded, run, skipped by a mask and never run.

        with winnow.report() as r:
            step()
        print(r)              # or r.text(); r.json(); r.html("report.html"); r.rows, r.seconds

    Work is counted where it is done, in the kernels, and for the line that asked for it, wherever it is done in the end. Looking at a report that
    is still open shows what there is so far. Reports may nest. While one is open every call takes longer: some microseconds for small ones.
    """

    def __init__(self):
        self._handle = None

    def __enter__(self):
        if self._handle is not None:
            raise RuntimeError("winnow.report(): it has begun already; make another one")
        self._handle = _C._report_begin(os.path.join(os.getcwd(), ""))
        return self

    def __exit__(self, *exc):
        _C._report_end(self._handle)

    def _begun(self):
        if self._handle is None:
            raise RuntimeError("winnow.report(): it has not begun (with winnow.report() as r: ...)")
        return self._handle

    def text(self):
        """A table: the lines by their time, and under each its operations."""
        return _C._report_text(self._begun())

    def json(self):
        """{"seconds": ..., "rows": [{"label": "file:line", "op": ..., "calls": ..., ...}, ...]} as text."""
        return _C._report_json(self._begun())

    @property
    def rows(self):
        """The rows of json() as dictionaries."""
        return json.loads(self.json())["rows"]

    @property
    def seconds(self):
        """From the beginning to the end, or to now."""
        return json.loads(self.json())["seconds"]

    def html(self, path):
        """Writes one page that needs nothing else: totals, and the lines with their source and bars for what was computed, skipped and never run."""
        from ._report_page import page

        with open(path, "w", encoding="utf-8") as file:
            file.write(page(json.loads(self.json())))

    __str__ = lambda self: self.text().rstrip("\n")
