! SPDX-License-Identifier: BSD-3-Clause
! scope with reductions, masked, nested regions, orphaned constructs outside of a region.
program scopes
  use omp_lib
  implicit none
  integer :: n, total, tasks, inner, masked, i, loose
  n = 1; total = 0; tasks = 0; inner = 0; masked = 0; loose = 0
  call omp_set_max_active_levels(2)
  !$omp parallel reduction(+:inner)
  !$omp single
  n = omp_get_num_threads()
  !$omp end single
  !$omp scope reduction(task, +:tasks) reduction(+:total)
  total = total + 1
  !$omp task in_reduction(+:tasks)
  tasks = tasks + 3
  !$omp end task
  !$omp end scope
  !$omp masked
  masked = masked + 1
  !$omp end masked
  !$omp parallel num_threads(2) reduction(+:inner)
  inner = inner + 1
  !$omp end parallel
  !$omp end parallel
  do i = 1, 5
    !$omp task shared(loose) depend(inout: loose)
    loose = loose * 2 + i
    !$omp end task
  end do
  !$omp taskwait
  !$omp single
  loose = loose + 100
  !$omp end single
  print *, total / n, tasks / n, inner / n, masked, loose
end program
