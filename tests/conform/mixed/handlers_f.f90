! SPDX-License-Identifier: BSD-3-Clause
! What handlers.c calls: error handlers, operators and generalized requests written in Fortran.
module callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer(MPI_ADDRESS_KIND), parameter :: extra = 2_MPI_ADDRESS_KIND**40 + 5
  ! What the last error handler was given.
  integer :: calls = 0, handle = -1, code = -1
  ! Of this rank; an operator that runs in another rank's thread sees them.
  integer :: own = 0, operations = 0, wrong = 0
  ! Of the last generalized request.
  integer :: queries = 0, frees = 0, cancels = 0
  logical :: was_complete = .false.
contains
  ! ---- error handlers

  subroutine handler(object, error_code)
    integer :: object, error_code
    calls = calls + 1
    handle = object
    code = error_code
  end subroutine
  integer(c_int) function comm_handler() bind(C)
    integer :: ierror
    external MPI_COMM_CREATE_ERRHANDLER
    call MPI_COMM_CREATE_ERRHANDLER(handler, comm_handler, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function handler_1() bind(C)
    integer :: ierror
    external MPI_ERRHANDLER_CREATE
    call MPI_ERRHANDLER_CREATE(handler, handler_1, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function win_handler() bind(C)
    integer :: ierror
    external MPI_WIN_CREATE_ERRHANDLER
    call MPI_WIN_CREATE_ERRHANDLER(handler, win_handler, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  ! Nothing to call it is there.
  integer(c_int) function file_handler() bind(C)
    integer :: ierror
    external MPI_FILE_CREATE_ERRHANDLER
    call MPI_FILE_CREATE_ERRHANDLER(handler, file_handler, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  subroutine handled(n, object, error_code, n_wrong) bind(C)
    integer(c_int) :: n, object, error_code, n_wrong
    n = calls
    object = handle
    error_code = code
    n_wrong = wrong
    calls = 0
  end subroutine
  subroutine set_handler(comm, errhandler) bind(C)
    integer(c_int), value :: comm, errhandler
    integer :: ierror
    call MPI_COMM_SET_ERRHANDLER(comm, errhandler, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end subroutine
  integer(c_int) function get_handler(comm) bind(C)
    integer(c_int), value :: comm
    integer :: ierror
    call MPI_COMM_GET_ERRHANDLER(comm, get_handler, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  ! Errors made in Fortran: their class.
  integer(c_int) function send_nowhere(comm) bind(C)
    integer(c_int), value :: comm
    integer :: ierror, buffer(1)
    external MPI_SEND
    buffer = 0
    call MPI_SEND(buffer, 1, MPI_INTEGER, 1000000, 0, comm, ierror)
    call MPI_ERROR_CLASS(ierror, send_nowhere, ierror)
  end function
  integer(c_int) function call_handler(comm, error_code) bind(C)
    integer(c_int), value :: comm, error_code
    call MPI_COMM_CALL_ERRHANDLER(comm, error_code, call_handler)
  end function

  ! ---- operators

  subroutine owner(value) bind(C)
    integer(c_int), value :: value
    own = value
  end subroutine
  ! The larger of the first ones, the sum of the second ones; `own` is what the program has set.
  subroutine larger_and_sum(invec, inoutvec, len, datatype)
    integer :: len, datatype, i, size, ierror
    integer :: invec(2, len), inoutvec(2, len)
    call MPI_TYPE_SIZE(datatype, size, ierror)
    if (own /= 4711 .or. ierror /= MPI_SUCCESS .or. size /= 8) wrong = wrong + 1
    operations = operations + 1
    do i = 1, len
      inoutvec(1, i) = max(invec(1, i), inoutvec(1, i))
      inoutvec(2, i) = invec(2, i) + inoutvec(2, i)
    end do
  end subroutine
  ! Of 2x2 matrices: not commutative.
  subroutine product_of(invec, inoutvec, len, datatype)
    integer :: len, datatype, i
    real(8) :: invec(2, 2, len), inoutvec(2, 2, len)
    if (own /= 4711 .or. datatype == MPI_DOUBLE_PRECISION) wrong = wrong + 1
    operations = operations + 1
    do i = 1, len
      inoutvec(:, :, i) = matmul(invec(:, :, i), inoutvec(:, :, i))
    end do
  end subroutine
  integer(c_int) function operator_of(commutes) bind(C)
    integer(c_int), value :: commutes
    integer :: ierror
    external MPI_OP_CREATE
    if (commutes /= 0) then
      call MPI_OP_CREATE(larger_and_sum, .true., operator_of, ierror)
    else
      call MPI_OP_CREATE(product_of, .false., operator_of, ierror)
    end if
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  subroutine operated(n, n_wrong) bind(C)
    integer(c_int) :: n, n_wrong
    n = operations
    n_wrong = wrong
  end subroutine
  ! With an operator of C.
  integer(c_int) function reduce(value, type, op, comm) bind(C)
    integer(c_int), value :: value, type, op, comm
    integer :: in(1), out(1), ierror
    external MPI_ALLREDUCE
    in = value
    call MPI_ALLREDUCE(in, out, 1, type, op, comm, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    reduce = out(1)
  end function

  ! ---- generalized requests

  subroutine query(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: status(MPI_STATUS_SIZE), ierror
    if (state /= extra) wrong = wrong + 1
    queries = queries + 1
    call MPI_STATUS_SET_ELEMENTS(status, MPI_INTEGER, 17, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    call MPI_STATUS_SET_CANCELLED(status, cancels > 0 .and. .not. was_complete, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    status(MPI_SOURCE) = 3
    status(MPI_TAG) = 4
    ierror = MPI_SUCCESS
  end subroutine
  subroutine free_it(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror
    if (state /= extra) wrong = wrong + 1
    frees = frees + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    if (state /= extra) wrong = wrong + 1
    cancels = cancels + 1
    was_complete = complete
    ierror = MPI_SUCCESS
  end subroutine
  integer(c_int) function request() bind(C)
    integer :: ierror
    external MPI_GREQUEST_START
    queries = 0
    frees = 0
    cancels = 0
    call MPI_GREQUEST_START(query, free_it, cancel, extra, request, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  subroutine requested(n_queries, n_frees, n_cancels, complete, n_wrong) bind(C)
    integer(c_int) :: n_queries, n_frees, n_cancels, complete, n_wrong
    n_queries = queries
    n_frees = frees
    n_cancels = cancels
    complete = merge(1, 0, was_complete)
    n_wrong = wrong
  end subroutine
  ! Completes it and waits for it; the number of integers that its status tells.
  integer(c_int) function finish(number, cancelled) bind(C)
    integer(c_int), value :: number
    integer(c_int) :: cancelled
    integer :: status(MPI_STATUS_SIZE), ierror
    logical :: flag
    call MPI_GREQUEST_COMPLETE(number, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    call MPI_WAIT(number, status, ierror)
    if (ierror /= MPI_SUCCESS .or. number /= MPI_REQUEST_NULL) wrong = wrong + 1
    if (status(MPI_SOURCE) /= 3 .or. status(MPI_TAG) /= 4) wrong = wrong + 1
    call MPI_GET_COUNT(status, MPI_INTEGER, finish, ierror)
    call MPI_TEST_CANCELLED(status, flag, ierror)
    cancelled = merge(1, 0, flag)
  end function
end module
