# SPDX-License-Identifier: BSD-3-Clause
"""What a function of MPI is in Fortran (MPI 17.1, A.3 to A.5), from its signature in C (signatures.py): the kind, the intent and the
shape of each argument. From this fortran_calls.py makes the C side of the bindings, fortran_modules.py mpif.h and the modules.
"""
import re

HANDLES = ("Comm", "Group", "Request", "Message", "Errhandler", "Win", "Datatype", "Op", "Info", "File")
INTEGERS = {"int": "integer", "MPI_Fint": "integer", "MPI_Aint": "address", "MPI_Offset": "offset", "MPI_Count": "count"}

# Integers that are LOGICAL.
LOGICAL = {"flag", "commute", "reorder", "high", "periods", "remain_dims", "weighted"}
# Arguments in and out, and handles that may become null. All others are in where C takes them by value or as const.
INOUT = {("", "position"), ("Dims_create", "dims"), ("Sendrecv_replace", "buf"), ("Reduce_local", "inoutbuf"), ("Bcast", "buffer"),
         ("Ibcast", "buffer"), ("Mrecv", "message"), ("Imrecv", "message"), ("Start", "request"), ("Startall", "array_of_requests")}
# Callers keep MPI's functions of C only: these are for C programs, or written by hand for other arguments.
NOT_FORTRAN = re.compile(r".*_(c2f|f2c|c2f08|f082c)$|T_\w+|Pcontrol$")


class Argument:
    """
    kind    choice, integer, address, offset, count, logical, string, strings, status, procedure, extra (an extra_state),
            attribute, pointer (where memory is allocated), or a handle's: comm, group, ...
    intent  in, out, inout; None for choice buffers that others read later, and procedures
    shape   None: scalar; "*", "3,*": as Fortran writes it
    type    the procedure's, without MPI_
    """
    def __init__(self, name, kind, intent, shape=None, type_=None):
        self.name, self.kind, self.intent, self.shape, self.type = name, kind, intent, shape, type_

    @property
    def is_handle(self):
        return self.kind.capitalize() in HANDLES

    def __repr__(self):
        shape = f"({self.shape})" if self.shape else ""
        return f"{self.intent or 'any'} {self.kind}{':' + self.type if self.type else ''} {self.name}{shape}"


def intent_of(function, name, text, is_pointer):
    if any(name == n and f in ("", function) for f, n in INOUT):
        return "inout"
    if not is_pointer or "const " in text:
        return "in"
    if re.search(r"(^|_)(free|disconnect|detach|cancel)$", function.lower()) and re.search(r"\b(ep|MPI)_\w+ \*", text):
        return "inout"
    return "out"


def argument_of(function, name, text):
    base = re.sub(r"\bconst\b|\brestrict\b", "", text).split()[0]
    short = re.sub(r"^(ep_|MPI_)", "", base).capitalize()
    array = re.search(r"((?:\[\d*\])+)$", text)
    is_pointer = "*" in text or bool(array)
    intent = intent_of(function, name, text, is_pointer)
    shape = ("3,*" if "[3]" in text else "*") if array else None
    if re.search(r"_(function|fn)$", base):
        return Argument(name, "procedure", None, type_=base)
    if base == "char":
        return Argument(name, "strings" if array else "string", intent, shape)
    if base == "void":
        if name == "extra_state":
            return Argument(name, "extra", "in")
        if re.match(r"attr(ibute)?_val", name):
            return Argument(name, "attribute", "out" if re.search(r"get", function, re.I) else "in")
        if name == "baseptr" or name == "buffer_addr":
            return Argument(name, "pointer", "out")
        return Argument(name, "choice", intent if "const" not in text else "in")
    if short == "Status":
        return Argument(name, "status", intent, shape or ("*" if name.endswith("statuses") else None))
    if short in HANDLES:
        plural = array or (is_pointer and name.endswith("s") and name.startswith("array"))
        handle_intent = intent
        if short == "Request" and is_pointer and re.match(r"(wait|test|start)", function, re.I):
            handle_intent = "inout"
        return Argument(name, short.lower(), handle_intent, "*" if plural else None)
    kind = INTEGERS[base]
    if kind == "integer" and name in LOGICAL:
        kind = "logical"
    if kind == "integer" and name.endswith("weights"):
        shape = "*"
    return Argument(name, kind, intent, shape)


def fortran_arguments(f):
    """f: a Function of signatures.py. None: it is none of Fortran's."""
    if NOT_FORTRAN.match(f.name):
        return None
    return [argument_of(f.name, name, text) for name, text in f.types.items()]
