! SPDX-License-Identifier: BSD-3-Clause
! ordered(1) with source and sink, critical, atomic, barrier and master.
program doacross
  use omp_lib
  implicit none
  integer :: i, line(0:50), count, named, at_master, wrong
  line = 1; count = 0; named = 0; at_master = 0; wrong = 0
  !$omp parallel
  !$omp do ordered(1) schedule(dynamic)
  do i = 1, 50
    !$omp ordered depend(sink: i - 1)
    line(i) = mod(line(i - 1) * 5 + i, 1009)
    !$omp ordered depend(source)
  end do
  !$omp do
  do i = 1, 60
    !$omp critical
    count = count + 1
    !$omp end critical
    !$omp critical (name)
    named = named + i
    !$omp end critical (name)
  end do
  !$omp master
  at_master = omp_get_thread_num() + 1
  !$omp end master
  !$omp barrier
  !$omp atomic
  wrong = wrong + abs(at_master - 1)
  !$omp end parallel
  print *, line(50), count, named, at_master, wrong
end program
