#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_calls.py OUTDIR TABLE HEADER...: from the signatures (signatures.py, fortran_signatures.py) make the C side of the Fortran
bindings:

fortran_calls.h    the procedures, as gfortran calls them, written by hand (src/fortran) or made
fortran_lacks.c    procedures of functions that ep does not have: errors when called
calls_PART.c       pmpi_xxx_: changes the arguments into C's, calls what C's PMPI_Xxx is, changes the results into Fortran's
choice_PART.c      pmpi_xxx_f08ts_: the same for mpi_f08, which is BIND(C): choice buffers and strings are descriptors

A procedure has several symbols. mpi_xxx_ is weak: a program may have its own. The specific procedures of mpi_f08 (pmpi_xxx_f08_)
are called in the same way where no buffer is.
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from fortran_signatures import MPI_1, fortran_arguments  # noqa: E402
from signatures import read_headers, read_table  # noqa: E402

# Files and the functions in them; what no earlier one has.
PARTS = [
    ("rma", r"Win_|R?(put|get|accumulate|get_accumulate)$|Compare_and_swap|Fetch_and_op"),
    ("coll", r"I?(barrier|bcast|(all)?gatherv?|scatterv?|alltoall[vw]?|(all)?reduce|reduce_scatter(_block)?|(ex)?scan|neighbor_\w+)$"
             r"|Reduce_local|Op_"),
    ("message", r"(I|M|Im)?([bsr]?send|recv|probe)(_init|recv(_replace)?)?$|Request_|Start|Test$|Wait|Cancel|Buffer_|Status_|Get_(count|elem)"
                r"|Test_cancelled|Grequest"),
    ("type", r"Type_|(Un)?pack|Get_address|Address"),
    ("group", r"Group_"),
    ("topology", r"Cart|Graph|Dist_graph|Dims|Topo"),
    ("comm", r"Comm_|Intercomm|Attr_|Keyval_"),
    ("other", ""),
]

# By hand in src/fortran, with the prototypes that are made here ...
BY_HAND = {"Init", "Init_thread", "Wtime", "Wtick", "Aint_add", "Aint_diff", "Buffer_detach", "Address", "Type_extent", "Type_lb", "Type_ub",
           "Type_hvector", "Type_hindexed", "Type_struct", "Type_get_contents", "Info_get",
           "Wait", "Startall", "Waitall", "Waitany", "Waitsome", "Testall", "Testany", "Testsome"}
# ... and without: they call the program back, or keep what it gives.
BY_HAND_KINDS = {"procedure", "attribute", "extra"}

TYPES = {"integer": "MPI_Fint", "logical": "MPI_Fint", "address": "MPI_Aint", "count": "MPI_Count", "offset": "MPI_Offset",
         "string": "char", "strings": "char", "status": "MPI_Fint", "choice": "void", "pointer": "void"}
HANDLE_TYPES = {"datatype": ("MPI_Datatype", "MPI_DATATYPE_NULL"), "op": ("MPI_Op", "MPI_OP_NULL"), "info": ("MPI_Info", "MPI_INFO_NULL")}

# Strings that C writes into.
ROOM = {"Error_string": "MPI_MAX_ERROR_STRING", "Get_library_version": "MPI_MAX_LIBRARY_VERSION_STRING",
        "Get_processor_name": "MPI_MAX_PROCESSOR_NAME", "Info_get_nthkey": "MPI_MAX_INFO_KEY + 1"}
# Other names of the same code: those that give a TYPE(C_PTR), in module mpi.
ALSO = {"Alloc_mem": ["alloc_mem_cptr"], "Win_allocate": ["win_allocate_cptr"], "Win_allocate_shared": ["win_allocate_shared_cptr"],
        "Win_shared_query": ["win_shared_query_cptr"]}
# What becomes of buffers whose elements do not follow each other (fortran/section.h). By their names, "section" if a count and a
# datatype follow, and the call is not for several ranks' blocks or an operator.
COPIED = re.compile(r"I?(barrier|(all)?gatherv?|scatterv?|alltoall[vw]?|(all)?reduce|reduce_scatter(_block)?|(ex)?scan|neighbor_\w+)$"
                    r"|Reduce_local|(Un)?pack(_external)?$", re.I)
