! SPDX-License-Identifier: BSD-3-Clause
! Callbacks as mpi_f08 declares them; callbacks_f08.c uses the same objects.
module callbacks
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  integer :: wrong = 0, copies = 0, deletes = 0, errors = 0, operations = 0, queries = 0, frees = 0, cancels = 0
  type(MPI_Comm) :: comm
contains
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldcomm /= comm .or. extra_state /= 31) wrong = wrong + 1
    copies = copies + 1
    attribute_val_out = attribute_val_in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    if (extra_state /= 31) wrong = wrong + 1
    deletes = deletes + 1
    ierror = MPI_SUCCESS
  end subroutine
  ! Variable arguments of C's are not there.
  subroutine handler(which, error_code)
    type(MPI_Comm) :: which
    integer :: error_code, class, ierror
    call MPI_Error_class(error_code, class, ierror)
    if (which /= comm .or. class /= MPI_ERR_RANK) wrong = wrong + 1
    errors = errors + 1
  end subroutine
  subroutine longer(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    if (datatype /= MPI_INTEGER) wrong = wrong + 1
    operations = operations + 1
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = max(in, inout)
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    queries = queries + 1
    status%MPI_SOURCE = 12
    status%MPI_TAG = int(extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 5)
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine free_it(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    if (extra_state /= 13) wrong = wrong + 1
    frees = frees + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (extra_state /= 13 .or. complete) wrong = wrong + 1
    cancels = cancels + 1
    ierror = MPI_SUCCESS
  end subroutine
end module

program f08
  use callbacks
  implicit none
  interface
    subroutine in_c(comm, key, dup_key, op) bind(C)
      import c_int
      integer(c_int), value :: comm, key, dup_key, op
    end subroutine
    integer(c_int) function conform_end(errors) bind(C)
      import c_int
      integer(c_int), value :: errors
    end function
  end interface
  type(MPI_Comm) :: copied
  type(MPI_Errhandler) :: errhandler
  type(MPI_Op) :: op
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer :: key, dup_key, rank, size, most, n, ierror
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_rank(comm, rank)
  call MPI_Comm_size(comm, size)
  ! attributes
  call MPI_Comm_create_keyval(copy, delete, key, 31_MPI_ADDRESS_KIND)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, dup_key, 0_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(comm, key, 100_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(comm, dup_key, 2_MPI_ADDRESS_KIND**33)
  call MPI_Comm_dup(comm, copied)
  call MPI_Comm_get_attr(copied, key, value, flag)
  if (.not. flag .or. value /= 101) wrong = wrong + 1
  call MPI_Comm_get_attr(copied, dup_key, value, flag)
  if (.not. flag .or. value /= 2_MPI_ADDRESS_KIND**33) wrong = wrong + 1
  ! operators
  call MPI_Op_create(longer, .true., op)
  call MPI_Allreduce(rank, most, 1, MPI_INTEGER, MPI_MAX, comm)
  call MPI_Allreduce(rank, n, 1, MPI_INTEGER, op, comm)
  if (n /= most .or. n /= size - 1) wrong = wrong + 1
  call in_c(copied%MPI_VAL, key, dup_key, op%MPI_VAL)
  call MPI_Op_free(op)
  call MPI_Comm_free(copied)
  if (copies /= 1 .or. deletes /= 1) wrong = wrong + 1
  call MPI_Comm_delete_attr(comm, key)
  call MPI_Comm_free_keyval(key)
  call MPI_Comm_free_keyval(dup_key)
  if (deletes /= 2 .or. key /= MPI_KEYVAL_INVALID) wrong = wrong + 1
  ! error handlers
  call MPI_Comm_create_errhandler(handler, errhandler)
  call MPI_Comm_set_errhandler(comm, errhandler)
  call MPI_Errhandler_free(errhandler)
  call MPI_Send(rank, 1, MPI_INTEGER, size, 0, comm, ierror)
  call MPI_Send(rank, 1, MPI_INTEGER, size, 0, comm)
  if (errors /= 2 .or. ierror == MPI_SUCCESS) wrong = wrong + 1
  ! generalized requests
  call MPI_Grequest_start(query, free_it, cancel, 13_MPI_ADDRESS_KIND, request)
  call MPI_Test(request, flag, status)
  if (flag .or. queries + frees > 0) wrong = wrong + 1
  call MPI_Cancel(request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  if (n /= 5 .or. status%MPI_SOURCE /= 12 .or. status%MPI_TAG /= 13) wrong = wrong + 1
  if (queries /= 1 .or. frees /= 1 .or. cancels /= 1 .or. request /= MPI_REQUEST_NULL) wrong = wrong + 1
  call MPI_Comm_free(comm)
  if (conform_end(wrong) /= 0) stop 1
end program
