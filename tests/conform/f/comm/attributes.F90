! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 6.7, 17.2.7: attributes of communicators, datatypes and windows, with callbacks in Fortran; MPI-1's forms.
#include "conform_f.h"
module attributes
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND
  ! More than 32 bits.
  integer(aint), parameter :: state = 5000000000_aint, value = -7000000000_aint
  integer, save :: copied = 0, deleted = 0, seen_keyval = -1
  integer(aint), save :: seen_value = 0
  ! The number of the object that the last callback was given.
  integer, save :: seen = 0

contains

  subroutine copy_comm(comm, keyval, extra_state, value_in, value_out, flag, ierror)
    COMM_T :: comm
    integer :: keyval, ierror
    integer(aint) :: extra_state, value_in, value_out
    logical :: flag

    copied = copied + 1
    CHECK(extra_state == state)
    seen = VAL(comm)
    seen_keyval = keyval
    value_out = value_in - 1
    flag = copied /= 2 ! the second copy is none
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_comm(comm, keyval, value_of, extra_state, ierror)
    COMM_T :: comm
    integer :: keyval, ierror
    integer(aint) :: value_of, extra_state

    deleted = deleted + 1
    seen = VAL(comm)
    CHECK(extra_state == state)
    seen_value = value_of
    ierror = MPI_SUCCESS
  end subroutine

  subroutine refuse(comm, keyval, value_of, extra_state, ierror)
    COMM_T :: comm
    integer :: keyval, ierror
    integer(aint) :: value_of, extra_state

    ierror = MPI_ERR_OTHER
  end subroutine

  subroutine copy_type(datatype, keyval, extra_state, value_in, value_out, flag, ierror)
    DATATYPE_T :: datatype
    integer :: keyval, ierror
    integer(aint) :: extra_state, value_in, value_out
    logical :: flag

    copied = copied + 1
    seen = VAL(datatype)
    CHECK(extra_state == state)
    value_out = value_in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_type(datatype, keyval, value_of, extra_state, ierror)
    DATATYPE_T :: datatype
    integer :: keyval, ierror
    integer(aint) :: value_of, extra_state

    deleted = deleted + 1
    seen = VAL(datatype)
    seen_value = value_of
    ierror = MPI_SUCCESS
  end subroutine

  subroutine copy_win(win, keyval, extra_state, value_in, value_out, flag, ierror)
    WIN_T :: win
    integer :: keyval, ierror
    integer(aint) :: extra_state, value_in, value_out
    logical :: flag

    copied = copied + 1 ! nothing duplicates windows
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_win(win, keyval, value_of, extra_state, ierror)
    WIN_T :: win
    integer :: keyval, ierror
    integer(aint) :: value_of, extra_state

    deleted = deleted + 1
    seen = VAL(win)
    CHECK(extra_state == state)
    seen_value = value_of
    ierror = MPI_SUCCESS
  end subroutine

  subroutine of_communicators
    COMM_T :: comm, first, second
    integer :: keyval, plain, relation, number
    integer(aint) :: got
    logical :: flag

    call MPI_Comm_create_keyval(copy_comm, delete_comm, keyval, state, ierr); OK
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, plain, state, ierr); OK
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_get_attr(comm, keyval, got, flag, ierr); OK
    CHECK(.not. flag)
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    call MPI_Comm_set_attr(comm, plain, value, ierr); OK
    call MPI_Comm_get_attr(comm, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == value)

    call MPI_Comm_dup(comm, first, ierr); OK
    EXPECT(copied, 1)
    EXPECT(seen_keyval, keyval)
    EXPECT(seen, VAL(comm))
    call MPI_Comm_get_attr(first, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == value - 1)
    call MPI_Comm_get_attr(first, plain, got, flag, ierr); OK
    CHECK(flag .and. got == value)
    call MPI_Comm_dup(comm, second, ierr); OK
    EXPECT(copied, 2)
    call MPI_Comm_get_attr(second, keyval, got, flag, ierr); OK
    CHECK(.not. flag)

    call MPI_Comm_set_attr(comm, keyval, value + 5, ierr); OK ! deletes what was there
    EXPECT(deleted, 1)
    CHECK(seen_value == value)
    call MPI_Comm_delete_attr(comm, keyval, ierr); OK
    EXPECT(deleted, 2)
    CHECK(seen_value == value + 5)
    EXPECT(seen, VAL(comm))
    call MPI_Comm_free_keyval(keyval, ierr); OK
    EXPECT(keyval, MPI_KEYVAL_INVALID)
    call MPI_Comm_free(second, ierr); OK
    EXPECT(deleted, 2)
    number = VAL(first)
    call MPI_Comm_free(first, ierr); OK ! the last that has one
    EXPECT(deleted, 3)
    EXPECT(seen, number)
    CHECK(seen_value == value - 1)

    ! Who refuses to delete keeps the attribute, and the communicator.
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, keyval, state, ierr); OK
    call MPI_Comm_set_attr(comm, keyval, value, ierr); OK
    call MPI_Comm_dup(comm, first, ierr); OK
    call MPI_Comm_get_attr(first, keyval, got, flag, ierr); OK
    CHECK(.not. flag)
    call MPI_Comm_free(first, ierr); OK
    call MPI_Comm_delete_attr(comm, keyval, ierr); REFUSED
    call MPI_Comm_get_attr(comm, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == value)
