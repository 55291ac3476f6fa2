#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_modules.py OUTDIR CONSTANTS VALUES VALUES TABLE HEADER...: what Fortran programs include and use, from the constants
(fortran_constants.py; VALUES is what its programs printed) and the signatures (fortran_signatures.py):

mpif.h        in fixed and free form
ep_types.f90  module ep_mpi_constants: numbers and kinds; module ep_mpi_types: the types of handles, statuses
mpi.f90       module mpi
mpi_f08.f90   module mpi_f08

Each function has the linker's name of its specific procedure: MPI_Xxx (mpif.h and mpi), MPI_Xxx_f08ts (mpi_f08, with a choice buffer),
MPI_Xxx_f08 (mpi_f08, without). See 17.1.5 of MPI-3.1.
"""
import pathlib
import sys

sys.dont_write_bytecode = True
from fortran_constants import ABSENT, read_constants  # noqa: E402
from fortran_signatures import HANDLES, MPI_1, Argument, fortran_arguments  # noqa: E402
from signatures import read_headers, read_table  # noqa: E402

MADE = "! SPDX-License-Identifier: BSD-3-Clause\n! Made by tools/fortran_modules.py."

# Numbers that stand for an address, in the order in which src/fortran/sentinels.h has them: name, shape, has it statuses.
SENTINELS = [("MPI_BOTTOM", "", False), ("MPI_IN_PLACE", "", False), ("MPI_STATUS_IGNORE", "", True), ("MPI_STATUSES_IGNORE", "1", True),
             ("MPI_ERRCODES_IGNORE", "1", False), ("MPI_UNWEIGHTED", "1", False), ("MPI_WEIGHTS_EMPTY", "1", False)]
CHARACTERS = [("MPI_ARGV_NULL", "1"), ("MPI_ARGVS_NULL", "1,1")]
COMMONS = [("ep_mpi_sentinels", [s[0] for s in SENTINELS]), ("ep_mpi_sentinels_c", [s[0] for s in CHARACTERS])]

# The arguments of callbacks (A.1.3, A.4), by what their names begin with; {} is the type of the object.
ATTRIBUTE = {"Comm": ("comm", "oldcomm"), "Type": ("datatype", "oldtype"), "Win": ("win", "oldwin")}
COPY = "extra_state attribute_val_in attribute_val_out flag ierror"
DELETE = "attribute_val extra_state ierror"
CALLBACKS = {
    "User_function": "invec inoutvec len datatype",
    "Comm_errhandler_function": "comm error_code", "Win_errhandler_function": "win error_code",
    "File_errhandler_function": "file error_code",
    "Grequest_query_function": "extra_state status ierror", "Grequest_free_function": "extra_state ierror",
    "Grequest_cancel_function": "extra_state complete ierror",
    "Datarep_extent_function": "datatype extent extra_state ierror",
    "Datarep_conversion_function": "userbuf datatype count filebuf position extra_state ierror",
}
for what, (new, old) in ATTRIBUTE.items():
    CALLBACKS[f"{what}_copy_attr_function"] = f"{old} {what.lower()}_keyval {COPY}"
    CALLBACKS[f"{what}_delete_attr_function"] = f"{new} {what.lower()}_keyval {DELETE}"
# Those of MPI-1 are as those of communicators, with INTEGER attributes.
PREDEFINED = {"CONVERSION_FN_NULL": "Datarep_conversion_function"}
for what in ATTRIBUTE:
    PREDEFINED |= {f"{what.upper()}_NULL_COPY_FN": f"{what}_copy_attr_function", f"{what.upper()}_DUP_FN": f"{what}_copy_attr_function",
                   f"{what.upper()}_NULL_DELETE_FN": f"{what}_delete_attr_function"}
PREDEFINED_1 = {"NULL_COPY_FN": "Comm_copy_attr_function", "DUP_FN": "Comm_copy_attr_function",
                "NULL_DELETE_FN": "Comm_delete_attr_function"}

ADDRESS = "integer(MPI_ADDRESS_KIND)"
NUMBERS = {"integer": "integer", "address": ADDRESS, "extra": ADDRESS, "attribute": ADDRESS, "offset": "integer(MPI_OFFSET_KIND)",
           "count": "integer(MPI_COUNT_KIND)", "logical": "logical", "event": "integer(c_intptr_t)"}


class Procedure:
    """ierror: has it one?"""
    def __init__(self, name, arguments, result=None, ierror=True):
        self.name, self.arguments, self.result, self.ierror = name, arguments, result, ierror
        self.has_choice = any(a.kind == "choice" for a in arguments)


def read_procedures(table, headers):
    """All of Fortran's, in the alphabet's order."""
    results = {"double": "double precision", "MPI_Aint": ADDRESS}
    there = []
    for _, functions in read_table(table, read_headers(headers)):
        for f in functions:
            arguments = fortran_arguments(f)
            if arguments is not None:
                result = results.get(f.result)
                there.append(Procedure(f.name, arguments, result, not result))
    return sorted(there + list(without_c()), key=lambda p: p.name)


def without_c():
    """What C does not have, or with other arguments."""
    def status(function, name, intent):
        return Argument(function, name, "status" if "08" in name else "integer", intent, None if "08" in name else "MPI_STATUS_SIZE")
    sync = Argument("F_sync_reg", "buf", "choice", "inout")
    sync.asynchronous = True
    yield Procedure("F_sync_reg", [sync], ierror=False)
    yield Procedure("Pcontrol", [Argument("Pcontrol", "level", "integer", "in")], ierror=False)
    yield Procedure("Sizeof", [Argument("Sizeof", "x", "choice", "inout"), Argument("Sizeof", "size", "integer", "out")])
    for one, other in ("f", "f08"), ("f08", "f"):
        name = f"Status_{one}2{other}"
        yield Procedure(name, [status(name, one + "_status", "in"), status(name, other + "_status", "out")])


def wrapped(text, indent):
    """In lines of free form."""
    pad = " " * indent
    line = pad
    for word in text.split(" "):
        if len(line) + len(word) > 110:
            yield line.rstrip() + " &"
            line = pad + "    "
        line += word + " "
    yield line.rstrip()


# ---- mpif.h

def mpif_h(constants):
    """All lines are valid in fixed and in free form: none is longer than 72 columns, none is continued."""
    yield MADE
    # With -fdefault-integer-8 there are no interfaces that could tell: a division by zero does. KIND and MIN would be names that programs
    # have for variables of their own.
    yield "! Division by zero: MPI needs default integers of 4 bytes (not -fdefault-integer-8)."
    yield "      INTEGER EP_NEEDS_INTEGER_OF_4_BYTES\n      PARAMETER (EP_NEEDS_INTEGER_OF_4_BYTES=32/(64-BIT_SIZE(1)))"
    for c in constants:
        kind = "INTEGER(KIND=MPI_OFFSET_KIND)" if c.name == "MPI_DISPLACEMENT_CURRENT" else "INTEGER"
        yield f"      {kind} {c.name}\n      PARAMETER ({c.name}={c.number})"
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        yield f"      LOGICAL {name}\n      PARAMETER ({name}=.FALSE.)"
    for name, shape, is_status in SENTINELS:
        shape = ",".join(filter(None, ["MPI_STATUS_SIZE" if is_status else "", shape]))
        yield f"      INTEGER {name}" + (f"({shape})" if shape else "")
    for name, shape in CHARACTERS:
        yield f"      CHARACTER {name}({shape})"
    for common, names in COMMONS:
        for name in names:
            yield f"      COMMON /{common}/ {name}"
    for name in list(PREDEFINED) + list(PREDEFINED_1):
        yield f"      EXTERNAL MPI_{name}"
    for p in ("MPI", "PMPI"):
        for name in ("WTIME", "WTICK"):
            # Not DOUBLE PRECISION, which has 16 bytes with -fdefault-real-8.
            yield f"      REAL(KIND=SELECTED_REAL_KIND(15,307)) {p}_{name}\n      EXTERNAL {p}_{name}"
        for name in ("AINT_ADD", "AINT_DIFF"):
            yield f"      INTEGER(KIND=MPI_ADDRESS_KIND) {p}_{name}\n      EXTERNAL {p}_{name}"


# ---- Numbers and types

def constants_f90(constants):
    yield "module ep_mpi_constants\n  implicit none"
    for c in constants:
        if not c.type:
            kind = "(MPI_OFFSET_KIND)" if c.name == "MPI_DISPLACEMENT_CURRENT" else ""
            yield f"  integer{kind}, parameter :: {c.name} = {c.number}"
    yield "end module"


OPERATORS = (("==", "eq"), ("/=", "ne"))
MIXED = (("", "type({})", "%MPI_VAL", "type({})", "%MPI_VAL"), ("_f", "type({})", "%MPI_VAL", "integer", ""),
         ("_from_f", "integer", "", "type({})", "%MPI_VAL"))


def types_f90():
    """Handles can be compared, also to the numbers that they are in mpif.h. MPI_Sizeof is the same in both modules."""
    yield """
