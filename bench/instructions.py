# SPDX-License-Identifier: BSD-3-Clause
"""instructions.py FOLDER N OUT: from callgrind's files PEER.KERNEL.COUNT.PID to instructions per message.

COUNT, of messages, is N or 2N.
"""
import json
import pathlib
import re
import sys

from report import table_text

ROWS = [("ep.near_pair", "ep near: send, recv"), ("ep.near_wild", "ep near: recv with wildcards"),
        ("ep.near_irecv", "ep near: irecv, send, wait"), ("ep.near_window", "ep near: window of 64"),
        ("ep.near_self", "ep near: sendrecv with itself"), ("ep.far_pair", "ep far, 2x1: send, recv"),
        ("mpi.far_pair", "Open MPI: MPI_Send, MPI_Recv"),
        ("improbe.far_pair", "Open MPI: MPI_Send, MPI_Improbe, MPI_Mrecv")]
OWNERS = ["ep", "MPI", "rest"]


def owner(path):
    name = pathlib.Path(path).name
    if name.startswith(("libep", "bench_")):
        return "ep"
    return "MPI" if re.match(r"libmpi|libopen|mca_|libmca", name) else "rest"


def costs(path):
    """Instructions by the owner of the code: of lines of cost, those behind calls= are others' and counted there."""
    objects, at, behind_call = {}, "", False
    found = dict.fromkeys(OWNERS, 0)
    for line in path.read_text(errors="replace").splitlines():
        named = re.match(r"ob=\((\d+)\)(?: (.+))?", line)
        if named:
            at = objects.setdefault(named[1], named[2] or "")
        elif line.startswith("cob=("):
            named = re.match(r"cob=\((\d+)\)(?: (.+))?", line)
            objects.setdefault(named[1], named[2] or "")
        elif line.startswith("calls="):
            behind_call = True
        elif re.match(r"[+\-*\d]", line):
            if not behind_call:
                found[owner(at)] += int(line.split()[1])
            behind_call = False
    return found


def per_message(folder, name, n):
    """(each owner's, those of each process in order of their number); None if files are missing."""
    once, twice = ([costs(p) for p in sorted(folder.glob(f"{name}.{count}.*"))] for count in (n, 2 * n))
    if not once or len(once) != len(twice):
        return None
    def total(processes, o):
        return sum(c[o] for c in processes)
    return {o: (total(twice, o) - total(once, o)) / n for o in OWNERS}


def main(folder, n, out):
    found = {name: per_message(pathlib.Path(folder), name, int(n)) for name, _ in ROWS}
    rows = [[title] + ([f"{x:.0f}" for x in (sum(found[name].values()), *found[name].values())] if found[name] else ["-"] * 4)
            for name, title in ROWS]
    text = "\n".join(["Instructions per message of 8 bytes, sender's and receiver's together, and whose code they are",
                      *table_text(["", "all", *OWNERS], rows),
                      "Nothing spins while it is counted: a receive begins when its message is there (instructions.c)."]) + "\n"
    sys.stdout.write(text)
    (pathlib.Path(out) / "instructions.txt").write_text(text, encoding="utf-8")
    content = {"unit": "instructions per message", "per_message": found}
    (pathlib.Path(out) / "instructions.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
