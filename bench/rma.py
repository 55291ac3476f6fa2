# SPDX-License-Identifier: BSD-3-Clause
"""What the table of one-sided communication shows; the kernels are described in rma.c."""
from report import number, size_name

LARGE = 1 << 20
CELLS = [("put", 8), ("get", 8), ("stream", 8), ("fop", 8), ("cas", 8), ("cas4", 4), ("acc", 256),
         ("sum", 8), ("sum", 256), ("sum", 1 << 10), ("sum", 1 << 16), ("sum", LARGE), ("xor", LARGE),
         ("replace", 16), ("replace", LARGE), ("lock", 8),
         ("put", LARGE), ("get", LARGE)]
NAMES = {"stream": "put, 64 in flight", "fop": "fetch and add", "cas": "compare and swap", "cas4": "compare and swap",
         "acc": "accumulate", "sum": "accumulate doubles", "xor": "accumulate ints, xor",
         "replace": "accumulate bytes, replace", "lock": "lock, put, unlock"}
CREATED = [("ep_near", "near"), ("ep_native", "native"), ("ep_am", "am"), ("ep_auto", "auto"),
           ("mpi_create", "Open MPI")]
ALLOCATED = [("ep_allocate", "auto"), ("mpi_allocate", "Open MPI"), ("mpi_sm", "osc sm")]


def name_of(kernel, size):
    return f"{NAMES.get(kernel, kernel)} {size_name(size)}"


def ratio(r, kernel, size, one, other):
    return number(r.ratio((one, kernel, size), (other, kernel, size)))


def table(r, title, kind, peers, pairs):
    rows = []
    for kernel, size in CELLS:
        full = f"{kind}_{kernel}"
        times = [r.both(peer, full, size) for peer, _ in peers]
        rows.append([name_of(kernel, size)] + times + [ratio(r, full, size, *pair) for pair, _ in pairs])
    r.table(title, ["call, bytes"] + [head for _, head in peers] + [head for _, head in pairs], rows)


def bandwidth(r):
    """GB/s of the large transfers."""
    rows = []
    for kernel in ("put", "get"):
        row = [kernel]
        for kind, peers in (("create", CREATED), ("allocate", ALLOCATED)):
            for peer, _ in peers:
                us = r.median(peer, f"{kind}_{kernel}", LARGE)
                row.append(number(us and LARGE / us / 1e3))
        floor = r.median("floor", "floor_copy", LARGE)
        rows.append(row + [number(floor and LARGE / floor / 1e3)])
    heads = [head for _, head in CREATED] + [f"alloc. {head}" for _, head in ALLOCATED] + ["memcpy"]
    r.table(f"{size_name(LARGE)}: GB/s (medians)", [""] + heads, rows)


def seconds(r, what, key, limit):
    r.target(f"{what}: us", r.median(*key), limit, r.least(*key))


def targets(r):
    for kernel in ("put", "get", "fop", "cas"):
        seconds(r, f"near {name_of(kernel, 8)}", ("ep_near", f"create_{kernel}", 8), 0.05)
    for peer in ("ep_native", "ep_am"):
        for kernel in ("put", "get", "fop", "cas"):
            seconds(r, f"{peer[3:]} {name_of(kernel, 8)}", (peer, f"create_{kernel}", 8), 1.0)
    for kernel in ("put", "get"):
        key = f"create_{kernel}", LARGE
        for peer in ("ep_near", "ep_native"):
            pair = (peer, *key), ("mpi_create", *key)
            r.target(f"{peer[3:]} {name_of(kernel, LARGE)} / Open MPI", r.ratio(*pair), 1.0, r.least_ratio(*pair))


def report(r):
    r.line("Here per call with its flush, not per message. Windows in the memory of the user (create) or of the library")
    r.line("(allocate). near: 1x2; the others 2x1: EP_RMA=native, am, auto; Open MPI: as many processes, MPI_THREAD_MULTIPLE.")
    r.line()
    table(r, "Created windows", "create", CREATED,
          [((f"ep_{p}", "mpi_create"), f"{p}/MPI") for p in ("near", "native", "am", "auto")])
    table(r, "Allocated windows (auto: memory that the processes share)", "allocate", ALLOCATED,
          [(("ep_allocate", "mpi_allocate"), "auto/MPI"), (("ep_allocate", "mpi_sm"), "auto/sm")])
    r.line("Compare and swap of 8 bytes on allocated windows: Open MPI's default component crashes, sm does not.")
    r.line()
    bandwidth(r)
    r.line("MPI+threads: inside a process threads use loads, stores and atomics on each other's memory: the floors.")
    r.line(f"Floors: atomic add to a word that nobody else wants {r.both('floor', 'floor_add', 8)} us, "
           f"memcpy of {size_name(LARGE)} {r.both('floor', 'floor_copy', LARGE)} us")
    r.line()
    targets(r)
