! SPDX-License-Identifier: BSD-3-Clause
! What instructions.c counts of calls in Fortran: each is the call beside it there, with the same arguments.

subroutine fortran_world() bind(C)
  use mpi_f08
  implicit none
  integer, parameter :: window = 64
  integer :: i, out(2), in(2)

  out = 0
  do i = 1, window
    call MPI_Send(out, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
    call MPI_Recv(in, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end do
end subroutine fortran_world

subroutine fortran_world_irecv() bind(C)
  use mpi_f08
  implicit none
  integer, parameter :: window = 64
  integer :: i, out(2)
  integer, asynchronous :: in(2)
  type(MPI_Request) :: request

  out = 0
  do i = 1, window
    call MPI_Irecv(in, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, request)
    call MPI_Send(out, 2, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
end subroutine fortran_world_irecv

subroutine fortran_other(comm) bind(C)
  use mpi_f08
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, parameter :: window = 64
  integer :: i, out(2), in(2)

  out = 0
  do i = 1, window
    call MPI_Send(out, 2, MPI_INTEGER, 0, 1, comm)
    call MPI_Recv(in, 2, MPI_INTEGER, 0, 1, comm, MPI_STATUS_IGNORE)
  end do
end subroutine fortran_other

subroutine fortran_other_irecv(comm) bind(C)
  use mpi_f08
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, parameter :: window = 64
  integer :: i, out(2)
  integer, asynchronous :: in(2)
  type(MPI_Request) :: request

  out = 0
  do i = 1, window
    call MPI_Irecv(in, 2, MPI_INTEGER, 0, 1, comm, request)
    call MPI_Send(out, 2, MPI_INTEGER, 0, 1, comm)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end do
end subroutine fortran_other_irecv
