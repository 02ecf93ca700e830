"""PyTorch's operator database judges a module with torch's interface. README.md says what is checked.

    python oracle/opdb.py --wn winnow --path python [--ops 'add*,linalg.*'] [--dtypes float32,int64] [--kinds value]
"""
import argparse
import importlib.util
import sys
import time

from deviations import DEVIATIONS
from entries import DTYPES
from judge import KINDS, Settings
from pool import Pool, Refused
from report import Summary


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wn", metavar="MODULE", help="the module to judge")
    parser.add_argument("--path", metavar="DIR", help="put in front of sys.path before the module is imported")
    parser.add_argument("--ops", default="*", help="glob patterns of entry names, with commas")
    parser.add_argument("--dtypes", default="", help="names, with commas; default all of " + ", ".join(DTYPES))
    parser.add_argument("--kinds", default="*", help="glob patterns, with commas, of " + ", ".join(KINDS))
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seed", type=int, default=0, help="for samples, cotangents and random operations")
    parser.add_argument("--samples", type=int, default=40, help="of an entry in a dtype, by lot; 0 is all")
    parser.add_argument("--few", type=int, default=10, help="of those that out= and gradients run on; 0 is all")
    parser.add_argument("--full", action="store_true", help="reference_inputs, where an entry has them")
    parser.add_argument("--text", action="store_true", help="list error messages that torch's pattern does not match")
    parser.add_argument("--timeout", type=float, default=180, help="seconds for one entry in one dtype")
    parser.add_argument("--first", type=int, default=10, help="failures shown of an entry")
    parser.add_argument("--no-deviations", action="store_true", help="count what deviations.py excuses as failed")
    parser.add_argument("--list-missing", action="store_true", help="name the entries that the module does not have")
    parser.add_argument("--selftest", action="store_true", help="torch beside itself, and planted defects")
    args = parser.parse_args(argv)
    if not args.wn and not args.selftest:
        parser.error("--wn MODULE or --selftest")
    unknown = set(filter(None, args.dtypes.split(","))) - set(DTYPES)
    if unknown:
        parser.error(f"not judged: {', '.join(sorted(unknown))}")
    return args


def listed(text):
    return tuple(part for part in text.split(",") if part)


def main(argv=None):
    args = arguments(argv)
    if importlib.util.find_spec("torch") is None:
        sys.exit("opdb.py needs PyTorch (oracle/requirements.txt)")
    if args.selftest:
        from selftest import main as selftest
        return selftest(args)
    settings = Settings(args.wn, args.path, args.seed, args.samples, args.few, args.full, listed(args.kinds), args.text)
    ops, dtypes = listed(args.ops), listed(args.dtypes)
    whole = args.ops == "*" and not dtypes and args.kinds == "*" and not 0 < args.samples < 40 and not 0 < args.few < 10
    summary = Summary([] if args.no_deviations else DEVIATIONS.get(args.wn, []), whole)
    try:
        with Pool(settings, ops, dtypes, args.jobs, args.timeout) as pool:
            if args.list_missing:
                print("\n".join(pool.missing))
                print(f"{len(pool.missing)} of {pool.entries} entries are not in {args.wn}")
                return 0
            progress(pool, summary)
            passed, failed = summary.print(pool.entries, len(pool.missing), args.first)
    except Refused as error:
        print(f"FAIL {args.wn}: {error}\n0 passed, 1 failed")
        return 2
    return 0 if passed and not failed else 1


def progress(pool, summary):
    """Runs everything; on a terminal, says how far it is."""
    last = time.monotonic()
    for number, report in enumerate(pool.run(), 1):
        summary.add(report)
        if sys.stderr.isatty() and time.monotonic() - last > 2:
            last = time.monotonic()
            print(f"\r{number} of {len(pool.tasks)} {report.entry:<50}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r" + " " * 70 + "\r", end="", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
