! SPDX-License-Identifier: BSD-3-Clause
! Windows (MPI 11): of arrays and of memory that is allocated, all kinds of epochs, atomics, attributes.
program rma
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use ep
  use harness
  implicit none
  integer(MPI_ADDRESS_KIND), parameter :: zero = 0, one = 1
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call fences(world, rank, size)
    call locks(world, rank, size)
    call groups(world, rank, size)
    call shared(world)
    call dynamic(world, rank, size)
  end subroutine

  subroutine fences(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    real(8), asynchronous, target :: memory(4)
    real(8), asynchronous :: got
    real(8) :: own
    type(ep_win) :: win
    integer(MPI_ADDRESS_KIND) :: value
    integer :: next, before
    logical :: flag
    next = mod(rank + 1, size)
    before = mod(rank + size - 1, size)
    memory = 0
    own = rank
    call ep_win_create(memory, 32_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, world, win)
    call ep_win_get_attr(win, MPI_WIN_SIZE, value, flag)
    call check(flag .and. value == 32, 'MPI_WIN_SIZE')
    call ep_win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag)
    call check(flag .and. value == 8, 'MPI_WIN_DISP_UNIT')
    call ep_win_get_attr(win, MPI_WIN_BASE, value, flag)
    call check(flag .and. value == transfer(c_loc(memory), value), 'MPI_WIN_BASE')
    call ep_win_fence(0, win)
    call ep_put(own, 1, MPI_DOUBLE_PRECISION, next, one, 1, MPI_DOUBLE_PRECISION, win)
    call ep_accumulate(own, 1, MPI_DOUBLE_PRECISION, 0, zero, 1, MPI_DOUBLE_PRECISION, MPI_SUM, win)
    call ep_win_fence(0, win)
    call check(memory(2) == before, 'put')
    if (rank == 0) call check(memory(1) == size*(size - 1)/2, 'accumulate')
    call ep_get(got, 1, MPI_DOUBLE_PRECISION, next, one, 1, MPI_DOUBLE_PRECISION, win)
    call ep_win_fence(0, win)
    call check(got == rank, 'get')
    call ep_win_free(win)
    call check(win == EP_WIN_NULL, 'win_free')
  end subroutine

  subroutine locks(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(c_ptr) :: base
    integer, pointer :: memory(:)
    type(ep_win) :: win
    type(ep_request) :: request
    integer, asynchronous :: old, minus, new
    call ep_win_allocate(8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, world, base, win)
    call c_f_pointer(base, memory, [2])
    call ep_win_lock_all(0, win)
    call ep_fetch_and_op(1, old, MPI_INTEGER, 0, zero, MPI_SUM, win)
    call ep_win_flush(0, win)
    call check(old >= 0 .and. old < size, 'fetch_and_op')
    minus = 0
    new = rank + 1
    call ep_compare_and_swap(new, minus, old, MPI_INTEGER, rank, one, win)
    call ep_win_flush(rank, win)
    call check(old == 0 .and. memory(2) == rank + 1, 'compare_and_swap')
    call ep_rget(old, 1, MPI_INTEGER, rank, one, 1, MPI_INTEGER, win, request)
    call ep_wait(request, EP_STATUS_IGNORE)
    call check(old == rank + 1, 'rget')
    call ep_win_unlock_all(win)
    call ep_barrier(world)
    call ep_win_lock(MPI_LOCK_SHARED, 0, 0, win)
    call ep_get(old, 1, MPI_INTEGER, 0, zero, 1, MPI_INTEGER, win)
    call ep_win_unlock(0, win)
    call check(old == size, 'all have added')
    call ep_win_free(win)
  end subroutine

  subroutine groups(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer, asynchronous, target :: memory
    type(ep_group) :: all, next, before
    type(ep_win) :: win
    integer :: mine
    memory = -1
    mine = rank
    call ep_win_create(memory, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, world, win)
    call ep_win_get_group(win, all)
    call ep_group_incl(all, 1, [mod(rank + 1, size)], next)
    call ep_group_incl(all, 1, [mod(rank + size - 1, size)], before)
    call ep_win_post(before, 0, win)
    call ep_win_start(next, 0, win)
    call ep_put(mine, 1, MPI_INTEGER, mod(rank + 1, size), zero, 1, MPI_INTEGER, win)
    call ep_win_complete(win)
    call ep_win_wait(win)
    call check(memory == mod(rank + size - 1, size), 'post, start, complete, wait')
    call ep_group_free(all)
    call ep_group_free(next)
    call ep_group_free(before)
    call check(before == EP_GROUP_NULL, 'group_free')
    call ep_win_free(win)
  end subroutine

  subroutine shared(world)
    type(ep_comm), intent(in) :: world
    type(ep_comm) :: machine
    type(ep_win) :: win
    type(c_ptr) :: base
    integer, pointer :: mine, first
    integer :: rank, disp_unit
    integer(MPI_ADDRESS_KIND) :: bytes
    call ep_comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, machine)
    call ep_comm_rank(machine, rank)
    call ep_win_allocate_shared(4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, machine, base, win)
    call c_f_pointer(base, mine)
    mine = rank + 10
    call ep_win_fence(0, win)
    call ep_win_shared_query(win, 0, bytes, disp_unit, base)
    call c_f_pointer(base, first)
    call check(bytes == 4 .and. disp_unit == 4 .and. first == 10, 'win_shared_query')
    call ep_win_fence(0, win)
    call ep_win_free(win)
    call ep_comm_free(machine)
  end subroutine

  subroutine dynamic(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_win) :: win
    integer, asynchronous, target :: memory
    integer(MPI_ADDRESS_KIND) :: address, all(0:size - 1)
    memory = 0
    call ep_win_create_dynamic(MPI_INFO_NULL, world, win)
    call ep_win_attach(win, memory, 4_MPI_ADDRESS_KIND)
    call MPI_Get_address(memory, address)
    call ep_allgather(address, 1, MPI_AINT, all, 1, MPI_AINT, world)
    call ep_win_fence(0, win)
    call ep_put(rank, 1, MPI_INTEGER, mod(rank + 1, size), all(mod(rank + 1, size)), 1, MPI_INTEGER, win)
    call ep_win_fence(0, win)
    call check(memory == mod(rank + size - 1, size), 'win_create_dynamic')
    call ep_win_detach(win, memory)
    call ep_win_free(win)
  end subroutine
end program
