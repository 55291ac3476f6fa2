# SPDX-License-Identifier: BSD-3-Clause
"""The goals that ep was begun with, row by row: what must be reached, what is wished for, what was measured.

rows(benchmarks) computes them from what a run has left in its JSON files: {"p2p": {...}, ..., "apps": {"halo-8":
{...}}}. Figures are ratios of times to a peer (at most the limit is good) unless a row has another unit: the median of
the rounds' ratios, and beside it the ratio of the smallest times. What was not measured is said to be so, and is never met.
"""
import pathlib

import comm
from report import Results, size_name

KI, MI = 1 << 10, 1 << 20
QUOTED = pathlib.Path(__file__).with_name("quoted.tsv")
# The cells that were compared with other libraries before ep was begun.
TWO_RANKS = [("barrier", 0), ("bcast", 8), ("bcast", 64 * KI), ("allreduce", 8), ("allreduce", 64 * KI),
             ("allreduce", MI), ("alltoall", 8), ("alltoall", 16 * KI)]
EIGHT_RANKS = [("barrier", 0), ("bcast", 8), ("allreduce", 8), ("allreduce", 64 * KI), ("allreduce", MI),
               ("alltoall", 8)]
CONSTANT = 1.1  # O(1) bytes: so much larger may the measured ones be with four times as many ranks


def spaced(size):
    """4 KiB."""
    name = size_name(size)
    return f"{name.rstrip('KiM')} {name.lstrip('0123456789')}B"


def quoted_ratios(path=QUOTED):
    """threadcomm's time / Open MPI's, by (benchmark, kernel, size, ranks)."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            benchmark, kernel, size, ranks, openmpi, threadcomm = line.split("\t")
            found[benchmark, kernel, int(size), int(ranks)] = float(threadcomm) / float(openmpi)
    return found


def row(benchmark, what, peer, measured, minima, must, wish=None, unit="ratio"):
    def met(limit):
        return None if limit is None or measured is None else measured <= limit
    return {"benchmark": benchmark, "what": what, "peer": peer, "unit": unit, "measured": measured, "of_minima": minima,
            "must": must, "must_met": met(must), "wish": wish, "wish_met": met(wish)}


class Cells:
    """One benchmark's cells; to compare them."""

    def __init__(self, benchmark, content, quoted):
        self.benchmark, self.quoted = benchmark, quoted
        self.results = Results.of_json((content or {}).get("cells", []))

    def versus(self, what, peer, one, other, must, wish=None):
        r = self.results
        return row(self.benchmark, what, peer, r.ratio(one, other), r.least_ratio(one, other), must, wish)

    def versus_better(self, what, one, other, ranks, must, wish, quoted_as=None):
        """Against Open MPI's processes or threadcomm: what is quoted of that, relative to Open MPI, times its time."""
        _, kernel, size = other
        found = self.versus(what, "Open MPI", one, other, must, wish)
        quoted = self.quoted.get((self.benchmark, quoted_as or kernel, size, ranks))
        if quoted is None or quoted >= 1:
            return found
        measured, minima = (x and x / quoted for x in (found["measured"], found["of_minima"]))
        peer = f"threadcomm ({quoted:.2f} of Open MPI, quoted)"
        return row(self.benchmark, what, peer, measured, minima, must, wish)


def near(c):
    line, rate = ("floor", "line", 8), ("rate", 8)
    yield c.versus("near 8 B, one way", "cache line, one way", ("ep_near", "latency", 8), line, 1.6, 1.2)
    yield c.versus("near 8 B, 64 in flight, time per message", "Open MPI", ("ep_near", *rate), ("mpi_processes", *rate),
                   1.0, 0.5)
    for size in (4 * KI, 16 * KI):
        pair = ("ep_near", "latency", size), ("mpi_processes", "latency", size)
        yield c.versus_better(f"near {spaced(size)}, one way", *pair, 2, 1.0, 1 / 1.5)
    for size in (64 * KI, MI, 4 * MI):
        pair = ("ep_near", "touch", size), ("mpi_processes", "touch", size)
        yield c.versus_better(f"near {spaced(size)}, one way, rewritten and read", *pair, 2, 1 / 1.2, 1 / 1.7, "latency")


def far(c):
    one, cell = ("ep_far", "latency", 8), ("latency", 8)
    yield c.versus("far 8 B, one way", "MPI_Improbe, MPI_Mrecv at MULTIPLE", one, ("mpi_improbe", *cell), 1.25)
    yield c.versus("  the wish for it", "MPI_Recv at MULTIPLE", one, ("mpi_multiple", *cell), None, 1.0)
    yield c.versus("far 8 B, one way, by MPI", "MPI_Improbe, MPI_Mrecv at MULTIPLE", ("ep_far_mpi", *cell), ("mpi_improbe", *cell),
                   1.25)
    yield c.versus("2x2 8 B, 64 in flight, time per message", "MPI_THREAD_MULTIPLE, same threads", ("ep_2x2", "rate", 8),
                   ("mpi_2x2", "rate", 8), 1.0, 1 / 1.5)
    yield c.versus("  the same, by MPI", "MPI_THREAD_MULTIPLE, same threads", ("ep_2x2_mpi", "rate", 8), ("mpi_2x2", "rate", 8), 1.0)


