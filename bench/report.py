# SPDX-License-Identifier: BSD-3-Clause
"""report.py NAME RAW JSON TEXT: from what the peers printed to a table, a verdict and a JSON file.

RAW has lines "round peer kernel size median min", times in us per message. NAME.py beside this file
defines report(results), which writes its tables and targets through the classes here. If it also defines
plot(results), a script for gnuplot, there is a picture, NAME.svg.
"""
import datetime
import importlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys


def size_name(size):
    for unit, name in ((1 << 20, "Mi"), (1 << 10, "Ki")):
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def number(x):
    """Three significant digits without an exponent."""
    if x is None:
        return "-"
    return f"{x:.3f}" if x < 10 else f"{x:.2f}" if x < 100 else f"{x:.1f}" if x < 1000 else f"{x:.0f}"


class Results:
    """cells[(peer, kernel, size)] = {round: (median, min)}; text collects the report."""

    def __init__(self, lines):
        self.cells = {}
        for line in lines:
            rnd, peer, kernel, size, median, least = line.split()
            cell = self.cells.setdefault((peer, kernel, int(size)), {})
            cell[int(rnd)] = (float(median), float(least))
        self.text = []
        self.verdicts = []

    def sizes(self, kernel):
        return sorted({size for _, k, size in self.cells if k == kernel})

    def median(self, *key):
        rounds = self.cells.get(key)
        return statistics.median(m for m, _ in rounds.values()) if rounds else None

    def least(self, *key):
        rounds = self.cells.get(key)
        return min(m for _, m in rounds.values()) if rounds else None

    def both(self, *key):
        return f"{number(self.median(*key))}/{number(self.least(*key))}" if key in self.cells else "-"

    def ratio(self, one, other):
        """Median over the rounds of one/other of the same round: what disturbs both cancels."""
        a, b = self.cells.get(one), self.cells.get(other)
        pairs = [a[r][0] / b[r][0] for r in a if r in b] if a and b else []
        return statistics.median(pairs) if pairs else None

    def net_ratio(self, one, other, part):
        """The same after taking off a part that both contain."""
        a, b, c = self.cells.get(one), self.cells.get(other), self.cells.get(part)
        if not (a and b and c):
            return None
        pairs = [(a[r][0] - c[r][0]) / (b[r][0] - c[r][0]) for r in a
                 if r in b and r in c and b[r][0] > c[r][0]]
        return statistics.median(pairs) if pairs else None

    def least_net_ratio(self, one, other, part):
        a, b, c = self.least(*one), self.least(*other), self.least(*part)
        return (a - c) / (b - c) if a and b and c and b > c else None

    def least_ratio(self, one, other):
        a, b = self.least(*one), self.least(*other)
        return a / b if a and b else None

    def line(self, text=""):
        self.text.append(text)

    def table(self, title, head, rows):
        """Columns as wide as their widest entry, the first to the left."""
        rows = [head] + rows
        widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
        self.line(title)
        for row in rows:
            cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
            self.line("  ".join(cells).rstrip())
        self.line()

    def target(self, what, measured, limit, least=None, wish=None):
        """A ratio that should be at most limit; wish is what would be better still."""
        met = None if measured is None else measured <= limit
        self.verdicts.append({"what": what, "limit": limit, "wish": wish, "measured": measured,
                              "measured_by_minima": least, "met": met})

    def verdict_table(self):
        word = {None: "not measured", True: "met", False: "NOT MET"}
        rows = []
        for v in self.verdicts:
            wish = v["wish"]
            granted = ""
            if wish is not None and v["measured"] is not None:
                granted = "yes" if v["measured"] <= wish else "no"
            rows.append([v["what"], number(v["measured"]), number(v["measured_by_minima"]),
                         number(v["limit"]), word[v["met"]], number(wish), granted])
        self.table("Targets (ratios of times, lower is better)",
                   ["what", "median", "of minima", "at most", "", "wish", ""], rows)


def command_line(*words):
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=20)
        return done.stdout.splitlines()[0].strip()
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return "unknown"


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def machine():
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cpus": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "mpi": command_line("mpirun", "--version"),
        "compiler": command_line("mpicc", "--version"),
        "load": os.getloadavg()[0],
        "ep_settings": {k: v for k, v in sorted(os.environ.items()) if k.startswith("EP_")},
    }


def draw(script, svg_path):
    setup = "set terminal svg size 1000,420 font 'sans,12' noenhanced background 'white'\n"
    if shutil.which("gnuplot"):
        with open(svg_path, "wb") as out:
            subprocess.run(["gnuplot"], input=(setup + script).encode(), stdout=out, check=False)


def main(name, raw_path, json_path, text_path):
    with open(raw_path, encoding="ascii") as raw:
        results = Results(raw)
    facts = machine()
    rounds = max((r for cell in results.cells.values() for r in cell), default=0)
    results.line(f"{name}: {rounds} interleaved rounds, {facts['cpu']}, {facts['cpus']} CPUs")
    results.line(f"{facts['mpi']}, {facts['compiler']}, {facts['date']}")
    results.line("Times in us per message: median of the rounds' medians/smallest of all batches; "
                 "ratios are medians of the rounds' ratios.")
    results.line()
    module = importlib.import_module(name)
    module.report(results)
    if results.verdicts:
        results.verdict_table()
    text = "\n".join(results.text).rstrip() + "\n"
    sys.stdout.write(text)
    with open(text_path, "w", encoding="utf-8") as out:
        out.write(text)
    if hasattr(module, "plot"):
        draw(module.plot(results), os.path.splitext(text_path)[0] + ".svg")
    cells = [{"peer": p, "kernel": k, "size": s,
              "median": results.median(p, k, s), "min": results.least(p, k, s),
              "rounds": [{"round": r, "median": m, "min": least} for r, (m, least) in sorted(cell.items())]}
             for (p, k, s), cell in results.cells.items()]
    with open(json_path, "w", encoding="utf-8") as out:
        json.dump({"benchmark": name, "unit": "us per message", "machine": facts, "cells": cells,
                   "targets": results.verdicts}, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
