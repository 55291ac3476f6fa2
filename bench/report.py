# SPDX-License-Identifier: BSD-3-Clause
"""report.py NAME RAW FACTS OUT: from what the peers printed to tables, goals, pictures and a JSON file.

RAW has lines "round peer kernel size median min", times in us per message; FACTS is what facts.py found. NAME.py beside
this file defines report(results), which writes its tables and targets through the classes here. Written are
OUT/NAME.txt, OUT/NAME.json and, where plots.py knows some, pictures.
"""
import importlib
import json
import pathlib
import statistics
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
    """cells[(peer, kernel, size)] = {round: (median, min)}; blocks collects the report: lines of text, and tables."""

    def __init__(self, lines=()):
        self.cells = {}
        for line in lines:
            rnd, peer, kernel, size, median, least = line.split()
            cell = self.cells.setdefault((peer, kernel, int(size)), {})
            cell[int(rnd)] = (float(median), float(least))
        self.blocks = []
        self.verdicts = []

    @classmethod
    def of_json(cls, cells):
        """From what as_json made."""
        found = cls()
        for c in cells:
            found.cells[c["peer"], c["kernel"], c["size"]] = {r["round"]: (r["median"], r["min"]) for r in c["rounds"]}
        return found

    def as_json(self):
        return [{"peer": p, "kernel": k, "size": s, "median": self.median(p, k, s), "min": self.least(p, k, s),
                 "rounds": [{"round": r, "median": m, "min": least} for r, (m, least) in sorted(cell.items())]}
                for (p, k, s), cell in self.cells.items()]

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
        pairs = [a[r][0] / b[r][0] for r in a if r in b and b[r][0] > 0] if a and b else []
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
        self.blocks.append({"line": text})

    def table(self, title, head, rows):
        self.blocks.append({"title": title, "head": head, "rows": rows})

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
        self.table("Further limits (ratios of times where no unit is named, lower is better)",
                   ["what", "median", "of minima", "at most", "", "wish", ""], rows)


def table_text(head, rows):
    """Columns as wide as their widest entry, the first to the left."""
    rows = [head] + rows
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return ["  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]).rstrip()
            for row in rows]


def as_text(blocks):
    lines = []
    for b in blocks:
        lines += [b["line"]] if "line" in b else [b["title"]] + table_text(b["head"], b["rows"]) + [""]
    return "\n".join(lines).rstrip() + "\n"


def main(name, raw_path, facts_path, out):
    import goals  # which needs this module
    import plots
    out, facts = pathlib.Path(out), json.loads(pathlib.Path(facts_path).read_text(encoding="utf-8"))
    with open(raw_path, encoding="ascii") as raw:
        results = Results(raw)
    rounds = max((r for cell in results.cells.values() for r in cell), default=0)
    results.line(f"{name}: {rounds} interleaved rounds, {facts['cpu']}, {facts['cpus']} CPUs")
    results.line(f"{facts['mpi']['measured']}, {facts['compiler']}, {facts['date']}, ep {facts['commit']}")
    for warning in facts["warnings"]:
        results.line(f"WARNING: {warning}")
    results.line("Times in us per message: median of the rounds' medians/smallest of all batches; "
                 "ratios are medians of the rounds' ratios.")
    results.line()
    heading = len(results.blocks)
    module = importlib.import_module(name)
    module.report(results)
    content = {"benchmark": name, "unit": "us per message", "machine": facts, "cells": results.as_json(),
               "blocks": results.blocks[heading:], "targets": results.verdicts}
    if results.verdicts:
        results.verdict_table()
    found = content["goals"] = goals.rows({name: content}, only=name)
    if found:
        results.table(f"Goals (ratios of times, of minima in brackets; lower is better). {goals.summary(found)}", goals.HEAD,
                      goals.table_rows(found))
    text = as_text(results.blocks)
    sys.stdout.write(text)
    (out / f"{name}.txt").write_text(text, encoding="utf-8")
    (out / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    plots.benchmark(content, out)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
