# SPDX-License-Identifier: BSD-3-Clause
"""walks.py WORK LIBRARY SOURCE OUT: the table of walks.sh from what walks.c wrote.

Per walk the medians over repetitions and, where every rank makes the call, over ranks (and the largest of all)."""
import glob
import json
import os
import statistics
import subprocess
import sys

ROWS = [("near", "near_send", "near 8 B, send"), ("near", "near_recv", "near 8 B, receive"),
        ("shm", "far_send", "far 8 B by shared memory, send"), ("shm", "far_recv", "far 8 B by shared memory, receive"),
        ("mpi", "far_send", "far 8 B by MPI, send"), ("mpi", "far_recv", "far 8 B by MPI, receive"),
        ("reduce", "allreduce", "allreduce 64 KiB, 2x4"), ("put", "put", "put 8000 B far"),
        ("put_am", "put", "put 8000 B far, by active messages"),
        ("inter", "intercomm_create", "intercomm_create, 2x2, both groups in both processes")]
FIGURES = ("calls", "functions", "files", "layer changes")


def recorded(work, run):
    """{walk: [[address, ...], ...]} of one run, all processes."""
    walks = {}
    for path in glob.glob(os.path.join(work, "out." + run, "**", "stdout"), recursive=True):
        current = None
        with open(path) as lines:
            for line in lines:
                words = line.split()
                if words[0] == "walk":
                    current = []
                    walks.setdefault(words[1], []).append(current)
                elif words[0] != "end":
                    current.append(int(words[0], 16))
    return walks


def located(library, source, addresses):
    """{address: (function, file below src)}; what is generated counts as the layer api."""
    addresses = sorted(addresses)
    text = subprocess.run(["addr2line", "-f", "-e", library], input="\n".join(hex(a) for a in addresses), text=True,
                          capture_output=True, check=True).stdout.split("\n")
    where = {}
    for i, address in enumerate(addresses):
        path = os.path.normpath(os.path.join(source, text[2 * i + 1].rsplit(":", 1)[0]))
        below = path.split("/src/")[-1]
        where[address] = (text[2 * i], below if below.count("/") >= 1 and "/build-walks/" not in path else "api/generated")
    return where


def measured(walk, where):
    places = [where[address] for address in walk]
    # The program is a layer, too: the first call changes it.
    layers = [place[1].split("/")[0] for place in places]
    return (len(places), len(set(places)), len({place[1] for place in places}),
            1 + sum(a != b for a, b in zip(layers, layers[1:])))


def main(work, library, source, out):
    runs = {run: recorded(work, run) for run, _, _ in ROWS}
    where = located(library, source, {a for walks in runs.values() for each in walks.values() for walk in each for a in walk})
    result, lines = {}, [f"{'walk':56}" + "".join(f"{figure:>22}" for figure in FIGURES), ""]
    for run, name, title in ROWS:
        each = [measured(walk, where) for walk in runs[run][name]]
        middle = [int(statistics.median(column)) for column in zip(*each)]
        least, most = [min(column) for column in zip(*each)], [max(column) for column in zip(*each)]
        result[title] = {figure: {"median": middle[i], "min": least[i], "max": most[i]} for i, figure in enumerate(FIGURES)}
        lines.append(f"{title:56}" + "".join(
            f"{middle[i]:>22}" if least[i] == most[i] else f"{f'{middle[i]} ({least[i]}-{most[i]})':>22}" for i in range(4)))
    text = "\n".join(lines) + "\n"
    print(text, end="")
    with open(os.path.join(out, "walks.txt"), "w") as file:
        file.write(text)
    with open(os.path.join(out, "walks.json"), "w") as file:
        json.dump(result, file, indent=1)


main(*sys.argv[1:])
