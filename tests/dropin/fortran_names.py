#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_names.py TABLE MPIF: what becomes of each name that mpif.h and the modules mpi and mpi_f08 of the MPI underneath have?

MPIF is ep's mpif.h, beside which its modules are; EPFORT and MPIFORT are the compilers. Each name exists in ep's, or is listed below with a
reason, and so is each argument that is another: in its name, type, kind, intent or shape. Constants have the values underneath. All
functions of TABLE link in each of the three styles.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from gfortran_module import Module  # noqa: E402

# Names that ep's do not have.
LEFT_OUT = [
    (r"p?mpi_\w+_f08(ts)?(_large)?|p?mpi_sizeof_\w+|\w+(eq|neq)|\w+_op_(eq|ne)", "specific procedures, which no program calls"),
    (r"p?(ompi|mpix|mpir|mpixr)_\w+|mpi_(have|major|minor|release)_\w+", "extensions"),
    (r"c_\w+|p?mpi_f08(_\w+)?|p?mpi_\w*interfaces\w*|mpi_(base|constants|sizeofs|c_interface\w*)|mpi_fortran_\w+", "of how it is made"),
    (r"p?mpi_\w+_(c2f|f2c|c2f08|f082c)|mpi_(is_fortran|mpi_init)\w*", "C's"),
    (r"p?mpi_(session\w*|(delete_)?error_(class|code|string)\w*|\w+_(init|session)|err_session|err_proc_aborted|err_value_too_large"
     r"|info_(get_string|create_env)|p(arrived|ready\w*|recv_init|send_init)|isendrecv(_replace)?|comm_(create_from_group|idup_with_info)"
     r"|group_from_session_pset|intercomm_create_from_groups|conversion_fn_null_c|(datarep_conversion|user)_function_c)", "of later standards"),
    (r"p?mpi_sizeof", "in mpif.h: needs an interface of TS 29113, which not every option of a compiler allows", "mpif.h"),
]

# Constants of other values: ep's own, and predefined attributes, which are as in C.
VALUES = (r"mpi_(version|subversion|status_size|source|tag|error|bsend_overhead|(comm|group|request|message|errhandler|win)_(null|no_proc)"
          r"|comm_(world|self)|group_empty|message_no_proc|errors_\w+|appnum|host|io|lastusedcode|tag_ub|universe_size|wtime_is_global"
          r"|win_(base|create_flavor|disp_unit|model|size))")
