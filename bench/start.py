#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""start.py BUILD_DIR [OUT_DIR] [ROUNDS]: what starting and ending a program takes, and what memory a rank has.

start.c, small and large, and start.f90, from eprun's start to its end, MPI_Init, two barriers and MPI_Finalize included:
seconds, and CPU seconds of all its processes; the layouts take turns in each round. Then the growth per rank of what
/proc/self/smaps says, from 101 to 301 ranks in a process. Writes a table, OUT_DIR/start.txt, and what it is made of, start.json."""
import collections
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Compiler, source, options. What is in Fortran is left out where ep was built without it.
PROGRAMS = {"small": ("epcc", "start.c"), "large": ("epcc", "start.c", "-DLARGE"), "fortran": ("epfort", "start.f90")}
LAYOUTS = ["1x1", "1x300", "1x1000", "2x1", "2x300"]
FEW, MANY = 101, 301
KINDS = ["code and constants", "copy's own pages", "heap", "stacks and other anonymous"]


def eprun(build, layout, *command):
    processes, threads = layout.split("x")
    return [os.path.join(build, "src/eprun/eprun"), "-n", processes, "-t", threads, *command]


def timed(command):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def kind_of(path, program):
    if path == program:
        return KINDS[0]
    if path.startswith("/memfd:"):
        return KINDS[1]
    if path == "[heap]":
        return KINDS[2]
    return KINDS[3] if not path or path.startswith("[") else None


def memory(build, program, ranks):
    """KB of each kind in one process: Pss, and what no other mapping of any process shares."""
    command = eprun(build, f"1x{ranks}", program, "memory")
    sums, kind = collections.Counter(), None
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        head = re.match(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)", line)
        field = re.match(r"(Pss|Private_Clean|Private_Dirty): +(\d+) kB", line)
        if head:
            kind = kind_of(head[1], program)
        elif field and kind:
            sums[kind, "Pss" if field[1] == "Pss" else "private"] += int(field[2])
    return sums


def measure(build, rounds, work):
    times, grown, names = {}, {}, []
    for name, (compiler, source, *options) in PROGRAMS.items():
        command = os.path.join(build, "tools/dropin", compiler)
        if os.path.exists(command):
            subprocess.run([command, "-O1", *options, os.path.join(HERE, source), "-o", os.path.join(work, name)], check=True)
            names.append(name)
    for _ in range(rounds):
        for name in names:
            for layout in LAYOUTS:
                times.setdefault((name, layout), []).append(timed(eprun(build, layout, os.path.join(work, name))))
    for name in names:
        few, many = (memory(build, os.path.join(work, name), n) for n in (FEW, MANY))
        grown[name] = {key: (many[key] - few[key]) / (MANY - FEW) for key in many}
    return times, grown


def table(times, grown):
    yield "Start and end of a program: seconds, median (least), and CPU seconds of all processes (least)"
    yield "%-8s %-8s %16s %8s" % ("program", "layout", "wall", "CPU")
    for (name, layout), t in times.items():
        walls, cpus = zip(*t)
        yield "%-8s %-8s %7.3f (%6.3f) %8.3f" % (name, layout, statistics.median(walls), min(walls), min(cpus))
    yield ""
    yield "Memory of one rank more, KB: Pss, and what is its own alone"
    yield "%-28s" % "" + "".join("%10s %10s" % (name, "own") for name in grown)
    for kind in KINDS:
        yield "%-28s" % kind + "".join("%10.1f %10.1f" % (g.get((kind, "Pss"), 0), g.get((kind, "private"), 0)) for g in grown.values())


def main():
    build = os.path.abspath(sys.argv[1])
    out = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(HERE, "../out/bench")
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        times, grown = measure(build, rounds, os.path.realpath(work))
    text = "\n".join(table(times, grown)) + "\n"
    print(text, end="")
    with open(os.path.join(out, "start.txt"), "w") as f:
        f.write(text)
    with open(os.path.join(out, "start.json"), "w") as f:
        json.dump({"times": {" ".join(k): v for k, v in times.items()},
                   "memory": {n: {" ".join(k): v for k, v in g.items()} for n, g in grown.items()}}, f, indent=1)


if __name__ == "__main__":
    main()
