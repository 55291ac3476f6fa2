! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 11: windows of all kinds, all ways to synchronise, all operations.
! Open MPI 4.1.4 crashes in MPI_Compare_and_swap; its name of a window is another with mpi_f08.
! conform: fails openmpi-H openmpi-MPI openmpi-F08
#include "conform_f.h"
module windows
  USE_MPI
  use conform
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND
  integer :: next, previous

contains

  subroutine fences
    integer, asynchronous :: memory(10), a(3), b(2)
    WIN_T :: win

    memory = -1
    a = rank * 10 + [1, 2, 3]
    call MPI_Win_create(memory, 40_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, win, ierr); OK
    call MPI_Put(a, 3, MPI_INTEGER, next, 2_aint, 3, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    CHECK(all(memory(3:5) == previous * 10 + [1, 2, 3]) .and. all(memory(:2) == -1))
    call MPI_Get(b, 2, MPI_INTEGER, next, 3_aint, 2, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    CHECK(all(b == rank * 10 + [2, 3]))
    memory(1) = 0
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Accumulate(rank + 1, 1, MPI_INTEGER, 0, 0_aint, 1, MPI_INTEGER, MPI_SUM, win, ierr); OK
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr); OK
    if (rank == 0) then
      EXPECT(memory(1), size_of_world * (size_of_world + 1) / 2)
    end if
    call MPI_Win_free(win, ierr); OK
    CHECK(win == MPI_WIN_NULL)
  end subroutine

  ! Memory from MPI, with Fortran pointers to it.
  subroutine allocated
    integer(aint) :: address
    integer, pointer :: memory(:)
    integer :: a(1)
    type(c_ptr) :: base
    WIN_T :: win
    GROUP_T :: world, one

#ifdef STYLE_H
    call MPI_Win_allocate(80_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, address, win, ierr); OK
    base = transfer(address, base)
#else
    call MPI_Win_allocate(80_aint, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr); OK
#endif
    call c_f_pointer(base, memory, [20])
    memory = -3
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    ! From the previous one, to the next one.
    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_incl(world, 1, [previous], one, ierr); OK
    call MPI_Win_post(one, 0, win, ierr); OK
    call MPI_Group_free(one, ierr); OK
    call MPI_Group_incl(world, 1, [next], one, ierr); OK
    call MPI_Win_start(one, 0, win, ierr); OK
    a = rank
    call MPI_Put(a, 1, MPI_INTEGER, next, 19_aint, 1, MPI_INTEGER, win, ierr); OK
    call MPI_Win_complete(win, ierr); OK
    call MPI_Win_wait(win, ierr); OK
    EXPECT(memory(20), previous)
    call MPI_Group_free(one, ierr); OK
    call MPI_Win_get_group(win, one, ierr); OK
    call MPI_Group_free(one, ierr); OK
    call MPI_Group_free(world, ierr); OK
    call tested
    call names
    call MPI_Win_free(win, ierr); OK

  contains

    subroutine tested
      logical :: flag

      call MPI_Win_post(world_of_previous(), 0, win, ierr); OK
      call MPI_Win_start(world_of_next(), 0, win, ierr); OK
      call MPI_Win_complete(win, ierr); OK
      flag = .false.
      do while (.not. flag)
        call MPI_Win_test(win, flag, ierr); OK
      end do
    end subroutine

    function world_of_previous() result(group)
      GROUP_T :: group, all_of

      call MPI_Comm_group(MPI_COMM_WORLD, all_of, ierr); OK
      call MPI_Group_incl(all_of, 1, [previous], group, ierr); OK
      call MPI_Group_free(all_of, ierr); OK
    end function

    function world_of_next() result(group)
      GROUP_T :: group, all_of

      call MPI_Comm_group(MPI_COMM_WORLD, all_of, ierr); OK
      call MPI_Group_incl(all_of, 1, [next], group, ierr); OK
      call MPI_Group_free(all_of, ierr); OK
    end function

    subroutine names
      character(MPI_MAX_OBJECT_NAME) :: name
      integer :: length
      INFO_T :: info

      call MPI_Win_set_name(win, 'field  ', ierr); OK
      name = repeat('#', len(name))
      call MPI_Win_get_name(win, name, length, ierr); OK
      CHECK(length == 5 .and. name == 'field')
      call MPI_Win_get_info(win, info, ierr); OK
      call MPI_Win_set_info(win, info, ierr); OK
      call MPI_Info_free(info, ierr); OK
    end subroutine
  end subroutine

  ! A neighbour's memory as a Fortran array.
  subroutine shared
    COMM_T :: node
    WIN_T :: win
    type(c_ptr) :: base
    integer(aint) :: address, size
    integer :: unit, me, n, other
    integer, pointer :: mine(:), theirs(:)

    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, node, ierr); OK
    call MPI_Comm_rank(node, me, ierr); OK
    call MPI_Comm_size(node, n, ierr); OK
    other = modulo(me + 1, n)
#ifdef STYLE_H
    call MPI_Win_allocate_shared(4_aint * (me + 2), 4, MPI_INFO_NULL, node, address, win, ierr); OK
    base = transfer(address, base)
#else
    call MPI_Win_allocate_shared(4_aint * (me + 2), 4, MPI_INFO_NULL, node, base, win, ierr); OK
