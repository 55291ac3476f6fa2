! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 8, 9, 12.4: what the program is told of its environment; memory, errors, clocks, start and end; infos.
#include "conform_f.h"
module environment
  USE_MPI
  use conform
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer, save :: handled = 0, handled_code = 0

contains

  subroutine versions
    integer :: version, subversion, length
    character(MPI_MAX_LIBRARY_VERSION_STRING) :: text
    character(MPI_MAX_PROCESSOR_NAME) :: name

    call MPI_Get_version(version, subversion, ierr); OK
    EXPECT(version, MPI_VERSION)
    EXPECT(subversion, MPI_SUBVERSION)
    CHECK(version >= 3)
    text = repeat('#', len(text))
    call MPI_Get_library_version(text, length, ierr); OK
#ifndef PLAIN_OPENMPI /* 4.1.4 counts the null character of C, too */
    CHECK(length > 0 .and. text(length:length) /= ' ' .and. text(length + 1:) == ' ')
#endif
    name = repeat('#', len(name))
    call MPI_Get_processor_name(name, length, ierr); OK
    CHECK(length > 0 .and. name(length:length) /= ' ' .and. name(length + 1:) == ' ')
    CHECK(index(name, '#') == 0)
  end subroutine

  subroutine memory
    type(c_ptr) :: pointer_of
    double precision, pointer :: x(:, :)

    ! In mpif.h, too: a C_PTR goes by reference there as an address does.
#ifndef STYLE_H
    call MPI_Alloc_mem(800_aint, MPI_INFO_NULL, pointer_of, ierr); OK
    call c_f_pointer(pointer_of, x, [10, 10])
    x = 1.5d0
    CHECK(sum(x) == 150)
    call MPI_Free_mem(x, ierr); OK
#endif
#ifndef STYLE_F08
    call with_address
#endif
  end subroutine

#ifndef STYLE_F08
  subroutine with_address
    use, intrinsic :: iso_c_binding, only: c_intptr_t
    integer(aint) :: address, where
    type(c_ptr) :: pointer_of
    integer, pointer :: i(:)

    call MPI_Alloc_mem(400_aint, MPI_INFO_NULL, address, ierr); OK
    pointer_of = transfer(address, pointer_of)
    call c_f_pointer(pointer_of, i, [100])
    i = 7
    call MPI_Get_address(i, where, ierr); OK
    CHECK(where == address)
    call MPI_Free_mem(i, ierr); OK
  end subroutine
#endif

  subroutine comm_handler(comm, code)
    COMM_T :: comm
    integer :: code

    handled = handled + 1
    handled_code = code
    if (comm /= MPI_COMM_WORLD) handled = handled + 100
  end subroutine

  subroutine win_handler(win, code)
    WIN_T :: win
    integer :: code

    handled = handled + 10
    handled_code = code
  end subroutine

  subroutine handlers
    ERRHANDLER_T :: handler, before
    WIN_T :: win
    COMM_T :: comm
    integer :: a(1), class

    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierr); OK
    CHECK(before == MPI_ERRORS_ARE_FATAL)
    call MPI_Comm_create_errhandler(comm_handler, handler, ierr); OK
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr); OK
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, before, ierr); OK
    CHECK(before == handler)
    call MPI_Errhandler_free(before, ierr); OK
    CHECK(before == MPI_ERRHANDLER_NULL)
    call MPI_Errhandler_free(handler, ierr); OK
    a = 0
    call MPI_Send(a, 1, MPI_INTEGER, size_of_world + 3, 0, MPI_COMM_WORLD, ierr)
    EXPECT(handled, 1)
    call MPI_Error_class(handled_code, class, ierr); OK
    EXPECT(class, MPI_ERR_RANK)
    call MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER, ierr); OK
    EXPECT(handled, 2)
    EXPECT(handled_code, MPI_ERR_OTHER)
    ! A new communicator has its parent's.
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_call_errhandler(comm, MPI_ERR_ARG, ierr); OK
    EXPECT(handled, 103)
    call MPI_Comm_free(comm, ierr); OK

    handled = 0
    call MPI_Win_create(a, 4_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_create_errhandler(win_handler, handler, ierr); OK
    call MPI_Win_set_errhandler(win, handler, ierr); OK
    call MPI_Win_get_errhandler(win, before, ierr); OK
    CHECK(before == handler)
    call MPI_Errhandler_free(before, ierr); OK
    call MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC, ierr); OK
    EXPECT(handled, 10)
    EXPECT(handled_code, MPI_ERR_RMA_SYNC)
    call MPI_Errhandler_free(handler, ierr); OK
    call MPI_Win_free(win, ierr); OK
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
  end subroutine

  subroutine errors_of_ones_own
    integer :: class, code, got, length
    character(MPI_MAX_ERROR_STRING) :: text

    text = repeat('#', len(text))
    call MPI_Error_string(MPI_ERR_RANK, text, length, ierr); OK
    CHECK(length > 0 .and. text(length:length) /= ' ' .and. text(length + 1:) == ' ')
    call MPI_Add_error_class(class, ierr); OK
    CHECK(class > MPI_ERR_LASTCODE)
    call MPI_Add_error_code(class, code, ierr); OK
    call MPI_Add_error_string(code, 'too cold   ', ierr); OK
    call MPI_Add_error_string(class, 'weather', ierr); OK
    call MPI_Error_class(code, got, ierr); OK
    EXPECT(got, class)
    call MPI_Error_string(code, text, length, ierr); OK
    CHECK(text == 'too cold')
    call MPI_Error_string(class, text, length, ierr); OK
    CHECK(text == 'weather')
  end subroutine

  subroutine clocks
    double precision :: start, tick

    start = MPI_Wtime()
    tick = MPI_Wtick()
    CHECK(tick > 0 .and. tick < 1)
    CHECK(MPI_Wtime() >= start)
  end subroutine

  subroutine infos
    INFO_T :: info, copy
    character(20) :: value
    character(3) :: short
    character(MPI_MAX_INFO_KEY) :: key
    integer :: keys, length, i
    logical :: flag

    call MPI_Info_create(info, ierr); OK
    ! Blanks at both ends of keys and values are none of theirs.
    call MPI_Info_set(info, '  colour ', '  light blue   ', ierr); OK
    call MPI_Info_set(info, 'size', '5', ierr); OK
    call MPI_Info_get_nkeys(info, keys, ierr); OK
    EXPECT(keys, 2)
    call MPI_Info_get(info, 'colour', len(value), value, flag, ierr); OK
    CHECK(flag .and. value == 'light blue')
    call MPI_Info_get_valuelen(info, ' colour', length, flag, ierr); OK
    CHECK(flag .and. length == 10)
    short = '###'
    call MPI_Info_get(info, 'size', 3, short, flag, ierr); OK
    CHECK(flag .and. short == '5  ')
