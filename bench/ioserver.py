#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ioserver.py BUILD_DIR OUT_DIR ROUNDS: what output costs the model of examples/ioserver, and with whom.

The same program with threads as ranks, with processes as ranks on Open MPI alone, and without servers (every rank writes
by itself), with one client beside one server and with six clients beside two. In each round each runs once. Leaves
OUT_DIR/ioserver.txt and .json.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

# Where there are more ranks than cores MPI is told to give them away while it waits, in all alike.
MPIRUN = "mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n".split()
GROUPS = {
    "1 client, 1 server: a core for each": [
        ("ep 1+1", "ioserver", "1+1"),
        ("ep 1+0,0+1", "ioserver", "1+0,0+1"),
        ("Open MPI 1, 1", "ioserver_mpi", "1+0,0+1"),
        ("no server, ep 2+0", "ioserver", "2+0"),
        ("no server, Open MPI 2", "ioserver_mpi", "2x1+0")],
    "6 clients, 2 servers on all cores": [
        ("ep 6+2", "ioserver", "6+2"),
        ("ep 2x3+1", "ioserver", "2x3+1"),
        ("ep 2x3+0,0+2", "ioserver", "2x3+0,0+2"),
        ("Open MPI 6, 2", "ioserver_mpi", "6x1+0,2x0+1"),
        ("no server, ep 8+0", "ioserver", "8+0"),
        ("no server, Open MPI 8", "ioserver_mpi", "8x1+0")],
}
FIGURES = {  # name: pattern in the program's table
    "lost": r"lost to output ([0-9.]+) %",
    "run": r"run +([0-9.]+) s",
    "busy": r"servers busy +([0-9.]+) %",
    "memory": r"memory of the job +(\d+) MB",
}


def processes(layout):
    return sum(int(entry.split("x")[0]) if "x" in entry else 1 for entry in layout.split(","))


def run(build, program, layout, fmt, folder):
    command = MPIRUN + [str(processes(layout)), os.path.join(build, "examples/ioserver", program), "--layout", layout,
                        "--format", fmt, "--output", folder,
                        os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/ioserver/iodef.xml")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    shutil.rmtree(folder, ignore_errors=True)
    if done.returncode:
        sys.exit("ioserver.py: %s failed: %s" % (" ".join(command), done.stderr))
    found = {name: re.search(pattern, done.stdout) for name, pattern in FIGURES.items()}
    return {name: float(match.group(1)) for name, match in found.items() if match}


def measure(build, out, rounds, fmt):
    cells = {name: [] for group in GROUPS.values() for name, _, _ in group}
    for turn in range(rounds):
        print("ioserver, %s: round %d of %d" % (fmt, turn + 1, rounds), file=sys.stderr, flush=True)
        for group in GROUPS.values():
            for name, program, layout in group:
                cells[name].append(run(build, program, layout, fmt, os.path.join(out, "ioserver.files")))
    return cells


def column(runs, name, form):
    values = [figures[name] for figures in runs if name in figures]
    return (form + " (" + form + ")") % (statistics.median(values), min(values)) if values else "-"


def table(fmt, cells):
    lines = []
    for title, group in GROUPS.items():
        lines.append("%s; %s; medians (minima)" % (title, fmt))
        lines.append("%-24s %-18s %-16s %-18s %s" % ("", "lost to output, %", "run, s", "servers busy, %", "memory, MB"))
        for name, _, _ in group:
            runs = cells[name]
            lines.append("%-24s %-18s %-16s %-18s %s" % (
                name, column(runs, "lost", "%.1f"), column(runs, "run", "%.2f"), column(runs, "busy", "%.0f"),
                column(runs, "memory", "%.0f")))
        lines.append("")
    return "\n".join(lines)


def start_data():
    """Where Debian's ferret-datasets is, unless IOSERVER_DATA says it."""
    files = subprocess.run(["dpkg", "-L", "ferret-datasets"], capture_output=True, text=True, check=True).stdout.split()
    return os.path.dirname(next(name for name in files if name.endswith("/levitus_climatology.cdf")))


def main():
    os.environ["IOSERVER_DATA"] = os.environ.get("IOSERVER_DATA") or start_data()
    build, out, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    results = {fmt: measure(build, out, rounds, fmt) for fmt in ("netcdf4", "cdf5")}
    text = "\n".join(table(fmt, cells) for fmt, cells in results.items())
    print(text)
    with open(os.path.join(out, "ioserver.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(out, "ioserver.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)


main()