ELEMENTS = re.compile(r"Fetch_and_op|Compare_and_swap")
LENT = re.compile(r"Buffer_attach|Win_create|Win_attach")
# Where each instruction counts.
QUICK = re.compile(r"I?[bsr]?send$|I?recv$", re.I)
# Their status is written only if the flag is true.
HAS_FLAG = re.compile(r"Iprobe|Improbe|Test|Request_get_status")


def c_call(f):
    return {"same": "ep_" + f.name.lower(), "direct": "MPI_" + f.name}.get(f.kind, "ep_PMPI_" + f.name)


def handle_type(kind):
    return HANDLE_TYPES.get(kind, (f"ep_{kind}", f"EP_{kind.upper()}_NULL"))


class Procedure:
    """A function and its arguments, and code for what is around its call: before it, what must succeed first, its arguments in C,
    after it, if it succeeded, and at last."""
    def __init__(self, f, arguments, descriptors=False):
        self.f, self.arguments, self.descriptors = f, arguments, descriptors
        self.symbol = f.name.lower()
        self.has_choice = any(a.kind == "choice" for a in arguments)
        self.before, self.first, self.call, self.after, self.success, self.last = [], [], [], [], [], []
        self.given = []  # arguments that are no more to be looked at

    def parameters(self):
        def type_of(a):
            if a.kind in ("choice", "string") and self.descriptors:
                return "struct descriptor"
            if a.mpi1:
                return "MPI_Fint"
            return TYPES.get(a.kind, "MPI_Fint")
        main = [f"{type_of(a)} *{a.name}" for a in self.arguments] + ["MPI_Fint *ierror"]
        return ", ".join(main + [f"size_t {a.name}_length" for a in self.strings() if not self.descriptors])

    def strings(self):
        return [a for a in self.arguments if a.kind in ("string", "strings")]

    def names(self):
        return ", ".join([a.name for a in self.arguments] + ["ierror"])

    def plain_names(self):
        """For the procedure without descriptors."""
        names = [a.name + ("->base" if a.kind in ("choice", "string") else "") for a in self.arguments]
        return ", ".join(names + ["ierror"] + [f"{a.name}->element" for a in self.strings()])

    def prototype(self):
        return f"void pmpi_{self.symbol}{'_f08ts' if self.descriptors else ''}_({self.parameters()})"

    def with_descriptors(self):
        return Procedure(self.f, self.arguments, True)

    def aliases(self):
        symbols = [self.symbol] + ALSO.get(self.f.name, [])
        for s in symbols:
            if s != self.symbol:
                yield f"FORTRAN_NAME({self.symbol}, p, {s})"
            yield f"FORTRAN_NAME_WEAK({self.symbol}, , {s})"
        if not self.has_choice and self.f.name not in MPI_1:
            yield f"FORTRAN_NAME({self.symbol}, p, {self.symbol}_f08)"
            yield f"FORTRAN_NAME_WEAK({self.symbol}, , {self.symbol}_f08)"


def add_handle(p, a):
    type_, null = handle_type(a.kind)
    is_ours = a.kind not in HANDLE_TYPES
    if a.kind == "datatype" and a.shape and a.intent == "in":
        return add_datatypes(p, a)
    if a.intent == "in":
        p.call.append(f"{a.kind}_f2c(*{a.name})")
        return None
    start = null if a.intent == "out" else f"{a.kind}_f2c(*{a.name})"
    p.before.append(f"{type_} {a.name}_c = {start};")
    p.call.append(f"&{a.name}_c")
    if a.intent == "inout" and is_ours:
        p.after.append(f"if (!{a.name}_c)\n        *{a.name} = NULL_NUMBER;")
    elif p.f.name == "Comm_idup":  # a call that fails has a request, too
        number = "ep_fortran_comm_coming" if a.kind == "comm" else "request_c2f"  # it has a number, but is none yet
        p.after.append(f"if ({a.name}_c)\n        *{a.name} = {number}({a.name}_c);")
    else:
        p.success.append(f"*{a.name} = {a.kind}_c2f({a.name}_c);")
    return None


