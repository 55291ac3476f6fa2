# SPDX-License-Identifier: BSD-3-Clause
"""Configurations: plain processes, and layouts PxT of processes and endpoints, with their command lines."""
import argparse
import dataclasses
import re

from . import machine, tools


@dataclasses.dataclass(frozen=True)
class Configuration:
    name: str       # "8 proc." or "2x4"
    ranks: int
    side: str       # "mpi": plain processes, the reference of all with as many ranks; or "ep"
    launcher: tuple  # words that stand before the program

    def file_name(self):
        return f"{self.ranks}-processes" if self.side == "mpi" else f"ep-{self.name}"


def parse(text):
    layouts = []
    for part in text.split(","):
        if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", part):
            raise argparse.ArgumentTypeError(f"'{part}' is no layout; 2x4 is two processes of four endpoints")
        layouts.append(tuple(int(n) for n in part.split("x")))
    return list(dict.fromkeys(layouts))


def mpirun_options(mpirun, ranks, threads):
    """Processes stay on a core each where there are enough; otherwise the kernel, or eprun, places them.

    A command of several words is the user's: nothing is added."""
    if len(mpirun) > 1 or not tools.is_open_mpi(mpirun):
        return []
    if ranks > machine.cores():
        return ["--oversubscribe", "--bind-to", "none"]
    return ["--bind-to", "core" if threads == 0 else "none"]


def configurations(layouts, box):
    """The reference of each number of ranks, then its layouts."""
    mpirun, eprun = box.words("mpirun"), box.words("eprun")
    found = []
    for ranks in dict.fromkeys(p * t for p, t in layouts):
        words = mpirun + mpirun_options(mpirun, ranks, 0) + ["-n", str(ranks)]
        found.append(Configuration(f"{ranks} proc.", ranks, "mpi", tuple(words)))
        for p, t in layouts:
            if p * t != ranks:
                continue
            words = eprun + ["-t", str(t)]
            if p > 1:
                words = mpirun + mpirun_options(mpirun, ranks, t) + ["-n", str(p)] + words
            found.append(Configuration(f"{p}x{t}", ranks, "ep", tuple(words)))
    return found


def reference_of(configuration, all_of_them):
    return next(c for c in all_of_them if c.side == "mpi" and c.ranks == configuration.ranks)
