! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 3.2 to 3.11: all modes, blocking and not, persistent, sendrecv, buffers, null processes, all that completes.
! MPICH 4.0.2 gives MPI_UNDEFINED + 1, and with mpi_f08 places from 0.
! conform: fails mpich-H mpich-MPI mpich-F08
#include "conform_f.h"
module modes
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: n = 1000
  integer :: next, previous

contains

  subroutine blocking
    integer :: out(n), in(n), i, count
    REQUEST_T :: request
    STATUS_T(status)

    do i = 1, 4
      in = 0
      out = [(rank * 10000 + i, i = 1, n)]
      call MPI_Irecv(in, n, MPI_INTEGER, previous, i, MPI_COMM_WORLD, request, ierr); OK
      if (i == 4) then
        call MPI_Barrier(MPI_COMM_WORLD, ierr); OK ! a ready send's receive must have begun
      end if
      select case (i)
      case (1)
        call MPI_Send(out, n, MPI_INTEGER, next, i, MPI_COMM_WORLD, ierr); OK
      case (2)
        call MPI_Ssend(out, n, MPI_INTEGER, next, i, MPI_COMM_WORLD, ierr); OK
      case (3)
        call MPI_Bsend(out, n, MPI_INTEGER, next, i, MPI_COMM_WORLD, ierr); OK
      case (4)
        call MPI_Rsend(out, n, MPI_INTEGER, next, i, MPI_COMM_WORLD, ierr); OK
      end select
      call MPI_Wait(request, status, ierr); OK
      CHECK(request == MPI_REQUEST_NULL)
      EXPECT(OF(status, MPI_SOURCE), previous)
      EXPECT(OF(status, MPI_TAG), i)
      call MPI_Get_count(status, MPI_INTEGER, count, ierr); OK
      EXPECT(count, n)
      call check_from_previous(in)
    end do
  end subroutine

  subroutine check_from_previous(in)
    integer, intent(in) :: in(n)
    integer :: i

    CHECK(all(in == [(previous * 10000 + i, i = 1, n)]))
  end subroutine

  ! Each non-blocking mode, completed by each function that completes.
  subroutine nonblocking
    integer :: out(n), in(n, 4), i, done(8), many, which, pass
    logical :: flag
    REQUEST_T :: requests(8)
    STATUSES_T(statuses, 8)
    STATUS_T(status)

    out = [(rank * 10000 + i, i = 1, n)]
    do pass = 1, 6
      in = 0
      do i = 1, 4
        call MPI_Irecv(in(1, i), n, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierr); OK
      end do
      call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
      call MPI_Isend(out, n, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(5), ierr); OK
      call MPI_Issend(out, n, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(6), ierr); OK
      call MPI_Ibsend(out, n, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(7), ierr); OK
      call MPI_Irsend(out, n, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(8), ierr); OK
      select case (pass)
      case (1)
        call MPI_Waitall(8, requests, statuses, ierr); OK
        do i = 1, 4
          EXPECT(OF_EACH(statuses, i, MPI_SOURCE), previous)
          EXPECT(OF_EACH(statuses, i, MPI_TAG), i)
        end do
      case (2)
        do i = 1, 8
          call MPI_Waitany(8, requests, which, status, ierr); OK
          CHECK(which >= 1 .and. which <= 8)
          if (which >= 1 .and. which <= 4) then
            EXPECT(OF(status, MPI_TAG), which)
          end if
        end do
        call MPI_Waitany(8, requests, which, status, ierr); OK
        EXPECT(which, MPI_UNDEFINED)
      case (3)
        call some(.true.)
      case (4)
        call some(.false.)
      case (5)
        flag = .false.
        do while (.not. flag)
          call MPI_Testall(8, requests, flag, MPI_STATUSES_IGNORE, ierr); OK
        end do
      case (6)
        many = 0
        do while (many < 8)
          call MPI_Testany(8, requests, which, flag, MPI_STATUS_IGNORE, ierr); OK
          if (.not. flag) cycle
          CHECK(which >= 1 .and. which <= 8)
          many = many + 1
        end do
        call MPI_Testany(8, requests, which, flag, status, ierr); OK
        CHECK(flag)
        EXPECT(which, MPI_UNDEFINED)
        EXPECT(OF(status, MPI_SOURCE), MPI_ANY_SOURCE)
        EXPECT(OF(status, MPI_TAG), MPI_ANY_TAG)
      end select
      do i = 1, 8
        CHECK(requests(i) == MPI_REQUEST_NULL)
      end do
      do i = 1, 4
        call check_from_previous(in(:, i))
      end do
    end do

  contains

    subroutine some(waiting)
      logical, intent(in) :: waiting
      logical :: seen(8)
      integer :: all_of_them

      seen = .false.
      all_of_them = 0
      do while (all_of_them < 8)
        if (waiting) then
          call MPI_Waitsome(8, requests, many, done, statuses, ierr); OK
          CHECK(many >= 1)
        else
          call MPI_Testsome(8, requests, many, done, statuses, ierr); OK
        end if
        if (many < 0) exit
        do i = 1, many
          CHECK(.not. seen(done(i)))
          seen(done(i)) = .true. ! places count from 1
          if (done(i) <= 4) then
            EXPECT(OF_EACH(statuses, i, MPI_TAG), done(i))
          end if
        end do
        all_of_them = all_of_them + many
      end do
      CHECK(all(seen))
      call MPI_Waitsome(8, requests, many, done, MPI_STATUSES_IGNORE, ierr); OK
      EXPECT(many, MPI_UNDEFINED)
    end subroutine
  end subroutine

  subroutine persistent
    integer :: out(n), in(n, 4), i, pass
    logical :: flag
    REQUEST_T :: requests(8)
    STATUS_T(status)

    do i = 1, 4
      call MPI_Recv_init(in(1, i), n, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierr); OK
    end do
    call MPI_Send_init(out, n, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(5), ierr); OK
    call MPI_Ssend_init(out, n, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(6), ierr); OK
    call MPI_Bsend_init(out, n, MPI_INTEGER, next, 3, MPI_COMM_WORLD, requests(7), ierr); OK
    call MPI_Rsend_init(out, n, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(8), ierr); OK
    call MPI_Test(requests(1), flag, status, ierr); OK
    CHECK(flag) ! inactive
    EXPECT(OF(status, MPI_SOURCE), MPI_ANY_SOURCE)
    do pass = 1, 3
      in = 0
      out = [(rank * 10000 + i, i = 1, n)]
      call MPI_Startall(4, requests, ierr); OK
      call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
      do i = 5, 8
        call MPI_Start(requests(i), ierr); OK
      end do
      if (pass == 2) then
        call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE, ierr); OK
      else
        do i = 8, 1, -1
          call MPI_Wait(requests(i), MPI_STATUS_IGNORE, ierr); OK
          CHECK(requests(i) /= MPI_REQUEST_NULL)
        end do
      end if
      do i = 1, 4
        call check_from_previous(in(:, i))
      end do
    end do
    do i = 1, 8
      call MPI_Request_free(requests(i), ierr); OK
      CHECK(requests(i) == MPI_REQUEST_NULL)
    end do
  end subroutine

  subroutine both_ways
    integer :: out(n), in(n), i, count
    STATUS_T(status)

    out = [(rank * 10000 + i, i = 1, n)]
    in = 0
    call MPI_Sendrecv(out, n, MPI_INTEGER, next, 7, in, n, MPI_INTEGER, previous, 7, MPI_COMM_WORLD, status, ierr); OK
    EXPECT(OF(status, MPI_SOURCE), previous)
    call check_from_previous(in)
    call MPI_Sendrecv_replace(out, n, MPI_INTEGER, next, 8, previous, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr); OK
    EXPECT(OF(status, MPI_TAG), 8)
    call check_from_previous(out)
    ! Fewer than there is room for.
    in = -1
    call MPI_Sendrecv(out, 3, MPI_INTEGER, next, 9, in, n, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
    OK
    call MPI_Get_count(status, MPI_INTEGER, count, ierr); OK
    EXPECT(count, 3)
    EXPECT(OF(status, MPI_SOURCE), previous)
    CHECK(all(in(1:3) == out_of_two_back()) .and. all(in(4:) == -1))

  contains

    function out_of_two_back() result(want)
      integer :: want(3)

      want = modulo(previous - 1, size_of_world) * 10000 + [1, 2, 3]
    end function
  end subroutine

  subroutine null_processes
    integer :: a(2), count
    REQUEST_T :: request
    STATUS_T(status)

    a = 5
    call MPI_Send(a, 2, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr); OK
    call MPI_Recv(a, 2, MPI_INTEGER, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr); OK
    EXPECT(OF(status, MPI_SOURCE), MPI_PROC_NULL)
    EXPECT(OF(status, MPI_TAG), MPI_ANY_TAG)
    call MPI_Get_count(status, MPI_INTEGER, count, ierr); OK
    EXPECT(count, 0)
    call MPI_Irecv(a, 2, MPI_INTEGER, MPI_PROC_NULL, 3, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Wait(request, status, ierr); OK
    EXPECT(OF(status, MPI_SOURCE), MPI_PROC_NULL)
    CHECK(all(a == 5))
    request = MPI_REQUEST_NULL
    call MPI_Wait(request, status, ierr); OK
    EXPECT(OF(status, MPI_SOURCE), MPI_ANY_SOURCE)
  end subroutine

  ! The buffer comes back from detach, and nothing is left in it.
  subroutine buffers
    integer, parameter :: length = 20 * n * 4
    character(length), save :: buffer

    call MPI_Buffer_attach(buffer, length, ierr); OK
  end subroutine

  subroutine buffers_end
#ifdef STYLE_F08
    use, intrinsic :: iso_c_binding, only: c_ptr, c_associated
    type(c_ptr) :: buffer
#else
    integer(MPI_ADDRESS_KIND) :: buffer
#endif
    integer :: length

    call MPI_Buffer_detach(buffer, length, ierr); OK
    EXPECT(length, 20 * n * 4)
#ifdef STYLE_F08
    CHECK(c_associated(buffer))
#endif
  end subroutine
end module

program main
  use modes
  implicit none

  call conform_init
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call buffers
  call blocking
  call nonblocking
  call persistent
  call both_ways
  call null_processes
  call buffers_end
  call conform_end
end program
