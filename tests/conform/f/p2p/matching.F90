! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 3.8: probes, matched probes, cancel; statuses that a program makes; kinds of data of other types.
#include "conform_f.h"
module matching
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer :: next, previous

contains

  subroutine probes
    real :: out(7), in(7)
    integer :: count, pass
    logical :: flag
    STATUS_T(status)
    REQUEST_T :: request

    do pass = 1, 2
      out = rank + 0.5
      in = 0
      call MPI_Isend(out, 7, MPI_REAL, next, 30 + pass, MPI_COMM_WORLD, request, ierr); OK
      if (pass == 1) then
        call MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr); OK
      else
        flag = .false.
        do while (.not. flag)
          call MPI_Iprobe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status, ierr); OK
        end do
      end if
      EXPECT(OF(status, MPI_SOURCE), previous)
      EXPECT(OF(status, MPI_TAG), 30 + pass)
      call MPI_Get_count(status, MPI_REAL, count, ierr); OK
      EXPECT(count, 7)
      call MPI_Recv(in, count, MPI_REAL, OF(status, MPI_SOURCE), OF(status, MPI_TAG), MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      OK
      CHECK(all(in == previous + 0.5))
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    end do
    call MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, flag, status, ierr); OK
    CHECK(flag)
    EXPECT(OF(status, MPI_SOURCE), MPI_PROC_NULL)
  end subroutine

  subroutine matched_probes
    character(12) :: out, in
    integer :: count, pass
    logical :: flag
    STATUS_T(status)
    REQUEST_T :: request, receive
    MESSAGE_T :: message

    do pass = 1, 2
      write (out, '(a, i4)') 'from', rank
      in = ' '
      call MPI_Isend(out, len(out), MPI_CHARACTER, next, 40 + pass, MPI_COMM_WORLD, request, ierr); OK
      if (pass == 1) then
        call MPI_Mprobe(MPI_ANY_SOURCE, 41, MPI_COMM_WORLD, message, status, ierr); OK
        call MPI_Get_count(status, MPI_CHARACTER, count, ierr); OK
        EXPECT(count, len(out))
        CHECK(message /= MPI_MESSAGE_NULL)
        call MPI_Mrecv(in, count, MPI_CHARACTER, message, status, ierr); OK
      else
        flag = .false.
        do while (.not. flag)
          call MPI_Improbe(previous, 42, MPI_COMM_WORLD, flag, message, MPI_STATUS_IGNORE, ierr); OK
        end do
        call MPI_Imrecv(in, len(in), MPI_CHARACTER, message, receive, ierr); OK
        call MPI_Wait(receive, status, ierr); OK
      end if
      CHECK(message == MPI_MESSAGE_NULL)
      EXPECT(OF(status, MPI_SOURCE), previous)
      CHECK(in(1:4) == 'from')
      read (in(5:8), *) count
      EXPECT(count, previous)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    end do
    call MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, message, status, ierr); OK
    CHECK(message == MPI_MESSAGE_NO_PROC)
    call MPI_Mrecv(in, 1, MPI_CHARACTER, message, status, ierr); OK
    EXPECT(OF(status, MPI_SOURCE), MPI_PROC_NULL)
    call MPI_Improbe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, flag, message, status, ierr); OK
    CHECK(.not. flag)
  end subroutine

  subroutine cancelling
    integer :: a
    logical :: flag
    STATUS_T(status)
    REQUEST_T :: request

    call MPI_Irecv(a, 1, MPI_INTEGER, previous, 50, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Cancel(request, ierr); OK
    call MPI_Wait(request, status, ierr); OK
    call MPI_Test_cancelled(status, flag, ierr); OK
    CHECK(flag)
    call MPI_Recv_init(a, 1, MPI_INTEGER, previous, 51, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Start(request, ierr); OK
    call MPI_Request_get_status(request, flag, status, ierr); OK
    CHECK(.not. flag)
    call MPI_Cancel(request, ierr); OK
    call MPI_Wait(request, status, ierr); OK
    call MPI_Request_get_status(request, flag, status, ierr); OK
    CHECK(flag)
    call MPI_Request_free(request, ierr); OK
  end subroutine

  subroutine statuses_of_ones_own
    integer :: count
    integer(MPI_COUNT_KIND) :: large
    logical :: flag
    STATUS_T(status)

    OF(status, MPI_SOURCE) = 3
    OF(status, MPI_TAG) = 4
    OF(status, MPI_ERROR) = 5
    call MPI_Status_set_elements(status, MPI_REAL, 12, ierr); OK
    call MPI_Status_set_cancelled(status, .true., ierr); OK
    call MPI_Test_cancelled(status, flag, ierr); OK
    CHECK(flag .eqv. .true.)
    call MPI_Status_set_cancelled(status, .false., ierr); OK
    call MPI_Test_cancelled(status, flag, ierr); OK
    CHECK(flag .eqv. .false.)
    call MPI_Get_elements(status, MPI_REAL, count, ierr); OK
    EXPECT(count, 12)
    call MPI_Get_count(status, MPI_COMPLEX, count, ierr); OK
    EXPECT(count, 6)
    large = 2_MPI_COUNT_KIND ** 33
    call MPI_Status_set_elements_x(status, MPI_BYTE, large, ierr); OK
    call MPI_Get_elements_x(status, MPI_BYTE, large, ierr); OK
    CHECK(large == 2_MPI_COUNT_KIND ** 33)
    call MPI_Get_count(status, MPI_BYTE, count, ierr); OK
    EXPECT(count, MPI_UNDEFINED)
    EXPECT(OF(status, MPI_SOURCE), 3)
    EXPECT(OF(status, MPI_TAG), 4)
    EXPECT(OF(status, MPI_ERROR), 5)
  end subroutine

  ! Errors of single messages: in the statuses.
  subroutine errors_in_statuses
    integer :: out(4), in(4, 2), class
    REQUEST_T :: requests(4)
    STATUSES_T(statuses, 4)
    COMM_T :: comm

    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK ! MPICH's for many requests
    out = rank
    call MPI_Irecv(in(1, 1), 2, MPI_INTEGER, previous, 1, comm, requests(1), ierr); OK
    call MPI_Irecv(in(1, 2), 4, MPI_INTEGER, previous, 2, comm, requests(2), ierr); OK
    call MPI_Barrier(comm, ierr); OK
    call MPI_Isend(out, 4, MPI_INTEGER, next, 1, comm, requests(3), ierr); OK
    call MPI_Isend(out, 4, MPI_INTEGER, next, 2, comm, requests(4), ierr); OK
    call MPI_Waitall(4, requests, statuses, ierr)
    FAILS(MPI_ERR_IN_STATUS)
#ifndef PLAIN_OPENMPI /* 4.1.4 gives no statuses then */
    call MPI_Error_class(OF_EACH(statuses, 1, MPI_ERROR), class, ierr); OK
    EXPECT(class, MPI_ERR_TRUNCATE)
    CHECK(OF_EACH(statuses, 2, MPI_ERROR) == MPI_SUCCESS .or. OF_EACH(statuses, 2, MPI_ERROR) == MPI_ERR_PENDING)
    do class = 1, 4
      if (requests(class) /= MPI_REQUEST_NULL) then
        call MPI_Wait(requests(class), MPI_STATUS_IGNORE, ierr); OK
      end if
    end do
#endif
    call MPI_Send(out, 4, MPI_INTEGER, size_of_world, 1, comm, ierr)
    FAILS(MPI_ERR_RANK)
    call MPI_Send(out, 4, MPI_INTEGER, next, -5, comm, ierr)
    FAILS(MPI_ERR_TAG)
    call MPI_Send(out, -1, MPI_INTEGER, next, 5, comm, ierr)
    FAILS(MPI_ERR_COUNT)
    call MPI_Send(out, 1, MPI_DATATYPE_NULL, next, 5, comm, ierr)
    FAILS(MPI_ERR_TYPE)
    call MPI_Comm_free(comm, ierr); OK
  end subroutine
end module

program main
  use matching
  implicit none

  call conform_init
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call probes
  call matched_probes
  call cancelling
  call statuses_of_ones_own
  call errors_in_statuses
  call conform_end
end program
