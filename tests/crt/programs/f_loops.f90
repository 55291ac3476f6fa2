! SPDX-License-Identifier: BSD-3-Clause
! parallel do, do with schedules, ordered, sections, workshare, single copyprivate, reductions.
program loops
  use omp_lib
  implicit none
  integer :: i, a(100), b(100), total, last, value, wrong
  integer(8) :: steps
  total = 0; wrong = 0; steps = 0
  !$omp parallel do schedule(dynamic, 3) lastprivate(last)
  do i = 1, 100
    a(i) = i
    last = i
  end do
  !$omp parallel private(value) reduction(+:total, wrong)
  !$omp do schedule(guided)
  do i = 1, 100
    total = total + a(i)
  end do
  !$omp do ordered schedule(dynamic)
  do i = 100, 1, -1
    !$omp ordered
    steps = mod(steps * 3 + i, 100003_8)
    !$omp end ordered
  end do
  !$omp single
  value = 17
  !$omp end single copyprivate(value)
  if (value /= 17) wrong = wrong + 1
  !$omp workshare
  b = a * 2
  a = b + 1
  !$omp end workshare
  !$omp sections
  !$omp section
  b(1) = -1
  !$omp section
  b(2) = -2
  !$omp end sections
  if (b(1) + b(2) /= -3) wrong = wrong + 1
  !$omp end parallel
  !$omp parallel sections
  !$omp section
  b(3) = -3
  !$omp section
  b(4) = -4
  !$omp end parallel sections
  print *, 'total', total, 'last', last, 'steps', steps, 'sums', sum(a), sum(b), 'wrong', wrong
end program
