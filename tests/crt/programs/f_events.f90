! SPDX-License-Identifier: BSD-3-Clause
! detach and omp_fulfill_event, omp_in_final, taskyield, untied, priority.
program events
  use omp_lib, only: omp_event_handle_kind, omp_fulfill_event, omp_in_final
  implicit none
  integer(omp_event_handle_kind) :: event
  logical, external :: omp_in_explicit_task ! in omp_lib since GCC 13
  integer :: i, x, order, finals, yields
  x = 0; order = 0; finals = 0; yields = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
    !$omp task detach(event) depend(out: x)
    x = x + 1
    !$omp end task
    !$omp task firstprivate(event)
    call omp_fulfill_event(event)
    !$omp end task
    !$omp task depend(in: x) firstprivate(i)
    if (x == i) then
      !$omp atomic
      order = order + 1
    end if
    !$omp end task
    !$omp taskwait
    !$omp task final(mod(i, 2) == 0) untied priority(1)
    if (omp_in_final()) then
      !$omp atomic
      finals = finals + 1
    end if
    !$omp taskyield
    !$omp atomic
    yields = yields + 1
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, x, order, finals, yields, omp_in_final(), omp_in_explicit_task()
end program
