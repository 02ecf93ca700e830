"""python -m winnow: runs a program in which `import torch` gives winnow, and is otherwise as good as absent: arguments, paths,
tracebacks and exit codes are those of the program run by Python itself."""
import sys

_USAGE = """usage: python -m winnow script.py [arguments]      runs a script
       python -m winnow -m module [arguments]      runs a module
       python -m winnow -c program [arguments]     runs a program given as text
       python -m winnow - [arguments]              runs the program on standard input
       python -m winnow --version | -h
before these: --report[=FILE.html|FILE.json]      at the end, what was computed and what was not, by line: on standard error, or as a file
               --advise[=FILE]                            at the end, one sentence for each line that is slow for a known reason, with the better form

`import torch` gives winnow there, whether PyTorch is installed or not."""


def main():
    """Interprets sys.argv and runs the program in the module __main__."""
    from . import _hook

    arguments, tool = _tool(sys.argv[1:])
    first = arguments[0] if arguments else None
    if first in ("-h", "--help"):
        print(_USAGE)
        return
    if first in ("-V", "--version"):
        _print_version()
        return
    if first is None or (first in ("-m", "-c") and len(arguments) == 1) or (first[0] == "-" and first not in ("-", "-m", "-c")):
        sys.stderr.write(f"{_complaint(first)}{_USAGE}\n")
        sys.exit(2)
    _hook.install()
    _tell_children()
    if tool:
        tool()
    if first == "-m":
        _run_module(arguments[1], arguments[1:])
    elif first == "-c":
        sys.argv[:] = ["-c"] + arguments[2:]
        _set_first_path("")
        _run_source(arguments[1], "<string>")
    elif first == "-":
        sys.argv[:] = arguments
        _set_first_path("")
        _run_source(sys.stdin.read(), "<stdin>")
    else:
        _run_script(first, arguments)


def _tool(arguments):
    """What is left of the arguments, and what begins the tool that they ask for."""
    first, _, file = arguments[0].partition("=") if arguments else ("", "", "")
    if first not in ("--report", "--advise"):
        return arguments, None

    def begin():
        from . import _tools

        _tools.begin(first, file)

    return arguments[1:], begin


def _complaint(first):
    if first is None:
        return ""
    return f"argument expected for the {first} option\n" if first in ("-m", "-c") else f"unknown option {first}\n"


def _print_version():
    import winnow
    from . import _C

    print(f"winnow {winnow._winnow} (PyTorch's interface as of {winnow.__version__.partition('+')[0]}), {_C._level()}, "
          f"Python {sys.version.split()[0]}")


def _set_first_path(folder, always=False):
    """sys.path[0]: now the current folder, as for any `python -m`, unless Python was started with -P."""
    if not sys.flags.safe_path:
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _tell_children():
    """Processes that multiprocessing starts anew get our sys.path: a folder in it whose torch.py installs the hook there."""
    import os

    sys.path.insert(0 if sys.flags.safe_path else 1, os.path.join(os.path.dirname(__file__), "_as_torch"))


def _run_script(path, arguments):
    import os

    sys.argv[:] = arguments
    full = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    if os.path.isdir(path) or _is_zip(path):  # with a __main__.py inside
        _set_first_path(full, always=True)
        _run_module("__main__", arguments, shift=False)
        return
    try:
        from io import open_code

        with open_code(full) as file:
            source = file.read()
    except OSError as error:
        sys.stderr.write(f"{sys.executable}: can't open file {full!r}: [Errno {error.errno}] {error.strerror}\n")
        sys.exit(2)
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    _run_source(source, full, file=full)


def _is_zip(path):
    from zipimport import ZipImportError, zipimporter

    try:
        zipimporter(path)
    except ZipImportError:
        return False
    return True


def _run_module(name, arguments, shift=True):
    """As `python -m name`, which itself runs runpy."""
    import runpy

    if shift:
        sys.argv[:] = arguments
    _guarded(lambda: runpy._run_module_as_main(name, alter_argv=shift))


def _run_source(source, name, file=None):
    namespace = sys.modules["__main__"].__dict__
    kept = {"__name__": "__main__", "__builtins__": namespace["__builtins__"]}
    namespace.clear()
    namespace.update(kept, __doc__=None, __package__=None, __spec__=None, __loader__=_loader(file), __annotations__={})
    if file is not None:
        namespace.update(__file__=file, __cached__=None)
    _guarded(lambda: exec(compile(source, name, "exec", dont_inherit=True), namespace))


def _loader(file):
    if file is None:
        from importlib.machinery import BuiltinImporter

        return BuiltinImporter
    from importlib.machinery import SourceFileLoader

    return SourceFileLoader("__main__", file)


def _guarded(run):
    """Runs the program; what it raises is shown as Python would, without the frames below it."""
    import atexit

    ending = _Ending()
    atexit.register(ending)  # first registered, called last
    try:
        run()
    except SystemExit:
        raise
    except BaseException as error:
        trace = _own_frames(error.__traceback__)
        error.__traceback__ = trace
        _show(error, trace)
        ending.interrupted = isinstance(error, KeyboardInterrupt)
    else:
        return
    sys.exit(130 if ending.interrupted else 1)


def _own_frames(trace):
    """The traceback without the frames of this file."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _show(error, trace):
    try:
        sys.excepthook(type(error), error, trace)
    except BaseException as second:
        sys.stderr.write("Error in sys.excepthook:\n")
        sys.__excepthook__(type(second), second, second.__traceback__.tb_next)
        sys.stderr.write("\nOriginal exception was:\n")
        sys.__excepthook__(type(error), error, trace)


class _Ending:
    """After KeyboardInterrupt the process ends by SIGINT, as Python's does, so that a shell's loop around it ends too."""
    interrupted = False

    def __call__(self):
        if not self.interrupted:
            return
        import _signal
        import os

        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):
                pass
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
