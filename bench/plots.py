# SPDX-License-Identifier: BSD-3-Clause
"""Pictures by gnuplot: what each benchmark shows, from its JSON, and the goals. Nothing is drawn that was not measured."""
import importlib
import shutil
import subprocess

from report import Results, size_name

GREY, DARK, BLUE, ORANGE, GREEN, RED = "#a0a0a0", "#606060", "#3070b0", "#d08020", "#509050", "#c03030"
# Of point-to-point: peer, name, colour.
LINES = [("mpi_processes", "Open MPI, processes", DARK), ("mpi_threads", "MPI+threads", ORANGE), ("ep_near", "ep near", BLUE),
         ("mpi_multiple", "Open MPI at MULTIPLE", GREY), ("ep_far", "ep far", GREEN)]


def quoted(text):
    """A string of gnuplot, on one line."""
    return "'" + " ".join(text.replace("'", "''").split()) + "'"


def value(x):
    return "NaN" if x is None else f"{x:.6g}"


def draw(path, lines, width=1000, height=420):
    if not shutil.which("gnuplot"):
        return None
    setup = f"set terminal svg size {width},{height} font 'sans,12' noenhanced background 'white'\n"
    done = subprocess.run(["gnuplot"], input=(setup + "\n".join(lines) + "\n").encode(), capture_output=True, check=False)
    if done.returncode != 0 or not done.stdout:
        print(f"no {path.name}: gnuplot: {done.stderr.decode(errors='replace').strip()}")
        return None
    path.write_bytes(done.stdout)
    return path.name


COMMON = ["set border 3", "set tics nomirror", "set grid y", "set key outside top horizontal"]


def curves(r, kernel, title, label, of, legend="top left"):
    """One panel: a line per peer over the sizes; of(us, size) is what is shown."""
    peers = [p for p in LINES if any((p[0], kernel, size) in r.cells for size in r.sizes(kernel))]
    if not peers:
        return []
    sizes = r.sizes(kernel)
    rows = [f"{size} " + " ".join(value(us and of(us, size)) for us in (r.median(p, kernel, size) for p, _, _ in peers))
            for size in sizes]
    tics = ", ".join(f"'{size_name(s)}' {s}" for s in sizes[::1 if len(sizes) < 6 else 2])
    plots = [f"${kernel} using 1:{i + 2} with linespoints pt 7 ps 0.5 lw 2 lc rgb '{colour}' title {quoted(name)}"
             for i, (_, name, colour) in enumerate(peers)]
    return [f"${kernel} << END", *rows, "END", f"set title {quoted(title)}", f"set ylabel {quoted(label)}",
            f"set key inside {legend} vertical samplen 1", f"set xtics ({tics})", "plot " + ", ".join(plots)]


def p2p(r):
    panels = [curves(r, "latency", "one way, one buffer per rank", "us", lambda us, _: us),
              curves(r, "touch", "the same, all data rewritten and read", "us", lambda us, _: us),
              curves(r, "bw", "bandwidth, a window of messages", "MB/s", lambda us, size: size / us, "bottom right")]
    panels = [p for p in panels if p]
    lines = COMMON + ["set logscale xy", f"set multiplot layout 1,{len(panels)}"]
    return (lines + [line for p in panels for line in p] + ["unset multiplot"], 1300, 430) if panels else None


def clustered(groups, bars, title, label, logarithmic=False, width=1200):
    """groups: (name, [a value per bar]); bars: (name, colour). One line where the ratio is 1."""
    groups = [g for g in groups if any(x is not None for x in g[1])]
    if not groups:
        return None
    lines = ["$data << END"] + [f"{quoted(name)} " + " ".join(value(x) for x in values) for name, values in groups]
    lines = [line.replace("'", '"') if i else line for i, line in enumerate(lines)]
    lines += ["END", *COMMON, "set style data histogram", "set style histogram clustered gap 1",
              "set style fill solid border lc rgb 'white'", "set boxwidth 0.9", "set xtics rotate by -40", "set rmargin 10",
              f"set title {quoted(title)}", f"set ylabel {quoted(label)}"]
    lines += ["set logscale y 2", "set yrange [*:*]"] if logarithmic else ["set yrange [0:*]"]
    plots = [f"$data using {i + 2}:xtic(1) title {quoted(name)} lc rgb '{colour}'" for i, (name, colour) in enumerate(bars)]
    return lines + ["plot " + ", ".join(plots + ["1 with lines lc rgb 'black' dt 2 notitle"])], width, 460


