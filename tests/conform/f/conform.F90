! SPDX-License-Identifier: BSD-3-Clause
! What the conformance programs in Fortran share (conform.h is the C ones'). It uses the style under test, too.
#include "conform_f.h"
module conform
  USE_MPI
  implicit none
  private
  INCLUDE_MPI
  public :: conform_init, conform_init_thread, conform_end, conform_error, conform_check, conform_int, conform_ok, conform_fails, conform_refused
  public :: ierr, rank, size_of_world

  integer, parameter :: unset = -987654, shown = 10
  integer, save :: errors = 0
  ! For the last argument of all calls: checks put back what no call gives.
  integer, save :: ierr = unset
  ! In MPI_COMM_WORLD.
  integer, save, protected :: rank = -1, size_of_world = 0

contains

  subroutine conform_init
    call MPI_Init(ierr)
    call conform_ok(ierr, 'MPI_Init', 0)
    call know_world
  end subroutine

  subroutine conform_init_thread(level)
    integer, intent(in) :: level
    integer :: provided

    call MPI_Init_thread(level, provided, ierr)
    call conform_ok(ierr, 'MPI_Init_thread', 0)
    call know_world
    call conform_check(provided >= level, 'MPI_Init_thread', 0, 'provided >= level')
  end subroutine

  subroutine know_world
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call conform_ok(ierr, 'MPI_Comm_rank', 0)
    call MPI_Comm_size(MPI_COMM_WORLD, size_of_world, ierr)
    call conform_ok(ierr, 'MPI_Comm_size', 0)
  end subroutine

  ! Sum the errors of all, report, finalize, end.
  subroutine conform_end
    integer :: mine(1), all(1)

    mine = errors
    call MPI_Allreduce(mine, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (rank == 0 .and. all(1) > 0) print '(a, i0, a)', 'Found ', all(1), ' errors'
    call MPI_Finalize(ierr)
    if (all(1) > 0 .or. ierr /= MPI_SUCCESS) stop 1
    if (rank == 0) print '(a)', ' No Errors'
  end subroutine

  ! Say what is wrong and count it.
  subroutine conform_error(what)
    character(*), intent(in) :: what

    !$omp critical
    errors = errors + 1
    if (errors <= shown) print '(a, i0, 2a)', 'rank ', rank, ': ', what
    !$omp end critical
  end subroutine

  subroutine conform_check(good, file, line, what)
    logical, intent(in) :: good
    integer, intent(in) :: line
    character(*), intent(in) :: file, what
    character(len(file) + len(what) + 40) :: text

    if (good) return
    write (text, '(2a, i0, 2a)') file(index(file, '/', .true.) + 1:), ':', line, ': not ', what
    call conform_error(trim(text))
  end subroutine

  subroutine conform_int(got, want, file, line, what)
    integer(8), intent(in) :: got, want
    integer, intent(in) :: line
    character(*), intent(in) :: file, what
    character(len(file) + len(what) + 80) :: text

    if (got == want) return
    write (text, '(2a, i0, 3a, i0, a, i0)') file(index(file, '/', .true.) + 1:), ':', line, ': ', what, ' is ', got, ', not ', want
    call conform_error(trim(text))
  end subroutine

  ! A code must be success.
  subroutine conform_ok(code, file, line)
    integer, intent(inout) :: code
    integer, intent(in) :: line
    character(*), intent(in) :: file

    call conform_int(int(code, 8), int(MPI_SUCCESS, 8), file, line, 'ierror')
    code = unset
  end subroutine

  subroutine conform_fails(code, error_class, file, line)
    integer, intent(inout) :: code
    integer, intent(in) :: error_class, line
    character(*), intent(in) :: file
    integer :: class, ignored

    class = code
    if (code /= unset .and. code /= MPI_SUCCESS) call MPI_Error_class(code, class, ignored)
    call conform_int(int(class, 8), int(error_class, 8), file, line, 'class of ierror')
    code = unset
  end subroutine

  subroutine conform_refused(code, file, line)
    integer, intent(inout) :: code
    integer, intent(in) :: line
    character(*), intent(in) :: file

    call conform_check(code /= unset .and. code /= MPI_SUCCESS, file, line, 'an error')
    code = unset
  end subroutine
end module
