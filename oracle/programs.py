"""Generated programs, run on torch and on a module.

    python oracle/programs.py --wn winnow --path python --examples 2000 --seed 1
"""
import argparse
import os
import subprocess
import sys
import tempfile

FAILED = 3                      # exit status of a child that found something: 1 is Python's own, and faulthandler's


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--examples", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--longest", type=int, default=20, help="statements of a program")
    parser.add_argument("--first", type=int, default=5, help="stop after so many failures")
    parser.add_argument("--selftest", action="store_true", help="torch beside itself, and planted defects")
    parser.add_argument("--inside", metavar="NOTE", help=argparse.SUPPRESS)     # the child process, see main()
    args = parser.parse_args(argv)
    if not args.wn and not args.selftest:
        parser.error("--wn MODULE or --selftest")
    return args


def outside(args, output=None):
    """The programs run in a child, so that one which ends the process can be shown."""
    with tempfile.TemporaryDirectory() as folder:
        note = os.path.join(folder, "program.py")
        command = [sys.executable, os.path.abspath(__file__), "--inside", note, "--wn", args.wn]
        for name in ("examples", "seed", "longest", "first") + (("path",) if args.path else ()):
            command += [f"--{name}", str(getattr(args, name))]
        child = subprocess.run(command, check=False, stdout=output, text=True)
        if child.returncode in (0, FAILED):
            return int(child.returncode != 0), child.stdout
        try:
            with open(note, encoding="utf-8") as file:
                listing = file.read()
        except FileNotFoundError:
            listing = "(before the first program)"
        text = f"FAIL the process ended with {child.returncode} in this program:\n{listing}\n0 passed, 1 failed"
        return 1, (child.stdout or "") + text


def main(argv=None):
    args = arguments(argv)
    if args.inside:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.path.dirname(args.inside)  # else in the working directory
        from program_search import inside
        return FAILED if inside(args) else 0
    if args.selftest:
        from selftest_programs import main as selftest
        return selftest(args)
    code, text = outside(args)
    if text:
        print(text)
    return code


if __name__ == "__main__":
    sys.exit(main())
