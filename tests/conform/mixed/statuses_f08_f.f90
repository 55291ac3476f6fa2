! SPDX-License-Identifier: BSD-3-Clause
! The program of statuses_f08.c.
program statuses
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  interface
    subroutine in_c(given, changed, rank) bind(C)
      import MPI_Status, c_int
      type(MPI_Status) :: given, changed
      integer(c_int) :: rank
    end subroutine
    type(c_ptr) function ignored() bind(C)
      import c_ptr
    end function
    type(c_ptr) function all_ignored() bind(C)
      import c_ptr
    end function
    subroutine refused(given) bind(C)
      import MPI_Status
      type(MPI_Status) :: given
    end subroutine
    integer(c_int) function conform_end(errors) bind(C)
      import c_int
      integer(c_int), value :: errors
    end function
  end interface
  type(MPI_Status) :: status, changed
  type(MPI_Status), pointer :: to_ignore, all_to_ignore(:)
  integer :: numbers(MPI_STATUS_SIZE), rank, in(5), n, errors
  logical :: flag
  errors = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  in = 0
  call MPI_Sendrecv([1, 2, 3], 3, MPI_INTEGER, rank, 77, in, 5, MPI_INTEGER, rank, 77, MPI_COMM_WORLD, status)
  call in_c(status, changed, rank)
  call MPI_Get_count(changed, MPI_INTEGER, n)
  call MPI_Test_cancelled(changed, flag)
  if (changed%MPI_SOURCE /= 8 .or. changed%MPI_TAG /= 9 .or. n /= 1234 .or. .not. flag) errors = errors + 1
  call MPI_Status_f082f(changed, numbers)
  if (numbers(MPI_SOURCE) /= 8 .or. numbers(MPI_TAG) /= 9 .or. numbers(MPI_ERROR) /= changed%MPI_ERROR) errors = errors + 1
  changed%MPI_SOURCE = -9
  call MPI_Status_f2f08(numbers, changed, n)
  if (changed%MPI_SOURCE /= 8 .or. n /= MPI_SUCCESS) errors = errors + 1
  call MPI_Get_elements(changed, MPI_INTEGER, n)
  if (n /= 1234) errors = errors + 1
  call c_f_pointer(ignored(), to_ignore)
  call c_f_pointer(all_ignored(), all_to_ignore, [1])
  in = 0
  call MPI_Sendrecv([1, 2, 3], 3, MPI_INTEGER, rank, 77, in, 5, MPI_INTEGER, rank, 77, MPI_COMM_WORLD, to_ignore)
  if (in(3) /= 3) errors = errors + 1
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Status_f082f(MPI_STATUS_IGNORE, numbers, n)
  if (n == MPI_SUCCESS) errors = errors + 1
  call MPI_Status_f2f08(numbers, MPI_STATUS_IGNORE, n)
  if (n == MPI_SUCCESS) errors = errors + 1
  call refused(status)
  if (conform_end(errors) /= 0) stop 1
end program
