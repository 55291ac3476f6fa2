! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 2.5.1, 8.3: a number that stands for no object (any more) is an error of its class, also where a null handle is
! none. Others take such numbers for null handles, or crash.
! conform: fails openmpi-H openmpi-MPI openmpi-F08 mpich-H mpich-MPI mpich-F08
#include "conform_f.h"
module handles
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND, nobodys(6) = [-7, 0, 98765, &
    939524096 + 15, 1006632000, huge(1)] ! two are in the range that numbers of ep are taken from
  integer, save :: handled = 0

contains

  subroutine count_errors(comm, code)
    COMM_T :: comm
    integer :: code

    handled = handled + 1
  end subroutine

  ! The call before this has raised one error.
  subroutine once
    EXPECT(handled, 1)
    handled = 0
  end subroutine

  subroutine of_a_request(request)
    REQUEST_T, intent(in) :: request
    REQUEST_T :: copy, several(2)
    STATUS_T(status)
    STATUSES_T(statuses, 2)
    integer :: which, many, done(2)
    logical :: flag

    copy = request
    call MPI_Wait(copy, status, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    CHECK(copy == request)
    call MPI_Test(copy, flag, status, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Request_get_status(copy, flag, status, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Cancel(copy, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Start(copy, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Request_free(copy, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    several = [MPI_REQUEST_NULL, request]
    call MPI_Waitall(2, several, statuses, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Testall(2, several, flag, MPI_STATUSES_IGNORE, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Waitany(2, several, which, status, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Testany(2, several, which, flag, status, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Waitsome(2, several, many, done, statuses, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    call MPI_Testsome(2, several, many, done, statuses, ierr); FAILS(MPI_ERR_REQUEST)
    call once
    CHECK(several(1) == MPI_REQUEST_NULL .and. several(2) == request)
  end subroutine

  subroutine of_requests
    REQUEST_T :: request, stale
    integer :: a(1), b(1), i

    a = 7
    call MPI_Irecv(b, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request, ierr); OK
    stale = request
    call MPI_Send(a, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call of_a_request(stale)
    do i = 1, size(nobodys)
      VAL(stale) = nobodys(i)
      call of_a_request(stale)
    end do
  end subroutine

  subroutine of_a_communicator(comm)
    COMM_T, intent(in) :: comm
    COMM_T :: copy
    integer :: n, a(2), b(2), ones(2)
    DATATYPE_T :: types(2)

    call MPI_Comm_size(comm, n, ierr); FAILS(MPI_ERR_COMM)
    call once
    a = 0
    ones = 0
    types = MPI_INTEGER
    call MPI_Alltoallw(a, ones, ones, types, b, ones, ones, types, comm, ierr); FAILS(MPI_ERR_COMM)
    call once
    call MPI_Neighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, comm, ierr); FAILS(MPI_ERR_COMM)
    call once
    copy = comm
    call MPI_Comm_free(copy, ierr); FAILS(MPI_ERR_COMM)
    call once
    CHECK(copy == comm)
  end subroutine

  subroutine of_communicators
    COMM_T :: comm, stale
    integer :: i

    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    stale = comm
    call MPI_Comm_free(comm, ierr); OK
    call of_a_communicator(stale)
    do i = 1, size(nobodys)
      VAL(stale) = nobodys(i)
      call of_a_communicator(stale)
    end do
  end subroutine

  subroutine of_groups
    GROUP_T :: group, stale
    integer :: n, i

    call MPI_Comm_group(MPI_COMM_WORLD, group, ierr); OK
    stale = group
    call MPI_Group_free(group, ierr); OK
    do i = 0, size(nobodys)
      if (i > 0) VAL(stale) = nobodys(i)
      call MPI_Group_size(stale, n, ierr); FAILS(MPI_ERR_GROUP)
      call once
    end do
  end subroutine

  subroutine of_windows
    WIN_T :: win, stale
    integer :: a(1), i

    a = 0
    call MPI_Win_create(a, 4_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    stale = win
    call MPI_Win_free(win, ierr); OK
    do i = 0, size(nobodys)
      if (i > 0) VAL(stale) = nobodys(i)
      call MPI_Win_fence(0, stale, ierr); FAILS(MPI_ERR_WIN)
      call once
      call MPI_Put(a, 1, MPI_INTEGER, 0, 0_aint, 1, MPI_INTEGER, stale, ierr); FAILS(MPI_ERR_WIN)
      call once
    end do
  end subroutine

  ! Of error handlers, and of what belongs to the MPI underneath.
  subroutine of_others
    ERRHANDLER_T :: handler, stale
    DATATYPE_T :: datatype
    OP_T :: op
    INFO_T :: info
    integer :: a(1), b(1), i

    a = 0
    call MPI_Comm_create_errhandler(count_errors, handler, ierr); OK
    stale = handler
    call MPI_Errhandler_free(handler, ierr); OK
    do i = 0, size(nobodys)
      if (i > 0) VAL(stale) = nobodys(i)
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD, stale, ierr); FAILS(MPI_ERR_ARG)
      call once
    end do
    VAL(datatype) = 98765
    call MPI_Send(a, 1, datatype, 0, 0, MPI_COMM_WORLD, ierr); FAILS(MPI_ERR_TYPE)
    call once
    call MPI_Type_size(datatype, i, ierr); FAILS(MPI_ERR_TYPE)
    call once
    VAL(op) = 98765
    call MPI_Allreduce(a, b, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr); FAILS(MPI_ERR_OP)
    call once
    VAL(info) = 98765
    call MPI_Info_get_nkeys(info, i, ierr); FAILS(MPI_ERR_INFO)
    call once
  end subroutine
end module

program main
  use handles
  implicit none
  ERRHANDLER_T :: handler

  call conform_init
  call MPI_Comm_create_errhandler(count_errors, handler, ierr); OK
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr); OK
  call of_requests
  call of_communicators
  call of_groups
  call of_windows
  call of_others
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr); OK
  call MPI_Errhandler_free(handler, ierr); OK
  call conform_end
end program
