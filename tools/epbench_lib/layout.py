# SPDX-License-Identifier: BSD-3-Clause
"""Configurations: plain processes, layouts PxT of processes and endpoints, other programs; with their command lines."""
import argparse
import dataclasses
import re
import shlex

from . import Failed, machine, tools


@dataclasses.dataclass(frozen=True)
class Configuration:
    name: str       # "8 proc." or "2x4"
    ranks: int
    side: str       # "mpi": plain processes, the reference of all with as many ranks; "ep"; or "other": --beside
    launcher: tuple  # words that stand before the program; of an other one all words

    def file_name(self):
        kind = {"mpi": f"{self.ranks}-processes", "ep": f"ep-{self.name}", "other": f"beside-{self.ranks}-{self.name}"}
        return re.sub(r"[^\w.-]", "_", kind[self.side])


def parse(text):
    layouts = []
    for part in text.split(","):
        if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", part):
            raise argparse.ArgumentTypeError(f"'{part}' is no layout; 2x4 is two processes of four endpoints")
        layouts.append(tuple(int(n) for n in part.split("x")))
    return list(dict.fromkeys(layouts))


def beside(text):
    """RANKS:NAME=COMMAND."""
    found = re.fullmatch(r"([1-9]\d*):([^=]+)=(.*\S.*)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not RANKS:NAME=COMMAND")
    return Configuration(found[2].strip(), int(found[1]), "other", tuple(shlex.split(found[3])))


def mpirun_options(mpirun, ranks, threads):
    """Processes stay on a core each where there are enough; otherwise the kernel, or eprun, places them.

    A command of several words is the user's: nothing is added."""
    if len(mpirun) > 1 or not tools.is_open_mpi(mpirun):
        return []
    if ranks > machine.cores():
        return ["--oversubscribe", "--bind-to", "none"]
    return ["--bind-to", "core" if threads == 0 else "none"]


def configurations(layouts, box, others=()):
    """The reference of each number of ranks, then its layouts, then other programs."""
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
        found += [c for c in others if c.ranks == ranks]
    names = [c.name for c in found]
    for c in others:
        if c not in found:
            raise Failed(f"--beside {c.ranks}:{c.name}: there is no layout of {c.ranks} ranks to compare it with", 2)
        if names.count(c.name) > 1:
            raise Failed(f"--beside {c.ranks}:{c.name}: two configurations have this name", 2)
    return found


def reference_of(configuration, all_of_them):
    return next(c for c in all_of_them if c.side == "mpi" and c.ranks == configuration.ranks)