module ep_mpi_types
  use, intrinsic :: iso_c_binding, only : c_int
  implicit none
  private :: c_int
"""
    for t in HANDLES:
        yield f"  type, bind(C) :: MPI_{t}\n    integer(c_int) :: MPI_VAL\n  end type"
    yield """
  type, bind(C) :: MPI_Status
    integer(c_int) :: MPI_SOURCE
    integer(c_int) :: MPI_TAG
    integer(c_int) :: MPI_ERROR
    integer(c_int), private :: ep_rest(2)
  end type
"""
    for operator, name in OPERATORS:
        yield f"  interface operator({operator})"
        for t in HANDLES:
            yield "    module procedure " + ", ".join(f"ep_{name}_{t}{m[0]}" for m in MIXED)
        yield "  end interface"
    for prefix in ("MPI_", "PMPI_"):
        for p in without_c():
            if p.name == "Sizeof":
                yield from interface(prefix + p.name, body(p, f"{prefix}{p.name}_f08ts", True))
    for _, name in OPERATORS:
        for t in HANDLES:
            yield "  private :: " + ", ".join(f"ep_{name}_{t}{m[0]}" for m in MIXED)
    yield "contains"
    for operator, name in OPERATORS:
        for t in HANDLES:
            for suffix, left, left_value, right, right_value in MIXED:
                yield f"  elemental logical function ep_{name}_{t}{suffix}(a, b) result(is)"
                yield f"    {left.format('MPI_' + t)}, intent(in) :: a\n    {right.format('MPI_' + t)}, intent(in) :: b"
                yield f"    is = a{left_value} {operator} b{right_value}\n  end function"
    yield "end module"


# ---- Procedures

def attributes(a, is_f08):
    """Target, for what is accessed after the call: the compiler must not believe that nobody has the address any more."""
    later = a.asynchronous and (a.kind == "choice" or a.intent == "out")
    return ((f", intent({a.f08_intent})" if a.f08_intent else "") + (", asynchronous" if a.asynchronous and is_f08 else "")
            + (", target" if later else ""))


def choice(a, is_f08):
    if not is_f08:
        for directive in ("!GCC$ ATTRIBUTES NO_ARG_CHECK ::", "!DEC$ ATTRIBUTES NO_ARG_CHECK ::", "!DIR$ IGNORE_TKR"):
            yield f"{directive} {a.name}"
    yield f"type(*), dimension({'..' if is_f08 else '*'}){attributes(a, is_f08)} :: {a.name}"


def type_of(a, is_f08):
    if a.kind in NUMBERS:
        return "integer" if a.mpi1 else NUMBERS[a.kind]
    if a.kind in ("string", "strings"):
        return f"character(len={a.length if is_f08 else '*'})"
    if a.kind == "status":
        return "type(MPI_Status)" if is_f08 or "08" in a.name else "integer"
    if a.kind == "c_ptr" or a.kind == "pointer" and is_f08:
        return "type(C_PTR)"
    if a.kind == "pointer":
        return ADDRESS
    return f"type(MPI_{a.kind.capitalize()})" if is_f08 else "integer"


def declared(a, is_f08):
    if a.kind == "choice":
        yield from choice(a, is_f08)
    elif a.kind == "procedure":
        yield f"procedure(MPI_{a.type}) :: {a.name}" if is_f08 else f"external :: {a.name}"
    else:
        shape = a.f08_shape if is_f08 else a.shape
        if a.kind == "status" and not is_f08 and "08" not in a.name:
            shape = "MPI_STATUS_SIZE" + (f",{shape}" if shape else "")
        yield f"{type_of(a, is_f08)}{attributes(a, is_f08)} :: {a.name}" + (f"({shape})" if shape else "")


def body(p, name, is_f08, arguments=None):
    """The interface body of p by that name."""
    arguments = p.arguments if arguments is None else arguments
    names = [a.name for a in arguments] + ["ierror"] * p.ierror
    what = f"{p.result} function" if p.result else "subroutine"
    # Of others gfortran passes a copy of a component of an array, which is gone after the call (src/fortran/descriptor.h).
    c = f' bind(C, name="{name.lower()}_")' if is_f08 and any(a.kind == "choice" for a in arguments) else ""
    yield from wrapped(f"{what} {name}({', '.join(names)}){c}", 4)
    yield "      import\n      implicit none"
    for a in arguments:
        for line in declared(a, is_f08):
            yield "      " + line
    if p.ierror:
        yield f"      integer, {'optional, ' * is_f08}intent(out) :: ierror"
    yield f"    end {what.split()[-1]}"


def interface(name, *bodies):
    yield f"  interface {name}"
    for b in bodies:
        yield from b
    yield "  end interface"


# ---- module mpi

def callback_body(name, type_, is_f08, address=ADDRESS):
    names = CALLBACKS[type_].split()
    yield from wrapped(f"subroutine {name}({', '.join(names)})", 4)
    yield "      import\n      implicit none"
    for n in names:
        yield f"      {callback_type(n, is_f08, address)} :: {n}"
    yield "    end subroutine"


def callback_type(name, is_f08, address):
    kinds = {"ierror": "integer", "error_code": "integer", "len": "integer", "count": "integer", "flag": "logical", "complete": "logical",
             "extent": address, "position": "integer(MPI_OFFSET_KIND)"}
    if name in kinds or name.endswith("keyval"):
        return kinds.get(name, "integer")
    if name.startswith(("attribute_val", "extra_state")):
        return address
    if name.endswith(("vec", "buf")):
        return "type(C_PTR), value" if is_f08 else "type(*), dimension(*)"
    handle = {"oldcomm": "Comm", "oldtype": "Datatype", "oldwin": "Win"}.get(name, name.capitalize())
    return f"type(MPI_{handle})" if is_f08 else "integer"


def with_c_ptr(p):
    """Memory's address is an integer, or a pointer (MPI 8.2, 11.2.2)."""
    def pointer(a):
        other = Argument(p.name, a.name, a.kind, a.intent)
        other.kind = "c_ptr"
        return other
    return [pointer(a) if a.kind == "pointer" else a for a in p.arguments]


