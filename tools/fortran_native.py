#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_native.py OUTDIR HANDLES TABLE HEADER...: what hybrid Fortran programs use of ep, from the declarations in its headers; HANDLES is
src/comm/handle.h.

ep.f90           module ep, in the style of mpi_f08
fortran_calls.h  the procedures that are in src/fortran, or made
native_names.h   what their names are here
native_calls.c   those that are made (fortran_calls.py)
native_choice.c  the same with choice buffers

fortran_native.py names HEADER...: which functions and constants of the headers are not in the module, and why.

A function ep_xxx is a generic name. Its specific procedures are ep_xxx_f08ts (with a choice buffer) or ep_xxx_f08, and where datatypes,
operators, hints or communicators of MPI are among the arguments another one, ep_xxx_fts or ep_xxx_f, to which these are INTEGER, as they
are in programs that use mpif.h or module mpi.
"""
import copy
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from fortran_calls import BY_HAND_KINDS, Procedure as Call, calls_c, calls_h, choice_c, is_by_hand  # noqa: E402
from fortran_modules import CALLBACKS, OPERATORS, PREDEFINED, Procedure, body, callback_body, interface  # noqa: E402
from fortran_signatures import MPI_1, Argument, fortran_arguments  # noqa: E402
from signatures import read_headers, read_table  # noqa: E402

HANDLES = ("comm", "group", "request", "message", "errhandler", "win", "funnel")
# Handles of MPI's, which are numbers in the older styles.
OF_MPI = ("datatype", "op", "info", "mpi_comm")

# Why a function or constant is not in the module.
ABSENT = [
    (r"ep_\w+_(c2f|f2c|c2f08|f082c)|ep_f08_status|EP_F_STATUS_SIZE", "the number of a handle is its MPI_VAL, and a status is what it is in C"),
    (r"ep_(attr_\w+|keyval_\w+|copy_function|delete_function)|EP_(NULL_COPY|DUP|NULL_DELETE)_FN", "a name of MPI-1, which mpi_f08 does not have"),
    (r"ep_mpi_comm", "type(MPI_Comm)"),
    (r"ep_file", "files are of C and C++ alone"),
    (r"EP_(\w+_)?H|EP_PUBLIC", "of C's header"),
]

# Names that a function has: Fortran does not tell small letters from capitals.
RENAMED = {"EP_COUNTER_COUNT": "EP_COUNTER_IS_COUNT"}

# Procedures whose arguments are others than C's: kind, name, intent.
OTHERS = {
    "Run": ["integer num_ep in", "procedure fn", "value arg in"],
    "Iwait_event": ["request request inout", "status status out", "event event in"],
    "Counter_info": ["integer index in", "string name out", "string meaning out", "string unit out", "integer kind out"],
    "Funnel_create": ["comm comm in", "funnel funnel out"],
    "Funnel_call": ["funnel funnel in", "procedure fn", "value arg in", "integer result out"],
    "Funnel_free": ["funnel funnel inout"],
}
# By hand in src/fortran/native, with the prototypes that are made here.
BY_HAND = {"Init_thread", "Comm_create_endpoints", "Comm_get_mpi_comm", "Iwait", "Iwaitall", "Wtime", "Wtick", "Buffer_detach", *OTHERS}

OWN_CALLBACKS = """
    subroutine ep_run_function(world, arg, ierror)
      import
      implicit none
      type(ep_comm) :: world
      type(C_PTR), value :: arg
      integer :: ierror
    end subroutine
    subroutine ep_funnel_function(process_comm, num_args, args, result)
      import
      implicit none
      type(MPI_Mpi_comm) :: process_comm
      integer :: num_args
      type(C_PTR) :: args(num_args)
      integer :: result
    end subroutine"""


# Types and interfaces that are ep's own.
OURS = re.compile(r"\bMPI_(Status|" + "|".join(h.capitalize() for h in HANDLES)
                  + r"|(?:Comm|Win)_(?:copy_attr|delete_attr|errhandler)_function|(?:Grequest_\w+|Run|Funnel)_function)\b")


def with_ep_types(text):
    return OURS.sub(lambda m: "ep_" + m[1].lower(), text).replace("MPI_Mpi_comm", "MPI_Comm")


# ---- The functions

def other_arguments(name):
    for text in OTHERS[name]:
        kind, argument, intent = (text + " ").split(" ")[:3]
        kind = {"value": "c_ptr", "event": "event"}.get(kind, kind)
        yield Argument(name, argument, kind, intent or None, type_={"fn": f"{name.split('_')[0]}_function"}.get(argument))


def arguments_of(f):
    """Communicators of MPI's among them."""
    if f.name in OTHERS:
        arguments = list(other_arguments(f.name))
        later(f, arguments)
        return arguments
    f.types = {name: text.replace("ep_mpi_comm", "MPI_Comm") for name, text in f.types.items()}
    arguments = fortran_arguments(f)
    for a, (name, text) in zip(arguments or [], f.types.items()):
        if "MPI_Comm " in text:
            a.kind = "mpi_comm"
            a.name = {"mpi_comm": "process_comm"}.get(a.name, a.name)  # the other is a type's
        if f.name == "Comm_create_endpoints" and name == "endpoints":
            a.f08_shape = "num_ep"
    later(f, arguments or [])
    return arguments


