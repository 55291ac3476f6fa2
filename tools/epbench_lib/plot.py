# SPDX-License-Identifier: BSD-3-Clause
"""Bars of the medians, marks at the minima, by gnuplot; one panel per quantity."""
import shutil
import subprocess

COLOURS = {"mpi": 0xA0A0A0, "ep": 0x3070B0, "other": 0xD08020}
TERMINALS = {
    "svg": "svg size {width},{height} font 'sans,13' noenhanced background 'white'",
    "png": "pngcairo size {width},{height} font 'sans,10' noenhanced",
}


def quoted(text):
    """A string of gnuplot in single quotes, on one line."""
    return "'" + " ".join(text.replace("'", "''").split()) + "'"


def short(ratio):
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def panel(x, q):
    """A bar per configuration; a gap before those with another number of ranks."""
    lines, tics, at, ranks = [], [], 0, x.configurations[0].ranks
    for c in x.configurations:
        at += 1 if c.ranks == ranks else 2
        ranks = c.ranks
        ratio = "" if c.side == "mpi" else short(q.ratio(c.name, x.reference(c)))
        lines.append(f'{at} {q.median(c.name):.9g} {q.least(c.name):.9g} "{ratio}" {COLOURS[c.side]}')
        tics.append(f"{quoted(c.name)} {at}")
    title = quoted(f"{q.title}, {q.unit}")
    return [f"${q.key} << END", *lines, "END", f"set title {title}", f"set xtics ({', '.join(tics)}) rotate by -45",
            f"set xrange [0.3:{at + 0.7}]",
            f"plot ${q.key} using 1:2:5 with boxes lc rgb variable notitle, \\",
            f"     ${q.key} using 1:3 with points pt 7 ps 0.6 lc rgb 'black' notitle, \\",
            f"     ${q.key} using 1:2:4 with labels offset 0,0.7 notitle"]


def script(x):
    """What gnuplot is to do but for the terminal, and how many points wide it wants to be."""
    found = [q for q in x.quantities if q.key != "memory_of_ranks"]
    lines = ["# Bars: medians; points: minima; numbers: ratio to as many plain processes.",
             "set style fill solid border lc rgb 'white'", "set boxwidth 0.8", "set yrange [0:*]",
             "set offsets 0, 0, graph 0.1, 0", "set grid y", "set border 3", "set tics nomirror",
             f"set multiplot layout 1,{len(found)} title "
             + quoted(f"{x.name}: plain processes and endpoints (processes x endpoints)")]
    for q in found:
        lines += panel(x, q)
    return "\n".join(lines + ["unset multiplot"]) + "\n", 90 + len(found) * (110 + 40 * len(x.configurations))


def draw(out, x):
    """Endings of the files written."""
    (text, width), name = script(x), x.name
    (out / f"{name}.gp").write_text(text, encoding="utf-8")
    if not shutil.which("gnuplot"):
        print("no plot: there is no gnuplot in PATH")
        return ["gp"]
    written = ["gp"]
    for ending, terminal in TERMINALS.items():
        setup = f"set terminal {terminal.format(width=width, height=420)}; set output '{name}.{ending}'"
        done = subprocess.run(["gnuplot", "-e", setup, f"{name}.gp"], cwd=out, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        if done.returncode == 0:
            written.append(ending)
        else:
            print(f"no {ending}: gnuplot: {done.stderr.strip()}")
    return written
