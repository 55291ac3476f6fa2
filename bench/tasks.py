# SPDX-License-Identifier: BSD-3-Clause
"""What the tables of tasks show; the kernels are described in tasks*.c and stencil*.c."""
from report import number

COSTS = [("flood", "flood"), ("batch", "50 tasks, taskwait"), ("depend", "8 depend chains"),
         ("fib", "fib"), ("if0", "if(0)"), ("taskloop", "taskloop, 50 chunks"), ("parallel", "parallel"),
         ("barrier", "barrier"), ("critical", "critical")]
MODES = [("gomp", "libgomp"), ("thread", "thread mode"), ("task", "task mode")]
BLOCK, MESSAGE = ("turns_task", "crt", 1), ("turns_task", "message", 1)
THREADS_BLOCK, THREADS_MESSAGE = ("turns_thread", "crt", 2), ("turns_thread", "message", 2)
TURNS = [(BLOCK, "crt_signal, crt_wait: two tasks of a thread"),
         (THREADS_BLOCK, "  two threads, thread mode"),
         (("turns_task2", "crt", 2), "  two threads, task mode"),
         (("turns_gomp", "cond", 2), "  two threads, a condition of pthreads"),
         (("turns_gomp", "futex", 2), "  two threads, futex"),
         (("turns_gomp", "futex_one", 2), "  two threads on one CPU, futex"),
         (MESSAGE, "ep_send, ep_recv, 8 B: two tasks of a thread"),
         (THREADS_MESSAGE, "  two threads, thread mode"),
         (("turns_task2", "message", 2), "  two threads, task mode")]
CROWDS = [("crowd_task", "blocked", "tasks in crt_wait"), ("crowd_task", "received", "tasks in ep_recv"),
          ("crowd_gomp", "threads", "pthreads, stacks of 64 KiB")]
PLATES = [("small", "halo 2 KiB"), ("medium", "halo 3.75 KiB"), ("wide", "halo 32 KiB"),
          ("uneven", "halo 3.75 KiB, work different in each step")]
NETWORKS = [("memory", "shared memory"), ("tcp", "TCP, loopback"), ("late30", "30 us late"),
            ("near", "one process")]
BLOCKS = [4, 8, 16]
TYPICAL = 8
LITTLE = 1.25  # times the work: below there is little to hide
# Where there is something to hide.
TARGETS = [("medium", "late30", "messages 30 us late"), ("uneven", "memory", "uneven work"),
           ("uneven", "late30", "uneven work, messages 30 us late")]


def ns(us):
    return None if us is None else 1000 * us


def both_ns(r, key):
    return f"{number(ns(r.median(*key)))}/{number(ns(r.least(*key)))}" if key in r.cells else "-"


def costs(r):
    rows = []
    for kernel, name in COSTS:
        row = [name]
        for n in (1, 2):
            row += [both_ns(r, (f"{peer}_{n}", kernel, n)) for peer, _ in MODES]
            row.append(number(r.ratio((f"task_{n}", kernel, n), (f"gomp_{n}", kernel, n))))
        rows.append(row)
    heads = [f"{head}, {n}" for n in (1, 2) for head in [mode for _, mode in MODES] + ["task/libgomp"]]
    r.table("ns per operation with 1 and 2 threads (flood: from 64 tasks on libgomp calls them at once)",
            ["operation"] + heads, rows)


def turns(r):
    r.table("Taking turns: ns per block and resume", ["how", "ns"],
            [[name, both_ns(r, key)] for key, name in TURNS])
    for what, tasks, threads in (("crt_signal, crt_wait", BLOCK, THREADS_BLOCK),
                                 ("ep_send, ep_recv", MESSAGE, THREADS_MESSAGE)):
        r.target(f"{what}: two tasks of a thread / two threads", r.ratio(tasks, threads), 3.0,
                 r.least_ratio(tasks, threads), 1.0)


def crowds(r):
    bytes_each = ["resident", "tables", "kernel"]
    times = ["start", "resume", "start_again", "resume_again"]
    rows = []
    for peer, crowd, name in CROWDS:
        for n in r.sizes(f"{crowd}_resident"):
            row = [f"{r.median(peer, f'{crowd}_{what}', n):.0f}" for what in bytes_each]
            row += [number(ns(r.median(peer, f"{crowd}_{what}", n))) for what in times]
            rows.append([f"{n:,} {name}"] + row)
    r.line("Waiting at the same time. Bytes each, of memory, page tables and the kernel's stacks;")
    r.table("ns each to start and block, to resume and end, and the same once more",
            ["how many"] + bytes_each + ["start", "resume", "start again", "resume again"], rows)


