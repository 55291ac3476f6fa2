# SPDX-License-Identifier: BSD-3-Clause
"""What the table of collectives shows; the kernels are described in coll.c."""
from report import number, size_name

PROCESSES = [("mpi_2x1", "2 proc."), ("mpi_8x1", "8 proc.")]
# ep's shapes, each with the processes to compare it with.
SHAPES = [("ep_1x2", "1x2", "mpi_2x1"), ("ep_1x8", "1x8", "mpi_8x1"), ("ep_2x4", "2x4", "mpi_8x1")]
COLUMNS = ["mpi_2x1", "ep_1x2", "mpi_8x1", "ep_1x8", "ep_2x4"]
KERNELS = ["barrier", "bcast", "reduce", "allreduce", "allgather", "alltoall"]
LARGE = 64 << 10  # payloads from here on are copied by all endpoints together: twice as fast is the goal


def goal(kernel, size):
    """The ratio that is the goal of a cell; rows with data touched contain work that is not ep's."""
    return 0.5 if size >= LARGE and not kernel.endswith("_touch") else 1.0


def name_of(kernel, size):
    plain = kernel.removesuffix("_touch")
    return plain + (f" {size_name(size)}" if size else "") + (", touched" if plain != kernel else "")


def marked(ratio, limit):
    mark = " " if ratio is None or ratio <= limit else "!" if ratio <= 1 else "#"
    return number(ratio) + mark


def table(r, title, kernels, columns):
    heads = dict(PROCESSES, alone="alone") | {peer: f"ep {shape}" for peer, shape, _ in SHAPES}
    rows = []
    for kernel, size in ((k, s) for k in kernels for s in r.sizes(k)):
        limit = goal(kernel, size)
        ratios = []
        for peer, shape, other in SHAPES:
            pair = (peer, kernel, size), (other, kernel, size)
            ratios.append(marked(r.ratio(*pair), limit))
            r.target(f"{shape} {name_of(kernel, size)}", r.ratio(*pair), limit, r.least_ratio(*pair))
        times = [r.both(peer, kernel if peer != "alone" else "bcast_touch", size) for peer in columns]
        rows.append([name_of(kernel, size)] + times + ratios)
    r.table(title, ["call, bytes"] + [heads[peer] for peer in columns]
            + [f"{shape}/proc " for _, shape, _ in SHAPES], rows)


def summary(r):
    for _, shape, _ in SHAPES:
        cells = [v for v in r.verdicts if v["what"].startswith(shape) and v["met"] is not None]
        met = sum(v["met"] for v in cells)
        slower = sum(v["measured"] > 1 for v in cells)
        r.line(f"{shape}: {met} of {len(cells)} cells reach their goal, {slower} are slower than processes")
    r.line()


def report(r):
    r.line("Here per call, not per message: the slowest rank's time for many calls in a row. Bytes: of the")
    r.line("buffer; allgather: what each rank brings; alltoall: what each rank sends to each.")
    r.line(f"Ratios should be at most 1, from {size_name(LARGE)} on 0.5, or 1 if touched.")
    r.line("!: not so, #: slower than processes")
    r.line()
    table(r, "Root 0, doubles, sums; the same buffers again and again", KERNELS, COLUMNS)
    table(r, "Data rewritten before each call and read after it; alone: this work alone, of one rank",
          [f"{k}_touch" for k in KERNELS], ["alone"] + COLUMNS)
    summary(r)
