! SPDX-License-Identifier: BSD-3-Clause
! task_reduction, in_reduction and reduction(task, ...).
program reductions
  implicit none
  integer :: i, total, most, array(3), loop, region
  total = 0; most = 0; array = 0; loop = 0; region = 0
  !$omp parallel
  !$omp single
  !$omp taskgroup task_reduction(+:total, array) task_reduction(max:most)
  do i = 1, 60
    !$omp task in_reduction(+:total, array) firstprivate(i)
    total = total + i
    array(mod(i, 3) + 1) = array(mod(i, 3) + 1) + 1
    !$omp end task
    !$omp task in_reduction(max:most) firstprivate(i)
    most = max(most, mod(i * 7, 61))
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp do reduction(task, +:loop) schedule(dynamic)
  do i = 1, 30
    !$omp task in_reduction(+:loop) firstprivate(i)
    loop = loop + i
    !$omp end task
  end do
  !$omp end parallel
  !$omp parallel reduction(task, +:region) num_threads(2)
  !$omp task in_reduction(+:region)
  region = region + 5
  !$omp end task
  !$omp end parallel
  print *, total, most, array, loop, mod(region, 5)
end program