#if !defined(PLAIN_OPENMPI) && !defined(PLAIN_MPICH) /* erroneous */
    call MPI_Comm_free(comm, ierr); REFUSED
    call MPI_Comm_compare(comm, MPI_COMM_WORLD, relation, ierr); OK
    EXPECT(relation, MPI_CONGRUENT)
#endif
    call MPI_Comm_free_keyval(keyval, ierr); OK
    call MPI_Comm_free_keyval(plain, ierr); OK
  end subroutine

  subroutine of_datatypes
    DATATYPE_T :: t, copy
    integer :: keyval
    integer(aint) :: got
    logical :: flag

    copied = 0
    deleted = 0
    call MPI_Type_create_keyval(copy_type, delete_type, keyval, state, ierr); OK
    call MPI_Type_contiguous(2, MPI_REAL, t, ierr); OK
    call MPI_Type_set_attr(t, keyval, value, ierr); OK
    call MPI_Type_dup(t, copy, ierr); OK
    EXPECT(copied, 1)
    EXPECT(seen, VAL(t))
    call MPI_Type_get_attr(copy, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == value + 1)
    call MPI_Type_delete_attr(copy, keyval, ierr); OK
    EXPECT(deleted, 1)
    EXPECT(seen, VAL(copy))
    CHECK(seen_value == value + 1)
    call MPI_Type_free(copy, ierr); OK
    call MPI_Type_free(t, ierr); OK
    EXPECT(deleted, 2)
    call MPI_Type_free_keyval(keyval, ierr); OK
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, state, ierr); OK
    call MPI_Type_free_keyval(keyval, ierr); OK
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, state, ierr); OK
    call MPI_Type_free_keyval(keyval, ierr); OK
  end subroutine

  subroutine of_windows
    WIN_T :: win
    integer :: keyval, memory(4)
    integer(aint) :: got, address
    logical :: flag

    copied = 0
    deleted = 0
    call MPI_Win_create_keyval(copy_win, delete_win, keyval, state, ierr); OK
    call MPI_Win_create(memory, 16_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_set_attr(win, keyval, value, ierr); OK
    call MPI_Win_get_attr(win, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == value)
    ! The predefined ones are values here, not addresses of them.
    call MPI_Get_address(memory, address, ierr); OK
    call MPI_Win_get_attr(win, MPI_WIN_BASE, got, flag, ierr); OK
    CHECK(flag .and. got == address)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, got, flag, ierr); OK
    CHECK(flag .and. got == 16)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, got, flag, ierr); OK
    CHECK(flag .and. got == 4)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, got, flag, ierr); OK
    CHECK(flag .and. got == MPI_WIN_FLAVOR_CREATE)
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, got, flag, ierr); OK
    CHECK(flag .and. (got == MPI_WIN_UNIFIED .or. got == MPI_WIN_SEPARATE))
    call MPI_Win_delete_attr(win, keyval, ierr); OK
    EXPECT(deleted, 1)
    EXPECT(seen, VAL(win))
    call MPI_Win_set_attr(win, keyval, value + 1, ierr); OK
    call MPI_Win_free(win, ierr); OK
    EXPECT(deleted, 2)
    CHECK(seen_value == value + 1)
    call MPI_Win_free_keyval(keyval, ierr); OK
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, state, ierr); OK
    call MPI_Win_free_keyval(keyval, ierr); OK
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, keyval, state, ierr); OK
    call MPI_Win_free_keyval(keyval, ierr); OK
  end subroutine

  subroutine predefined
    integer(aint) :: got
    logical :: flag

    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, got, flag, ierr); OK
    CHECK(flag .and. got >= 32767 .and. got <= huge(1))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, got, flag, ierr); OK
    CHECK(flag .and. (got == MPI_PROC_NULL .or. got >= 0))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, got, flag, ierr); OK
    CHECK(flag .and. (got == MPI_ANY_SOURCE .or. got == MPI_PROC_NULL .or. got == rank))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, got, flag, ierr); OK
    CHECK(flag .and. (got == 0 .or. got == 1))
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, got, flag, ierr); OK
    CHECK(flag .and. got >= MPI_ERR_LASTCODE)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, got, flag, ierr); OK
    if (flag) then
      CHECK(got >= 1)
    end if
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, got, flag, ierr); OK
    if (flag) then
      CHECK(got == 0)
    end if
  end subroutine