def collectives(c):
    for shape, ranks, cells in (("1x2", 2, TWO_RANKS), ("1x8", 8, EIGHT_RANKS), ("2x4", 8, EIGHT_RANKS)):
        for kernel, size in cells:
            what = f"{shape} {kernel}" + (f" {spaced(size)}" if size else "")
            yield c.versus_better(what, (f"ep_{shape}", kernel, size), (f"mpi_{ranks}x1", kernel, size), ranks, 1.0, 0.5)


def communicators(c):
    own = comm.Memory(c.results, "ep").own_each("dup")
    growth = own[8, 4] / own[2, 4] if own.get((2, 4)) and (8, 4) in own else None
    yield row(c.benchmark, "one more uniform communicator, per endpoint", "8x4 over 2x4", growth, None, CONSTANT)
    yield row(c.benchmark, "  the same, at a million endpoints, by the fit", "", comm.at_a_million(c.results), None, None,
              200.0, "bytes")


def windows(c):
    for kernel, name in (("put", "put 8 B + flush"), ("get", "get 8 B + flush"), ("fop", "fetch_and_op + flush")):
        near, create, allocate = f"near {name}", (f"create_{kernel}", 8), (f"allocate_{kernel}", 8)
        yield c.versus(near, "Open MPI, created window", ("ep_near", *create), ("mpi_create", *create), 1.0, 0.25)
        yield c.versus(near, "Open MPI, allocated window", ("ep_near", *create), ("mpi_allocate", *allocate), 1.0, 0.25)
        # Its component for shared memory, which is not its own choice: loads and stores on both sides.
        yield c.versus("  to the component sm", "Open MPI, allocated, --mca osc sm", ("ep_near", *create),
                       ("mpi_sm", *allocate), None, 1.0)


def tasks(c):
    key = "turns_task", "crt", 1
    median, least = (x and 1000 * x for x in (c.results.median(*key), c.results.least(*key)))
    yield row(c.benchmark, "block and resume of a task", "", median, least, 300.0, 100.0, "ns")


def figure(content, layout, quantity, which):
    for c in (content or {}).get("configurations", []):
        if c.get("name") == layout and c.get("side") == "ep":
            return c.get(quantity, {}).get(which)
    return None


def programs(apps):
    """Whole programs, 8 ranks on 2 cores."""
    for name in sorted({"cg", "halo"} | {name.removesuffix("-8") for name in apps or {} if name.endswith("-8")}):
        content = (apps or {}).get(f"{name}-8")
        for layout in ("1x8", "2x4"):
            for key, title, must, wish in (("time", "time printed", 1.0, 0.8), ("wall", "wall time of the job", 1.0, 0.8),
                                           ("memory", "memory of the job", 0.7, 0.5)):
                ratios = (figure(content, layout, key, which) for which in ("ratio", "ratio_of_minima"))
                yield row("apps", f"{name} {layout}, {title}", "8 processes", *ratios, must, wish)


def rows(benchmarks, only=None):
    """All goals, or those of one benchmark."""
    quoted, found = quoted_ratios(), []
    for name, parts in (("p2p", (near, far)), ("coll", (collectives,)), ("comm", (communicators,)), ("rma", (windows,)),
                        ("tasks", (tasks,))):
        if only in (None, name):
            cells = Cells(name, benchmarks.get(name), quoted)
            found += [r for part in parts for r in part(cells)]
    return found + (list(programs(benchmarks.get("apps"))) if only in (None, "apps") else [])


# ---- For people ---------------------------------------------------------------------------------

HEAD = ["what", "against", "measured", "must", "", "wish", ""]


def figure_text(x, unit="ratio"):
    if x is None:
        return "-"
    return f"{x:.2f}" if unit == "ratio" else f"{x:.0f} {unit}"


def verdict(r, which):
    if r[which] is None:
        return ""
    if r["measured"] is None:
        return "not measured"
    return "met" if r[f"{which}_met"] else "NOT met"


def table_rows(found):
    lines = []
    for r in found:
        measured = figure_text(r["measured"], r["unit"])
        if r["of_minima"] is not None:
            measured += f" ({figure_text(r['of_minima'])})" if r["unit"] == "ratio" else f" ({r['of_minima']:.0f})"
        lines.append([r["what"], r["peer"], measured, figure_text(r["must"], r["unit"]), verdict(r, "must"),
                      figure_text(r["wish"], r["unit"]), verdict(r, "wish")])
    return lines


def summary(found):
    def count(which):
        with_it = [r for r in found if r[which] is not None]
        met = sum(r[f"{which}_met"] is True for r in with_it)
        missing = sum(r["measured"] is None for r in with_it)
        return f"{met} of {len(with_it)} met" + (f", {missing} not measured" if missing else "")
    return f"Must: {count('must')}. Wish: {count('wish')}."
