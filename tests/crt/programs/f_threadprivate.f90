! SPDX-License-Identifier: BSD-3-Clause
! threadprivate commons and module variables, copyin, with tasks and taskgroup.
module store
  integer, save :: mine = 4
  !$omp threadprivate(mine)
end module

program main
  use omp_lib
  use store
  implicit none
  integer :: wrong, i, tasks, common_value
  common /block/ common_value
  !$omp threadprivate(/block/)
  wrong = 0; tasks = 0
  mine = 8
  common_value = 3
  !$omp parallel copyin(mine, /block/) reduction(+:wrong)
  if (mine /= 8 .or. common_value /= 3) wrong = wrong + 1
  mine = mine + omp_get_thread_num()
  !$omp taskgroup
  do i = 1, 10
    !$omp task shared(tasks)
    !$omp atomic
    tasks = tasks + mine - 7 - omp_get_thread_num()
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp barrier
  if (mine /= 8 + omp_get_thread_num()) wrong = wrong + 1
  !$omp end parallel
  print *, wrong, mod(tasks, 10), mine
end program