def add_datatypes(p, a):
    if a.name == "sendtypes" or a.name == "recvtypes":
        if "n_in" not in "".join(p.before):
            p.before.append("int n_in, n_out;")
            p.before.append(f"alltoall_{'neighbors' if 'eighbor' in p.f.name else 'peers'}(comm_f2c(*comm), &n_in, &n_out);")
        n = "n_in" if a.name == "recvtypes" else "n_out"
        if a.name == "sendtypes":
            n = f"{'sendbuf_c.buffer' if p.descriptors else 'choice_f2c(sendbuf)'} == MPI_IN_PLACE ? 0 : n_out"
    else:
        n = "*count"
    comm = "comm_f2c(*comm)" if any(b.name == "comm" for b in p.arguments) else "EP_COMM_WORLD"
    p.before.append(f"struct datatypes {a.name}_c = {{0}};")
    p.first.append(f'datatypes_take({comm}, "MPI_{p.f.name}", &{a.name}_c, {n}, {a.name})')
    p.call.append(f"{a.name}_c.all")
    p.last.append(f"datatypes_drop(&{a.name}_c);")


def add_status(p, a):
    if a.intent == "in":
        p.before.append(f"ep_status {a.name}_c;\n    status_read({a.name}, &{a.name}_c);")
        p.call.append(f"&{a.name}_c")
        return
    if a.intent == "inout":
        p.before.append(f"ep_status {a.name}_c;\n    status_read({a.name}, &{a.name}_c);")
        p.call.append(f"&{a.name}_c")
        p.success.append(f"status_write(&{a.name}_c, {a.name});")
        return
    read = "status_read" if HAS_FLAG.match(p.f.name) else "status_begin"
    p.before.append(f"ep_status {a.name}_c, *{a.name}_to = status_is_ignored({a.name}) ? EP_STATUS_IGNORE : &{a.name}_c;\n"
                    f"    if ({a.name}_to)\n        {read}({a.name}, {a.name}_to);")
    p.call.append(f"{a.name}_to")
    p.after.append(f"if ({a.name}_to)\n        status_write({a.name}_to, {a.name});")


def add_string(p, a):
    if a.intent == "in":
        lead = "true" if p.f.name.startswith("Info_") else "false"
        p.before.append(f"struct string {a.name}_c = {{0}};")
        text = f"{a.name}->base, {a.name}->element" if p.descriptors else f"{a.name}, {a.name}_length"
        p.first.append(f'string_take("MPI_{p.f.name}", &{a.name}_c, {text}, {lead})')
        p.call.append(f"{a.name}_c.text")
        p.last.append(f"string_drop(&{a.name}_c);")
        return
    p.before.append(f'char {a.name}_c[{ROOM.get(p.f.name, "MPI_MAX_OBJECT_NAME")}] = "";')
    p.call.append(f"{a.name}_c")
    p.success.append(f"string_give({a.name}, {a.name}_length, {a.name}_c);")


def add_choice(p, a):
    """A buffer that a descriptor says."""
    name = p.f.name
    known = {"comm": "comm_f2c(*comm)", "win": "ep_fortran_comm_of_win(win_f2c(*win))"}  # whose error handler is called
    comm = next((known[b.name] for b in p.arguments if b.name in known), "EP_COMM_NULL")
    start = f'{comm}, "MPI_{name}", &{a.name}_c, {a.name}'
    if COPIED.match(name):
        p.before.append(f"struct copied {a.name}_c = {{0}};")
        p.first.append(f"copied_take({start}, {'false' if a.intent == 'in' else 'true'})")
        p.call.append(f"{a.name}_c.buffer")
        waits = any(b.name == "request" for b in p.arguments)
        p.last.append(f"copied_drop_with(&{a.name}_c, request_c);" if waits else f"copied_drop(&{a.name}_c);")
    elif ELEMENTS.match(name) or LENT.match(name):
        p.before.append(f"void *{a.name}_c = NULL;")
        p.first.append(f"element_take({start}, datatype_f2c(*datatype))" if ELEMENTS.match(name) else f"memory_take({start})")
        p.call.append(f"{a.name}_c")
    else:
        i = p.arguments.index(a)
        if [b.kind for b in p.arguments[i:i + 3]] != ["choice", "integer", "datatype"]:
            p.call.append(f"choice_f2c({a.name}->base)")
            return
        count, datatype = p.arguments[i + 1:i + 3]
        p.before.append(f"struct mapped {a.name}_c = {{0}};")
        p.first.append(f"mapped_take({start}, *{count.name}, datatype_f2c(*{datatype.name}))")
        p.call += [f"{a.name}_c.base", f"{a.name}_c.count", f"{a.name}_c.type"]
        p.last.append(f"mapped_drop(&{a.name}_c);")
        p.given += [count, datatype]


