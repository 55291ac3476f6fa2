# SPDX-License-Identifier: BSD-3-Clause
"""Interleaved rounds: in each, every configuration runs once, in an order that favours none."""
import os
import pathlib
import sys

from . import Failed, build, check, tree
from .run import run


def order(n, turn):
    """An order of n configurations; over n turns (2n if n is odd) each follows each other equally often.

    These are the rows of a Williams square. Rotated alone, each would nearly always follow the same one."""
    zigzag = [(i + 1) // 2 if i % 2 else (n - i // 2) % n for i in range(n)]
    if n % 2:
        turn, mirrored = divmod(turn, 2)
        zigzag = zigzag[::-1] if mirrored else zigzag
    return [(z + turn) % n for z in zigzag]


def say(text):
    print(f"epbench: {text}", file=sys.stderr, flush=True)


def environment():
    """Open MPI refuses to start for root unless told; elsewhere this means nothing."""
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")


class Results:
    """runs[name] = the Run of each timed round; times[name] = what they print; memory[name] = their Peaks."""

    def __init__(self, configurations):
        self.runs, self.times, self.memory = ({c.name: [] for c in configurations} for _ in range(3))


def run_round(configurations, program, options, out, turn, same, results, kind):
    for i in order(len(configurations), turn):
        c = configurations[i]
        peak = tree.Peak() if kind == "memory" else None
        stem = out / "runs" / c.file_name()
        words = list(c.launcher) + program.commands.get(c.side, [])
        done = run(words, program.folders.get(c.side), stem, options.timeout, peak)
        same.check(c.ranks, f"{c.name}, {kind} round {turn + 1}", f"{stem}.out")
        said = check.printed_time(options.time, c.name, f"{stem}.out")
        if kind == "memory":
            results.memory[c.name].append(peak)
        elif kind == "timed":
            results.runs[c.name].append(done)
            if said is not None:
                results.times[c.name].append(said)


def measure(configurations, program, options, out):
    (out / "runs").mkdir(exist_ok=True)
    environment()
    same, results = check.SameOutput(options.same_output), Results(configurations)
    for kind, count in (("warm-up", options.warmup), ("timed", options.rounds), ("memory", options.memory_rounds)):
        for turn in range(count):
            say(f"{program.name}: {kind} round {turn + 1} of {count}")
            run_round(configurations, program, options, out, turn, same, results, kind)
    return results


def check_ranks(configuration, path):
    """The empty program prints its number of ranks once, if compilers and launchers belong together."""
    lines = check.lines_of(path)
    counts = [line for line in lines if line.startswith("ranks ")]
    if counts != [f"ranks {configuration.ranks}"]:
        raise Failed(f"{configuration.name}: a program that rank 0 lets print 'ranks {configuration.ranks}' printed "
                     f"{', '.join(counts) or 'nothing'}: do compilers and launchers belong to the same MPI?\n"
                     f"  {' '.join(configuration.launcher)}")
    return lines[lines.index(counts[0]) + 1] if len(lines) > 1 else "unknown"


def measure_start(configurations, options, box, out):
    """Wall times of an empty program in each configuration that a program can be given to, and the MPI library's name; (None, None) if
    programs are given and there is no compiler for the empty one."""
    if options.built and not box.has("mpicc", "epcc"):
        return None, None
    environment()
    folder = out / "start"
    folder.mkdir(exist_ok=True)
    source = pathlib.Path(__file__).with_name("empty.c")
    program = {side: folder / f"empty-{side}" for side in build.SIDES}
    for side, target in program.items():
        build.compile_one(source, box, side, target, "-O2", "")
    configurations = [c for c in configurations if c.side != "other"]
    times, library = {c.name: [] for c in configurations}, None
    count = min(options.rounds, 3)
    for turn in range(count):
        say(f"an empty program: round {turn + 1} of {count}")
        for i in order(len(configurations), turn):
            c = configurations[i]
            stem = folder / c.file_name()
            times[c.name].append(run(list(c.launcher) + [str(program[c.side])], None, stem, options.timeout).wall)
            name = check_ranks(c, f"{stem}.out")
            library = name if c.side == "mpi" else library
    return times, library
