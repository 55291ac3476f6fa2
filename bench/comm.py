# SPDX-License-Identifier: BSD-3-Clause
"""What the table of communicators shows; the kernels are described in comm.c and memory.c."""
import math
import re

from report import number

PEERS = [("mpi_16x1", "processes"), ("ep_1x16", "ep 1x16"), ("ep_2x8", "ep 2x8"), ("ep_4x4", "ep 4x4")]
HYBRID = [("hybrid_2x8", "M+t 2x8", 2), ("hybrid_4x4", "M+t 4x4", 4)]  # and how many ranks MPI has then
KERNELS = [("dup", "dup, free"), ("split2", "split in 2, free"), ("splitN2", "split in N/2, free"),
           ("inter", "intercomm create, merge, free")]
KINDS = [("dup", "uniform (dup)"), ("split", "irregular (split)"), ("redup", "dup of irregular")]
RANKS = 16
LARGE = 10_000, 100  # processes, endpoints in each: what memory is extrapolated to


class TooFew(Exception):
    """Too few shapes, or shapes too alike, were measured for a fit."""


def fit(rows, values):
    """Coefficients x of least squares for sum(row[i] * x[i]) = value, by the normal equations."""
    n = len(rows[0]) if rows else 1
    if len(rows) < n:
        raise TooFew
    m = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * v for r, v in zip(rows, values))]
         for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(m[k][i]))
        m[i], m[pivot] = m[pivot], m[i]
        if m[i][i] == 0:
            raise TooFew
        for k in range(n):
            if k != i:
                factor = m[k][i] / m[i][i]
                m[k] = [x - factor * y for x, y in zip(m[k], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def times(r):
    rows = []
    for kernel, name in KERNELS:
        other, ratios = (PEERS[0][0], kernel, RANKS), []
        for peer, head in PEERS[1:]:
            one = peer, kernel, RANKS
            ratios.append(number(r.ratio(one, other)))
            r.target(f"{name}: {head} / processes", r.ratio(one, other), 1.0, r.least_ratio(one, other))
        hybrid = [r.both(peer, kernel, ranks) for peer, _, ranks in HYBRID]
        rows.append([name] + [r.both(peer, kernel, RANKS) for peer, _ in PEERS] + hybrid + ratios)
    r.table(f"{RANKS} ranks, us per operation (not per message), of the slowest rank",
            ["operation"] + [head for _, head in PEERS] + [head for _, head, _ in HYBRID]
            + [f"{head[3:]}/proc" for _, head in PEERS[1:]], rows)


class Memory:
    """What memory.c printed for one library: bytes[kind][(processes, endpoints)], per process."""

    def __init__(self, r, library):
        self.bytes, self.comms = {}, {}
        for peer, kernel, size in r.cells:
            shape = re.fullmatch(rf"memory_{library}_(\d+)x(\d+)", peer)
            if shape:
                kind, what = kernel.split("_")
                at = getattr(self, what).setdefault(kind, {})
                at[int(shape[1]), int(shape[2])] = r.median(peer, kernel, size)

    def of_mpi(self, kind):
        """What MPI's communicators underneath take."""
        return {shape: n * self.bytes["mpi"][shape] for shape, n in sorted(self.comms[kind].items())}

    def own(self, kind):
        """All but that."""
        return {shape: self.bytes[kind][shape] - b for shape, b in self.of_mpi(kind).items()}

    def own_each(self, kind):
        """The same, per endpoint; nothing if it was not measured."""
        if kind not in self.bytes or "mpi" not in self.bytes:
            return {}
        return {(p, t): b / t for (p, t), b in self.own(kind).items()}


def slope_of(at):
    """Constant and bytes per rank of MPI communicators with so many processes."""
    return fit([[1, p] for p, _ in at], list(at.values()))


def mpi_below(ep, kind, slope):
    """Bytes in a process of LARGE that MPI's communicators under one of ep's take. slope is that of plain MPI: of
    as few processes as under ep, those that MPI talked to (log2 of their number) count more than all together."""
    of_mpi = {p: (b, ep.comms[kind][p, t]) for (p, t), b in ep.of_mpi(kind).items() if p > 1}
    constant, per_level = fit([[1, math.log2(p)] for p in of_mpi],
                              [b - comms * slope * p for p, (b, comms) in of_mpi.items()])
    comms = max(comms for _, comms in of_mpi.values())
    return constant + per_level * math.log2(LARGE[0]) + comms * slope * LARGE[0]


def processes(r, mpi):
    """Open MPI with a process per rank; {kind: (constant, bytes per rank of the communicator)}."""
    shapes = sorted(mpi.bytes["dup"])
    r.table("Open MPI, a process per rank: bytes per rank and communicator",
            ["ranks"] + [name for _, name in KINDS],
            [[str(p * t)] + [f"{mpi.bytes[kind][p, t]:.0f}" for kind, _ in KINDS] for p, t in shapes])
    fits = {kind: slope_of(mpi.bytes[kind]) for kind, _ in KINDS}
    r.table("The same, fitted: constant + slope * ranks", ["communicator", "constant", "slope"],
            [[name, number(fits[kind][0]), number(fits[kind][1])] for kind, name in KINDS])
    return fits


def endpoints(r, ep):
    shapes = sorted(ep.bytes["dup"])
    rows = []
    for p, t in shapes:
        own = [f"{ep.own(kind)[p, t] / t:.0f}" for kind, _ in KINDS]
        mpi = [f"{ep.of_mpi(kind)[p, t] / t:.0f}" for kind, _ in KINDS]
        rows.append([f"{p}x{t}"] + own + mpi + [f"{ep.comms[kind][p, t]:.0f}" for kind, _ in KINDS])
    short = [kind for kind, _ in KINDS]
    r.table("ep: bytes per endpoint and communicator, its own and (+) of the MPI communicators it makes (#)",
            ["shape"] + short + [f"+{kind}" for kind in short] + [f"#{kind}" for kind in short], rows)


def own_of_ep(r, ep):
    """Fit of ep's own bytes per process = a + b * (endpoints in the process) + c * (all endpoints)."""
    fits, rows = {}, []
    for kind, name in KINDS:
        own = {s: b for s, b in ep.own(kind).items() if kind == "dup" or s[0] > 1}
        terms = [[1, t, p * t] for p, t in own]
        full = fits[kind] = fit(terms, list(own.values()))
        if kind != "split":  # duplicates share what grows with all endpoints: c is noise, and only shown
            fits[kind] = fit([term[:2] for term in terms], list(own.values())) + [0]
        off = max(abs(sum(x * y for x, y in zip(term, fits[kind])) - b)
                  for term, b in zip(terms, own.values()))
        per_rank = number(full[2])
        rows.append([name, number(fits[kind][0]), number(fits[kind][1]),
                     per_rank if kind == "split" else f"({per_rank})", number(off)])
    r.table("Fit of ep's own bytes per process: a + b * its endpoints + c * all endpoints "
            "(duplicates: a and b without c)", ["communicator", "a", "b", "c", "largest error"], rows)
    return fits


def at_a_million(r):
    """ep's own bytes per endpoint of one more uniform communicator of LARGE, or None: by the fit of own_of_ep."""
    ep = Memory(r, "ep")
    try:
        a, b = fit([[1, t] for _, t in ep.own_each("dup")], [own * t for (_, t), own in ep.own_each("dup").items()])
    except TooFew:
        return None
    return (a + b * LARGE[1]) / LARGE[1]


def extrapolate(r, ep, fits, plain):
    p, t = LARGE
    rows = []
    for kind, name in KINDS:
        a, b, c = fits[kind]
        own = (a + b * t + c * p * t) / t
        below = mpi_below(ep, kind, plain["redup"][1]) / t
        process = plain[kind][0] + plain[kind][1] * p * t
        rows.append([name, number(own), number(below), number(own + below), number(process)])
    r.table(f"Extrapolated to {p:,} processes x {t} endpoints: bytes per endpoint and communicator",
            ["communicator", "ep's own", "+ MPI underneath", "together", "a process per rank"], rows)


def memory(r):
    mpi, ep = Memory(r, "mpi"), Memory(r, "ep")
    plain = processes(r, mpi) if mpi.bytes else None
    if ep.bytes:
        endpoints(r, ep)
        fits = own_of_ep(r, ep)
        if plain:
            extrapolate(r, ep, fits, plain)


def report(r):
    r.line("processes: Open MPI, a process per rank. M+t: MPI+threads, where communicators consist of processes only:")
    r.line("one thread of each makes them, threads are no members.")
    r.line()
    times(r)
    try:
        memory(r)
    except TooFew:
        r.line(TooFew.__doc__)
        r.line()