def add_argument(p, a):
    if a in p.given:
        return
    if a.kind == "choice" and p.descriptors:
        add_choice(p, a)
    elif a.kind == "choice":
        p.call.append(f"choice_f2c({a.name})")
    elif a.kind == "pointer":
        p.call.append(a.name)
    elif a.kind == "string":
        add_string(p, a)
    elif a.kind == "status":
        add_status(p, a)
    elif a.is_handle:
        add_handle(p, a)
    elif a.name.endswith("weights"):
        p.call.append(f"{'' if a.intent == 'in' else '(int *)'}weights_f2c({a.name})")
    elif a.shape == "3,*":
        p.call.append(f"(int(*)[3]){a.name}")
    elif a.shape or a.intent != "in":
        p.call.append(a.name)
    else:
        p.call.append(f"*{a.name}")


def body(p):
    """The lines of a procedure."""
    for a in p.arguments:
        add_argument(p, a)
    call = f"{c_call(p.f)}({', '.join(p.call)})"
    yield from p.before
    if p.first:
        yield f"int rc = {p.first[0]};"
        for step in p.first[1:] + [call]:
            yield f"if (rc == MPI_SUCCESS)\n        rc = {step};"
    else:
        yield f"int rc = {call};"
    yield from p.after
    if len(p.success) == 1:
        yield f"if (rc == MPI_SUCCESS)\n        {p.success[0]}"
    elif p.success:
        yield "if (rc == MPI_SUCCESS) {\n        " + "\n        ".join(p.success) + "\n    }"
    yield from p.last
    yield "ierror_set(ierror, rc);"


def quick(p, general):
    """The procedure for predefined datatypes and buffers that are none of the sentinels. All else is left to the general one. What writes an
    error code or a status, or looks for a communicator, is another function: without it nothing is called before C's function is, and
    that is all that is left, unless there is a request. So registers need not be saved."""
    apart = "\n__attribute__((noinline)) static void"
    yield f"{apart} {p.symbol}_general({p.parameters()})\n{{\n    {general}\n}}"
    buf, buffer = ("buf->base", "!descriptor_is_row(buf)") if p.descriptors else ("buf", "sentinel_may_be(buf)")
    checks = ("MPI_Datatype datatype_c;\n"
              f"    if ({buffer} || unlikely(!datatype_quick(*datatype, &datatype_c))) {{\n"
              f"        {p.symbol}_general({p.names()});\n        return;\n    }}")
    is_recv = p.f.name == "Recv"
    if any(a.kind == "request" for a in p.arguments):
        known = {"comm_f2c(*comm)": "comm_c", "datatype_f2c(*datatype)": "datatype_c", "choice_f2c(buf)": buf}
        calls = list(body(Procedure(p.f, p.arguments)))
        for call, value in known.items():
            calls = [line.replace(call, value) for line in calls]
        told = "\n    ".join(calls)
        quick_call = "\n    ".join(calls[:-1])
    else:
        of = f"({buf}, *count, datatype_c, *{'source' if is_recv else 'dest'}, *tag, comm_c"
        quick_call = f"{c_call(p.f)}{of}{', EP_STATUS_IGNORE' * is_recv});"
        told = f"ierror_set(ierror, {'recv_status' + of + ', status)' if is_recv else quick_call[:-1]});"
    yield f"{apart} {p.symbol}_told({p.parameters()})\n{{\n    {checks}\n    ep_comm comm_c = comm_f2c(*comm);\n    {told}\n}}"
    asked = "ierror || " + "!status_is_own_ignore(status) || " * is_recv + "unlikely(!comm_quick(*comm, &comm_c))"
    yield (f"\n{p.prototype()}\n{{\n    ep_comm comm_c;\n    if ({asked}) {{\n        {p.symbol}_told({p.names()});\n"
           f"        return;\n    }}\n    {checks}\n    {quick_call}\n}}")


