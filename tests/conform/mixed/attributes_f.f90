! SPDX-License-Identifier: BSD-3-Clause
! What attributes.c calls: attributes set, got and copied in Fortran, with the functions of MPI-1 (_1) and those since.
module callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  integer, parameter :: extra_1 = 1234
  integer(MPI_ADDRESS_KIND), parameter :: extra = 2_MPI_ADDRESS_KIND**40 + 5
  integer(MPI_ADDRESS_KIND), parameter :: none = 0
  integer :: copies = 0, deletes = 0, wrong = 0
  integer :: last_handle = 0
  ! What the last callback was given.
  integer(MPI_ADDRESS_KIND) :: seen = 0
contains
  subroutine copy_1(comm, key, state, in, out, flag, ierror)
    integer :: comm, key, state, in, out, ierror
    logical :: flag
    if (state /= extra_1) wrong = wrong + 1
    copies = copies + 1
    last_handle = comm
    seen = in
    out = in + 1
    flag = in /= 99
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete_1(comm, key, value, state, ierror)
    integer :: comm, key, value, state, ierror
    if (state /= extra_1) wrong = wrong + 1
    deletes = deletes + 1
    last_handle = comm
    seen = value
    ierror = MPI_SUCCESS
  end subroutine
  subroutine copy_2(object, key, state, in, out, flag, ierror)
    integer :: object, key, ierror
    integer(MPI_ADDRESS_KIND) :: state, in, out
    logical :: flag
    if (state /= extra) wrong = wrong + 1
    copies = copies + 1
    last_handle = object
    seen = in
    out = in + 1
    flag = in /= 99
    ierror = MPI_SUCCESS
  end subroutine
  subroutine delete_2(object, key, value, state, ierror)
    integer :: object, key, ierror
    integer(MPI_ADDRESS_KIND) :: value, state
    if (state /= extra) wrong = wrong + 1
    deletes = deletes + 1
    last_handle = object
    seen = value
    ierror = MPI_SUCCESS
    if (value == -77 .and. deletes <= 2) ierror = MPI_ERR_OTHER
  end subroutine

  subroutine what_was(n_copies, n_deletes, handle, value, n_wrong) bind(C)
    integer(c_int) :: n_copies, n_deletes, handle, n_wrong
    integer(c_intptr_t) :: value
    n_copies = copies
    n_deletes = deletes
    handle = last_handle
    value = seen
    n_wrong = wrong
    copies = 0
    deletes = 0
  end subroutine

  ! ---- keys: kind 0: the program's functions; 1: MPI_NULL_..., 2: MPI_DUP_FN

  integer(c_int) function comm_key_1(kind) bind(C)
    integer(c_int), value :: kind
    integer :: ierror
    external MPI_NULL_COPY_FN, MPI_DUP_FN, MPI_NULL_DELETE_FN, MPI_KEYVAL_CREATE
    if (kind == 0) call MPI_KEYVAL_CREATE(copy_1, delete_1, comm_key_1, extra_1, ierror)
    if (kind == 1) call MPI_KEYVAL_CREATE(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, comm_key_1, 0, ierror)
    if (kind == 2) call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, comm_key_1, 0, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function comm_key_2(kind) bind(C)
    integer(c_int), value :: kind
    integer :: ierror
    external MPI_COMM_CREATE_KEYVAL
    if (kind == 0) call MPI_COMM_CREATE_KEYVAL(copy_2, delete_2, comm_key_2, extra, ierror)
    if (kind == 1) call MPI_COMM_CREATE_KEYVAL(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, comm_key_2, none, ierror)
    if (kind == 2) call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, comm_key_2, none, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function win_key(kind) bind(C)
    integer(c_int), value :: kind
    integer :: ierror
    external MPI_WIN_CREATE_KEYVAL
    if (kind == 0) call MPI_WIN_CREATE_KEYVAL(copy_2, delete_2, win_key, extra, ierror)
    if (kind == 1) call MPI_WIN_CREATE_KEYVAL(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, win_key, none, ierror)
    if (kind == 2) call MPI_WIN_CREATE_KEYVAL(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, win_key, none, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function type_key(kind) bind(C)
    integer(c_int), value :: kind
    integer :: ierror
    external MPI_TYPE_CREATE_KEYVAL
    if (kind == 0) call MPI_TYPE_CREATE_KEYVAL(copy_2, delete_2, type_key, extra, ierror)
    if (kind == 1) call MPI_TYPE_CREATE_KEYVAL(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, type_key, none, ierror)
    if (kind == 2) call MPI_TYPE_CREATE_KEYVAL(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, type_key, none, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function

  ! ---- values. get: the flag

  integer(c_int) function put_1(comm, key, value) bind(C)
    integer(c_int), value :: comm, key, value
    external MPI_ATTR_PUT
    call MPI_ATTR_PUT(comm, key, value, put_1)
  end function
  integer(c_int) function get_1(comm, key, value) bind(C)
    integer(c_int), value :: comm, key
    integer(c_int) :: value
    logical :: flag
    integer :: ierror
    external MPI_ATTR_GET
    call MPI_ATTR_GET(comm, key, value, flag, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    get_1 = merge(1, 0, flag)
  end function
  integer(c_int) function comm_set(comm, key, value) bind(C)
    integer(c_int), value :: comm, key
    integer(c_intptr_t), value :: value
    external MPI_COMM_SET_ATTR
    call MPI_COMM_SET_ATTR(comm, key, value, comm_set)
  end function
  integer(c_int) function comm_get(comm, key, value) bind(C)
    integer(c_int), value :: comm, key
    integer(c_intptr_t) :: value
    logical :: flag
    integer :: ierror
    external MPI_COMM_GET_ATTR
    call MPI_COMM_GET_ATTR(comm, key, value, flag, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    comm_get = merge(1, 0, flag)
  end function
  integer(c_int) function win_set(win, key, value) bind(C)
    integer(c_int), value :: win, key
    integer(c_intptr_t), value :: value
    external MPI_WIN_SET_ATTR
    call MPI_WIN_SET_ATTR(win, key, value, win_set)
  end function
  integer(c_int) function win_get(win, key, value) bind(C)
    integer(c_int), value :: win, key
    integer(c_intptr_t) :: value
    logical :: flag
    integer :: ierror
    external MPI_WIN_GET_ATTR
    call MPI_WIN_GET_ATTR(win, key, value, flag, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    win_get = merge(1, 0, flag)
  end function
  integer(c_int) function type_set(type, key, value) bind(C)
    integer(c_int), value :: type, key
    integer(c_intptr_t), value :: value
    external MPI_TYPE_SET_ATTR
    call MPI_TYPE_SET_ATTR(type, key, value, type_set)
  end function
  integer(c_int) function type_get(type, key, value) bind(C)
    integer(c_int), value :: type, key
    integer(c_intptr_t) :: value
    logical :: flag
    integer :: ierror
    external MPI_TYPE_GET_ATTR
    call MPI_TYPE_GET_ATTR(type, key, value, flag, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    type_get = merge(1, 0, flag)
  end function

  ! ---- predefined: their values, of the communicator and of a window

  subroutine predefined(comm, of_comm, of_comm_1) bind(C)
    integer(c_int), value :: comm
    integer(c_intptr_t) :: of_comm(4)
    integer(c_int) :: of_comm_1(4)
    integer :: keys(4), i
    keys = [MPI_TAG_UB, MPI_WTIME_IS_GLOBAL, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE]
    do i = 1, 4
      if (comm_get(comm, keys(i), of_comm(i)) == 0) of_comm(i) = -1
      if (get_1(comm, keys(i), of_comm_1(i)) == 0) of_comm_1(i) = -1
    end do
  end subroutine
  subroutine predefined_win(win, values) bind(C)
    integer(c_int), value :: win
    integer(c_intptr_t) :: values(5)
    integer :: keys(5), i
    keys = [MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL]
    do i = 1, 5
      if (win_get(win, keys(i), values(i)) == 0) values(i) = -1
    end do
  end subroutine

  ! The predefined functions may be called, too.
  integer(c_int) function call_predefined() bind(C)
    integer(MPI_ADDRESS_KIND) :: out
    integer :: out_1, ierror
    logical :: flag
    external MPI_DUP_FN
    comm: block
      flag = .false.
      out = 0
      call MPI_COMM_DUP_FN(MPI_COMM_WORLD, 0, extra, extra + 7, out, flag, ierror)
      call_predefined = merge(0, 1, flag .and. out == extra + 7 .and. ierror == MPI_SUCCESS)
      call MPI_WIN_NULL_COPY_FN(MPI_WIN_NULL, 0, extra, extra, out, flag, ierror)
      call_predefined = call_predefined + merge(1, 0, flag)
      ierror = -1
      call MPI_TYPE_NULL_DELETE_FN(MPI_INTEGER, 0, extra, extra, ierror)
      call_predefined = call_predefined + merge(0, 1, ierror == MPI_SUCCESS)
      call MPI_DUP_FN(MPI_COMM_WORLD, 0, 3, 44, out_1, flag, ierror)
      call_predefined = call_predefined + merge(0, 1, flag .and. out_1 == 44)
    end block comm
  end function
end module
