! SPDX-License-Identifier: BSD-3-Clause
! Locks and nestable locks as Fortran calls them.
program locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  integer :: i, count, tested, depth(3), nested
  logical :: held, free
  count = 0; tested = 0; nested = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  call omp_set_lock(lock)
  held = omp_test_lock(lock)
  call omp_unset_lock(lock)
  free = omp_test_lock(lock)
  call omp_unset_lock(lock)
  depth(1) = omp_test_nest_lock(nest)
  call omp_set_nest_lock(nest)
  depth(2) = omp_test_nest_lock(nest)
  do i = 1, 3
    call omp_unset_nest_lock(nest)
  end do
  depth(3) = omp_test_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  !$omp parallel do schedule(dynamic)
  do i = 1, 200
    !$omp task
    call omp_set_lock(lock)
    count = count + 1
    call omp_unset_lock(lock)
    !$omp end task
    !$omp task
    call omp_set_nest_lock(nest)
    call omp_set_nest_lock(nest)
    nested = nested + 1
    call omp_unset_nest_lock(nest)
    call omp_unset_nest_lock(nest)
    !$omp end task
    if (omp_test_lock(lock)) then
      tested = 1
      call omp_unset_lock(lock)
    end if
  end do
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
  print *, held, free, depth, count, nested
end program
