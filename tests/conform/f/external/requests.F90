! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 12.2, 12.3: generalized requests with callbacks in Fortran.
#include "conform_f.h"
module requests
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer(aint), parameter :: state = 6000000000_aint
  integer, save :: queried = 0, freed = 0, cancelled = 0
  logical, save :: was_complete

contains

  subroutine query(extra_state, status, ierror)
    integer(aint) :: extra_state
    STATUS_T(status)
    integer :: ierror

    queried = queried + 1
    CHECK(extra_state == state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 11, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Status_set_cancelled(status, cancelled > 0, ierror)
    CHECK(ierror == MPI_SUCCESS)
    OF(status, MPI_SOURCE) = 21
    OF(status, MPI_TAG) = 22
    ierror = MPI_SUCCESS
  end subroutine

  subroutine free(extra_state, ierror)
    integer(aint) :: extra_state
    integer :: ierror

    freed = freed + 1
    CHECK(extra_state == state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(extra_state, complete, ierror)
    integer(aint) :: extra_state
    logical :: complete
    integer :: ierror

    cancelled = cancelled + 1
    was_complete = complete
    CHECK(extra_state == state)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine one(with_cancel)
    logical, intent(in) :: with_cancel
    REQUEST_T :: request, copy
    STATUS_T(status)
    logical :: flag
    integer :: count

    queried = 0
    freed = 0
    call MPI_Grequest_start(query, free, cancel, state, request, ierr); OK
    call MPI_Test(request, flag, status, ierr); OK
    CHECK(flag .eqv. .false.)
    if (with_cancel) then
      call MPI_Cancel(request, ierr); OK
      EXPECT(cancelled, 1)
      CHECK(was_complete .eqv. .false.)
    end if
    copy = request
    call MPI_Grequest_complete(copy, ierr); OK
    call MPI_Wait(request, status, ierr); OK
    CHECK(request == MPI_REQUEST_NULL)
    EXPECT(queried, 1)
    EXPECT(freed, 1)
    EXPECT(OF(status, MPI_SOURCE), 21)
    EXPECT(OF(status, MPI_TAG), 22)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr); OK
    EXPECT(count, 11)
    call MPI_Test_cancelled(status, flag, ierr); OK
    CHECK(flag .eqv. with_cancel)
  end subroutine

  ! Among others.
  subroutine with_others
    REQUEST_T :: all_of(2), own
    STATUSES_T(statuses, 2)
    integer :: out(1), in(1)

    call MPI_Grequest_start(query, free, cancel, state, own, ierr); OK
    all_of(1) = own
    call MPI_Irecv(in, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, all_of(2), ierr); OK
    out = rank
    call MPI_Send(out, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr); OK
    call MPI_Grequest_complete(own, ierr); OK
    call MPI_Waitall(2, all_of, statuses, ierr); OK
    EXPECT(OF_EACH(statuses, 1, MPI_TAG), 22)
    EXPECT(OF_EACH(statuses, 2, MPI_TAG), 0)
    EXPECT(in(1), rank)
  end subroutine
end module

program main
  use requests
  implicit none

  call conform_init
  call one(.false.)
  call one(.true.)
  call with_others
  call conform_end
end program
