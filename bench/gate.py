# SPDX-License-Identifier: BSD-3-Clause
"""gate.py suspects OUT: what has to be measured again, a line each: "instructions", or "BENCHMARK PEER KERNEL,...".
gate.py judge OUT: OUT/gate.txt and gate.json, what got worse first; exit status 1 if anything did. Printed is all but what is
the same.

gate.sh leaves in OUT: about, a line for this tree, one for the other commit, then what has to be said; facts.json; folders 1, 2,
..., measurements, of which those after the first have only what was suspected. Below each are NAME.raw, where "base:" before
a peer's name says that it is the other commit's; base/instructions.json and here/instructions.json; and `failed`, the peers of
this tree that failed.

A figure is worse if it is worse in each measurement that has it:
  instructions  by more than 2 % and at least 10: they vary by that much where memory is allocated
  times         by more than 15 %, both by the median of the rounds' ratios and by the ratio of the smallest times: others at work
                make few rounds' median worse, hardly the smallest time, too, again and again
  bytes         by more than 2 %
What only one of the two commits has is said and is not worse, unless this tree's program failed.
"""
import json
import pathlib
import sys

from instructions import ROWS
from report import Results, number, size_name, table_text

MORE, AT_LEAST = 1.02, 10
TIMES, BYTES = 1.15, 1.02
BASE = "base:"
TITLES = dict(ROWS)


class Measurement:
    def __init__(self):
        self.benchmarks = {}  # name: Results
        self.counts = {"base": {}, "here": {}}  # side: {kernel: instructions}
        self.failed = set()  # "BENCHMARK PEER"

    @classmethod
    def load(cls, folder):
        found = cls()
        lines = {}
        for path in sorted(folder.rglob("*.raw")):
            lines.setdefault(path.stem, []).extend(path.read_text(encoding="ascii").splitlines())
        found.benchmarks = {name: Results(of) for name, of in lines.items()}
        for side in found.counts:
            path = folder / side / "instructions.json"
            if path.exists():
                counted = json.loads(path.read_text(encoding="utf-8"))["per_operation"]
                found.counts[side] = {kernel: sum(of.values()) for kernel, of in counted.items()}
        for path in sorted(folder.rglob("failed")):
            found.failed |= set(path.read_text(encoding="utf-8").splitlines())
        return found


def limit_of(kernel):
    return BYTES if "bytes" in kernel or "comms" in kernel else TIMES


def quotient(here, base):
    """None where one is missing."""
    if here is None or base is None:
        return None
    return here / base if base else 1.0 if here == base else float("inf")


def figures(base, here, ratio, of_minima):
    return {"base": base, "here": here, "ratio": ratio, "of_minima": of_minima}


def compared(results, peer, kernel, size):
    """One cell of one measurement; its ratios are None if a side is missing."""
    here, base = (peer, kernel, size), (BASE + peer, kernel, size)
    ratio = results.ratio(here, base)
    if ratio is None:  # no round in common, or nothing but zeros
        ratio = quotient(results.median(*here), results.median(*base))
    return figures(results.median(*base), results.median(*here), ratio, quotient(results.least(*here), results.least(*base)))


def counted(measurement, kernel):
    base, here = (measurement.counts[side].get(kernel) for side in ("base", "here"))
    return figures(base, here, quotient(here, base), quotient(here, base))


def is_worse(kind, f, limit):
    if kind == "instructions":
        return f["ratio"] > MORE and f["here"] - f["base"] >= AT_LEAST
    return f["ratio"] > limit and f["of_minima"] > limit


def is_better(kind, f, limit):
    """The other commit would be worse."""
    ratio, of_minima = (1 / x if x else float("inf") for x in (f["ratio"], f["of_minima"]))
    return is_worse(kind, figures(f["here"], f["base"], ratio, of_minima), limit)


def verdict(kind, all_figures, limit):
    """all_figures: of each measurement that has the cell."""
    both = [f for f in all_figures if f["ratio"] is not None]
    if not both:
        return "only here" if any(f["here"] is not None for f in all_figures) else "only there"
    worse = [is_worse(kind, f, limit) for f in both]
    if all(worse):
        return "worse"
    if worse[0]:
        return "not again"
    return "better" if is_better(kind, both[0], limit) else "same"


def row(kind, key, what, all_figures, limit):
    """The figures shown are those of the measurement that says least against this tree."""
    has = [f for f in all_figures if f["base"] is not None or f["here"] is not None]
    shown = min(has, key=lambda f: f["ratio"] if f["ratio"] is not None else float("inf"))
    return {"kind": kind, "key": key, "what": what, **shown, "measured": len(has), "verdict": verdict(kind, has, limit)}


