# SPDX-License-Identifier: BSD-3-Clause
"""What the table of collectives shows; the kernels are described in coll.c."""
from report import number, size_name

PROCESSES = [("mpi_2x1", "2 proc."), ("mpi_8x1", "8 proc.")]
# ep's shapes, each with the processes to compare it with; MPI+threads has those of BY_HAND.
SHAPES = [("ep_1x2", "1x2", "mpi_2x1"), ("ep_2x1", "2x1", "mpi_2x1"), ("ep_1x8", "1x8", "mpi_8x1"),
          ("ep_2x4", "2x4", "mpi_8x1")]
BY_HAND = ["1x2", "1x8", "2x4"]
COLUMNS = ["mpi_2x1", "ep_1x2", "ep_2x1", "hybrid_1x2", "mpi_8x1", "ep_1x8", "hybrid_1x8", "ep_2x4", "hybrid_2x4"]
KERNELS = ["barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"]
FURTHER = ["gather", "scatter", "allgatherv", "alltoallv", "reduce_scatter_block", "scan"]
SHARED = ["bcast_shared", "allreduce_shared"]
MUST, WISH = 1.0, 0.5


def name_of(kernel, size):
    plain = kernel.removesuffix("_touch")
    return plain + (f" {size_name(size)}" if size else "") + (", touched" if plain != kernel else "")


def marked(ratio):
    return number(ratio) + (" " if ratio is None or ratio <= MUST else "!")


def table(r, title, kernels, columns):
    heads = dict(PROCESSES, alone="alone") | {peer: f"ep {shape}" for peer, shape, _ in SHAPES}
    heads |= {f"hybrid_{shape}": f"M+t {shape}" for shape in BY_HAND}
    by_hand = [shape for shape in BY_HAND if f"hybrid_{shape}" in columns]
    rows = []
    for kernel, size in ((k, s) for k in kernels for s in r.sizes(k)):
        ratios = []
        for peer, shape, other in SHAPES:
            pair = (peer, kernel, size), (other, kernel, size)
            ratios.append(marked(r.ratio(*pair)))
            r.target(f"{shape} {name_of(kernel, size)}", r.ratio(*pair), MUST, r.least_ratio(*pair), WISH)
        ratios += [marked(r.ratio((f"ep_{shape}", kernel, size), (f"hybrid_{shape}", kernel, size))) for shape in by_hand]
        times = [r.both(peer, kernel if peer != "alone" else "bcast_touch", size) for peer in columns]
        rows.append([name_of(kernel, size)] + times + ratios)
    r.table(title, ["call, bytes"] + [heads[peer] for peer in columns] + [f"{shape}/proc " for _, shape, _ in SHAPES]
            + [f"{shape}/M+t " for shape in by_hand], rows)


def shared(r):
    """What MPI+threads saves by not giving each thread a copy."""
    peers = [f"hybrid_{shape}" for shape in BY_HAND]
    rows = [[name_of(k.removesuffix("_shared"), size)] + [r.both(peer, k, size) for peer in peers]
            for k in SHARED for size in r.sizes(k)]
    if rows:
        r.table("MPI+threads, one copy of the result for all threads of a process, which ranks do not have",
                ["call, bytes"] + [f"M+t {shape}" for shape in BY_HAND], rows)


def summary(r):
    for _, shape, _ in SHAPES:
        cells = [v for v in r.verdicts if v["what"].startswith(shape) and v["met"] is not None]
        slower = sum(not v["met"] for v in cells)
        twice = sum(v["measured"] <= WISH for v in cells)
        r.line(f"{shape}: {twice} of {len(cells)} cells take half the time of processes or less, {slower} are slower")
    r.line()


def report(r):
    r.line("Here per call, not per message: the slowest rank's time for many calls in a row. Bytes: of the")
    r.line("buffer; allgather(v), gather: what each rank brings; alltoall(v): what each rank sends to each; scatter,")
    r.line("reduce_scatter_block: what each rank gets.")
    r.line("proc.: Open MPI, a process per rank. M+t: MPI and OpenMP by hand (hybrid_coll.h), processes x threads: the")
    r.line("threads share buffers, one of each process calls MPI, each ends with its own copy. !: slower than the other")
    r.line()
    table(r, "Root 0, doubles, sums; the same buffers again and again", KERNELS, COLUMNS)
    if any(r.sizes(kernel) for kernel in FURTHER):
        table(r, "The same, calls that are not written by hand", FURTHER, [c for c in COLUMNS if not c.startswith("hybrid")])
    table(r, "Data rewritten before each call and read after it; alone: this work alone, of one rank",
          [f"{k}_touch" for k in KERNELS], ["alone"] + COLUMNS)
    shared(r)
    summary(r)
