"""What `python -m winnow --report` and `--advise` do besides running the program: they begin before it, and are heard when the process ends, however
that is."""
import atexit
import os
import sys


def begin(tool, file):
    if tool == "--report":
        _begin_report(file)
        return
    from . import _advise

    _advise.begin(file)


def _begin_report(file):
    """A report of the whole program; file: where to, "" for standard error."""
    from ._report import report

    r, process = report(), os.getpid()
    r.__enter__()

    def end():
        if os.getpid() == process:
            r.__exit__()
            _guarded(_write, r, file and os.path.abspath(file))

    if file:
        file = os.path.abspath(file)
    atexit.register(end)


def _guarded(write, *arguments):
    """A file that cannot be written is said, and changes nothing else."""
    try:
        sys.stdout.flush()
        write(*arguments)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"winnow: {error}\n")


def _write(r, file):
    if file.endswith((".html", ".htm")):
        r.html(file)
    elif file:
        with open(file, "w", encoding="utf-8") as out:
            out.write(r.json() if file.endswith(".json") else r.text())
    else:
        sys.stderr.write(r.text())
