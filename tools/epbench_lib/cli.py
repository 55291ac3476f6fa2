# SPDX-License-Identifier: BSD-3-Clause
"""The command line, and the order of the steps."""
import argparse
import os
import pathlib
import re
import signal
import sys

from . import Failed, build, layout, machine, plot, report, rounds, tools, tree

FORMS = """\
what to compare, after --:
  prog.c [ARGUMENT...]              one source file (.c, .cc, .cpp, .cxx): built here
  BUILD LINE / PROGRAM [ARGUMENT...]
                                    a source tree: the build line is run by sh in two copies of it, with
                                    CC, CXX, MPICC and MPICXX set to the compilers of each side
  PROGRAM [ARGUMENT...]             with --build LINE: the same; after --built: arguments only

examples:
  epbench compare -- heat.c 512
  epbench compare --layouts 8x1,1x8 --same-output '^residual' -- 'make CC=$CC' / ./solver input.txt
  epbench compare --built ./app-mpi ./app-ep -- 512
"""


def pattern(text):
    try:
        return re.compile(text)
    except re.error as e:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {e}")


def one_group(text):
    found = pattern(text)
    if found.groups != 1:
        raise argparse.ArgumentTypeError(f"'{text}' needs one group (...), which is the time")
    return found


def at_least(least):
    def count(text):
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number of at least {least}")
        return int(text)
    return count


def parser():
    top = argparse.ArgumentParser(prog="epbench", description="Compare MPI ranks as processes and as threads.")
    p = top.add_subparsers(dest="what", required=True).add_parser(
        "compare", help="one program, as plain MPI processes and with endpoints", epilog=FORMS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = p.add_argument
    add("--layouts", type=layout.parse, default=layout.parse("8x1,4x2,2x4,1x8"), metavar="PxT,...",
        help="processes x endpoints of each (8x1,4x2,2x4,1x8)")
    add("--rounds", type=at_least(1), default=7, metavar="N", help="timed rounds (7)")
    add("--warmup", type=at_least(0), default=1, metavar="N", help="rounds before them, not counted (1)")
    add("--memory-rounds", type=at_least(0), default=3, metavar="N", help="rounds that measure memory (3)")
    add("--timeout", type=float, default=300, metavar="S", help="seconds a run may take (300)")
    add("--same-output", type=pattern, metavar="REGEX",
        help="these lines of all runs must be the same, in any order; with groups: what the groups match")
    add("--time", type=one_group, metavar="REGEX",
        help="one group: a time that the program prints, reported too; of several the largest")
    add("--name", help="of the report and its files (that of the program)")
    add("--out", type=pathlib.Path, default=pathlib.Path("epbench-out"), metavar="DIR",
        help="where everything is written (epbench-out)")
    add("--source", type=pathlib.Path, default=pathlib.Path("."), metavar="DIR", help="the source tree (.)")
    add("--build", metavar="LINE", help="the build line, instead of LINE / after --")
    add("--beside", type=layout.beside, action="append", default=[], metavar="RANKS:NAME=COMMAND",
        help="another program that does the work of so many ranks, run in the same rounds")
    add("--built", nargs=2, metavar=("MPI_PROGRAM", "EP_PROGRAM"), help="two programs that are built already")
    add("--cflags", default="-O2", help="for a single source file (-O2)")
    add("--libs", default="-lm", help="for a single source file (-lm)")
    for tool, purpose in tools.PURPOSE.items():
        add("--" + tool, metavar="CMD", help=purpose)
    return top


def read(argv):
    """The options; their attribute words has what stands after --."""
    top = parser()
    cut = argv.index("--") if "--" in argv else len(argv)
    options = top.parse_args(argv[:cut])
    options.words = argv[cut + 1:]
    if not options.words and not options.built:
        top.error("nothing to compare: give a source file, or a build line / program, after --")
    return options


def compare(options):
    box = tools.find(options)
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    facts = machine.facts(box)
    program = build.make(options, box, out)
    name = re.sub(r"[^\w.+-]", "_", options.name or program.name)
    configurations = layout.configurations(options.layouts, box, options.beside)
    tree.adopt_orphans()
    start, library = rounds.measure_start(configurations, options, box, out)
    results = rounds.measure(configurations, program, options, out)
    facts["mpi"] = library or facts["mpi"]
    x = report.Comparison(name, program, options, configurations, results, start, facts)
    sys.stdout.write(report.text(x))
    (out / f"{name}.txt").write_text(report.text(x), encoding="utf-8")
    report.write_json(out / f"{name}.json", x)
    written = ["txt", "json"] + plot.draw(out, x)
    shown = os.path.relpath(out / name)
    print(f"written: {', '.join(f'{shown}.{ending}' for ending in written)}")


def on_signal(number, _frame):
    raise KeyboardInterrupt  # runs are sessions of their own: they are ended where this is caught


def main(argv):
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)
    try:
        compare(read(argv))
    except Failed as e:
        sys.stdout.flush()
        print(f"epbench: {e}".rstrip(), file=sys.stderr)
        return e.status
    except KeyboardInterrupt:
        return 130
    return 0