#ifndef STYLE_F08
  ! MPI-1: values and states are integers.
  subroutine copy_old(comm, keyval, extra_state, value_in, value_out, flag, ierror)
    integer :: comm, keyval, extra_state, value_in, value_out, ierror
    logical :: flag

    copied = copied + 1
    EXPECT(extra_state, -17)
    value_out = value_in * 2
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete_old(comm, keyval, value_of, extra_state, ierror)
    integer :: comm, keyval, value_of, extra_state, ierror

    deleted = deleted + 1
    seen_value = value_of
    ierror = MPI_SUCCESS
  end subroutine

  subroutine of_mpi_1
    integer :: comm, copy, keyval, plain, got
    integer(aint) :: wide
    logical :: flag

    copied = 0
    deleted = 0
    call MPI_Keyval_create(copy_old, delete_old, keyval, -17, ierr); OK
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, plain, 0, ierr); OK
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Attr_get(comm, keyval, got, flag, ierr); OK
    CHECK(.not. flag)
    call MPI_Attr_put(comm, keyval, -21, ierr); OK
    call MPI_Attr_put(comm, plain, 4, ierr); OK
    call MPI_Attr_get(comm, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == -21)
    call MPI_Comm_get_attr(comm, keyval, wide, flag, ierr); OK
    CHECK(flag .and. wide == -21)
    call MPI_Comm_dup(comm, copy, ierr); OK
    EXPECT(copied, 1)
    call MPI_Attr_get(copy, keyval, got, flag, ierr); OK
    CHECK(flag .and. got == -42)
    call MPI_Attr_get(copy, plain, got, flag, ierr); OK
    CHECK(flag .and. got == 4)
    call MPI_Attr_delete(copy, keyval, ierr); OK
    EXPECT(deleted, 1)
    CHECK(seen_value == -42)
    call MPI_Comm_free(copy, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
    EXPECT(deleted, 2)
    call MPI_Keyval_free(keyval, ierr); OK
    EXPECT(keyval, MPI_KEYVAL_INVALID)
    call MPI_Keyval_free(plain, ierr); OK
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, plain, 0, ierr); OK
    call MPI_Keyval_free(plain, ierr); OK
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, got, flag, ierr); OK
    CHECK(flag .and. got >= 32767)
  end subroutine
#endif
end module

program main
  use attributes
  implicit none

  call conform_init
  call of_communicators
  call of_datatypes
  call of_windows
  call predefined
#ifndef STYLE_F08
  call of_mpi_1
#endif
  call conform_end
end program
