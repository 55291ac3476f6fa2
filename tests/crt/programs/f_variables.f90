! SPDX-License-Identifier: BSD-3-Clause
! Control variables of tasks as Fortran sets them, with arguments of 4 and 8 bytes.
program variables
  use omp_lib
  implicit none
  integer :: i, wrong
  integer(omp_sched_kind) :: kind
  integer :: chunk
  logical :: dynamic
  wrong = 0
  call omp_set_num_threads(2)
  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  call omp_set_schedule(omp_sched_guided, 9)
  call omp_set_default_device(0)
  !$omp parallel private(kind, chunk, dynamic)
  !$omp single
  do i = 1, 20
    !$omp task firstprivate(i) private(kind, chunk, dynamic) shared(wrong)
    if (mod(i, 2) == 0) then
      call omp_set_num_threads(i)
      call omp_set_dynamic(.true.)
      call omp_set_max_active_levels(i)
      call omp_set_schedule(omp_sched_dynamic, i)
      call omp_set_default_device(1)
    else
      call omp_set_num_threads(int(i, 8))
      call omp_set_dynamic(.true._8)
      call omp_set_max_active_levels(int(i, 8))
      call omp_set_schedule(omp_sched_dynamic, int(i, 8))
      call omp_set_default_device(1_8)
    end if
    call omp_get_schedule(kind, chunk)
    dynamic = omp_get_dynamic()
    if (omp_get_max_threads() /= i .or. .not. dynamic .or. chunk /= i) then
      !$omp atomic
      wrong = wrong + 1
    end if
    !$omp end task
  end do
  !$omp end single
  call omp_get_schedule(kind, chunk)
  dynamic = omp_get_dynamic()
  if (omp_get_max_threads() /= 2 .or. dynamic .or. chunk /= 9) then
    !$omp atomic
    wrong = wrong + 1
  end if
  !$omp end parallel
  call omp_set_nested(.true.)
  call omp_set_nested(.false._8)
  print *, wrong, omp_get_max_active_levels(), omp_get_default_device()
end program