# Arguments that are others in mpi_f08: function, what is written there, and why ep's is right.
F08 = [
    (r"\w+", r".*:: (status|array_of_statuses)(\(.*)?", "MPI_STATUS_IGNORE may be given: no intent (A.3)"),
    (r"\w+", r"type\(\*\).*:: \w+\(\*\)", "Open MPI without TS 29113: no DIMENSION(..), hence no ASYNCHRONOUS"),
    (r"aint_(add|diff)", r"integer.*", "they are functions of values"),
    (r"dist_graph_\w+", r"integer.*weights\(.*", "MPI_UNWEIGHTED may be given: (*), no intent (A.3)"),
    (r"win_get_info", r".*:: info", "info_used (A.3)"),
    (r"ialltoall", r".*asynchronous :: (send|recv)count", "not an array (A.3)"),
    (r"ineighbor_\w+", r".*, intent\(in\) :: \w+\(\*\)", "arrays are ASYNCHRONOUS as in other non-blocking collectives (A.3)"),
    (r"(graph_(create|get|map)|(wait|test)any)", r".*:: indx.*", "index (A.3 of MPI-3.1; MPI-4 has indx)"),
    (r"group_range_\w+", r".*ranges\(n,3\)", "ranges(3,n)"),
    (r"comm_spawn_multiple", r".*\(count\)", "array_of_maxprocs(*), array_of_info(*) (A.3 of MPI-3.1)"),
    (r"i?bcast|sendrecv_replace|reduce_local", r"type\(\*\), intent\(inout\).*", "MPI_BOTTOM and MPI_IN_PLACE are allowed: no intent (A.3)"),
    (r"comm_idup", r".*:: newcomm", "ASYNCHRONOUS: set when the request is complete"),
    (r"\w+", r"character\(\d+\).*", "MPICH's constants are one more in mpi_f08: lengths are one less than in C (A.1.1)"),
    (r"pcontrol|f_sync_reg", r"2 arguments.*", "no ierror (A.3)"),
    (r"sizeof", r".*", "one procedure for all types and ranks"),
]
# The same in mpi, where only types, kinds, rank, and intents that both have are compared.
MPI = [
    (r"win_get_info", r".*", "Open MPI's are those of another function"),
    (r"buffer_attach|free_mem|f_sync_reg|get_address", r"type\(\*\).*", "as in mpi_f08"),
    (r"dist_graph_neighbors", r".*weights", "as in mpi_f08"),
    (r"(null_copy|dup|null_delete)_fn", r"integer\(8\).*", "INTEGER in MPI-1 (A.5)"),
    (r"conversion_fn_null", r".*", "a name that is given, never called"),
    (r"sizeof", r".*", "one procedure for all types and ranks"),
]
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def run(*command, cwd=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    return done.returncode, done.stdout + done.stderr


def find(name, folders):
    return next((p for p in (pathlib.Path(f) / name for f in folders) if p.exists()), None)


def header_names(path, folders):
    """All names of MPI in a header and in what it includes."""
    text = re.sub(r"^[!cC*].*$|!.*$", "", path.read_text(), flags=re.M)
    names = {n.lower() for n in re.findall(r"\bP?MPI_\w+", text, re.I) if not n.lower().endswith("_kind_")}
    for other in re.findall(r"^\s*include\s+'(.*?)'", text, re.M | re.I):
        found = find(other, [path.parent] + folders)
        names |= header_names(found, folders) if found else set()
    return names


def check_names(what, theirs, ours):
    expect(len(theirs) > 200, f"{what} underneath has only {len(theirs)} names")
    for name in sorted(theirs - ours):
        reason = any(re.fullmatch(pattern, name) and what in ([what] if not where else where)
                     for pattern, _, *where in LEFT_OUT)
        expect(reason, f"{what}: no {name}")


def check_values(theirs, ours):
    compared = 0
    for name in sorted(theirs.names() & ours.names()):
        a, b = theirs.value(name), ours.value(name)
        if a is not None and not re.fullmatch(VALUES, name):
            compared += 1
            expect(a == b, f"{name} is {b}, underneath {a}")
    expect(compared > 200, f"only {compared} constants compared")


def loose(argument):
    """What is compared in module mpi."""
    rank = argument.shape.count(",") + 1 if argument.shape else 0
    kind = re.sub(r"character\(.*\)", "character", argument.type)
    return f"{kind} :: {argument.name}", (kind, 0 if kind == "type(*)" else rank, argument.intent)


def same_loosely(a, b):
    return a[:2] == b[:2] and (a[2] == b[2] or not a[2] or not b[2])


def differences(what, theirs, ours):
    """Of two procedures: pairs of arguments."""
    if theirs.result != ours.result or len(theirs.arguments) != len(ours.arguments):
        yield f"{len(theirs.arguments)} arguments, result {theirs.result}", f"{len(ours.arguments)}, {ours.result}"
        return
    for a, b in zip(theirs.arguments, ours.arguments):
        if what == "mpi_f08" and repr(a) != repr(b):
            yield repr(a), repr(b)
        elif what == "mpi" and not same_loosely(loose(a)[1], loose(b)[1]):
            yield loose(a)[0], loose(b)[0]


def check_arguments(what, theirs, ours):
    known = F08 if what == "mpi_f08" else MPI
    compared = 0
    for name in sorted(theirs.names() & ours.names()):
        mine = ours.procedures(name)
        for procedure in theirs.procedures(name):
            if procedure.name.endswith(("_large", "_f08", "_f08ts")) and name == procedure.name or procedure.name.endswith("_large"):
                continue
            if not procedure.arguments and not procedure.result and re.search(r"_fn$|_null$", name):
                continue  # a predefined callback without its interface
            compared += 1
            best = min((list(differences(what, procedure, m)) for m in mine), key=len)
            for a, b in best:
                function = re.sub(r"^p?mpi_", "", name)
                expect(any(re.fullmatch(f, function) and re.fullmatch(w, a) for f, w, _ in known), f"{what}: {name}: {a}, ep's: {b}")
    print(f"{what}: {compared} procedures compared")
    expect(compared > 200, f"{what}: only {compared} procedures compared")


# ---- All link

TAKE = "subroutine take(what)\n  external what\nend subroutine\n"
TYPED = r"p?mpi_(wtime|wtick|aint_add|aint_diff)"  # declared in mpif.h, as are predefined callbacks


def specific_names(module):
    """What a program can name as an actual argument."""
    return sorted({p.name for name in module.names() if re.match(r"p?mpi_(?!.*_function$)", name) for p in module.procedures(name)})


def linked(style, epfort, folder, names, *flags):
    lines = ["      program p", "      include 'mpif.h'" if style == "mpif.h" else f"      use {style}", "      external take"]
    if style == "mpif.h":
        lines += [f"      external {n}" for n in names if not re.fullmatch(TYPED + "|.*_fn|.*_fn_null", n)]
    lines += [f"      call take({n})" for n in names] + ["      end"]
    (folder / "take.f90").write_text(TAKE)
    (folder / "all.f90").write_text("\n".join(lines) + "\n")
    return run(epfort, "-w", *flags, "all.f90", "take.f90", "-o", "all", cwd=folder)


def check_linked(style, epfort, folder, module, kinds):
    """What ep has links, what it lacks is named, or links with --missing=run."""
    there, lacking = [], []
    lacks = {"mpi_" + n.lower(): "MPI_" + n for n, kind in kinds.items() if kind == "lacks"}
    for name in specific_names(module):
        if style != "mpif.h" or not name.endswith(("_f08ts", "_cptr")):
            plain = re.sub(r"_f08(ts)?$", "", name.removeprefix("p"))
            (lacking if plain in lacks else there).append(name)
    expect(len(there) > 500 and len(lacking) > 100, f"{style}: only {len(there)} and {len(lacking)} functions to link")
    rc, error = linked(style, epfort, folder, there)
    expect(rc == 0, f"{style}: not all functions link:\n{error}")
    rc, error = linked(style, epfort, folder, lacking)
    expect(rc != 0, f"{style}: a program with what ep lacks links")
    for name in {lacks[re.sub(r"_f08(ts)?$", "", n.removeprefix("p"))] for n in lacking}:
        expect(f"ep has no {name} " in error, f"{style}: the error does not name {name}")
    rc, error = linked(style, epfort, folder, lacking, "--missing=run")
    expect(rc == 0, f"{style}: what ep lacks does not link with --missing=run:\n{error}")


def read_table(path):
    kinds = {}
    for line in pathlib.Path(path).read_text().splitlines():
        if line and line[0] not in "#*":
            kinds[re.search(r"\bMPI_(\w+)\(", line).group(1)] = line.split()[0]
    return kinds


def main():
    kinds, ep = read_table(sys.argv[1]), pathlib.Path(sys.argv[2]).parent
    _, flags = run(os.environ["MPIFORT"], "-show")
    folders = re.findall(r"-I(\S+)", flags)
    header = find("mpif.h", folders)
    expect(header, f"no mpif.h in {folders}")
    check_names("mpif.h", header_names(header, folders), header_names(ep / "mpif.h", []))
    modules = {what: Module(ep / (what + ".mod")) for what in ("mpi", "mpi_f08")}
    for what, ours in modules.items():
        path = find(what + ".mod", folders)
        if path:
            theirs = Module(path)
            check_names(what, theirs.names(), ours.names())
            check_arguments(what, theirs, ours)
            if what == "mpi":
                check_values(theirs, ours)
        else:
            print(f"no {what}.mod in {folders}")
    with tempfile.TemporaryDirectory() as name:
        for style in ("mpif.h", "mpi", "mpi_f08"):
            check_linked(style, os.environ["EPFORT"], pathlib.Path(name), modules.get(style, modules["mpi"]), kinds)
    sys.exit(1 if failures else 0)


main()
