! SPDX-License-Identifier: BSD-3-Clause
! Recursive tasks and taskwait.
module fibonacci
contains
  recursive function fib(n) result(r)
    integer, intent(in) :: n
    integer :: r, x, y
    if (n < 2) then
      r = n
      return
    end if
    !$omp task shared(x) firstprivate(n) if(n > 5)
    x = fib(n - 1)
    !$omp end task
    !$omp task shared(y) firstprivate(n) final(n < 4) mergeable
    y = fib(n - 2)
    !$omp end task
    !$omp taskwait
    r = x + y
  end function
end module

program main
  use fibonacci
  implicit none
  integer :: r
  !$omp parallel
  !$omp single
  r = fib(14)
  !$omp end single
  !$omp end parallel
  print *, r
end program
