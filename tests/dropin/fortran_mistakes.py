#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""fortran_mistakes.py MPIF: calls with wrong arguments are compile errors with `use mpi` and `use mpi_f08`; right ones, also unusual ones,
are not even warned of. ep's mpif.h, which is MPIF, can be included in fixed and in free form. EPFORT is the compiler.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

# What all programs declare; {comm} is a handle's type.
DECLARATIONS = """
  integer :: n, ierr, ranks(4), names(4)
  integer(8) :: long
  integer(2) :: short
  integer(MPI_ADDRESS_KIND) :: address
  real :: r
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: text
  real, target :: x(10), table(4, 4)
  real, allocatable :: a(:)
  real, pointer :: to(:)
  complex(8) :: z
  type mine
    sequence
    integer :: i
    real :: r
  end type
  type(mine) :: m(3)
  type(MPI_Comm) :: f08_comm
  type(C_PTR) :: where
"""
HANDLES = {
    "mpi": """  integer :: comm, other, request, requests(3), type, op, win, info, group
  integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 3)
""",
    "mpi_f08": """  type(MPI_Comm) :: comm, other
  type(MPI_Request) :: request, requests(3)
  type(MPI_Datatype) :: type
  type(MPI_Op) :: op
  type(MPI_Win) :: win
  type(MPI_Info) :: info
  type(MPI_Group) :: group
  type(MPI_Status) :: status, statuses(3)
"""}
# In mpi_f08 ierror may be left out: ", ierr" is then left out, too.
RIGHT = """
  call MPI_Init(ierr)
  call MPI_Comm_rank(comm, n, ierr)
  call MPI_Send(x, 10, MPI_REAL, 0, 0, MPI_COMM_WORLD, ierr)
  call MPI_Send(x(2), 1, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(x(1:9:2), 5, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(table(2, :), 4, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(r, 1, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(m, 3, type, 0, 0, comm, ierr)
  call MPI_Send(m(1)%i, 1, type, 0, 0, comm, ierr)
  call MPI_Send(z, 1, MPI_DOUBLE_COMPLEX, 0, 0, comm, ierr)
  call MPI_Send('literal', 7, MPI_CHARACTER, 0, 0, comm, ierr)
  call MPI_Send(text, 7, MPI_CHARACTER, 0, 0, comm, ierr)
  call MPI_Send(42, 1, MPI_INTEGER, 0, 0, comm, ierr)
  call MPI_Send(n + 1, 1, MPI_INTEGER, 0, 0, comm, ierr)
  call MPI_Send(flag, 1, MPI_LOGICAL, 0, 0, comm, ierr)
  call MPI_Send(a, 1, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(to, 1, MPI_REAL, 0, 0, comm, ierr)
  call MPI_Send(MPI_BOTTOM, 1, type, 0, 0, comm, ierr)
  call MPI_Recv(x, 10, MPI_REAL, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status, ierr)
  call MPI_Recv(table(:, 2:3), 8, MPI_REAL, 0, 0, comm, MPI_STATUS_IGNORE, ierr)
  call MPI_Irecv(a, 1, MPI_REAL, 0, 0, comm, requests(1), ierr)
  call MPI_Isend(short, 1, MPI_INTEGER2, 0, 0, comm, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  call MPI_Testany(3, requests, n, flag, status, ierr)
  call MPI_Allreduce(MPI_IN_PLACE, x, 10, MPI_REAL, MPI_SUM, comm, ierr)
  call MPI_Bcast(count=10, buffer=x, datatype=MPI_REAL, root=0, comm=comm, ierror=ierr)
  call MPI_Gatherv(x, 1, MPI_REAL, table, ranks, names, MPI_REAL, 0, comm, ierr)
  call MPI_Comm_get_name(comm, text, n, ierr)
  call MPI_Comm_set_name(comm, 'name', ierr)
  call MPI_Get_address(m(2)%r, address, ierr)
  call MPI_Alloc_mem(100_MPI_ADDRESS_KIND, MPI_INFO_NULL, where, ierr)
  call MPI_Win_allocate(100_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, comm, where, win, ierr)
  call MPI_Win_create(x, 40_MPI_ADDRESS_KIND, 4, info, comm, win, ierr)
  call MPI_Put(x, 1, MPI_REAL, 0, 0_MPI_ADDRESS_KIND, 1, MPI_REAL, win, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, n, address, ierr)
  call MPI_Dist_graph_create_adjacent(comm, 1, ranks, MPI_UNWEIGHTED, 0, names, MPI_WEIGHTS_EMPTY, info, .false., other, ierr)
  call MPI_Comm_spawn('a', MPI_ARGV_NULL, 1, info, 0, comm, other, MPI_ERRCODES_IGNORE, ierr)
  call MPI_File_read_at(MPI_FILE_NULL, 0_MPI_OFFSET_KIND, x, 10, MPI_REAL, status, ierr)
  call MPI_Sizeof(x, n, ierr)
  call MPI_Sizeof(z, n, ierr)
  call PMPI_Barrier(comm, ierr)
  call MPI_Finalize(ierr)
  r = real(MPI_Wtime() + PMPI_Wtick())
  address = MPI_Aint_add(address, 8_MPI_ADDRESS_KIND)
  flag = comm == MPI_COMM_NULL .or. op /= MPI_SUM .or. group == MPI_GROUP_EMPTY .or. request == MPI_REQUEST_NULL
  flag = f08_comm == f08_comm .or. f08_comm /= f08_comm%MPI_VAL
"""
WRONG = {
    "a count of 8 bytes": "call MPI_Send(x, long, MPI_REAL, 0, 0, comm, ierr)",
    "a count of 2 bytes": "call MPI_Bcast(x, short, MPI_REAL, 0, comm, ierr)",
    "a real tag": "call MPI_Send(x, 1, MPI_REAL, 0, 1.0, comm, ierr)",
    "a real rank": "call MPI_Recv(x, 1, MPI_REAL, r, 0, comm, status, ierr)",
    "an integer flag": "call MPI_Test(request, n, status, ierr)",
    "a logical number": "call MPI_Comm_rank(comm, flag, ierr)",
    "a missing argument": "call MPI_Send(x, 1, MPI_REAL, 0, comm, ierr)",
    "an argument too many": "call MPI_Comm_rank(comm, n, n, ierr)",
    "a number for an address": "call MPI_Win_create(x, 40, 4, info, comm, win, ierr)",
    "a number for a displacement": "call MPI_Put(x, 1, MPI_REAL, 0, 0, 1, MPI_REAL, win, ierr)",
    "a number for an offset": "call MPI_File_read_at(MPI_FILE_NULL, 0, x, 10, MPI_REAL, status, ierr)",
    "an address as a number": "call MPI_Type_size(type, address, ierr)",
    "a constant as a result": "call MPI_Comm_rank(comm, 5, ierr)",
    "a number as a string": "call MPI_Comm_set_name(comm, n, ierr)",
    "a string as a number": "call MPI_Comm_split(comm, 'a', 0, other, ierr)",
    "a scalar for an array": "call MPI_Gatherv(x, 1, MPI_REAL, table, n, ranks, MPI_REAL, 0, comm, ierr)",
    "an address of another type": "call MPI_Alloc_mem(100_MPI_ADDRESS_KIND, MPI_INFO_NULL, n, ierr)",
    "a function as a subroutine": "call MPI_Wtime()",
    "a call that there is not": "call MPI_Send_all(x, ierr)",
    "an unknown keyword": "call MPI_Comm_rank(communicator=comm, rank=n, ierror=ierr)",
}
WRONG_STYLE = {
    "mpi": {
        "ierror left out": "call MPI_Barrier(comm)",
        "a type of mpi_f08": "call MPI_Barrier(f08_comm, ierr)",
        "a status of one number": "call MPI_Recv(x, 1, MPI_REAL, 0, 0, comm, n, ierr)",
    },
    "mpi_f08": {
        "a number for a communicator": "call MPI_Barrier(n)",
        "a datatype for a communicator": "call MPI_Barrier(MPI_REAL)",
        "an operator for a datatype": "call MPI_Send(x, 1, MPI_SUM, 0, 0, comm)",
        "a number for a status": "call MPI_Recv(x, 1, MPI_REAL, 0, 0, comm, ranks)",
        "one status for many": "call MPI_Waitall(2, requests, status)",
        "one request for many": "call MPI_Waitall(2, request, statuses)",
        "another type compared": "flag = comm == MPI_REAL",
        "a callback of another kind": "call MPI_Comm_create_keyval(MPI_TYPE_DUP_FN, MPI_COMM_NULL_DELETE_FN, n, address)",
        "a constant handle freed": "call MPI_Comm_free(MPI_COMM_WORLD)",
        "a name of MPI-1": "call MPI_Type_extent(type, n, ierr)",
    }}
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def epfort(*arguments):
    done = subprocess.run([os.environ["EPFORT"], *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def compiled(style, statements, folder, *flags):
    source = folder / "p.f90"
    source.write_text(f"program p\n  use {style}\n  use, intrinsic :: iso_c_binding, only : C_PTR\n  implicit none (type, external)"
                      f"{DECLARATIONS}{HANDLES[style]}  {statements}\nend program\n")
    return epfort(*flags, "-c", source, "-o", folder / "p.o")


# mpif.h in the program, in a function whose type is in it, and where names of Fortran's functions are those of variables. The compiler
# does not allow more than standard Fortran.
INCLUDED = """
      program p
      implicit none
      include 'mpif.h'
      integer ierr, rank, status(MPI_STATUS_SIZE)
      integer(kind=MPI_ADDRESS_KIND) address
      double precision own
      external own
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_RECV(rank, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0,
     &              MPI_COMM_WORLD, status, ierr)
      call MPI_KEYVAL_CREATE(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, rank,
     &                       0, ierr)
      address = MPI_AINT_DIFF(MPI_AINT_ADD(address, address), address)
      print *, MPI_WTIME() - PMPI_WTIME(), own()
      call MPI_FINALIZE(ierr)
      end
      double precision function own()
      include 'mpif.h'
      own = MPI_WTICK()
      end
      subroutine names(kind, min, max)
      implicit none
      integer kind, min, max, abs, int
      include 'mpif.h'
      abs = min
      int = max
      kind = abs + int + MPI_SUCCESS
      end
"""

# Parts of a program that use either module, and one that has the names of both from them.
BOTH = """
module old
  use mpi
contains
  subroutine to_f08(status, f08)
    use mpi_f08, only : f08_status => MPI_Status
    integer :: status(MPI_STATUS_SIZE), ierr
    type(f08_status) :: f08
    call MPI_Status_f2f08(status, f08, ierr)
  end subroutine
end module
module new
  use mpi_f08
end module
program p
  use old
  use new
  implicit none
  integer :: number, rank, ierr
  type(MPI_Comm) :: comm
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_rank(number, rank, ierr)
  if (comm == number .or. number /= comm) call MPI_Send(rank, 1, 2, 3, 4, number, ierr)
end program
"""


def check_both(folder):
    (folder / "both.f90").write_text(BOTH)
    rc, error = epfort("-c", folder / "both.f90", "-J", folder, "-o", folder / "p.o")
    expect(rc == 0, f"parts of a program with mpi and with mpi_f08 are refused:\n{error}")


def check_header(path, folder):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        right = line.startswith("!") or line.startswith("      ") and len(line) <= 72 and not line.endswith("&")
        expect(right, f"mpif.h:{number}: not in fixed and free form: {line}")
    free = INCLUDED.replace(",\n     &", ", &\n      ")
    for name, text in ("p.f", INCLUDED), ("p.f90", free):
        (folder / name).write_text(text)
        for flags in ("-std=f2008", "-pedantic"), ("-std=f95", "-fimplicit-none"), ("-std=legacy",):
            rc, error = epfort(*flags, "-Wall", "-Wno-unused", "-Wno-uninitialized", "-Werror", "-c", folder / name, "-o", folder / "p.o")
            expect(rc == 0, f"{name} with {' '.join(flags)}: mpif.h is refused:\n{error}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_header(pathlib.Path(sys.argv[1]), folder)
        check_both(folder)
        for style, more in WRONG_STYLE.items():
            for text in (RIGHT, RIGHT.replace(", ierr)", ")").replace("(ierr)", "()")):
                if style == "mpi_f08" or text is RIGHT:
                    rc, error = compiled(style, text, folder, "-Wall", "-Wno-unused", "-Wno-uninitialized", "-Wno-maybe-uninitialized",
                                         "-Werror")
                    expect(rc == 0, f"{style}: right calls are refused:\n{error}")
            for what, statement in {**WRONG, **more}.items():
                rc, error = compiled(style, statement, folder)
                expect(rc != 0, f"{style}: {what} compiles: {statement}")
                expect("Error: " in error, f"{style}: {what}: no message of the compiler:\n{error}")
    sys.exit(1 if failures else 0)


main()