def coll(r):
    import coll as table
    kernels = [(k, s) for k in table.KERNELS + ["bcast_touch", "allreduce_touch"] for s in r.sizes(k)]
    bars = [(f"ep {shape}", c) for (_, shape, _), c in zip(table.SHAPES, (BLUE, RED, GREEN, "#80b0e0"))]
    bars += [(f"MPI+threads {shape}", c) for shape, c in zip(table.BY_HAND, (ORANGE, "#e0b080", "#b06000"))]
    groups = []
    for kernel, size in kernels:
        pairs = [((side + shape, kernel, size), (other, kernel, size)) for side in ("ep_", "hybrid_")
                 for _, shape, other in table.SHAPES if side == "ep_" or shape in table.BY_HAND]
        groups.append((table.name_of(kernel, size), [r.ratio(*pair) for pair in pairs]))
    return clustered(groups, bars, "Collectives: time relative to as many Open MPI processes (dashed: 1)", "ratio", True, 1500)


def comm(r):
    import comm as table
    other = table.PEERS[0][0]
    bars = list(zip([head for _, head in table.PEERS[1:]], (BLUE, GREEN, "#80b0e0")))
    groups = [(name, [r.ratio((peer, k, table.RANKS), (other, k, table.RANKS)) for peer, _ in table.PEERS[1:]])
              for k, name in table.KERNELS]
    return clustered(groups, bars, "Making communicators of 16 ranks: time relative to 16 Open MPI processes", "ratio", width=900)


def rma(r):
    import rma as table
    bars = [("ep near", BLUE), ("ep far, native", GREEN), ("ep far, messages", "#80b0e0")]
    groups = []
    for kernel, size in table.CELLS:
        full = f"create_{kernel}"
        pairs = [((peer, full, size), ("mpi_create", full, size)) for peer in ("ep_near", "ep_native", "ep_am")]
        groups.append((table.name_of(kernel, size), [r.ratio(*pair) for pair in pairs]))
    return clustered(groups, bars, "One-sided: time relative to created windows between Open MPI processes", "ratio", True)


def tasks(r):
    script = importlib.import_module("tasks").plot(r)
    return (script.splitlines(), 1000, 420) if script else None


def benchmark(content, out):
    """The picture of one benchmark; its file's name or None."""
    name = content["benchmark"]
    draws = {"p2p": p2p, "coll": coll, "comm": comm, "rma": rma, "tasks": tasks}.get(name)
    found = draws(Results.of_json(content["cells"])) if draws else None
    return draw(out / f"{name}.svg", *found) if found else None


LEAST, MOST = 0.05, 10  # ends of the picture of goals


def goals(rows, out):
    """Measured / must for each goal: left of 1 is met; a small mark where the wish is. Beyond the ends: at the ends."""
    rows = [r for r in rows if r["must"] and r["measured"] is not None and r["measured"] > 0]
    if not rows:
        return None
    lines = ["$data << END"]
    for at, r in enumerate(reversed(rows), 1):
        ratio, wish = min(max(r["measured"] / r["must"], LEAST), MOST), r["wish"] and r["wish"] / r["must"]
        title = " ".join(f"{r['what']} / {r['peer'] or 'limit'}".split())
        lines.append(f'{at} {value(ratio)} {value(wish)} "{title}" {int((GREEN if r["must_met"] else RED)[1:], 16)}')
    lines += ["END", "set border 1", "set logscale x 2", f"set xrange [{LEAST}:{MOST}]", "set lmargin 60",
              "set xtics (" + ", ".join(f"'{t:g}' {t}" for t in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)) + ")", "set grid x", "set tics nomirror", f"set yrange [0:{len(rows) + 1}]",
              "set key outside top horizontal", "set ytics scale 0 font 'sans,10'", "set style fill solid",
              "set title 'Goals: measured / what must be (left of the line: met)'",
              "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb 'black' lw 1.5",
              "plot $data using 2:1:5:ytic(4) with points pt 7 ps 0.8 lc rgb variable title 'measured', "
              f"$data using 3:1 with points pt 2 ps 0.5 lc rgb '{BLUE}' title 'wish'"]
    return draw(out / "goals.svg", lines, 1000, 120 + 17 * len(rows))
