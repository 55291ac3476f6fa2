! SPDX-License-Identifier: BSD-3-Clause
! What allocates in Fortran's bindings, as program.c: an error of a call ends the job with 77 and its text, wrong data with 99.
module something
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer :: rank, size_of_world, next, previous, ierr, copies = 0, errors = 0

contains

  subroutine say(what, text, code)
    character(*), intent(in) :: what, text
    integer, intent(in) :: code
    character(500) :: name
    integer :: unit

    write (0, '(3a)') what, ': ', trim(text)
    call get_environment_variable('EP_TEST_SAID', name)
    open (newunit=unit, file=trim(name), position='append')
    write (unit, '(3a)') what, ': ', trim(text)
    close (unit)
    call MPI_Abort(MPI_COMM_WORLD, code)
  end subroutine

  ! The last call's error.
  subroutine must(call)
    character(*), intent(in) :: call
    character(MPI_MAX_ERROR_STRING) :: text
    integer :: length, ignored

    if (ierr == MPI_SUCCESS) return
    call MPI_Error_string(ierr, text, length, ignored)
    call say(call, text, 77)
  end subroutine

  subroutine right(yes, what)
    logical, intent(in) :: yes
    character(*), intent(in) :: what

    if (.not. yes) call say('WRONG', what, 99)
  end subroutine

  ! Nests of vectors, lists of pieces, copies.
  subroutine sections
    integer, asynchronous :: a(3, 200), b(3, 200)
    type(MPI_Datatype) :: pair
    type(MPI_Request) :: request
    integer :: i

    a = reshape([(rank * 1000 + i, i = 1, 600)], [3, 200])
    b = -1
    call MPI_Irecv(b(1, :), 200, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, request, ierr)
    call must('MPI_Irecv')
    call MPI_Send(a(2, :), 200, MPI_INTEGER, next, 1, MPI_COMM_WORLD, ierr)
    call must('MPI_Send')
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call must('MPI_Wait')
    call right(all(b(1, :) == a(2, :) + (previous - rank) * 1000), 'a section')
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
    call must('MPI_Type_contiguous')
    call MPI_Type_commit(pair, ierr)
    call must('MPI_Type_commit')
    call MPI_Sendrecv(a(3, :), 100, pair, next, 2, b(2, :), 100, pair, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call must('MPI_Sendrecv')
    call right(all(b(2, :) == a(3, :) + (previous - rank) * 1000), 'a section in pieces')
    call MPI_Type_free(pair, ierr)
    call must('MPI_Type_free')
    call MPI_Iallreduce(a(1, :), b(3, :), 200, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierr)
    call must('MPI_Iallreduce')
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call must('MPI_Wait')
    call right(all(b(3, :) == a(1, :) + (size_of_world - 1 - rank) * 1000), 'a copy')
  end subroutine

  ! More handles and characters than there is room for on the stack.
  subroutine many
    integer, parameter :: n = 40
    type(MPI_Request) :: requests(n)
    type(MPI_Status) :: statuses(n)
    type(MPI_Datatype) :: types(n), t
    type(MPI_Info) :: info
    integer, asynchronous :: in(n), out(n)
    integer :: i, ones(n)
    integer(aint) :: places(n)
    character(400) :: text
    logical :: flag

    out = [(rank + i, i = 1, n)]
    do i = 1, n / 2
      call MPI_Irecv(in(i), 1, MPI_INTEGER, previous, i, MPI_COMM_WORLD, requests(i), ierr)
      call must('MPI_Irecv')
    end do
    do i = 1, n / 2
      call MPI_Isend(out(i), 1, MPI_INTEGER, next, i, MPI_COMM_WORLD, requests(n / 2 + i), ierr)
      call must('MPI_Isend')
    end do
    call MPI_Waitall(n, requests, statuses, ierr)
    call must('MPI_Waitall')
    call right(all(in(:n / 2) == [(previous + i, i = 1, n / 2)]), 'many messages')
    call right(all(statuses(:n / 2)%MPI_TAG == [(i, i = 1, n / 2)]), 'many statuses')
    ones = 1
    types = MPI_INTEGER
    places = [(4_aint * i, i = 0, n - 1)]
    call MPI_Type_create_struct(n, ones, places, types, t, ierr)
    call must('MPI_Type_create_struct')
    call MPI_Type_size(t, i, ierr)
    call right(i == 4 * n, 'a structure')
    call MPI_Type_free(t, ierr)
    call must('MPI_Type_free')
    call MPI_Info_create(info, ierr)
    call must('MPI_Info_create')
    call MPI_Info_set(info, 'key', repeat('x', 200), ierr)
    call must('MPI_Info_set')
    call MPI_Info_get(info, 'key', len(text), text, flag, ierr)
    call must('MPI_Info_get')
    call right(flag .and. text == repeat('x', 200), 'a long string')
    call MPI_Info_free(info, ierr)
    call must('MPI_Info_free')
  end subroutine

  subroutine copy_comm(comm, keyval, state, in, out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(aint) :: state, in, out
    logical :: flag

    copies = copies + 1
    out = in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_comm(comm, keyval, value, state, ierror)
    type(MPI_Comm) :: comm
    integer :: keyval, ierror
    integer(aint) :: value, state

    copies = copies - 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine copy_type(datatype, keyval, state, in, out, flag, ierror)
    type(MPI_Datatype) :: datatype
    integer :: keyval, ierror
    integer(aint) :: state, in, out
    logical :: flag

    out = in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine attributes
    type(MPI_Comm) :: comm, dup
    type(MPI_Datatype) :: t, copy
    integer :: keyval
    integer(aint) :: value
    logical :: flag

    call MPI_Comm_create_keyval(copy_comm, delete_comm, keyval, 1_aint, ierr)
    call must('MPI_Comm_create_keyval')
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call must('MPI_Comm_dup')
    call MPI_Comm_set_attr(comm, keyval, 10_aint, ierr)
    call must('MPI_Comm_set_attr')
    call MPI_Comm_dup(comm, dup, ierr)
    call must('MPI_Comm_dup')
    call MPI_Comm_get_attr(dup, keyval, value, flag, ierr)
    call must('MPI_Comm_get_attr')
    call right(flag .and. value == 11 .and. copies == 1, 'an attribute')
    call MPI_Comm_free(dup, ierr)
    call must('MPI_Comm_free')
    call right(copies == 0, 'a deleted attribute')
    copies = 1
    call MPI_Comm_free(comm, ierr)
    call must('MPI_Comm_free')
    call MPI_Comm_free_keyval(keyval, ierr)
    call must('MPI_Comm_free_keyval')
    call MPI_Type_create_keyval(copy_type, MPI_TYPE_NULL_DELETE_FN, keyval, 1_aint, ierr)
    call must('MPI_Type_create_keyval')
    call MPI_Type_contiguous(3, MPI_INTEGER, t, ierr)
    call must('MPI_Type_contiguous')
    call MPI_Type_set_attr(t, keyval, 20_aint, ierr)
    call must('MPI_Type_set_attr')
    call MPI_Type_dup(t, copy, ierr)
    call must('MPI_Type_dup')
    call MPI_Type_get_attr(copy, keyval, value, flag, ierr)
    call must('MPI_Type_get_attr')
    call right(flag .and. value == 21, 'an attribute of a datatype')
    call MPI_Type_free(copy, ierr)
    call must('MPI_Type_free')
    call MPI_Type_free(t, ierr)
    call must('MPI_Type_free')
    call MPI_Type_free_keyval(keyval, ierr)
    call must('MPI_Type_free_keyval')
  end subroutine

  subroutine handler(comm, code)
    type(MPI_Comm) :: comm
    integer :: code

    errors = errors + 1
  end subroutine

  subroutine longer(in, inout, length, datatype)
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)

    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
    b = max(a, b)
  end subroutine

  subroutine query(state, status, ierror)
    integer(aint) :: state
    type(MPI_Status) :: status
    integer :: ierror

    call MPI_Status_set_elements(status, MPI_INTEGER, int(state))
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine free(state, ierror)
    integer(aint) :: state
    integer :: ierror

    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel(state, complete, ierror)
    integer(aint) :: state
    logical :: complete
    integer :: ierror

    ierror = MPI_SUCCESS
  end subroutine

  subroutine callbacks
    type(MPI_Comm) :: comm
    type(MPI_Errhandler) :: errhandler
    type(MPI_Op) :: op
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer :: n

    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
    call must('MPI_Comm_dup')
    call MPI_Comm_create_errhandler(handler, errhandler, ierr)
    call must('MPI_Comm_create_errhandler')
    call MPI_Comm_set_errhandler(comm, errhandler, ierr)
    call must('MPI_Comm_set_errhandler')
    call MPI_Errhandler_free(errhandler, ierr)
    call must('MPI_Errhandler_free')
    errors = 0
    call MPI_Send(n, 1, MPI_INTEGER, 1, 0, comm, ierr)
    call right(errors == 1 .and. ierr /= MPI_SUCCESS, 'an error handler')
    call MPI_Comm_free(comm, ierr)
    call must('MPI_Comm_free')
    call MPI_Op_create(longer, .true., op, ierr)
    call must('MPI_Op_create')
    call MPI_Allreduce(rank, n, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
    call must('MPI_Allreduce')
    call right(n == size_of_world - 1, 'an operator')
    call MPI_Op_free(op, ierr)
    call must('MPI_Op_free')
    call MPI_Grequest_start(query, free, cancel, 5_aint, request, ierr)
    call must('MPI_Grequest_start')
    call MPI_Grequest_complete(request, ierr)
    call must('MPI_Grequest_complete')
    call MPI_Wait(request, status, ierr)
    call must('MPI_Wait')
    call MPI_Get_count(status, MPI_INTEGER, n, ierr)
    call right(n == 5, 'a generalized request')
  end subroutine
end module

program main
  use something
  implicit none
  integer :: i

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size_of_world)
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  do i = 1, 2
    call sections
    call many
    call attributes
    call callbacks
  end do
  call MPI_Finalize()
  if (rank == 0) print '(a)', 'all right'
end program
