"""The HTML page of a report (_report.py): one file, no scripts from elsewhere."""
import linecache
from html import escape

_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 90em; padding: 0 1em; color: #1c1c1c; background: #fff }
h1 { font-size: 1.3em } code { font-family: ui-monospace, monospace; font-size: 12.5px; white-space: pre }
.sums { display: flex; gap: 1em; flex-wrap: wrap } .sums div { border: 1px solid #ddd; border-radius: 6px; padding: .5em 1em }
.sums b { display: block; font-size: 1.25em } details { border-bottom: 1px solid #e4e4e4; padding: .35em 0 }
summary { display: grid; grid-template-columns: 6em 14em 1fr 16em; gap: 1em; align-items: center; cursor: pointer }
summary .where { overflow: hidden; text-overflow: ellipsis; direction: rtl; text-align: left } summary code { overflow: hidden; text-overflow: ellipsis }
.bar { display: flex; height: .8em; background: #eee; border-radius: 3px; overflow: hidden } .ran { background: #3b78c4 } .skipped { background: #8fc27a } .never { background: #cfe6c5 }
table { border-collapse: collapse; margin: .5em 0 1em 6em } th, td { padding: .15em .8em; text-align: right; font-variant-numeric: tabular-nums } th { color: #666; font-weight: 500 }
th:first-child, td:first-child { text-align: left } .time { text-align: right; font-variant-numeric: tabular-nums } .key span { display: inline-block; width: .9em; height: .9em; margin: 0 .3em 0 1em; border-radius: 2px }
"""
_COLUMNS = (("operation", "op"), ("calls", "calls"), ("recorded", "recorded"), ("run", "run"), ("again", "again"), ("never run", "never_run"), ("waiting", "waiting"),
            ("elements", "elements"), ("skipped by a mask", "skipped"), ("never computed", "never_computed"), ("not allocated", "bytes_spared"), ("time", "seconds"))
_SUMMED = [key for _, key in _COLUMNS[1:]]


def _time(s):
    return f"{s:.2f} s" if s >= 1 else f"{s * 1e3:.2f} ms" if s >= 1e-3 else f"{s * 1e6:.0f} µs"


def _bytes(n):
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1000:
            break
        n /= 1000
    else:
        unit = "TB"
    return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"


def _shown(key, value):
    return escape(value) if key == "op" else _time(value) if key == "seconds" else _bytes(value) if key == "bytes_spared" else f"{value:,}"


def _sum(rows):
    return {key: sum(row[key] for row in rows) for key in _SUMMED}


def _bar(total):
    parts = [("ran", total["elements"]), ("skipped", total["skipped"]), ("never", total["never_computed"])]
    whole = sum(n for _, n in parts) or 1
    return '<div class="bar">' + "".join(f'<div class="{name}" style="width:{100 * n / whole:.2f}%" title="{n:,} {name}"></div>' for name, n in parts) + "</div>"


def _source(label):
    path, _, line = (label or "").rpartition(":")
    return linecache.getline(path, int(line)).strip() if line.isdigit() else ""


def _table(rows):
    head = "".join(f"<th>{title}</th>" for title, _ in _COLUMNS)
    body = "".join("<tr>" + "".join(f"<td>{_shown(key, row[key])}</td>" for _, key in _COLUMNS) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _line(label, rows):
    total = _sum(rows)
    return (f'<details><summary><span class="time">{_time(total["seconds"])}</span><span class="where" title="{escape(label or "")}">{escape(label or "elsewhere")}</span>'
            f"<code>{escape(_source(label))}</code>{_bar(total)}</summary>{_table(rows)}</details>")


def page(data):
    """The page of a report's JSON."""
    total, lines = _sum(data["rows"]), {}
    for row in data["rows"]:
        lines.setdefault(row["label"], []).append(row)
    sums = (("whole time", _time(data["seconds"])), ("in operations", _time(total["seconds"])), ("elements computed", f'{total["elements"]:,}'),
            ("skipped by a mask", f'{total["skipped"]:,}'), ("never computed", f'{total["never_computed"]:,}'), ("not allocated", _bytes(total["bytes_spared"])))
    boxes = "".join(f"<div><b>{value}</b>{title}</div>" for title, value in sums)
    key = "".join(f'<span class="{name}"></span>{text}' for name, text in (("ran", "computed"), ("skipped", "skipped by a mask"), ("never", "never computed: nobody read it")))
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>winnow: what was computed</title><style>{_STYLE}</style></head><body>'
            f'<h1>What was computed, and what was not</h1><div class="sums">{boxes}</div><p class="key">Elements: {key}</p>'
            + "\n".join(_line(label, rows) for label, rows in lines.items()) + "</body></html>\n")