#ifndef PLAIN_MPICH /* 4.0.2 fails */
    call MPI_Info_get(info, 'colour', 3, short, flag, ierr); OK
    CHECK(flag .and. short == 'lig')
#endif
    value = 'as before'
    call MPI_Info_get(info, 'nowhere', len(value), value, flag, ierr); OK
    CHECK((flag .eqv. .false.) .and. value == 'as before')
    call MPI_Info_get_valuelen(info, 'nowhere', length, flag, ierr); OK
    CHECK(flag .eqv. .false.)
    call MPI_Info_dup(info, copy, ierr); OK
    call MPI_Info_delete(info, 'size ', ierr); OK
    call MPI_Info_get_nkeys(info, keys, ierr); OK
    EXPECT(keys, 1)
    call MPI_Info_get_nkeys(copy, keys, ierr); OK
    EXPECT(keys, 2)
    do i = 0, 1 ! from 0 here, too
      key = repeat('#', len(key))
      call MPI_Info_get_nthkey(copy, i, key, ierr); OK
      CHECK(key == 'colour' .or. key == 'size')
    end do
    call MPI_Info_delete(info, 'size', ierr)
    FAILS(MPI_ERR_INFO_NOKEY)
    call MPI_Info_free(info, ierr); OK
    CHECK(info == MPI_INFO_NULL)
    call MPI_Info_free(copy, ierr); OK
    call MPI_Info_get(MPI_INFO_ENV, 'command', len(value), value, flag, ierr); OK
  end subroutine

  subroutine start
    logical :: flag
    integer :: provided

    call MPI_Initialized(flag, ierr); OK
    CHECK(flag .eqv. .false.)
    call MPI_Finalized(flag, ierr); OK
    CHECK(flag .eqv. .false.)
    call conform_init_thread(MPI_THREAD_FUNNELED)
    call MPI_Initialized(flag, ierr); OK
    CHECK(flag .eqv. .true.)
    call MPI_Query_thread(provided, ierr); OK
    CHECK(provided >= MPI_THREAD_FUNNELED .and. provided <= MPI_THREAD_MULTIPLE)
    call MPI_Is_thread_main(flag, ierr); OK
    CHECK(flag .eqv. .true.)
    call MPI_Pcontrol(0)
  end subroutine
end module

program main
  use environment
  implicit none
  logical :: flag

  call start
  call versions
  call memory
  call handlers
  call errors_of_ones_own
  call clocks
  call infos
  call conform_end
  call MPI_Finalized(flag, ierr)
  if (.not. flag) stop 2
end program