def later(f, arguments):
    """Statuses that are written when a task has ended."""
    for a in arguments if f.name.startswith("Iwait") else []:
        a.asynchronous = a.kind == "status"
        a.f08_intent = "inout" if a.kind == "request" else a.f08_intent


def read_functions(table, headers):
    """All that the module has, and their arguments, in the headers' order."""
    declared = read_headers(headers)
    names = {f.name.lower(): f.name for _, functions in read_table(table, declared) for f in functions if f.kind == "same"}
    for name, f in declared.items():
        f.name = names.get(name, name.capitalize())
        arguments = arguments_of(f)
        if f.name not in MPI_1 and f.name.upper() not in PREDEFINED and arguments is not None:
            yield f, arguments


# ---- module ep

def constants(headers, first):
    """Those that the headers define, as type, name and value."""
    text = "".join(pathlib.Path(h).read_text() for h in headers)
    for name, value in re.findall(r"^#define (EP_\w+) (.+?)(?: /\*.*)?$", text, re.M):
        handle = re.fullmatch(r"\(\(ep_(\w+)\)(\d+)\)", value)
        if is_absent(name) or value.startswith("ep_") or "ep_status" in value:
            continue
        if handle:
            number = int(handle[2]) + (first if handle[1] != "funnel" else 0)
            yield f"type(ep_{handle[1]})", name, f"ep_{handle[1]}({number}{'_c_intptr_t' * (handle[1] == 'funnel')})"
        elif "__attribute__" not in value:
            yield "integer", RENAMED.get(name, name), re.sub(r"0x(\w+)", lambda m: str(int(m[1], 16)), value)


def is_absent(name):
    return next((why for pattern, why in ABSENT if re.fullmatch(pattern, name)), None)


def types_f90():
    for handle in HANDLES:
        kind = "c_intptr_t" if handle == "funnel" else "c_int"
        yield f"  type, public, bind(C) :: ep_{handle}\n    integer({kind}) :: MPI_VAL\n  end type"
    yield """
  ! As in C.
  type, public, bind(C) :: ep_status
    integer(c_int) :: MPI_SOURCE
    integer(c_int) :: MPI_TAG
    integer(c_int) :: MPI_ERROR
    integer(c_int), private :: ep_cancelled
    integer(c_int64_t), private :: ep_bytes
  end type
"""


def operators_f90():
    """Their declarations, and what they are."""
    head, tail = [], []
    for operator, name in OPERATORS:
        head.append(f"  public :: operator({operator})\n  interface operator({operator})\n    module procedure "
                    + ", &\n      ".join(f"ep_{name}_{h}" for h in HANDLES) + "\n  end interface")
        for h in HANDLES:
            tail.append(f"  elemental logical function ep_{name}_{h}(a, b) result(is)\n    type(ep_{h}), intent(in) :: a, b\n"
                        f"    is = a%MPI_VAL {operator} b%MPI_VAL\n  end function")
    return head, tail


def with_numbers(arguments):
    """Handles of MPI's are INTEGER."""
    for a in arguments:
        if a.kind in OF_MPI:
            a = copy.copy(a)
            a.kind = "integer"
        yield a


def older(line):
    """MPI_UNWEIGHTED is an array in one mpif.h and a scalar in another."""
    weights = re.search(r":: (\w*weights)\(\*\)", line)
    if weights:
        return f"      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {weights[1]}\n      !DIR$ IGNORE_TKR {weights[1]}\n      type(*), dimension(*) :: {weights[1]}"
    return line if "procedure(" not in line else "      external :: " + line.split()[-1]


def function_f90(f, arguments):
    name, ts = "ep_" + f.name.lower(), "ts" * any(a.kind == "choice" for a in arguments)
    result = "double precision" if f.result == "double" else None
    p = Procedure(f.name, arguments, result, not result)
    bodies = [list(body(p, f"{name}_f08{ts}", True))]
    if has_numbers(arguments):
        numbers = [older(line) for line in body(p, f"{name}_f{ts}", True, list(with_numbers(arguments)))]
        bodies.append(numbers)
    yield f"  public :: {name}"
    yield from interface(name, *bodies)


def has_numbers(arguments):
    return any(a.kind in OF_MPI for a in arguments)


