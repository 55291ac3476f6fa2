# SPDX-License-Identifier: BSD-3-Clause
"""From runs to figures: a text table and a JSON file."""
import dataclasses
import json
import shlex
import statistics

from . import build, layout, rounds

MIB = 1 << 20


@dataclasses.dataclass
class Quantity:
    """One measured thing: values[configuration's name] = one per round."""
    key: str
    title: str
    unit: str
    values: dict

    def median(self, name):
        return statistics.median(self.values[name])

    def least(self, name):
        return min(self.values[name])

    def ratio(self, name, reference):
        """Median over the rounds of one/reference of the same round: what disturbs both cancels."""
        pairs = [a / b for a, b in zip(self.values[name], self.values[reference]) if b > 0]
        return statistics.median(pairs) if pairs else None

    def least_ratio(self, name, reference):
        return self.least(name) / self.least(reference) if self.least(reference) > 0 else None


def quantities(results):
    """All that has been measured."""
    found = [Quantity("wall", "wall time", "s", {n: [r.wall for r in runs] for n, runs in results.runs.items()}),
             Quantity("cpu", "CPU time", "s", {n: [r.cpu for r in runs] for n, runs in results.runs.items()})]
    if all(results.times.values()):
        found.insert(0, Quantity("time", "time it prints", "s", results.times))
    if all(p.job for peaks in results.memory.values() for p in peaks) and all(results.memory.values()):
        for key, title in (("job", "memory"), ("ranks", "of ranks")):
            values = {n: [getattr(p, key) / MIB for p in peaks] for n, peaks in results.memory.items()}
            found.append(Quantity("memory" if key == "job" else "memory_of_ranks", title, "MiB", values))
    return found


def number(x):
    """Three significant digits without an exponent."""
    if x is None:
        return "-"
    return f"{x:.3f}" if x < 10 else f"{x:.2f}" if x < 100 else f"{x:.1f}" if x < 1000 else f"{x:.0f}"


def pair(median, least):
    return f"{number(median)}/{number(least)}"


def table(rows):
    """Columns as wide as their widest entry, the first to the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        lines.append("  ".join(cells).rstrip())
    return lines


def pair(median, least):
    return f"{number(median)}/{number(least)}"


@dataclasses.dataclass
class Comparison:
    """All that there is to report."""
    name: str
    program: build.Program
    options: object       # of the command line
    configurations: list
    results: rounds.Results
    start: dict           # configuration's name: wall times of an empty program; or None
    facts: dict

    def __post_init__(self):
        self.quantities = quantities(self.results)

    def reference(self, c):
        return layout.reference_of(c, self.configurations).name


def rank_table(x, ranks):
    """One row per configuration, the reference first."""
    rows = [[f"{ranks} ranks"]]
    for q in x.quantities:
        rows[0] += [f"{q.title}, {q.unit}", "ratio"]
    if x.start:
        rows[0].append("start, s")
    for c in (c for c in x.configurations if c.ranks == ranks):
        row = [f"ep {c.name}" if c.side == "ep" else c.name]
        for q in x.quantities:
            ratios = pair(q.ratio(c.name, x.reference(c)), q.least_ratio(c.name, x.reference(c)))
            row += [pair(q.median(c.name), q.least(c.name)), "" if c.side == "mpi" else ratios]
        if x.start:
            row.append(number(statistics.median(x.start[c.name])) if c.name in x.start else "-")
        rows.append(row)
    return table(rows) + [""]


def head(x):
    o, f = x.options, x.facts
    same = f"lines that match '{o.same_output.pattern}' are the same in all runs" if o.same_output else "not compared"
    return [f"{x.name}: {o.rounds} interleaved rounds after {o.warmup}, {o.memory_rounds} for memory; {f['date']}",
            f"{f['cpu']}, {f['cores']} cores, {f['cpus']} CPUs, load before {f['load']:.2f}, {f['compiler']}",
            f"{f['mpi']}; {f['ep']}", f"program: {x.program.line}", f"output: {same}",
            "Each cell: median/minimum of the rounds. Ratios are to as many plain processes (lower is better):",
            "median of the rounds' ratios/ratio of the minima. Memory: largest sum of PSS of all processes of the",
            "job; of ranks: without the launcher. start: wall time of an empty program.", ""]


def text(x):
    lines = head(x)
    for ranks in dict.fromkeys(c.ranks for c in x.configurations):
        lines += rank_table(x, ranks)
    lines += [f"{c.name}: {shlex.join(c.launcher)}" + (" PROGRAM" if c.side != "other" else "")
              for c in x.configurations]
    return "\n".join(lines) + "\n"


def as_json(x, c):
    figures = {q.key: {"unit": q.unit, "median": q.median(c.name), "min": q.least(c.name),
                       "ratio": q.ratio(c.name, x.reference(c)),
                       "ratio_of_minima": q.least_ratio(c.name, x.reference(c)),
                       "rounds": q.values[c.name]} for q in x.quantities}
    if x.start and c.name in x.start:
        figures["start"] = {"unit": "s", "median": statistics.median(x.start[c.name]),
                            "min": min(x.start[c.name]), "rounds": x.start[c.name]}
    return {"name": c.name, "side": c.side, "ranks": c.ranks, "launcher": list(c.launcher),
            "memory_samples": [p.samples for p in x.results.memory[c.name]], **figures}


def write_json(path, x):
    o = x.options
    content = {
        "name": x.name, "program": x.program.line, "rounds": o.rounds, "warmup": o.warmup,
        "memory_rounds": o.memory_rounds, "same_output": o.same_output.pattern if o.same_output else None,
        "machine": x.facts, "configurations": [as_json(x, c) for c in x.configurations],
    }
    with open(path, "w", encoding="utf-8") as f:
        json.dump(content, f, indent=1)
        f.write("\n")