#endif
    call c_f_pointer(base, mine, [me + 2])
    mine = 100 * me + 5
    call MPI_Win_fence(0, win, ierr); OK
#ifdef STYLE_H
    call MPI_Win_shared_query(win, other, size, unit, address, ierr); OK
    base = transfer(address, base)
#else
    call MPI_Win_shared_query(win, other, size, unit, base, ierr); OK
#endif
    EXPECT(size, 4 * (other + 2))
    EXPECT(unit, 4)
    call c_f_pointer(base, theirs, [other + 2])
    CHECK(all(theirs == 100 * other + 5))
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Win_free(win, ierr); OK
    call MPI_Comm_free(node, ierr); OK
  end subroutine

  ! Locks, flushes, requests, and all that is atomic.
  subroutine passive
    integer(8), asynchronous :: memory(4)
    integer(8) :: one(1), got(1), compare(1), many(2)
    WIN_T :: win
    REQUEST_T :: requests(2)

    memory = 0
    call MPI_Win_create(memory, 32_aint, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    one = 1
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr); OK
    call MPI_Accumulate(one, 1, MPI_INTEGER8, 0, 0_aint, 1, MPI_INTEGER8, MPI_SUM, win, ierr); OK
    call MPI_Win_flush(0, win, ierr); OK
    call MPI_Win_unlock(0, win, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_Win_lock_all(MPI_MODE_NOCHECK, win, ierr); OK
    call MPI_Fetch_and_op(one, got, MPI_INTEGER8, 0, 0_aint, MPI_SUM, win, ierr); OK
    call MPI_Win_flush_local(0, win, ierr); OK
    call MPI_Win_flush(0, win, ierr); OK
    CHECK(got(1) >= size_of_world .and. got(1) < 2 * size_of_world)
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_Fetch_and_op(one, got, MPI_INTEGER8, 0, 0_aint, MPI_NO_OP, win, ierr); OK
    call MPI_Win_flush_all(win, ierr); OK
    EXPECT(got(1), 2 * size_of_world)
    ! Only one of them finds 0.
    compare = 0
    one = rank + 1
    call MPI_Compare_and_swap(one, compare, got, MPI_INTEGER8, 0, 1_aint, win, ierr); OK
    call MPI_Win_flush_local_all(win, ierr); OK
    call MPI_Win_flush(0, win, ierr); OK
    CHECK(got(1) >= 0 .and. got(1) <= size_of_world)
    block
      integer :: first(1), firsts(1)

      first = merge(1, 0, got(1) == 0)
      call MPI_Allreduce(first, firsts, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
      EXPECT(firsts(1), 1)
    end block
    many = [3, 4]
    call MPI_Rput(many, 2, MPI_INTEGER8, next, 2_aint, 2, MPI_INTEGER8, win, requests(1), ierr); OK
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_flush(next, win, ierr); OK
    call MPI_Raccumulate(many, 2, MPI_INTEGER8, next, 2_aint, 2, MPI_INTEGER8, MPI_PROD, win, requests(1), ierr); OK
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_flush(next, win, ierr); OK
    many = 0
    call MPI_Rget(many, 2, MPI_INTEGER8, next, 2_aint, 2, MPI_INTEGER8, win, requests(1), ierr); OK
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(many == [9, 16]))
    one = 100
    call MPI_Get_accumulate(one, 1, MPI_INTEGER8, got, 1, MPI_INTEGER8, next, 2_aint, 1, MPI_INTEGER8, MPI_REPLACE, win, ierr); OK
    call MPI_Win_flush(next, win, ierr); OK
    EXPECT(got(1), 9)
    call MPI_Rget_accumulate(one, 1, MPI_INTEGER8, got, 1, MPI_INTEGER8, next, 2_aint, 1, MPI_INTEGER8, MPI_MAX, win, requests(1), ierr)
    OK
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
    EXPECT(got(1), 100)
    call MPI_Win_sync(win, ierr); OK
    call MPI_Win_unlock_all(win, ierr); OK
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
    call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win, ierr); OK
    CHECK(all(memory(3:4) == [100, 16]))
    call MPI_Win_unlock(rank, win, ierr); OK
    call MPI_Win_free(win, ierr); OK
  end subroutine

  ! Addresses of what others attached.
  subroutine dynamic
    integer, asynchronous :: memory(5)
    integer(aint) :: mine(1), theirs(1)
    integer :: a(2)
    WIN_T :: win

    memory = -1
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_attach(win, memory, 20_aint, ierr); OK
    call MPI_Get_address(memory, mine(1), ierr); OK
    call MPI_Sendrecv(mine, 1, MPI_AINT, previous, 0, theirs, 1, MPI_AINT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    a = rank
    call MPI_Put(a, 2, MPI_INTEGER, next, theirs(1) + 8, 2, MPI_INTEGER, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    CHECK(all(memory == [-1, -1, previous, previous, -1]))
    call MPI_Win_detach(win, memory, ierr); OK
    call MPI_Win_free(win, ierr); OK
  end subroutine
end module

program main
  use windows
  implicit none

  call conform_init
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call fences
  call allocated
  call shared
  call passive
  call dynamic
  call conform_end
end program
