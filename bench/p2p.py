# SPDX-License-Identifier: BSD-3-Clause
"""What the point-to-point table shows; the kernels are described in p2p.c and floor.c."""
from report import number, size_name

PEERS = [("ep_near", "ep near"), ("mpi_processes", "processes"), ("ep_far", "ep far"), ("ep_far_mpi", "ep by MPI"),
         ("mpi_multiple", "MULTIPLE"), ("mpi_improbe", "Improbe"), ("mpi_threads", "MPI+threads")]
COPIED = 64 << 10  # from here on the copy is what counts


def ratio(r, kernel, size, one, other):
    return number(r.ratio((one, kernel, size), (other, kernel, size)))


def floor_of(size):
    """Where the floor's figure for a message of this size is: the flag alone, or the copy as well."""
    return ("floor", "line", 8) if size <= 64 else ("floor", "relay", size)


def latency(r, kernel, title):
    rows = []
    for size in r.sizes(kernel):
        near = ("ep_near", kernel, size)
        floor = ("floor", "touch", size) if kernel == "touch" else floor_of(size)
        times = [r.both(peer, kernel, size) for peer, _ in PEERS] + [r.both(*floor)]
        ratios = [ratio(r, kernel, size, "ep_near", "mpi_processes"), number(r.ratio(near, floor)),
                  ratio(r, kernel, size, "ep_far", "mpi_improbe"),
                  ratio(r, kernel, size, "ep_far", "mpi_multiple")]
        rows.append([size_name(size)] + times + ratios)
    heads = [head for _, head in PEERS]
    r.table(title, ["bytes"] + heads + ["floor", "near/proc", "near/floor", "far/Improbe", "far/MULT"], rows)


def throughput(r):
    peers = [p for p in PEERS if p[0] not in ("mpi_improbe", "ep_far_mpi")]
    rows = []
    for size in r.sizes("bw"):
        speed = []
        for peer, _ in peers:
            us = r.median(peer, "bw", size)
            speed.append(number(us and size / us))
        rows.append([size_name(size)] + speed + [ratio(r, "bw", size, "mpi_processes", "ep_near"),
                    ratio(r, "bw", size, "mpi_multiple", "ep_far")])
    r.table("Bandwidth, MB/s (medians; window 64, from 64Ki on 8; ratios: above 1 means ep is faster)",
            ["bytes"] + [head for _, head in peers] + ["near/proc", "far/MULT"], rows)


def rates(r):
    heads = dict(PEERS, ep_2x2="ep 2x2", ep_2x2_mpi="ep 2x2 by MPI", mpi_2x2="MPI+threads 2x2")
    rows = []
    for peer, head in heads.items():
        us, best = r.median(peer, "rate", 8), r.least(peer, "rate", 8)
        if us is not None:
            rows.append([head, number(1 / us), number(1 / best)])
    r.table("Rate of 8-byte messages, 64 in flight, million/s", ["peer", "median", "best"], rows)


def floors(r):
    r.line(f"One-way cache-line time: {r.both('floor', 'line', 8)} us")
    line, rounds = r.median("floor", "line", 8), r.cells.get(("floor", "line", 8), {})
    shared = sum(1 for us, _ in rounds.values() if us < line / 2)
    if shared:
        r.line(f"(in {shared} of {len(rounds)} rounds the virtual machine's CPUs sat on one core)")
    kinds = ["copy", "relay", "split", "touch"]
    r.table("Floor, us: copy = memcpy of what the other core wrote; relay = a ping-pong of such copies; "
            "split = both cores copy half; touch = rewriting and reading one's own buffer",
            ["bytes"] + kinds,
            [[size_name(size)] + [r.both("floor", k, size) for k in kinds] for size in r.sizes("copy")])


def further(r):
    """What goals.py does not have."""
    pair = ("ep_near", "latency", 8), ("mpi_processes", "latency", 8)
    r.target("near 8 B / MPI processes", r.ratio(*pair), 1.0, r.least_ratio(*pair))
    for size in (COPIED, 1 << 20, 4 << 20):
        pair, own = (("ep_near", "touch", size), ("mpi_processes", "touch", size)), ("floor", "touch", size)
        r.target(f"near {size_name(size)}B / MPI processes, touched, less the touching itself", r.net_ratio(*pair, own),
                 1 / 1.5, r.least_net_ratio(*pair, own))


def ring(r):
    us = r.median("ep_ring", "ring", 8)
    if us is not None:
        r.line(f"Ring of 10,000 messages over 32 endpoints in one process: {us / 100:.3f} s "
               f"({r.both('ep_ring', 'ring', 8)} us per message)")
        r.line()
    seconds = us and us / 100
    r.target("ring of 10,000 messages, 32 endpoints in one process: seconds", seconds, 10.0)


def report(r):
    r.line("processes: Open MPI, a process per rank. MPI+threads: threads of one process that talk by MPI_THREAD_MULTIPLE, with tags")
    r.line("that name threads. MULTIPLE: one thread in each of two processes, at that level; Improbe: as it, MPI_Improbe and MPI_Mrecv.")
    r.line("ep far goes through memory that the processes share; by MPI: as between machines (EP_SHARED_MEMORY=0).")
    r.line()
    latency(r, "latency", "Ping-pong, one way, one buffer per rank. floor: up to 64 B the cache-line time, "
            "then one copy by one core (relay)")
    latency(r, "touch", "The same, each rank rewriting all data before and reading all data after; "
            "floor: this work alone, in one's own cache")
    r.line("From EP_TOGETHER bytes on both cores of ep near copy. Without touching, a core then often copies")
    r.line("back what is still in its own cache, so times can fall below the floor: the second table counts.")
    r.line()
    throughput(r)
    rates(r)
    floors(r)
    further(r)
    ring(r)
