! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 12.4: OpenMP threads of each process send, receive and reduce side by side.
! conform: flags -fopenmp
#include "conform_f.h"
module threads
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: count_of = 3, rounds = 50
  integer, save :: own = 0
  !$omp threadprivate(own)

contains

  subroutine messages
    integer :: t, i, next, previous, out(20), in(20), bad, code
    STATUS_T(status)
    REQUEST_T :: request

    next = modulo(rank + 1, size_of_world)
    previous = modulo(rank - 1, size_of_world)
    bad = 0
    !$omp parallel do num_threads(count_of) private(i, out, in, status, request, code) reduction(+: bad) schedule(static, 1)
    do t = 1, count_of
      own = t
      do i = 1, rounds
        out = rank * 1000000 + t * 1000 + i
        call MPI_Irecv(in, 20, MPI_INTEGER, previous, t, MPI_COMM_WORLD, request, code)
        if (code /= MPI_SUCCESS) bad = bad + 1
        call MPI_Send(out, 20, MPI_INTEGER, next, t, MPI_COMM_WORLD, code)
        if (code /= MPI_SUCCESS) bad = bad + 1
        call MPI_Wait(request, status, code)
        if (code /= MPI_SUCCESS .or. any(in /= previous * 1000000 + t * 1000 + i) .or. OF(status, MPI_TAG) /= t) bad = bad + 1
      end do
      if (own /= t) bad = bad + 1
    end do
    EXPECT(bad, 0)
  end subroutine

  ! Each thread has a communicator.
  subroutine reductions
    COMM_T :: comms(count_of)
    integer :: t, i, a(1), b(1), bad, code

    do t = 1, count_of
      call MPI_Comm_dup(MPI_COMM_WORLD, comms(t), ierr); OK
    end do
    bad = 0
    !$omp parallel do num_threads(count_of) private(i, a, b, code) reduction(+: bad) schedule(static, 1)
    do t = 1, count_of
      do i = 1, rounds
        a = rank + t * i
        call MPI_Allreduce(a, b, 1, MPI_INTEGER, MPI_SUM, comms(t), code)
        if (b(1) /= size_of_world * (size_of_world - 1) / 2 + size_of_world * t * i) bad = bad + 1
      end do
    end do
    EXPECT(bad, 0)
    do t = 1, count_of
      call MPI_Comm_free(comms(t), ierr); OK
    end do
  end subroutine

  subroutine who_is_main
    logical :: flag
    integer :: code, mains

    mains = 0
    !$omp parallel num_threads(count_of) private(flag, code) reduction(+: mains)
    call MPI_Is_thread_main(flag, code)
    if (flag) mains = mains + 1
    !$omp end parallel
    EXPECT(mains, 1)
  end subroutine
end module

program main
  use threads
  implicit none

  call conform_init_thread(MPI_THREAD_MULTIPLE)
  call messages
  call reductions
  call who_is_main
  call conform_end
end program
