! SPDX-License-Identifier: BSD-3-Clause
! target on the host with dependences, target data, nested parallel.
program targets
  implicit none
  integer :: i, a, b(10), wrong
  a = 0; b = 0; wrong = 0
  !$omp parallel
  !$omp single
  do i = 1, 10
    !$omp task depend(out: a) firstprivate(i)
    a = i
    !$omp end task
    !$omp target depend(inout: a) map(tofrom: a)
    a = a * 2
    !$omp end target
    if (a /= 2 * i) wrong = wrong + 1
    !$omp target nowait depend(inout: a) map(tofrom: a, b) firstprivate(i)
    b(i) = a
    !$omp end target
    !$omp target update from(b) depend(inout: a)
  end do
  !$omp taskwait
  !$omp end single
  !$omp end parallel
  print *, wrong, sum(b)
end program