def rows(measurements):
    found = []
    kernels = dict.fromkeys(k for m in measurements for side in m.counts.values() for k in side)
    for kernel in kernels:
        found.append(row("instructions", [kernel], TITLES.get(kernel, kernel), [counted(m, kernel) for m in measurements], MORE))
    cells = dict.fromkeys((name, peer.removeprefix(BASE), kernel, size) for m in measurements
                          for name, results in m.benchmarks.items() for peer, kernel, size in results.cells)
    for name, peer, kernel, size in cells:
        of = [compared(m.benchmarks[name], peer, kernel, size) for m in measurements if name in m.benchmarks]
        limit = limit_of(kernel)
        what = f"{name} {peer} {kernel}" + (f" {size_name(size)}" if size else "")
        found.append(row("bytes" if limit == BYTES else "time", [name, peer, kernel, size], what, of, limit))
    return found


def failures(measurements):
    return sorted(set().union(*(m.failed for m in measurements)))


def suspects(found):
    """Lines for gate.sh."""
    worse = [r for r in found if r["verdict"] == "worse"]
    lines = ["instructions"] if any(r["kind"] == "instructions" for r in worse) else []
    programs = {}
    for r in worse:
        if r["kind"] != "instructions":
            name, peer, kernel, _ = r["key"]
            programs.setdefault((name, peer), []).append(kernel)
    return lines + [f"{name} {peer} {','.join(dict.fromkeys(kernels))}" for (name, peer), kernels in programs.items()]


SECTIONS = [("worse", "Worse"), ("not again", "Worse at first, not when measured again: noise"), ("only here", "Only here"),
            ("only there", "Only in the other commit, or not measured here"), ("better", "Better"), ("same", "The same")]


def shown(r):
    figure = "{:.0f}".format if r["kind"] == "instructions" else number
    return [r["what"], r["kind"], *("-" if r[side] is None else figure(r[side]) for side in ("base", "here")),
            number(r["ratio"]), number(r["of_minima"]) if r["kind"] == "time" else "", str(r["measured"])]


def text_of(about, warnings, found, failed, sections):
    here, there, *notes = about
    lines = [f"here:  {here}", f"there: {there}", *notes, *(f"WARNING: {w}" for w in warnings), ""]
    numbers = {verdict_: [r for r in found if r["verdict"] == verdict_] for verdict_, _ in SECTIONS}
    worse = len(numbers["worse"])
    lines += [("NOTHING GOT WORSE" if not worse + len(failed) else f"{worse} GOT WORSE") + f" of {len(found)}; better: "
              f"{len(numbers['better'])}; once suspected, not again: {len(numbers['not again'])}; only in one of the two: "
              f"{len(numbers['only here']) + len(numbers['only there'])}"]
    lines += [f"FAILED in this tree: {name}" for name in failed]
    lines.append("")
    for verdict_, title in sections:
        if numbers[verdict_]:
            upwards = 1 if verdict_ == "better" else -1
            ordered = sorted(numbers[verdict_], key=lambda r, sign=upwards: sign * (r["ratio"] or 0))
            lines += [title, *table_text(["", "", "there", "here", "here/there", "of minima", "measured"],
                                         [shown(r) for r in ordered]), ""]
    lines.append("Times in us; instructions and times per operation. Of several measurements that one is shown which says least "
                 "against this tree.")
    return "\n".join(lines) + "\n"


def load(out):
    return [Measurement.load(path) for path in sorted(out.glob("[0-9]"))]


def judge(out):
    measurements = load(out)
    found, failed = rows(measurements), failures(measurements)
    about = (out / "about").read_text(encoding="utf-8").splitlines()
    facts = json.loads((out / "facts.json").read_text(encoding="utf-8"))
    sys.stdout.write(text_of(about, facts["warnings"], found, failed, SECTIONS[:-1]))
    (out / "gate.txt").write_text(text_of(about, facts["warnings"], found, failed, SECTIONS), encoding="utf-8")
    content = {"about": about, "machine": facts, "failed": failed, "rows": found}
    (out / "gate.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if not found:
        print("gate: nothing was measured", file=sys.stderr)
        return 2
    return 1 if failed or any(r["verdict"] == "worse" for r in found) else 0


def main(what, out):
    out = pathlib.Path(out)
    if what == "judge":
        return judge(out)
    if what == "suspects":
        sys.stdout.writelines(f"{line}\n" for line in suspects(rows(load(out))))
        return 0
    return __doc__


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
