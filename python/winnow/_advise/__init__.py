"""`python -m winnow --advise script.py`: for each source line that is slow for a known reason, one sentence with what it costs and the better form.

While the program runs, its calls are only looked at (watch.py): each kind of advice (a module of its own, listed here) keeps what it needs to do the
same again, shapes and functions rather than tensors. When the program has ended, each kind measures both forms with that, on this machine, and
speaks only where the better one would have saved a part of the program's time that is worth a sentence."""
import os
import sys
import time

from .. import no_grad
from .watch import Watch

LEAST_SECONDS = 1e-3  # what the better form must save of the whole run ...
LEAST_SHARE = 0.01    # ... and its share of the run
BUDGET = 10.0         # seconds for all measurements; what comes then is left out and said

_watch = None


def begin(file):
    """Looks at the program from now on; the advice comes when the process ends, on standard error or in a file."""
    import atexit

    global _watch
    from . import cat, copies, elements, embeddings, items, lists, loops, masks, precision

    kinds = [module.Kind() for module in (elements, items, cat, masks, copies, lists, loops, embeddings, precision)]
    _watch = Watch(kinds)
    file, process = file and os.path.abspath(file), os.getpid()

    def end():
        if os.getpid() == process:
            _watch.close()
            sys.stdout.flush()
            _write(_text(*advice(kinds, time.perf_counter() - began - _watch.spent)), file)

    atexit.register(end)
    began = time.perf_counter()
    _watch.open()


def advice(kinds, took):
    """What the kinds have to say that is worth it, the most first, and how many places were not measured for want of time."""
    found, late, end = [], 0, time.perf_counter() + BUDGET
    for kind in kinds:
        for case in kind.cases():
            if time.perf_counter() > end:
                late += 1
                continue
            try:
                with no_grad():
                    saved, sentence = case.measure()
            except Exception as error:  # the program's own functions run again: whatever they raise is no advice
                if os.environ.get("WINNOW_ADVISE_DEBUG"):
                    raise
                late += isinstance(error, MemoryError)
                continue
            if os.environ.get("WINNOW_ADVISE_DEBUG"):
                sys.stderr.write(f"measured {saved:.6f} {took:.3f} {case.where} {sentence}\n")
            if saved >= max(LEAST_SECONDS, LEAST_SHARE * took):
                found.append((saved, case.where, sentence))
    return sorted(found, key=lambda f: -f[0]), late, took


def _place(where):
    path, line = where
    inside = os.path.relpath(path) if os.path.isabs(path) else path
    return f"{inside if not inside.startswith('..') else path}:{line}"


def _text(found, late, took):
    lines = [f"{_place(where)}: {sentence}" for _, where, sentence in found]
    lines.append(f"winnow: {len(found) or 'no'} piece{'s' if len(found) != 1 else ''} of advice for a run of {took:.2f} s; each was measured on what the program did.")
    if late:
        lines.append(f"winnow: {late} more places were not measured: the time for it ({BUDGET:.0f} s) was over.")
    return "\n".join(lines) + "\n"


def _write(text, file):
    if not file:
        sys.stderr.write(text)
        return
    try:
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        sys.stderr.write(f"winnow: {error}\n{text}")
