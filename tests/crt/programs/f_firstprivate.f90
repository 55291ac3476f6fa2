! SPDX-License-Identifier: BSD-3-Clause
! Tasks with firstprivate allocatables, arrays, strings and derived types: what copy functions are for.
program copies
  implicit none
  type thing
    integer :: n
    real(8) :: x(30)
    integer, allocatable :: list(:)
  end type
  integer, allocatable :: a(:)
  integer :: i, total, fixed(40), never
  integer, allocatable :: unset(:)
  character(len=12) :: text
  type(thing) :: t
  total = 0; never = 0
  allocate(a(10), t%list(5))
  !$omp parallel
  !$omp single
  do i = 1, 50
    a = i
    fixed = i
    text = repeat(achar(64 + mod(i, 26)), 12)
    t%n = i
    t%x = i
    t%list = i
    !$omp task firstprivate(a, fixed, text) shared(total)
    a(1) = a(1) + 1
    !$omp atomic
    total = total + sum(a) + sum(fixed) + ichar(text(12:12))
    !$omp end task
    !$omp task firstprivate(t) shared(total)
    t%list(1) = 0
    !$omp atomic
    total = total + t%n + int(t%x(30)) + sum(t%list)
    !$omp end task
    !$omp task firstprivate(unset) shared(never)
    !$omp atomic
    never = never + merge(1, 0, allocated(unset))
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  print *, total, never, t%list(1), a(1)
  deallocate(a, t%list)
end program