class Stencil:
    """The cells of one plate and network."""

    def __init__(self, plate, net):
        self.alone = "mpi_memory", f"{plate}_alone", 1
        mpi = "mpi_memory" if net == "near" else f"mpi_{net}"
        self.processes = mpi, f"{plate}_exchange", 1
        self.overlap = mpi, f"{plate}_overlap", 1
        self.exchange = f"thread_{net}", f"{plate}_exchange", 1
        self.thread_overlap = f"thread_{net}", f"{plate}_overlap", 1
        self.ordered = f"thread_{net}", f"{plate}_ordered", TYPICAL
        self.tasks = {n: (f"task_{net}", f"{plate}_tasks", n) for n in BLOCKS}
        self.typical = self.tasks[TYPICAL]
        self.iwait = f"task_{net}", f"{plate}_iwait", TYPICAL

    def cells(self):
        return self.others() + [self.ordered, *self.tasks.values(), self.iwait]

    def others(self):
        return [self.processes, self.overlap, self.exchange, self.thread_overlap]

    def hidden(self, r):
        """Of what exchanging adds to the work, with threads that block, this part is saved by tasks."""
        alone, exchange, tasks = (r.median(*key) for key in (self.alone, self.exchange, self.typical))
        if not (alone and exchange and tasks) or exchange < LITTLE * alone:
            return "-"
        return f"{100 * (exchange - tasks) / (exchange - alone):.0f}%"

    def row(self, r):
        return ([r.both(*key) for key in self.cells()]
                + [number(r.ratio(self.typical, other)) for other in self.others()] + [self.hidden(r)])


def stencil(r):
    for line in ("A stencil between two processes, us per step.",
                 "  processes  plain MPI, one per CPU: exchange the halo, then compute; overlap: by hand,",
                 "             what needs no halo is computed meanwhile",
                 "  threads    of ep, that block: the same two; ordered: tasks, messages one after the other",
                 "  tasks      that block, with so many blocks per thread; iwait: of non-blocking calls",
                 f"Columns with a / are ratios of {TYPICAL} tasks to another; hidden: of the time that",
                 "exchanging adds to the work, with threads, so much is saved (-: it adds less than a",
                 "quarter). 30 us late: by shared memory, but no receiver is told of a message earlier",
                 "(stencil_wire.h). One process: all threads of ep in one, beside plain processes."):
        r.line(line)
    r.line()
    heads = ["processes", "overlap", "threads", "overlap", "ordered", *(f"tasks {n}" for n in BLOCKS),
             f"iwait {TYPICAL}"]
    ratios = ["/processes", "/overlap", "/threads", "/overlap", "hidden"]
    for plate, name in PLATES:
        rows = [[head] + Stencil(plate, net).row(r) for net, head in NETWORKS]
        alone = r.both(*Stencil(plate, "memory").alone)
        r.table(f"{plate}: {name}; the work alone: {alone} us", ["network"] + heads + ratios, rows)
    for plate, net, what in TARGETS:
        s = Stencil(plate, net)
        for other, who in ((s.exchange, "threads"), (s.processes, "processes")):
            r.target(f"stencil, {what}: tasks / {who}", r.ratio(s.typical, other), 0.95,
                     r.least_ratio(s.typical, other), 0.8)


def plot(r):
    """Steps of the stencil, relative to plain processes that exchange, then compute; None: not measured."""
    if not r.sizes("medium_tasks") or not r.sizes("medium_exchange"):
        return None
    bars = [("processes", "processes"), ("overlap", "processes, overlap"), ("exchange", "threads"),
            ("thread_overlap", "threads, overlap"), ("typical", f"{TYPICAL} tasks")]
    lines = ["$data << END"]
    for plate, _ in PLATES:
        for net, head in NETWORKS:
            s = Stencil(plate, net)
            ratios = [r.ratio(getattr(s, bar), s.processes) for bar, _ in bars]
            lines.append(f'"{plate}, {head}" ' + " ".join(number(x) for x in ratios))
    lines += ["END", "set datafile missing '-'", "set style data histogram",
              "set style histogram clustered gap 1", "set style fill solid border lc rgb 'white'",
              "set boxwidth 0.9", "set yrange [0:*]", "set grid y",
              "set xtics rotate by -35 nomirror", "set key outside top horizontal", "set rmargin 9",
              "set title 'Stencil: time of a step, relative to processes that exchange, then compute'"]
    colours = ["#a0a0a0", "#606060", "#f0c060", "#c08020", "#3070b0"]
    bars = [f"$data using {i + 2}:xtic(1) title '{name}' lc rgb '{colours[i]}'"
            for i, (_, name) in enumerate(bars)]
    return "\n".join(lines + ["plot " + ", ".join(bars)]) + "\n"


def report(r):
    r.line("Here per operation, not per message, in the unit that each table says.")
    r.line()
    costs(r)
    turns(r)
    crowds(r)
    stencil(r)
