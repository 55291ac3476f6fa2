! SPDX-License-Identifier: BSD-3-Clause
! What statuses.c calls: statuses as arrays.
module numbers
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer :: wrong = 0
contains
  integer(c_int) function status_size() bind(C)
    status_size = MPI_STATUS_SIZE
  end function
  integer(c_int) function all_wrong() bind(C)
    all_wrong = wrong
  end function
  ! A message of three integers to itself; the status is perhaps one to be ignored.
  subroutine send_itself(comm, status) bind(C)
    integer(c_int), value :: comm
    integer(c_int) :: status(MPI_STATUS_SIZE)
    integer :: rank, in(5), ierror
    external MPI_SENDRECV
    call MPI_COMM_RANK(comm, rank, ierror)
    in = 0
    call MPI_SENDRECV([1, 2, 3], 3, MPI_INTEGER, rank, 77, in, 5, MPI_INTEGER, rank, 77, comm, status, ierror)
    if (ierror /= MPI_SUCCESS .or. in(3) /= 3 .or. in(4) /= 0) wrong = wrong + 1
  end subroutine
  ! Two of them, by calls that do not block.
  subroutine send_twice(comm, statuses) bind(C)
    integer(c_int), value :: comm
    integer(c_int) :: statuses(MPI_STATUS_SIZE, 4)
    integer :: rank, ierror, requests(4)
    integer, save :: in(2), out(2)
    external MPI_IRECV, MPI_ISEND
    call MPI_COMM_RANK(comm, rank, ierror)
    out = [rank + 8, rank + 9]
    call MPI_IRECV(in(1), 1, MPI_INTEGER, rank, 1, comm, requests(1), ierror)
    call MPI_IRECV(in(2), 1, MPI_INTEGER, rank, 2, comm, requests(2), ierror)
    call MPI_ISEND(out(1), 1, MPI_INTEGER, rank, 1, comm, requests(3), ierror)
    call MPI_ISEND(out(2), 1, MPI_INTEGER, rank, 2, comm, requests(4), ierror)
    call MPI_WAITALL(4, requests, statuses, ierror)
    if (ierror /= MPI_SUCCESS .or. any(in /= out)) wrong = wrong + 1
  end subroutine
  subroutine expect(status, source, tag, count, cancelled) bind(C)
    integer(c_int) :: status(MPI_STATUS_SIZE)
    integer(c_int), value :: source, tag, count, cancelled
    integer :: n, ierror
    logical :: flag
    call MPI_GET_COUNT(status, MPI_INTEGER, n, ierror)
    call MPI_TEST_CANCELLED(status, flag, ierror)
    if (status(MPI_SOURCE) /= source .or. status(MPI_TAG) /= tag .or. n /= count .or. flag .neqv. cancelled /= 0) wrong = wrong + 1
  end subroutine
end module
