! SPDX-License-Identifier: BSD-3-Clause
! Module crt without MPI: a thread waits for what the other one has counted.
program cond
  use crt
  use omp_lib
  implicit none
  type(crt_cond_t), target :: counted
  integer :: i, sum
  sum = 0
  !$omp parallel num_threads(2) private(i)
  if (omp_get_thread_num() == 0) then
    do i = 1, 3
      sum = sum + i
    end do
    call crt_signal(counted)
  else
    call crt_wait(counted)
    print '(i0)', sum
  end if
  !$omp end parallel
end program