def ep_f90(functions, headers, first):
    head, tail = operators_f90()
    yield """! SPDX-License-Identifier: BSD-3-Clause
! Made by tools/fortran_native.py.
! Endpoints in Fortran (docs/fortran.md). A program says `use mpi_f08` or `use mpi` beside it: for datatypes, operators, hints and numbers.
module ep
  use, intrinsic :: iso_c_binding, only : C_PTR, c_int, c_int64_t, c_intptr_t
  use mpi_f08, only : MPI_Mpi_comm, MPI_Datatype, MPI_Op, MPI_Info, MPI_User_function, MPI_ADDRESS_KIND, MPI_COUNT_KIND, &
    MPI_MAX_OBJECT_NAME, MPI_MAX_ERROR_STRING, MPI_THREAD_MULTIPLE
  implicit none
  private
"""
    yield from types_f90()
    for type_, name, value in constants(headers, first):
        yield f"  {type_}, parameter, public :: {name} = {value}"
    yield """
  ! Known by their addresses.
  type(ep_status), public, bind(C, name="ep_fortran_status_ignore") :: EP_STATUS_IGNORE
  type(ep_status), public, bind(C, name="ep_fortran_statuses_ignore") :: EP_STATUSES_IGNORE(1)
"""
    yield from head
    callbacks = {c: with_ep_types("MPI_" + c) for c in CALLBACKS}
    callbacks = {c: name for c, name in callbacks.items() if name.startswith("ep_")}
    yield "  abstract interface" + OWN_CALLBACKS
    for c in callbacks:
        yield from callback_body("MPI_" + c, c, True)
    yield "  end interface\n  public :: ep_run_function, ep_funnel_function"
    for c in callbacks:
        yield f"  public :: MPI_{c}"
    for name, type_ in PREDEFINED.items():
        if type_ in callbacks:
            yield f"  procedure(MPI_{type_}), public :: EP_{name}"
    for f, arguments in functions:
        yield from function_f90(f, arguments)
    yield "contains"
    yield from tail
    yield "end module"


# ---- Calls

def symbols(function, arguments):
    """For each name that src/fortran has the one that is here."""
    symbol = function.lower()
    if any(a.kind == "choice" for a in arguments):
        yield f"pmpi_{symbol}_", f"ep_{symbol}_at_"
        yield f"pmpi_{symbol}_f08ts_", f"ep_{symbol}_f08ts_"
    else:
        yield f"pmpi_{symbol}_", f"ep_{symbol}_f08_"


def names_h(functions):
    yield "#ifndef NATIVE_NAMES_H\n#define NATIVE_NAMES_H\n"
    for f, arguments in functions:
        for old, new in symbols(f.name, arguments):
            yield f"#define {old} {new}"
    for name in PREDEFINED:
        yield f"#define mpi_{name.lower()}_ ep_{name.lower()}_"
    yield "\n#endif"


def second_names(calls, ts):
    """Of the procedures to which handles of MPI's are INTEGER, which are the same."""
    for c in calls:
        if has_numbers(c.arguments):
            yield f"FORTRAN_SECOND({c.symbol}_{'f08ts' if ts else 'f08'}, {c.symbol}_{'fts' if ts else 'f'})"


def in_ep_names(lines):
    return [re.sub(r'"MPI_(\w+)"', lambda m: f'"ep_{m[1].lower()}"', line) for line in lines]


# ---- Names

def show_absent(headers):
    for name in sorted(set(re.findall(r"\b(?:ep|EP)_\w+", "".join(pathlib.Path(h).read_text() for h in headers)))):
        if is_absent(name):
            print(name, is_absent(name), sep="\t")


def main(outdir, handles, table, *headers):
    first = int(re.search(r"HANDLE_FIRST = (0x\w+)", pathlib.Path(handles).read_text())[1], 16)
    functions = list(read_functions(table, headers))
    ep = "\n".join(ep_f90(functions, headers, first))
    calls = [Call(f, arguments) for f, arguments in functions]
    regular = [c for c in calls if not is_by_hand(c) and c.f.name not in BY_HAND]
    declared = [c for c in calls if not any(a.kind in BY_HAND_KINDS for a in c.arguments) and c.f.name not in BY_HAND]
    choices = [c for c in regular if c.has_choice]
    texts = {"fortran_calls.h": calls_h(declared), "native_names.h": names_h(functions),
             "native_calls.c": [*in_ep_names(calls_c(regular)), *second_names([c for c in regular if not c.has_choice], False)],
             "native_choice.c": [*in_ep_names(choice_c(choices)), *second_names(choices, True)]}
    pathlib.Path(outdir, "ep.f90").write_text(with_ep_types(ep) + "\n")
    for name, text in texts.items():
        head = "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Made by tools/fortran_native.py. */\n"
        pathlib.Path(outdir, name).write_text(head + "\n".join(text) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "names":
        show_absent(sys.argv[2:])
    else:
        main(*sys.argv[1:])
