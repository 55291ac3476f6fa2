! SPDX-License-Identifier: BSD-3-Clause
! Dependences of tasks, and taskwait with them.
program depends
  implicit none
  integer :: i, x, y, wrong, reads, z(4)
  x = 0; y = 0; wrong = 0; reads = 0; z = 0
  !$omp parallel
  !$omp single
  do i = 1, 40
    !$omp task depend(out: x) firstprivate(i)
    x = i
    !$omp end task
    !$omp task depend(in: x) firstprivate(i)
    !$omp atomic
    wrong = wrong + merge(0, 1, x == i)
    !$omp atomic
    reads = reads + 1
    !$omp end task
    !$omp task depend(inout: y) depend(in: x)
    y = mod(y * 3 + x, 10007)
    !$omp end task
    !$omp task depend(mutexinoutset: z(1)) firstprivate(i)
    z(1) = z(1) + i
    !$omp end task
    !$omp task depend(inout: z(1:4)) if(.false.)
    z(2) = z(1)
    !$omp end task
    !$omp taskwait depend(in: y)
    if (x /= i) wrong = wrong + 1
  end do
  !$omp end single
  !$omp end parallel
  print *, 'wrong', wrong, 'reads', reads, 'y', y, 'z', z
end program
