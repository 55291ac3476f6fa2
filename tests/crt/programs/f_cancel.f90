! SPDX-License-Identifier: BSD-3-Clause
! env: OMP_CANCELLATION=true
! Cancellation in Fortran.
program cancelled
  use omp_lib
  implicit none
  integer :: i, found, after, members, passed
  found = -1
  after = 0
  members = 0
  passed = 0
  !$omp parallel
  !$omp do schedule(dynamic)
  do i = 1, 1000
    !$omp cancellation point do
    if (mod(i, 100) == 37) then
      !$omp atomic write
      found = 37
      !$omp cancel do
    end if
  end do
  !$omp end do
  !$omp do schedule(static)
  do i = 1, 1000
    !$omp atomic
    after = after + 1
  end do
  !$omp end do
  !$omp sections
  !$omp section
  !$omp cancel sections
  !$omp atomic
  after = after + 1000
  !$omp section
  !$omp cancel sections
  !$omp atomic
  after = after + 1000
  !$omp end sections
  !$omp single
  !$omp taskgroup
  !$omp task if (.false.)
  !$omp cancel taskgroup
  !$omp end task
  do i = 1, 10
    !$omp task
    !$omp atomic
    members = members + 1
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  !$omp parallel
  !$omp cancel parallel if (omp_get_thread_num() == 0)
  !$omp barrier
  !$omp atomic
  passed = passed + 1
  !$omp end parallel
  print '(L1, 4(1X, I0))', omp_get_cancellation(), found, after, members, passed
end program cancelled