def calls_c(procedures):
    yield '#include <fortran_calls.h>\n\n#include "fortran/fortran.h"'
    for p in procedures:
        if QUICK.match(p.f.name):
            yield from quick(p, "\n    ".join(body(p)))
        else:
            yield f"\n{p.prototype()}\n{{\n    " + "\n    ".join(body(p)) + "\n}"
        yield "\n".join(p.aliases())


def choice_c(procedures):
    yield '#include <fortran_calls.h>\n\n#include "fortran/section.h"'
    for plain in procedures:
        p = plain.with_descriptors()
        buffers = [a.name for a in p.arguments if a.kind == "choice"]
        lines = list(body(p))
        asked = " && ".join(f"likely(descriptor_is_plain({b}))" for b in buffers)
        plainly = f"pmpi_{p.symbol}_({p.plain_names()});"
        if p.first:
            yield (f"\n__attribute__((noinline, cold)) static void {p.symbol}_apart({p.parameters()})\n{{\n    " +
                   "\n    ".join(lines) + "\n}")
            plainly = f"if ({asked})\n        {plainly}\n    else\n        {p.symbol}_apart({p.names()});"
        if QUICK.match(p.f.name):
            yield from quick(p, plainly)
        else:
            yield f"\n{p.prototype()}\n{{\n    {plainly}\n}}"
        yield f"FORTRAN_NAME_WEAK({p.symbol}_f08ts, , {p.symbol}_f08ts)"


def calls_h(procedures):
    yield "#ifndef FORTRAN_CALLS_H\n#define FORTRAN_CALLS_H\n"
    yield '#include <ep.h>\n#include <stddef.h>\n\n#include "fortran/names.h"\n\nstruct descriptor;\n'
    for p in procedures:
        yield p.prototype() + ";"
        if p.has_choice:
            yield p.with_descriptors().prototype() + ";"
    yield "\n#endif"


def lacks_c(procedures):
    yield '#include "dropin/dropin.h"\n\n#include "fortran/names.h"\n'
    for p in procedures:
        arguments = "".join(f"const void *a{i}, " for i in range(len(p.arguments)))
        unused = "".join(f"(void)a{i}, " for i in range(len(p.arguments)))
        prototype = f"void pmpi_{p.symbol}_({arguments}MPI_Fint *ierror)"
        yield (f"{prototype};\n{prototype}\n{{\n    int rc = ep_lacking(\"MPI_{p.f.name}\");\n"
               f"    {unused}(void)(ierror && (*ierror = rc));\n}}")
        names = [p.symbol, p.symbol + ("_f08ts" if p.has_choice else "_f08")]
        yield f"FORTRAN_NAME_WEAK({p.symbol}, , {names[0]})"
        yield f"FORTRAN_NAME({p.symbol}, p, {names[1]})\nFORTRAN_NAME_WEAK({p.symbol}, , {names[1]})\n"


def is_by_hand(p):
    return p.f.name in BY_HAND or any(a.kind in BY_HAND_KINDS for a in p.arguments)


def main(outdir, table, *headers):
    functions = [f for _, some in read_table(table, read_headers(headers)) for f in some]
    procedures = [Procedure(f, arguments) for f in functions for arguments in [fortran_arguments(f)] if arguments is not None]
    ours = [p for p in procedures if p.f.kind != "lacks"]
    regular = [p for p in ours if not is_by_hand(p)]
    declared = [p for p in ours if not any(a.kind in BY_HAND_KINDS for a in p.arguments) and p.f.result == "int"]
    texts = {"fortran_calls.h": calls_h(declared), "fortran_lacks.c": lacks_c([p for p in procedures if p.f.kind == "lacks"])}
    for part, pattern in PARTS:
        some = [p for p in regular if re.match(pattern, p.f.name, re.I)]
        regular = [p for p in regular if p not in some]
        texts[f"calls_{part}.c"] = calls_c(some)
        if any(p.has_choice for p in some):
            texts[f"choice_{part}.c"] = choice_c([p for p in some if p.has_choice])
    for name, text in texts.items():
        head = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/fortran_calls.py. */\n"
        pathlib.Path(outdir, name).write_text(head + "\n".join(text) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