def mpi_f90(constants, procedures):
    yield MADE
    yield "module mpi\n  use, intrinsic :: iso_c_binding, only : C_PTR\n  use ep_mpi_constants\n  use ep_mpi_types\n  implicit none"
    yield "  private :: C_PTR\n"
    yield from variables(False)
    for c in constants:
        if c.type:
            yield f"  integer, parameter :: {c.name} = {c.number}"
    bodies = [callback_body("MPI_" + name, type_, False) for name, type_ in PREDEFINED.items()]
    bodies += [callback_body("MPI_" + name, type_, False, "integer") for name, type_ in PREDEFINED_1.items()]
    yield from interface("", *bodies)
    # All are generic, as those of mpi_f08, so that a program can have both modules, one from each part of it.
    for prefix in ("MPI_", "PMPI_"):
        for p in procedures:
            name = prefix + p.name
            if p.name == "Buffer_detach":
                yield from interface(name, body(p, name, False, [Argument(p.name, "buffer_addr", "choice", "out"), p.arguments[1]]))
            elif any(a.kind == "pointer" for a in p.arguments):
                yield from interface(name, body(p, name, False), body(p, name + "_cptr", False, with_c_ptr(p)))
            elif p.name != "Sizeof":
                yield from interface(name, body(p, name, False))
    yield "end module"


