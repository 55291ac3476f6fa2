# SPDX-License-Identifier: BSD-3-Clause
"""whole.py OUT SECONDS: report.md, report.json and goals.svg from what all benchmarks of one run have left in OUT.

Files that are older than OUT/facts.json belong to an earlier run and are left out, so that nothing is reported as measured that
was not.
"""
import json
import pathlib
import sys

import document
import facts
import goals
import plots
from report import as_text

BENCHMARKS = ["p2p", "coll", "comm", "rma", "tasks"]


def load(path, since):
    """None if it is not there, of another run, or broken off."""
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.stat().st_mtime >= since else None
    except (OSError, ValueError):
        return None


def collect(out, since):
    found = {name: content for name in BENCHMARKS if (content := load(out / f"{name}.json", since))}
    apps = {path.stem: content for path in sorted(out.glob("*-[0-9]*.json")) if (content := load(path, since))}
    return found | ({"apps": apps} if apps else {})


def pictures(out, benchmarks, since):
    names = [*BENCHMARKS, "goals", *benchmarks.get("apps", {})]
    return {name: f"{name}.svg" for name in names
            if (out / f"{name}.svg").exists() and (out / f"{name}.svg").stat().st_mtime >= since}


def main(out, seconds):
    out = pathlib.Path(out)
    since = (out / "facts.json").stat().st_mtime
    machine = json.loads((out / "facts.json").read_text(encoding="utf-8"))
    _, stolen = facts.share(machine.pop("ticks"), facts.cpu_times())
    machine |= {"seconds": int(seconds), "stolen": stolen}
    benchmarks = collect(out, since)
    report = {"machine": machine, "goals": goals.rows(benchmarks), "benchmarks": benchmarks}
    plots.goals(report["goals"], out)
    (out / "report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (out / "report.md").write_text(document.write(report, pictures(out, benchmarks, since)), encoding="utf-8")
    blocks = [{"line": ""}, {"title": f"Goals. {goals.summary(report['goals'])}", "head": goals.HEAD,
                             "rows": goals.table_rows(report["goals"])}]
    sys.stdout.write(as_text(blocks))
    for warning in machine["warnings"]:
        print(f"WARNING: {warning}")
    print(f"written: {out}/report.md, report.json and pictures, after {seconds} s")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
