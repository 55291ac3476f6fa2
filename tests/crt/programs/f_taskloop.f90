! SPDX-License-Identifier: BSD-3-Clause
! taskloop: grainsize, num_tasks, collapse, reduction, nogroup, lastprivate.
program taskloops
  implicit none
  integer :: i, j, a(60), total, last, product
  total = 0; product = 0; last = 60
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) lastprivate(last)
  do i = 1, 60
    a(i) = i
    last = i
  end do
  !$omp taskloop num_tasks(4) reduction(+:total)
  do i = 60, 1, -2
    total = total + a(i)
  end do
  !$omp taskloop collapse(2) reduction(+:product)
  do i = 1, 8
    do j = 1, 9
      product = product + i * j
    end do
  end do
  !$omp taskgroup
  !$omp taskloop nogroup shared(a)
  do i = 1, 60
    a(i) = a(i) + 1
  end do
  !$omp end taskgroup
  !$omp taskloop
  do i = last, 1
    a(i) = 0
  end do
  !$omp end single
  !$omp end parallel
  print *, 'total', total, 'product', product, 'last', last, 'sum', sum(a)
end program