def variables(is_f08):
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        yield f"  logical, parameter :: {name} = .{str(is_f08).lower()}."
    for name, shape, is_status in SENTINELS:
        shape = ",".join(filter(None, ["MPI_STATUS_SIZE" if is_status and not is_f08 else "", shape]))
        yield f"  {'type(MPI_Status)' if is_f08 and is_status else 'integer'} :: {name}" + (f"({shape})" if shape else "")
    for name, shape in CHARACTERS:
        yield f"  character(len=1) :: {name}({shape})"
    for common, names in COMMONS:
        yield from wrapped(f"common /{common}/ {', '.join(names)}", 2)


# ---- module mpi_f08

def mpi_f08_f90(constants, procedures):
    yield MADE
    yield "module mpi_f08\n  use, intrinsic :: iso_c_binding, only : C_PTR\n  use ep_mpi_constants\n  use ep_mpi_types\n  implicit none"
    yield "  private :: C_PTR\n"
    yield from variables(True)
    for c in constants:
        if c.type:
            yield f"  type(MPI_{c.type}), parameter :: {c.name} = MPI_{c.type}({c.number})"
    yield "  abstract interface"
    for type_ in CALLBACKS:
        yield from callback_body("MPI_" + type_, type_, True)
    yield "  end interface"
    for name, type_ in PREDEFINED.items():
        yield f"  procedure(MPI_{type_}) :: MPI_{name}"
    for prefix in ("MPI_", "PMPI_"):
        for p in procedures:
            if p.name not in MPI_1 and p.name != "Sizeof":
                yield from interface(prefix + p.name, body(p, f"{prefix}{p.name}_f08{'ts' * p.has_choice}", True))
    yield "end module"


def with_numbers(constants, files):
    values = {}
    for file in files:
        values |= dict(line.split() for line in pathlib.Path(file).read_text().splitlines())
    for c in constants:
        c.number = int(values[c.name])
        if c.number != ABSENT:
            yield c
        elif not c.may_lack:
            sys.exit(f"mpif.h of the MPI underneath has no {c.name}")


def main():
    outdir = pathlib.Path(sys.argv[1])
    constants = list(with_numbers(list(read_constants(sys.argv[2])), sys.argv[3:5]))
    procedures = read_procedures(sys.argv[5], sys.argv[6:])
    made = {"mpif.h": mpif_h(constants), "mpi.f90": mpi_f90(constants, procedures), "mpi_f08.f90": mpi_f08_f90(constants, procedures),
            "ep_types.f90": [MADE, *constants_f90(constants), *types_f90()]}
    for name, lines in made.items():
        (outdir / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
