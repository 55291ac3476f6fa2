# SPDX-License-Identifier: BSD-3-Clause
"""instructions.py FOLDER OUT: from callgrind's files PEER.PLACE.PROCESS.DUMP to instructions per operation.

PLACE is near or far. PEER.PLACE.turns has a line "TURN KERNEL OPERATIONS" for each dump of a process, in order; those of 0
operations do not count.
"""
import json
import pathlib
import re
import statistics
import sys

from report import table_text

CALLS = [("put", "put, flush"), ("get", "get, flush"), ("accumulate", "accumulate, flush"), ("fetch", "fetch_and_op, flush"),
         ("lock", "lock, put, unlock"), ("barrier", "barrier, the last to come"), ("bcast", "bcast"), ("reduce", "reduce"),
         ("allreduce", "allreduce, the last to come"), ("allgather", "allgather, the last to come"),
         ("alltoall", "alltoall, the last to come"), ("gather", "gather"), ("scatter", "scatter"),
         ("alltoallv", "alltoallv, the last to come"), ("scan", "scan"), ("dup", "comm_dup, the last to come"), ("idup", "comm_idup")]
NEAR_ONLY = ["lock", "dup", "idup"]  # far they wait
ROWS = [("ep.near_pair", "ep near: send, recv"), ("ep.near_wild", "ep near: recv with wildcards"),
        ("ep.near_irecv", "ep near: irecv, send, wait"), ("ep.near_window", "ep near: window of 64"),
        ("ep.near_self", "ep near: sendrecv with itself"),
        ("ep.near_world", "ep near: send, recv on the world"), ("ep.near_world_f08", "the same in Fortran, mpi_f08"),
        ("ep.near_world_irecv", "ep near: irecv, send, wait on the world"), ("ep.near_world_irecv_f08", "the same in Fortran, mpi_f08"),
        ("ep.near_other", "ep near: send, recv with itself"), ("ep.near_other_f08", "the same in Fortran, mpi_f08"),
        ("ep.near_other_irecv", "ep near: irecv, send, wait with itself"), ("ep.near_other_irecv_f08", "the same in Fortran, mpi_f08"),
        ("ep.far_pair", "ep far, 2x1: send, recv"),
        ("mpi.far_pair", "Open MPI: MPI_Send, MPI_Recv"),
        ("improbe.far_pair", "Open MPI: MPI_Send, MPI_Improbe, MPI_Mrecv"),
        *((f"ep.near_{kernel}", f"ep near: {title}") for kernel, title in CALLS),
        *((f"ep.far_{kernel}", f"ep far, 2x1: {title}") for kernel, title in CALLS if kernel not in NEAR_ONLY)]
OWNERS = ["ep", "MPI", "rest"]


def owner(path):
    name = pathlib.Path(path).name
    if name.startswith(("libep", "bench_")):
        return "ep"
    return "MPI" if re.match(r"libmpi|libopen|mca_|libmca", name) else "rest"


def costs(path):
    """Instructions by the owner of the code, and by its files: of lines of cost, those behind calls= are others' and counted there.
    Code that was put in line counts for the file where it is written."""
    objects, at, behind_call = {}, "", False
    files, file = {}, ""
    found, of_file = dict.fromkeys(OWNERS, 0), {}
    for line in path.read_text(errors="replace").splitlines():
        named = re.match(r"ob=\((\d+)\)(?: (.+))?", line)
        source = re.match(r"(c?f[lie])=\((\d+)\)(?: (.+))?", line)
        if source:
            name = files.setdefault(source[2], source[3] or "")
            file = file if source[1].startswith("c") else name
        elif named:
            at = objects.setdefault(named[1], named[2] or "")
        elif line.startswith("cob=("):
            named = re.match(r"cob=\((\d+)\)(?: (.+))?", line)
            objects.setdefault(named[1], named[2] or "")
        elif line.startswith("calls="):
            behind_call = True
        elif re.match(r"[+\-*\d]", line):
            if not behind_call:
                found[owner(at)] += int(line.split()[1])
                place = place_of(file) if owner(at) == "ep" else owner(at)
                of_file[place] = of_file.get(place, 0) + int(line.split()[1])
            behind_call = False
    return found, of_file


def place_of(file):
    """A file of the source, without what is in front of its folder."""
    return re.sub(r".*/(?:src|include)/", "", file) if "/src/" in file or "/include/" in file else pathlib.Path(file).name


def turns(path):
    """[(kernel, operations)] in order of the dumps."""
    found = (re.match(r"TURN (\w+) (\d+)$", line) for line in path.read_text(errors="replace").splitlines())
    return [(m[1], int(m[2])) for m in found if m]


def least(counts):
    """The turn with the fewest of all owners together: nothing waited in it, nor was memory fetched for later ones."""
    return min(counts, key=lambda c: sum(c[0].values()))


def per_operation(folder, stem):
    """{kernel: (each owner's, each file's)} of one run: of each process its least turn, added up. Kernels that it did not finish are
    left out."""
    order = turns(folder / f"{stem}.turns")
    processes = {p.name.split(".")[2] for p in folder.glob(f"{stem}.*.*")}
    found = {}
    for kernel in dict.fromkeys(k for k, _ in order):
        dumps = [(i + 1, operations) for i, (k, operations) in enumerate(order) if k == kernel and operations]
        files = [[folder / f"{stem}.{process}.{i}" for i, _ in dumps] for process in processes]
        if dumps and files and all(f.exists() for of_process in files for f in of_process):
            turns_of = [least([costs(f) for f in of_process]) for of_process in files]
            places = {place for _, of_file in turns_of for place in of_file}
            found[kernel] = ({o: sum(t[o] for t, _ in turns_of) / dumps[0][1] for o in OWNERS},
                             {p: sum(of_file.get(p, 0) for _, of_file in turns_of) / dumps[0][1] for p in places})
    return found


def most(of_file):
    all_of_it = sum(of_file.values())
    ranked = sorted(of_file.items(), key=lambda x: -x[1])
    return ", ".join(f"{place} {n:.0f}" for place, n in ranked if n >= all_of_it / 20)


def main(folder, out):
    folder, found, places = pathlib.Path(folder), {}, {}
    for path in sorted(folder.glob("*.turns")):
        stem = path.name.removesuffix(".turns")
        for kernel, (of, of_file) in per_operation(folder, stem).items():
            name = f"{stem.split('.')[0]}.{kernel}"
            found[name], places[name] = of, of_file
    rows = [[title] + [f"{x:.0f}" for x in (sum(found[name].values()), *found[name].values())]
            for name, title in ROWS if name in found]
    text = "\n".join(["Instructions per operation of 8 bytes, both sides' together where no other is named, and whose code they are",
                      *table_text(["", "all", *OWNERS], rows),
                      "Nothing waits while it is counted: a receive begins when its message is there (instructions.c).",
                      "", "Where they are executed: files of the source with a twentieth and more",
                      *(f"{title}: {most(places[name])}" for name, title in ROWS if name in found)]) + "\n"
    sys.stdout.write(text)
    (pathlib.Path(out) / "instructions.txt").write_text(text, encoding="utf-8")
    content = {"unit": "instructions per operation", "per_operation": found, "by_file": places}
    (pathlib.Path(out) / "instructions.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
