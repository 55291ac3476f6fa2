#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mistakes.py MODULES FORTRAN...: with module ep, beside mpi_f08 and beside mpi, calls with wrong arguments are compile errors, and right ones
are not even warned of. MODULES is the folder of ep.mod, FORTRAN the compiler and what it needs to find the MPI underneath."""
import pathlib
import subprocess
import sys
import tempfile

# {type} is MPI's type, INTEGER beside module mpi.
PROGRAM = """
program p
  use {style}
  use ep
  use, intrinsic :: iso_c_binding, only : C_PTR, C_NULL_PTR
  implicit none (type, external)
  type(ep_comm) :: comm, comms(2)
  type(ep_group) :: group
  type(ep_request) :: request, requests(2)
  type(ep_win) :: win
  type(ep_status) :: status, statuses(2)
  type(C_PTR) :: memory
  {datatype} :: type
  {op} :: op
  {info} :: info
  {mpi_comm} :: process_comm
  integer :: n, ierr, other_status(MPI_STATUS_SIZE)
  integer(8) :: long
  integer(2) :: short
  integer(MPI_ADDRESS_KIND) :: address
  real :: x(4), r
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  {statement}
contains
  subroutine rank(world, arg, ierror)
    type(ep_comm) :: world
    type(C_PTR), value :: arg
    integer :: ierror
  end subroutine
  subroutine handler(comm, code)
    type(ep_comm) :: comm
    integer :: code
  end subroutine
end program
"""
HANDLES = {"datatype": "Datatype", "op": "Op", "info": "Info", "mpi_comm": "Comm"}
RIGHT = """
  call ep_comm_create_endpoints(process_comm, 2, info, comms, ierr)
  call ep_send(x, 4, MPI_REAL, 0, 0, comm, ierr)
  call ep_send(buf=x(1:3:2), count=2, datatype=type, dest=0, tag=0, comm=EP_COMM_WORLD)
  call ep_recv(r, 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, status)
  call ep_irecv(x, 4, MPI_REAL, 0, 0, comm, request)
  call ep_wait(request, EP_STATUS_IGNORE)
  call ep_waitall(2, requests, statuses, ierr)
  call ep_waitall(2, requests, EP_STATUSES_IGNORE)
  call ep_allreduce(MPI_IN_PLACE, x, 4, MPI_REAL, MPI_SUM, comm)
  call ep_allreduce(MPI_IN_PLACE, x, 4, type, op, comm)
  call ep_put(x, 4, MPI_REAL, 0, 0_MPI_ADDRESS_KIND, 4, MPI_REAL, win)
  call ep_win_allocate(16_MPI_ADDRESS_KIND, 4, info, comm, memory, win)
  call ep_comm_get_name(comm, name, n)
  call ep_comm_free(comms(1))
  call ep_run(2, rank, C_NULL_PTR)
  flag = comm == EP_COMM_NULL .or. request /= EP_REQUEST_NULL
"""
WRONG = {
    "a count of 8 bytes": "call ep_send(x, long, MPI_REAL, 0, 0, comm)",
    "a count of 2 bytes": "call ep_bcast(x, short, MPI_REAL, 0, comm)",
    "a real tag": "call ep_send(x, 1, MPI_REAL, 0, r, comm)",
    "an integer flag": "call ep_test(request, n, status)",
    "a number for a displacement": "call ep_put(x, 4, MPI_REAL, 0, 0, 4, MPI_REAL, win)",
    "an address as a number": "call ep_comm_rank(comm, address)",
    "a number for a communicator": "call ep_barrier(n)",
    "a communicator of MPI": "call ep_barrier(MPI_COMM_WORLD)",
    "an endpoint for a communicator of MPI": "call ep_comm_create_endpoints(comm, 2, info, comms)",
    "a group for a communicator": "call ep_comm_rank(group, n)",
    "a status of MPI": "call ep_recv(x, 1, MPI_REAL, 0, 0, comm, MPI_STATUS_IGNORE)",
    "an array for a status": "call ep_recv(x, 1, MPI_REAL, 0, 0, comm, other_status)",
    "one status for many": "call ep_waitall(2, requests, status)",
    "one request for many": "call ep_waitall(2, request, statuses)",
    "one communicator for many": "call ep_comm_create_endpoints(process_comm, 2, info, comm)",
    "a constant handle freed": "call ep_comm_free(EP_COMM_WORLD)",
    "a missing argument": "call ep_send(x, 1, MPI_REAL, 0, comm)",
    "an unknown keyword": "call ep_comm_rank(comm=comm, result=n)",
    "a callback of another kind": "call ep_run(2, handler, C_NULL_PTR)",
    "no pointer for memory": "call ep_win_allocate(16_MPI_ADDRESS_KIND, 4, info, comm, address, win)",
    "another type compared": "flag = comm == EP_REQUEST_NULL",
    "a call that there is not": "call ep_send_all(x, ierr)",
    "a name of MPI-1": "call ep_attr_delete(comm, n)",
}
WRONG_STYLE = {
    "mpi_f08": {"an operator for a datatype": "call ep_send(x, 1, MPI_SUM, 0, 0, comm)",
                "a flag for an error code": "call ep_send(x, 1, type, 0, 0, comm, flag)"},
    "mpi": {"a real datatype": "call ep_send(x, 1, r, 0, 0, comm)"},
}


def compiled(style, statement, folder, compiler):
    types = {k: f"type(MPI_{v})" if style == "mpi_f08" else "integer" for k, v in HANDLES.items()}
    source = folder / "p.f90"
    source.write_text(PROGRAM.format(style=style, statement=statement, **types))
    done = subprocess.run([*compiler, "-fsyntax-only", source], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main(modules, *compiler):
    compiler, failures = [*compiler, "-I" + modules], 0
    with tempfile.TemporaryDirectory() as name:
        for style, more in WRONG_STYLE.items():
            rc, said = compiled(style, RIGHT, pathlib.Path(name), [*compiler, "-Wall", "-Wno-unused", "-Wno-unused-dummy-argument",
                                                                        "-Werror"])
            if rc != 0:
                failures += 1
                print(f"{style}: right calls are refused:\n{said}")
            for what, statement in {**WRONG, **more}.items():
                rc, said = compiled(style, statement, pathlib.Path(name), compiler)
                if rc == 0 or "Error: " not in said:
                    failures += 1
                    print(f"{style}: {what} compiles: {statement}\n{said}")
    sys.exit(failures > 0)


main(*sys.argv[1:])
