! SPDX-License-Identifier: BSD-3-Clause
! Module crt: crt.h in Fortran, which says what each procedure does. It needs nothing but the library ep or crt.
module crt
  use, intrinsic :: iso_c_binding, only : c_int, c_intptr_t, C_PTR, C_FUNPTR
  implicit none
  private :: c_int, c_intptr_t, C_PTR, C_FUNPTR

  ! A condition. It must be TARGET or in memory that stays where it is while somebody waits.
  type, bind(C) :: crt_cond_t
    integer(c_intptr_t) :: word = 0
  end type

  ! Who a blocking call blocks.
  integer, parameter :: omp_external_kind = c_int
  integer(omp_external_kind), parameter :: omp_external_master = 0, omp_external_thread = 1, omp_external_task = 2

  ! A function that makes progress; not 0: it achieved something.
  abstract interface
    integer(c_int) function crt_poll_function(arg) bind(C)
      import
      type(C_PTR), value :: arg
    end function
  end interface

  interface
    subroutine crt_wait(cond) bind(C)
      import
      type(crt_cond_t), intent(inout) :: cond
    end subroutine
    subroutine crt_signal(cond) bind(C)
      import
      type(crt_cond_t), intent(inout) :: cond
    end subroutine
    subroutine omp_set_external(level) bind(C)
      import
      integer(omp_external_kind), value :: level
    end subroutine
    integer(omp_external_kind) function omp_get_external() bind(C)
      import
    end function
    subroutine crt_set_task_aware(aware) bind(C)
      import
      integer(c_int), value :: aware
    end subroutine
    integer(c_int) function crt_get_task_aware() bind(C)
      import
    end function
    ! poll: C_FUNLOC of a crt_poll_function, or C_NULL_FUNPTR.
    subroutine crt_set_poll(poll, arg) bind(C)
      import
      type(C_FUNPTR), value :: poll
      type(C_PTR), value :: arg
    end subroutine
    ! A task that is kept from completing, for crt_release, or C_NULL_PTR.
    type(C_PTR) function crt_bind() bind(C)
      import
    end function
    subroutine crt_release(task) bind(C)
      import
      type(C_PTR), value :: task
    end subroutine
    subroutine crt_yield() bind(C)
    end subroutine
  end interface
end module
