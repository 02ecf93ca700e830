"""Results as a file for the repository: bench/results/DATE-PROCESSOR.md, a section for each run of a benchmark with what it takes to run it again.

SPDX-License-Identifier: Apache-2.0"""
import datetime
import os
import re
import shlex
import subprocess
import sys

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")


def processor():
    """The processor's name, as the system has it."""
    try:
        with open("/proc/cpuinfo") as f:
            name = re.search(r"^model name\s*:\s*(.*)$", f.read(), re.M)
    except OSError:
        name = None
    return name.group(1).strip() if name else os.uname().machine


def commit():
    """The commit of the tree, with + where it has changes; empty outside of git."""
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=12"]
    try:
        told = subprocess.run(command, cwd=os.path.dirname(FOLDER), capture_output=True, text=True)
    except OSError:
        return ""
    return told.stdout.strip() if told.returncode == 0 else ""


def file_of_today():
    slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"\((r|tm)\)", "", processor().lower())).strip("-")
    return os.path.join(FOLDER, "%s-%s.md" % (datetime.date.today().isoformat(), slug))


def write(facts, columns, rows, path=None):
    """Adds a section to today's file (or to path): facts (name, value), then a table. Returns the path."""
    path = path or file_of_today()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    fresh = not os.path.exists(path)
    now = datetime.datetime.now().astimezone().isoformat(" ", "minutes")
    told = [("date", now), ("processor", processor()), ("commit", commit())]
    told += facts + [("command", "`%s`" % " ".join(map(shlex.quote, sys.argv)))]
    with open(path, "a") as f:
        if fresh:
            f.write("# %s\n" % processor())
        f.write("\n## %s\n\n" % os.path.basename(sys.argv[0]))
        f.writelines("- %s: %s\n" % fact for fact in told if fact[1])
        f.write("\n| %s |\n|%s\n" % (" | ".join(columns), "---|" * len(columns)))
        f.writelines("| %s |\n" % " | ".join(row) for row in rows)
    return path
