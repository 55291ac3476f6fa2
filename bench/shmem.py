# SPDX-License-Identifier: BSD-3-Clause
"""What the tables of OpenSHMEM show; the kernels are described in shmem.c, the programs in examples/shmem."""
from report import number, size_name

KI, MI = 1 << 10, 1 << 20
ACCESS = [("p", 8), ("p_static", 8), ("g", 8), ("put_nbi", 8), ("get_nbi", 8),
          ("put", 8), ("put", KI), ("put", 64 * KI), ("put", MI), ("get", 8), ("get", KI), ("get", 64 * KI), ("get", MI)]
ATOMIC = [("fetch_add", 8), ("fetch_add_static", 8), ("fetch_add4", 4), ("add", 8), ("cas", 8), ("swap", 8)]
TOGETHER = [("ring", 8), ("ring", KI), ("ring", 64 * KI), ("fetch_add_all", 8), ("cas_all", 8), ("lock", 8)]
COLLECTIVE = [("barrier", 0), ("sync", 0), ("broadcast", 8), ("broadcast", 64 * KI), ("reduce", 8), ("reduce", 64 * KI),
              ("fcollect", 8), ("fcollect", 64 * KI), ("alltoall", 8), ("alltoall", 4 * KI)]
PROGRAMS = [("isort", 0), ("jacobi", 0)]
NAMES = {"p": "p, 64 and quiet", "p_static": "p, static variable", "put": "put, quiet", "put_nbi": "put_nbi, 64 and quiet",
         "get_nbi": "get_nbi, 64 and quiet", "fetch_add": "atomic fetch_add", "fetch_add_static": "fetch_add, static variable",
         "fetch_add4": "fetch_add, int", "add": "add, 64 and quiet", "cas": "compare_swap", "ring": "put with signal, one way",
         "fetch_add_all": "fetch_add, all one word", "cas_all": "compare_swap, all one word", "lock": "set_lock, clear_lock",
         "barrier": "barrier_all", "sync": "sync_all", "isort": "integer sort, an iteration", "jacobi": "stencil, a step"}
TWO = [("ep_1x2", "1x2", "oshmem_2"), ("ep_2x1", "2x1", "oshmem_2")]
EIGHT = [("ep_1x8", "1x8", "oshmem_8"), ("ep_2x4", "2x4", "oshmem_8")]
MUST, COLLECTIVES_MUST = 1.0, 0.5
NOTABLE = 1.05  # slower than OSHMEM, and no coincidence
NEAR_NS = {"p": 10, "put": 10, "put_nbi": 10, "fetch_add": 25, "cas": 25, "swap": 25, "add": 25}


def name_of(kernel, size):
    team = kernel.startswith("team_")
    plain = kernel.removeprefix("team_")
    return NAMES.get(plain, plain) + (f" {size_name(size)}" if size else "") + (", team" if team else "")


def rival(r, oshmem, kernel, size):
    """The better way of OSHMEM's to do this cell."""
    kernel = kernel.removeprefix("team_")
    keys = [key for peer in (oshmem, f"{oshmem}_puts") if r.median(*(key := (peer, kernel, size))) is not None]
    return min(keys, key=lambda key: r.median(*key), default=(oshmem, kernel, size))


def marked(ratio, least, must):
    """The median of the rounds' ratios, and the ratio of the smallest times."""
    if ratio is None:
        return "-"
    return f"{number(ratio)} ({least:.2f})" + (" " if ratio <= must else "!")


def time_of(r, *key):
    """A cell in the unit that fits."""
    median, least = r.median(*key), r.least(*key)
    if median is None:
        return "-"
    for unit, times, below in (("ns", 1e3, 1), ("us", 1, 1e3)):
        if median < below:
            return f"{number(times * median)}/{number(times * least)} {unit}"
    return f"{number(median / 1e3)}/{number(least / 1e3)} ms"


def rows_of(r, cells, shapes, must, tally):
    rows = []
    for kernel, size in cells:
        other = rival(r, shapes[0][2], kernel, size)
        row = [name_of(kernel, size), time_of(r, *other)]
        for peer, shape, _ in shapes:
            pair = (peer, kernel, size), other
            row += [time_of(r, *pair[0]), marked(r.ratio(*pair), r.least_ratio(*pair), must)]
            tally.setdefault(shape, []).append((r.ratio(*pair), must))
        rows.append(row)
    return rows


def table(r, tally, title, cells, shapes, must=MUST):
    heads = [head for _, shape, _ in shapes for head in (f"ep {shape}", "ratio  ")]
    rows = rows_of(r, cells, shapes, must, tally)
    r.table(f"{title} (!: ratio above {must:g})", ["call, bytes", f"OSHMEM, {shapes[0][2][7:]} proc."] + heads, rows)


def with_teams(cells):
    found = []
    for kernel, size in cells:
        found += [(kernel, size)] + ([(f"team_{kernel}", size)] if size else [])
    return found


def near_targets(r):
    for kernel, limit in NEAR_NS.items():
        median, least = (x and 1e3 * x for x in (r.median("ep_1x2", kernel, 8), r.least("ep_1x2", kernel, 8)))
        r.target(f"near {name_of(kernel, 8)}: ns", median, limit, least)


def complete(r):
    """Cells that OSHMEM should have printed and did not."""
    expected = [("oshmem_2", *c) for c in ACCESS + ATOMIC + TOGETHER + COLLECTIVE]
    expected += [("oshmem_8", *c) for c in TOGETHER + COLLECTIVE + PROGRAMS]
    missing = [" ".join(map(str, key)) for key in expected if r.median(*key) is None]
    if missing:
        r.line(f"OSHMEM has not printed: {', '.join(missing)}")
        r.line()


def summary(r, tally):
    for shape, cells in tally.items():
        found = [(ratio, must) for ratio, must in cells if ratio is not None]
        r.line(f"{shape}: {sum(ratio <= must for ratio, must in found)} of {len(found)} cells as wanted, "
               f"{sum(ratio > MUST for ratio, _ in found)} slower than OSHMEM, "
               f"{sum(ratio > NOTABLE for ratio, _ in found)} by more than 5 %")
    r.line()


def report(r):
    r.line("Here per call; ring: per hop; integer sort and stencil: per iteration and per step. PE 0 works on the last PE's")
    r.line("memory, while the others wait in a barrier; the rest is done by all PEs. OSHMEM: Open MPI's, a process per PE,")
    r.line("the better one of its two ways to do collectives (default, --mca scoll ^mpi) in each cell. It has OpenSHMEM 1.4:")
    r.line("team: ep's functions of 1.5 against its active sets; put with signal: put, fence, p of the signal.")
    r.line("In brackets: ratios of the smallest times.")
    r.line()
    complete(r)
    tally = {}  # ratios and limits, by shape
    table(r, tally, "Memory access, heap where nothing else is said", ACCESS, TWO)
    table(r, tally, "Atomic operations on a word that nobody else wants", ATOMIC, TWO)
    table(r, tally, "Two PEs together", TOGETHER, TWO)
    table(r, tally, "Eight PEs together", TOGETHER, EIGHT)
    table(r, tally, "Collectives of two PEs", with_teams(COLLECTIVE), TWO, COLLECTIVES_MUST)
    table(r, tally, "Collectives of eight PEs", with_teams(COLLECTIVE), EIGHT, COLLECTIVES_MUST)
    table(r, tally, "Programs, eight PEs", PROGRAMS, EIGHT)
    summary(r, tally)
    near_targets(r)
